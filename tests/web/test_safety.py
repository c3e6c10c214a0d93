"""Row 75, bad input: scripts and stray marks in every text of a model, tool, person or file."""

from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from gateway.core.errors import ModelFailed, StoreFailed
from tests.acceptance.scripted import Script, call
from tests.web.site import Site, Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

XSS = [
    "<script>window.hit=1</script>",
    "<img src=x onerror=window.hit=1>",
    '"><svg/onload=window.hit=1>',
    "[click](javascript:window.hit=1)",
    "[click](data:text/html,<script>window.hit=1</script>)",
    '[a](https://e.example/"onmouseover=window.hit=1)',
    "`<b>`<script>window.hit=1</script>",
    "**<iframe srcdoc='<script>parent.hit=1</script>'>**",
    "{{constructor.constructor('window.hit=1')()}}",
    "\u202e<script>\u2066",
    "](https://a)<a href='javascript:window.hit=1'>x</a>",
]
ALL = "\n\n".join(XSS)


@tool(approval=True)
async def evil(context: ToolContext, text: str) -> str:
    """Evil."""
    await context.progress(f"{XSS[0]} {XSS[1]}", 0.5)
    await context.interrupt(
        message=XSS[1],
        response_schema={"oneOf": [{"const": XSS[0], "title": XSS[2]}, {"const": "b"}]},
    )
    return ALL


async def safe(page: Tab) -> None:
    """No script ran, and no element came out of a text."""
    found: dict[str, Any] = await page.page.evaluate(
        "() => ({ hit: window.hit ?? null,"
        " made: document.querySelectorAll('#middle :is(script, iframe, object, embed, form[action],"
        " svg[onload], img[onerror])').length,"
        " links: [...document.querySelectorAll('#middle a')].map(a => a.protocol)"
        ".filter(p => !['http:', 'https:'].includes(p)) })"
    )
    assert found == {"hit": None, "made": 0, "links": []}


async def test_no_text_becomes_markup(site: Site) -> None:
    model = Script([ALL, call("evil", text=ALL)], [ALL], [ModelFailed("MODEL_REFUSED", ALL)])
    await site.start(Agent("a", model, "", [evil]))
    page = await site.page()
    await page.say(ALL)
    await page.sees(".card.open .approval")
    await safe(page)
    await page.press("Approve")
    await page.sees(".card.open .option", XSS[2])
    await safe(page)
    await page.say(XSS[2])
    await page.sees(".reply", count=2)
    await page.all(".call summary").first.click()
    await page.sees(".call-inside pre", "window.hit")
    await safe(page)
    await page.say(XSS[0])
    await page.sees(".end.failed")
    await page.reload()
    await page.sees(".end.failed")
    await safe(page)
    said = await page.all(".said.mine .words").first.inner_text()
    assert said == ALL


async def test_a_file_name_is_a_text(site: Site) -> None:
    await site.start(Agent("a", Script(["Got it."]), ""))
    page = await site.page()
    name = "<img src=x onerror=window.hit=1>.txt"
    files: Any = [{"name": name, "mimeType": "text/html", "buffer": b"<script>alert(1)</script>"}]
    await page.all("#composer input[type=file]").set_input_files(files)
    await page.sees(".drafts .chip", "onerror")
    await page.say("see the file")
    await page.sees(".said .file", "onerror")
    await page.sees(".reply", "Got it.")
    await page.reload()
    await page.sees(".said .file", "onerror")
    await safe(page)


async def test_a_picture_is_shown_and_a_large_file_is_refused_by_name(site: Site) -> None:
    await site.start(Agent("a", Script(["Nice."]), ""), http={"upload_limit_bytes": 5000})
    page = await site.page()
    other = await page.tab()
    png = await page.page.screenshot(clip={"x": 0, "y": 0, "width": 8, "height": 8})
    chooser = page.all("#composer input[type=file]")
    await chooser.set_input_files(
        [
            {"name": "dot.png", "mimeType": "image/png", "buffer": png},
            {"name": "big.bin", "mimeType": "", "buffer": bytes(6000)},
        ]
    )
    await page.sees(".drafts .chip.wrong", "too large")
    await page.hint("remove the file that failed")
    await page.press("Remove big.bin", ".drafts")
    await page.hint("Enter: send")
    await page.say("")
    for tab in (page, other):
        await tab.sees(".said .picture")
        width = await tab.all(".said .picture").evaluate("img => img.naturalWidth")
        assert width == 8
    await page.sees(".reply", "Nice.")


async def test_a_full_disk_is_told_and_the_file_goes_up_once_there_is_room(site: Site) -> None:
    await site.start(Agent("a", Script(["Got it."]), ""))
    site.may_log += ["503"]

    class Full:
        async def put(self, data: bytes, media_type: str, principal: str) -> str:
            raise StoreFailed("STORE_FULL", "disk full")

    assert site.app is not None
    uploads = site.app.front.files
    page = await site.page()
    await page.type("see the file")
    kept, uploads._blobs = uploads._blobs, Full()  # type: ignore[assignment]
    file: Any = [{"name": "a.txt", "mimeType": "text/plain", "buffer": b"text"}]
    await page.all("#composer input[type=file]").set_input_files(file)
    await page.sees(".drafts .chip.wrong", "disk is full")
    await page.key("Enter")
    await page.gone(".said")
    uploads._blobs = kept
    await page.press("Again", ".drafts")
    await page.gone(".drafts .chip.wrong")
    await page.key("Enter")
    await page.all("#message").press("Enter")
    await page.sees(".said .file", "a.txt")
    await page.sees(".reply", "Got it.")


STRAY = [
    "a_b_c and 2 * 3 * 4 = 24, snake_case_name, f(x) = x*y*z",
    "5 < 6 > 4 & done; [not a link] (really) [ ] *",
    "```\nunclosed fence",
    "`unclosed code and **unclosed bold",
    "C:\\new\\folder\\x",
    "# ",
    "1. \n-\n>",
    "***",
]


@pytest.mark.parametrize("text", STRAY)
async def test_stray_marks_stay_what_they_are(site: Site, text: str) -> None:
    await site.start(Agent("a", Script([text]), ""))
    page = await site.page()
    await page.say("go")
    await page.sees(".reply")
    await page.gone('.reply[data-live="true"]')
    shown = await page.all(".reply .text").inner_text()
    wanted = text.replace("```\n", "")
    assert shown.split() == wanted.split()


async def test_an_escaped_mark_is_the_mark_without_its_backslash(site: Site) -> None:
    await site.start(Agent("a", Script([r"\*not soft\* and snake\_case \<b\>"]), ""))
    page = await site.page()
    await page.say("go")
    await page.sees(".reply", "*not soft* and snake_case <b>")
    assert "<em>" not in await page.all(".reply .text").inner_html()


async def test_marks_that_are_meant_are_drawn(site: Site) -> None:
    text = (
        "# Title\nA **bold** and *soft* and _soft_ word, `co*de*`, [link](https://e.example/a_b).\n"
        "\n- one\n- two\n\n1. first\n2. second\n\n```python\nx = '**'\n```\n> quoted\n\n"
        "See https://e.example/x?y=1."
    )
    await site.start(Agent("a", Script([text]), ""))
    page = await site.page()
    await page.say("go")
    await page.sees(".reply blockquote", "quoted")
    html = await page.all(".reply .text").inner_html()
    for part in ("<strong>bold</strong>", "<em>soft</em>", "<code>co*de*</code>", "<li>two</li>"):
        assert part in html.replace(' class=""', ""), html
    links = await page.all(".reply a").evaluate_all("a => a.map(x => [x.href, x.rel])")
    rel = "noopener noreferrer nofollow"
    assert links == [["https://e.example/a_b", rel], ["https://e.example/x?y=1", rel]]
    assert await page.all(".reply ol li").count() == 2
    assert await page.all(".reply pre").inner_text() == "x = '**'"
