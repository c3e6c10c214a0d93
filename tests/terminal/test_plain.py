"""Pipes, signals and the operator's commands, with real processes."""

import asyncio
import json
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.provider import FakeProvider, says
from tests.terminal.conftest import Server

pytestmark = [pytest.mark.process, pytest.mark.timeout(120)]


async def test_one_message_in_one_reply_out(server: Server):
    code, out, err = await server.run("chat", "--once", "--as", "ann", text="/whoami")
    assert (code, out, err) == (0, "You are ann here (it is yours).\n", "")
    code, out, err = await server.run("chat", "--once", "--as", "ann", text="look up order 1042")
    assert (code, err) == (0, "")
    assert "1042" in out


async def test_a_question_is_printed_stays_open_and_is_answered_by_the_next(server: Server):
    code, out, err = await server.run("chat", "--once", "--as", "ann", text="deploy web")
    assert code == 3
    assert "region" in out.lower()
    assert "stays open" in err
    code, out, _ = await server.run("pauses", "list", "--json")
    (pause,) = json.loads(out)
    assert (pause["thread"], pause["status"]) == ("local:ann", "pending")
    code, out, _ = await server.run("chat", "--once", "--as", "ann", text="eu")
    assert code == 3
    code, out, _ = await server.run("chat", "--once", "--as", "ann", text="3")
    assert code == 3
    assert "region: eu" in out
    assert "replicas: 3" in out
    assert (await server.run("pauses", "cancel", "local:ann"))[1] == "Cancelled: 1.\n"
    assert json.loads((await server.run("pauses", "list", "--json"))[1]) == []


async def test_several_lines_without_a_terminal_and_without_a_server(house: Server):
    code, out, err = await house.run("chat", "--as", "ann", text="/whoami\n\n/questions\n")
    assert (code, err) == (0, "")
    assert out == "You are ann here (it is yours).\nNo question is open here.\n"


async def test_an_error_is_one_line_and_exit_1(server: Server):
    await server.run("chat", "--once", "--as", "ann", "--thread", "work", text="/whoami")
    denied = await server.run("chat", "--once", "--as", "eve", "--thread", "work", text="hi")
    assert denied == (1, "", "This conversation belongs to somebody else.\n")


async def test_serve_says_where_and_ends_in_order(house: Server):
    line = await house.start()
    assert str(house.directory / "bargein.db.sock") in line
    assert "http://127.0.0.1:" in line
    assert "BARGEIN_MODEL" in line
    assert await house.end(signal.SIGTERM) == 0
    assert not (house.directory / "bargein.db.sock").exists()
    await house.start()
    assert await house.end(signal.SIGINT) == 0


async def test_a_second_server_on_the_file_is_refused(server: Server):
    code, out, err = await server.run("serve", "--port", "0")
    assert (code, out) == (1, "")
    assert err.startswith("error: ")
    assert "bargein.db" in err


async def test_a_taken_port_is_named(house: Server):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, _, err = await house.run("serve", "--port", port)
    assert code == 1
    assert port in err


async def test_check_config_names_each_mistake(house: Server):
    (house.directory / "bargein.toml").write_text('[queue]\ncup = 1\n\n[http]\nport = "x"\n')
    code, _, err = await house.run("check-config")
    assert code == 2
    assert "queue.cup: unknown setting" in err
    assert "http.port:" in err
    (house.directory / "bargein.toml").write_text('agent = "nowhere:agent"\n')
    code, _, err = await house.run("check-config")
    assert code == 2
    assert "nowhere" in err
    (house.directory / "bargein.toml").unlink()
    async with FakeProvider(says("Hello")) as provider:
        model = f'model = "small"\nmodel_base_url = "{provider.base_url}"\nmodel_api_key = "k"\n'
        (house.directory / "bargein.toml").write_text(model)
        assert (await house.run("check-config", "--offline"))[0] == len(provider.exchanges) == 0
        code, out, _ = await house.run("check-config")
    assert (code, len(provider.exchanges)) == (0, 1)
    assert "The settings are right" in out
    assert "The model answers: small, in " in out
    code, out, err = await house.run("check-config")  # its provider is gone
    assert code == 1
    assert "doesn't answer" in err
    assert "right" not in out


async def test_threads_are_listed_shown_exported_and_deleted_with_and_without_a_server(
    server: Server,
):
    await server.run("chat", "--once", "--as", "ann", text="look up order 1042")
    listed = json.loads((await server.run("threads", "list", "--json"))[1])
    assert [line["thread"] for line in listed] == ["local:ann"]
    assert "ann: look up order 1042" in (await server.run("threads", "show", "ann"))[1]
    exported = json.loads((await server.run("threads", "export", "local:ann"))[1])
    assert await server.end() == 0
    code, out, err = await server.run("threads", "export", "ann")
    assert (code, err) == (0, ""), "the machine's SQLite is no error of the file's"
    offline = json.loads(out)
    assert offline == exported
    assert (await server.run("threads", "delete", "local:ann", "--yes"))[0] == 0
    assert json.loads((await server.run("threads", "list", "--json"))[1]) == []
    code, _, err = await server.run("threads", "show", "local:ann")
    assert code == 1
    assert "there is no thread" in err


async def test_answers_tries_a_schema(house: Server):
    schema = '{"type": "integer", "minimum": 1, "maximum": 5}'
    code, out, _ = await house.run("answers", "--schema", schema, "3")
    assert code == 0
    assert "value: 3" in out
    assert "not taken" in (await house.run("answers", "--schema", schema, "7"))[1]
    assert "control: skip" in (await house.run("answers", "--schema", schema, "skip"))[1]
    for broken in ("{", '{"type": "numbr"}', '{"not": {}}'):
        code, _, err = await house.run("answers", "--schema", broken, "3")
        assert code == 1
        assert "error: the schema" in err


async def test_answers_says_why_and_takes_a_pipe(house: Server):
    schema = '{"type": "boolean"}'
    asked = ("answers", "--schema", schema, "--lang", "ru")
    _, out, _ = await house.run(*asked, "--explain", "ну да нет наверное")
    assert "  наверное: hedge" in out
    _, out, _ = await house.run(*asked, text="ну давай\nno problem\nстоп\n")
    yes, unclear, stop = [json.loads(line) for line in out.splitlines()]
    assert (yes["ok"], yes["value"]) == (True, True)
    assert (unclear["ok"], unclear["problem"]) == (False, "ambiguous")
    assert stop["control"] == "stop"
    _, out, _ = await house.run(*asked, "--channel", "speech", "[unk] да")
    assert "not taken" in out


async def test_the_version_is_told(house: Server):
    assert (await house.run("version"))[1].startswith("bargein ")


async def test_an_agent_beside_the_settings_is_found_by_the_installed_command(house: Server):
    (house.directory / "mine.py").write_text(
        "from gateway import Agent\nfrom gateway.agents.scripted import ScriptedModel\n"
        "agent = Agent('mine', ScriptedModel())\n",
        encoding="utf-8",
    )
    (house.directory / "bargein.toml").write_text('agent = "mine:agent"\n', encoding="utf-8")
    script = Path(sys.executable).with_name("bargein")
    done = await asyncio.to_thread(
        subprocess.run,
        [str(script), "check-config"],
        cwd=house.directory,
        capture_output=True,
        text=True,
        timeout=40,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "mine:agent" in done.stdout
