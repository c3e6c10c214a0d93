"""People with tokens: let in by a link, sharing by a link, sent away when it ends."""

from typing import Any

import pytest

from gateway import Agent
from tests.acceptance.scripted import Script
from tests.web.site import Site, Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def opened(site: Site, *names: str) -> list[Tab]:
    """A page of each of these people, let in by their link."""
    agent = Agent("a", Script(["Hello to you."]), "")
    app = await site.start(agent)
    secrets = [await app.front.people.create(name) for name in names]
    await site.stop()
    await site.start(agent, http={"require_tokens": True})
    return [await site.page(f"/?token={secret}") for secret in secrets]


def app_of(site: Site) -> Any:
    assert site.app is not None
    return site.app


async def test_a_link_lets_in_and_its_secret_leaves_the_address(site: Site) -> None:
    (ann,) = await opened(site, "ann")
    assert "token" not in ann.page.url
    await ann.say("hi")
    await ann.sees(".reply", "Hello to you.")
    assert await ann.page.evaluate("() => document.cookie") == ""
    ann.logged.clear()
    await app_of(site).front.people.revoke("ann")
    await ann.sees("#banner", "Your access was revoked")
    site.may_log += ["401"]
    await ann.page.reload()
    await ann.sees("#banner", "You are not known here")


async def test_who_has_no_token_sees_nothing(site: Site) -> None:
    await opened(site, "ann")
    site.may_log += ["401"]
    stranger = await site.page()
    await stranger.sees("#banner", "You are not known here")
    await stranger.gone("#dock:visible")


async def test_a_conversation_is_shared_by_a_link_and_made_private_again(site: Site) -> None:
    ann, bob = await opened(site, "ann", "bob")
    await bob.page.goto(f"{site.address}/#local%3Aann")
    await ann.say("hi")
    await ann.sees(".reply", "Hello to you.")
    await bob.reload()
    await bob.sees("#banner", "belongs to somebody else")
    await ann.press("Share", "#top")
    await ann.press("Make a link", "dialog")
    link = await ann.all("dialog input").input_value()
    await ann.key("Escape")
    await bob.page.goto(link)
    await bob.sees(".said:not(.mine)", "hi")
    assert "key=" not in bob.page.url
    await bob.say("hello from bob")
    await ann.sees(".said:not(.mine) .who", "bob")
    await ann.sees(".said", "hello from bob")
    await ann.press("Shared", "#top")
    await ann.press("Make it private again", "dialog")
    await bob.sees("#banner", "no longer shared with you")
