"""Row 97: the agent in an editor, with the real client library of the Agent Client Protocol:
permissions and forms are answers to our questions.
"""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from acp.exceptions import RequestError
from acp.helpers import text_block

from gateway import Agent, ToolContext, tool
from gateway.core.queueing import Mode
from gateway.ports.rows import NewInput
from tests.acceptance.asking import REGION, REPLICAS, asking_agent, requests_of
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Gate, Script, call, messages
from tests.mcp.editors import Window, editing
from tests.mcp.serving import eventually

pytestmark = pytest.mark.looptime


def code_of(refused: Any) -> str:
    """The code in an error's data."""
    data: Any = refused.value.data
    return str(data["code"])


async def test_a_prompt_is_streamed(tmp_path: Path):
    gate = Gate()
    model = Script(["hel", gate, "lo"], ["again"])
    async with Desk(tmp_path, Agent("tester", model)) as desk, editing(desk) as editor:
        await editor.new()
        going = asyncio.create_task(editor.prompt("hi"))
        await gate.reached.wait()
        await eventually(lambda: editor.window.said() == "hel")
        gate.open()
        assert await going == "end_turn"
        assert editor.window.said() == "hello"
        assert await editor.prompt("and?") == "end_turn"
        assert messages(model.requests[1])[:2] == [("user", "hi"), ("assistant", "hello")]


def deploying(ran: list[Any], **options: Any) -> Agent:
    @tool(approval=True, **options)
    async def deploy(service: str, context: ToolContext) -> str:
        """Deploys."""
        await context.progress("half-way", 0.5)
        ran.append(service)
        return "deployed"

    steps: list[Any] = [
        [call("deploy", service="api")],
        ["one"],
        [call("deploy", service="web")],
        ["two"],
    ]
    return Agent("tester", Script(*steps), tools=[deploy])


@pytest.mark.parametrize(
    ("permission", "reason", "runs", "asks"),
    [
        ("allow_once", "end_turn", ["api", "web"], 2),
        ("allow_always", "end_turn", ["api", "web"], 1),
        ("reject_once", "end_turn", [], 2),
        ("cancelled", "cancelled", [], 1),
        ("made_up", "end_turn", [], 3),
    ],
)
async def test_a_permission_is_an_approval(
    tmp_path: Path, permission: str, reason: str, runs: list[str], asks: int
):
    ran: list[Any] = []
    window = Window(permission)
    async with Desk(tmp_path, deploying(ran)) as desk, editing(desk, window) as editor:
        await editor.new()
        assert await editor.prompt("go") == reason
        about, options = window.permissions[0]
        assert about.raw_input == {"service": "api"}
        assert [o.kind for o in options] == ["allow_once", "allow_always", "reject_once"]
        if permission in ("allow_once", "allow_always", "reject_once"):
            assert await editor.prompt("and again") == "end_turn"
        assert ran == runs
        assert len(window.permissions) == asks
        if permission == "allow_once":
            changes = [(kind, status) for kind, _, status in window.calls()[:4]]
            assert changes == [
                ("tool_call", "pending"),
                ("tool_call_update", "in_progress"),
                ("tool_call_update", ""),
                ("tool_call_update", "completed"),
            ]


async def test_a_destructive_tool_is_never_allowed_always(tmp_path: Path):
    ran: list[Any] = []
    async with Desk(tmp_path, deploying(ran, destructive=True)) as desk, editing(desk) as editor:
        await editor.new()
        await editor.prompt("go")
        _, options = editor.window.permissions[0]
        assert [o.kind for o in options] == ["allow_once", "reject_once"]


async def test_a_form_is_a_question(tmp_path: Path):
    agent = asking_agent(REPLICAS, ["scaled"])
    window = Window(forms=[{"answer": 3}])
    async with Desk(tmp_path, agent) as desk, editing(desk, window) as editor:
        await editor.new()
        assert await editor.prompt("go") == "end_turn"
        (asked,) = window.asked
        assert asked[0] == "Well?"
        assert "answer" in asked[1].requested_schema.properties
        assert window.said() == "scaled"


@pytest.mark.parametrize("answer", ["decline", "cancel"])
async def test_a_form_that_is_not_answered_ends_the_run(tmp_path: Path, answer: str):
    agent = asking_agent(REPLICAS, ["scaled"])
    window = Window(forms=[answer])
    async with Desk(tmp_path, agent) as desk, editing(desk, window) as editor:
        await editor.new()
        assert await editor.prompt("go") == "cancelled"
        assert len(requests_of(agent)) == 1


async def test_a_form_that_is_not_answered_ends_no_other_run(tmp_path: Path):
    agent = asking_agent(REPLICAS, [call("ask")])
    window = Window(forms=["decline"], after=5.0)
    async with Desk(tmp_path, agent) as desk, editing(desk, window) as editor:
        await editor.new()
        going = asyncio.create_task(editor.prompt("go"))
        await eventually(lambda: bool(window.asked))
        thread = f"acp:ann:{editor.session}"
        store, router = desk.app.store, desk.app.router
        (first,) = await store.questions(thread=thread, open_only=True)
        beside = NewInput(
            dedup="beside",
            thread=thread,
            channel="acp",
            principal="ann",
            text="and that?",
            mode=Mode.PARALLEL,
            branch=0,
            how="api",
        )
        assert not (await router.accept(beside)).code
        await asyncio.sleep(1)
        assert len(await store.questions(thread=thread, open_only=True)) == 2
        assert await going == "cancelled"
        (other,) = await store.questions(thread=thread, open_only=True)
        assert other.run != first.run


async def test_without_forms_it_is_asked_in_words(tmp_path: Path):
    agent = asking_agent(REGION, ["deployed"])
    async with Desk(tmp_path, agent) as desk, editing(desk) as editor:
        await editor.new()
        assert await editor.prompt("go") == "end_turn"
        assert "Well?" in editor.window.said()
        with pytest.raises(RequestError) as unclear:
            await editor.prompt("on the moon maybe")
        assert code_of(unclear) == "INTERRUPT_ANSWER_INVALID"
        assert await editor.prompt("eu") == "end_turn"
        assert editor.window.said().endswith("deployed")


async def test_a_cancel_stops_the_run(tmp_path: Path):
    """RACES 20: a prompt that waits behind it is given back."""
    gate = Gate()
    model = Script(["wor", gate, "king"], ["next"])
    async with Desk(tmp_path, Agent("tester", model)) as desk, editing(desk) as editor:
        await editor.new()
        going = asyncio.create_task(editor.prompt("go"))
        await gate.reached.wait()
        behind = asyncio.create_task(editor.prompt("and this"))
        await asyncio.sleep(0.5)
        await editor.cancel()
        assert await going == "cancelled"
        assert await behind == "cancelled"
        assert len(model.streams) == 1
        assert await editor.prompt("hello") == "end_turn"
        assert messages(model.requests[1])[1] == ("assistant", "wor [interrupted by the user]")


async def test_race_01_a_permission_after_the_expiry(tmp_path: Path):
    agent = asking_agent(REGION, ["on without"], expires_in=60)
    window = Window(forms=[{"answer": "eu"}], after=90.0)
    async with Desk(tmp_path, agent) as desk, editing(desk, window) as editor:
        await editor.new()
        assert await editor.prompt("go") == "end_turn"
        assert window.said() == "on without"
        assert "Nobody answered" in messages(requests_of(agent)[1])[-1][1]
        await asyncio.sleep(60)
        assert len(requests_of(agent)) == 2


async def test_race_02_a_stop_before_the_permission(tmp_path: Path):
    ran: list[Any] = []
    window = Window("allow_once", after=5.0)
    async with Desk(tmp_path, deploying(ran)) as desk, editing(desk, window) as editor:
        await editor.new()
        going = asyncio.create_task(editor.prompt("go"))
        await eventually(lambda: bool(window.permissions))
        await editor.cancel()
        assert await going == "cancelled"
        await asyncio.sleep(10)
        assert ran == []


async def test_race_02_a_permission_before_the_stop(tmp_path: Path):
    """The decision stays, the call does not go on once the stop came."""
    gate = Gate()
    ran: list[str] = []

    @tool(approval=True, behavior="THREAD_INTERRUPT")
    async def deploy() -> str:
        """Deploys."""
        await gate.wait()
        ran.append("api")
        return "deployed"

    agent = Agent("tester", Script([call("deploy")], ["fine"]), tools=[deploy])
    async with Desk(tmp_path, agent) as desk, editing(desk) as editor:
        await editor.new()
        going = asyncio.create_task(editor.prompt("go"))
        await gate.reached.wait()
        await editor.cancel()
        assert await going == "cancelled"
        (question,) = await desk.app.store.questions(thread=f"acp:ann:{editor.session}")
        assert question.status.value == "approved"
        assert ran == []


async def test_an_editor_that_goes_away_stops_what_it_began(tmp_path: Path):
    gate = Gate()
    model = Script(["wor", gate, "king"], ["next"])
    async with Desk(tmp_path, Agent("tester", model)) as desk:
        async with editing(desk) as editor:
            session = await editor.new()
            going = asyncio.create_task(editor.prompt("go"))
            await gate.reached.wait()
        await asyncio.wait({going})
        assert isinstance(going.exception(), ConnectionError)
        await eventually(lambda: not model.open_streams)
        async with editing(desk) as editor:
            editor.session = session
            await editor.conn.load_session(cwd="/", session_id=session)
            assert [u.session_update for u in editor.window.updates][:2] == [
                "user_message_chunk",
                "agent_message_chunk",
            ]
            assert await editor.prompt("hello") == "end_turn"


async def test_a_session_is_its_persons(tmp_path: Path):
    model = Script(["hello"])
    async with Desk(tmp_path, Agent("tester", model)) as desk:
        async with editing(desk) as editor:
            session = await editor.new()
            await editor.prompt("hi")
        async with editing(desk, who="bob") as other:
            with pytest.raises(RequestError) as refused:
                await other.conn.load_session(cwd="/", session_id=f"acp:ann:{session}")
            assert code_of(refused) == "THREAD_ACCESS_DENIED"


async def test_bad_input(tmp_path: Path):
    model = Script(["hello"], [RuntimeError("secret words")])
    async with Desk(tmp_path, Agent("tester", model)) as desk, editing(desk) as editor:
        desk.may_fail = True
        await editor.new()
        prompts: list[list[Any]] = [
            [text_block("")],
            [text_block("  ")],
            [],
            [text_block("x" * 80_001)],
        ]
        for prompt in prompts:
            with pytest.raises(RequestError) as refused:
                await editor.conn.prompt(session_id=editor.session, prompt=prompt)
            assert code_of(refused) == "VALIDATION_ERROR"
        with pytest.raises(RequestError) as unknown:
            await editor.conn.prompt(session_id="nothing", prompt=[text_block("hi")])
        assert code_of(unknown) == "NOT_FOUND"
        assert model.streams == []
        assert await editor.prompt("hi") == "end_turn"
        with pytest.raises(RequestError) as failed:
            await editor.prompt("hi")
        assert code_of(failed) == "INTERNAL_ERROR"
        assert "secret" not in str(failed.value)


PROMPT = b'{"jsonrpc":"2.0","id":1,"method":"session/prompt"'
NEW = b'{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}'
LINES = [
    b"nonsense",
    b"[1]",
    b"3",
    b'{"jsonrpc":"2.0","id":1,"method":3}',
    PROMPT + b"}",
    PROMPT + b',"params":{"sessionId":3,"prompt":"x"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"session/unheard_of","params":{}}',
    b"\xff\xfe",
]


async def test_lines_that_are_no_messages(tmp_path: Path):
    """Each is answered with an error, and the next one is read; other editors notice nothing."""
    model = Script(["hello"])
    async with Desk(tmp_path, Agent("tester", model)) as desk, editing(desk) as editor:
        await editor.new()
        path = str(desk.app.socket.path)
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(b'{"type":"open","protocol":"acp","principal":""}\n')
        await reader.readline()
        for line in LINES:
            writer.write(line + b"\n")
            assert b'"error"' in await reader.readline(), line
        writer.write(NEW + b"\n")
        assert b'"sessionId"' in await reader.readline()
        writer.write(b"x" * 2**21 + b"\n")  # too long: the connection ends
        with suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()
        assert await editor.prompt("hi") == "end_turn"


async def test_a_protocol_that_is_not_served(tmp_path: Path):
    async with Desk(tmp_path, Agent("tester", Script(["hello"]))) as desk:
        reader, writer = await asyncio.open_unix_connection(str(desk.app.socket.path))
        writer.write(b'{"type":"open","protocol":"telnet","principal":""}\n')
        said = await reader.read()
        assert b'"bye"' in said
        assert b"there is no protocol telnet" in said
        writer.close()


async def test_an_editor_in_russian(tmp_path: Path):
    """Its words are the person's, and so is how their answer is read."""
    agent = asking_agent(REPLICAS, ["готово"])
    async with Desk(tmp_path, agent) as desk, editing(desk, language="ru") as editor:
        await editor.new()
        assert await editor.prompt("запусти") == "end_turn"
        assert await editor.prompt("три") == "end_turn"
        assert editor.window.said().endswith("готово")
    ran: list[Any] = []
    (tmp_path / "ru").mkdir()
    async with (
        Desk(tmp_path / "ru", deploying(ran)) as desk,
        editing(desk, language="ru") as editor,
    ):
        await editor.new()
        await editor.prompt("запусти")
        (_, options), *_ = editor.window.permissions
        assert [o.name for o in options] == ["Разрешить один раз", "Разрешать всегда", "Отклонить"]
