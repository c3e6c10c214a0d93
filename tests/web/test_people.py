"""People with tokens: let in by a link, sharing by a link, sent away when it ends."""

from collections.abc import Sequence
from typing import Any

import pytest
from playwright.async_api import expect

from gateway import Agent
from tests.acceptance.scripted import Gate, Script
from tests.web.site import Site, Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def opened(
    site: Site, *names: str, model: Script | None = None, tools: Sequence[Any] = ()
) -> list[Tab]:
    """A page of each of these people, let in by their link."""
    agent = Agent("a", model or Script(["Hello to you."]), "", list(tools))
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


async def test_a_stranger_at_somebodys_address_changes_nothing(site: Site) -> None:
    """Row 66: they are told whose it is; what they type stays with them."""
    gate = Gate()
    ann, bob = await opened(site, "ann", "bob", model=Script(["Working ", gate, "done."]))
    await ann.say("go")
    await gate.reached.wait()
    await bob.page.goto(f"{site.address}/#local%3Aann")
    await bob.sees("#banner", "belongs to somebody else")
    for words in ("stop", "/stop", "hello"):
        await bob.say(words)
    await bob.key("Escape")
    gate.open()
    await ann.sees(".reply", "Working done.")
    assert await ann.flow() == ["said: go", "reply: Working done."]
    await bob.gone(".reply")


async def leave_the_line(site: Site) -> None:
    """Every page's socket is cut; they connect again."""
    site.may_log += ["WebSocket", "ERR_"]
    site.cut()


async def test_a_cookie_of_somebody_else_sends_nothing_in_their_name(site: Site) -> None:
    """Another person's link was opened in the same browser: the page says so, keeps what was
    written, and sends it once its own person is back.
    """
    agent = Agent("a", Script(["Hello to you."]), "")
    app = await site.start(agent)
    secrets = {name: await app.front.people.create(name) for name in ("ann", "bob")}
    await site.stop()
    await site.start(agent, http={"require_tokens": True})
    ann = await site.page(f"/?token={secrets['ann']}")
    await ann.say("hi")
    await ann.sees(".reply", "Hello to you.")
    ann.site.may_log += ["409"]
    bob = (
        await Tab(await ann.page.context.new_page(), site).keep().open(f"/?token={secrets['bob']}")
    )
    file: Any = [{"name": "a.txt", "mimeType": "text/plain", "buffer": b"hers"}]
    await ann.all("#composer input[type=file]").set_input_files(file)
    await ann.sees(".drafts .chip.wrong", "Somebody else is known in this browser now")
    await ann.press("Remove a.txt", ".drafts")
    await leave_the_line(site)
    await ann.sees("#banner", "Nothing is sent in their name")
    await ann.say("only from ann")
    await ann.type("a draft of hers")
    await ann.press("Reload", "#banner")
    await ann.sees("#empty")
    await expect(ann.all("#message")).to_have_value("")
    await bob.page.goto(f"{site.address}/?token={secrets['ann']}")
    await bob.sees(".said", "only from ann")
    await bob.sees(".reply", "Hello to you.", count=2)
    await expect(bob.all("#message")).to_have_value("a draft of hers")
    said = {row.new.principal for row in await app_of(site).store.inputs("local:ann")}
    assert said == {"ann"}
    assert not await app_of(site).store.inputs("local:bob")


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
