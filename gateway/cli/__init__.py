"""The command `bargein`."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING, Annotated

import typer

from gateway.channels.terminal.codes import FAILED
from gateway.cli import models, people
from gateway.cli.deferred import Deferred
from gateway.cli.options import AsJson, Config, Database, operate, run, settings_of
from gateway.clock import SystemClock
from gateway.core.errors import GatewayError, SettingsInvalid
from gateway.i18n import known_language

if TYPE_CHECKING:
    from gateway import settings as setup
    from gateway.cli import admin, answering, piping, serving, talking
    from gateway.core.answers import Channel
else:
    setup = Deferred("gateway.settings")
    admin = Deferred("gateway.cli.admin")
    answering = Deferred("gateway.cli.answering")
    piping = Deferred("gateway.cli.piping")
    serving = Deferred("gateway.cli.serving")
    talking = Deferred("gateway.cli.talking")

WRONG_SETTINGS = 2

app = typer.Typer(
    help="An agent on chat and phone that people can interrupt.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
threads_app = typer.Typer(help="Conversations: list, show, export, delete.", no_args_is_help=True)
pauses_app = typer.Typer(help="Open questions: list, cancel.", no_args_is_help=True)
app.add_typer(threads_app, name="threads")
app.add_typer(pauses_app, name="pauses")
app.add_typer(people.pairs, name="pair")
app.add_typer(people.tokens, name="token")
app.add_typer(models.app, name="models")

ThreadArgument = Annotated[str, typer.Argument(help="The conversation's id.")]


def main() -> None:
    """Run the command; an error is one line on standard error."""
    try:
        app(standalone_mode=True)
    except SettingsInvalid as error:
        _complain(error)
        sys.exit(WRONG_SETTINGS)
    except (GatewayError, OSError) as error:
        _complain(error)
        sys.exit(FAILED)


def _complain(error: BaseException) -> None:
    print(f"error: {error}", file=sys.stderr)


@app.command()
def serve(
    config: Config = None,
    database: Database = None,
    host: Annotated[str | None, typer.Option(help="The address for HTTP.")] = None,
    port: Annotated[int | None, typer.Option(help="The port for HTTP; 0 takes a free one.")] = None,
    agent: Annotated[str | None, typer.Option(help='"demo" or "module:attribute".')] = None,
) -> None:
    """Start the server; Ctrl+C or SIGTERM ends it in order."""
    http = {
        name: value for name, value in {"host": host, "port": port}.items() if value is not None
    }
    settings = settings_of(config, database, http=http or None, agent=agent)
    raise typer.Exit(run(lambda: serving.serve(settings, sys.stdout)))


@app.command()
def chat(
    *,
    thread: Annotated[
        str | None, typer.Option(help="Which conversation; your own if none.")
    ] = None,
    as_: Annotated[
        str | None, typer.Option("--as", help="Who you are; else the system's user.")
    ] = None,
    language: Annotated[str | None, typer.Option(help="en or ru; else the system's.")] = None,
    show_iterations: Annotated[
        bool, typer.Option(help="Say after how many iterations it was interrupted.")
    ] = False,
    once: Annotated[
        bool, typer.Option("--once", help="Send standard input as one message, print the reply.")
    ] = False,
    config: Config = None,
    database: Database = None,
) -> None:
    """Talk to the agent in this terminal; without a server this is the server."""
    wish = talking.Wish(
        thread=thread,
        principal=as_,
        language=known_language(language or setup.system_language()),
        show_iterations=show_iterations,
        once=sys.stdin.read() if once else None,
    )
    settings = settings_of(config, database)
    raise typer.Exit(run(lambda: talking.chat(settings, wish)))


As = Annotated[str, typer.Option("--as", help="Who you are; else the system's user.")]


@app.command()
def mcp(as_: As = "", config: Config = None, database: Database = None) -> None:
    """Serve the agent as tools to the MCP client that starts this."""
    settings = settings_of(config, database)
    raise typer.Exit(run(lambda: piping.pipe(settings, "mcp", as_)))


@app.command()
def acp(as_: As = "", config: Config = None, database: Database = None) -> None:
    """Serve the agent to the editor that starts this (Agent Client Protocol)."""
    settings = settings_of(config, database)
    raise typer.Exit(run(lambda: piping.pipe(settings, "acp", as_)))


def _channel(name: str) -> str:
    if name not in ("text", "speech"):
        raise typer.BadParameter(f"{name} is neither text nor speech")
    return name


@app.command("check-config")
def check_config(
    config: Config = None,
    offline: Annotated[bool, typer.Option("--offline", help="Don't ask the model.")] = False,
) -> None:
    """Say what is wrong in the settings, each with its path (exit 2), and ask the model for a word
    (exit 1 where it doesn't answer).
    """
    settings = setup.load(config)
    model = serving.check_agent(settings)
    answered = "" if model is None or offline else run(lambda: serving.try_model(model))
    print(f"The settings are right. Agent: {settings.agent}. File: {settings.database}.")
    if answered:
        print(answered)


@app.command()
def version() -> None:
    """The installed version."""
    print(f"bargein {installed_version('bargein')}")


@app.command()
def answers(
    text: Annotated[
        str | None, typer.Argument(help="What a person answers; without it, lines from a pipe.")
    ] = None,
    *,
    schema: Annotated[str, typer.Option(help="A JSON Schema, or @FILE.")],
    language: Annotated[str, typer.Option("--lang", "--language", help="en or ru.")] = "en",
    channel: Annotated[
        str, typer.Option(help="text or speech.", metavar="text|speech", parser=_channel)
    ] = "text",
    explain: Annotated[bool, typer.Option(help="Show each part with its role.")] = False,
) -> None:
    """Try how an answer to a question is understood; from a pipe, JSON lines come out."""
    form = answering.schema_of(schema)
    said: Channel = "speech" if channel == "speech" else "text"
    trial = answering.Trial(form, language, said, SystemClock())
    if text is not None:
        lines = answering.for_people(trial, text, why=explain)
    else:
        lines = answering.for_pipes(trial, sys.stdin, why=explain)
    for line in lines:
        print(line)


# -- the operator's calls --------------------------------------------------------------------------


@threads_app.command("list")
def threads_list(config: Config = None, database: Database = None, as_json: AsJson = False) -> None:
    """Every conversation, the newest first."""
    admin.show_threads(operate(config, database, "threads.list"), as_json)


@threads_app.command("show")
def threads_show(thread: ThreadArgument, config: Config = None, database: Database = None) -> None:
    """A conversation, to read."""
    admin.show_conversation(operate(config, database, "threads.export", thread=thread))


@threads_app.command("export")
def threads_export(
    thread: ThreadArgument, config: Config = None, database: Database = None
) -> None:
    """A conversation with its inputs, as JSON."""
    exported = operate(config, database, "threads.export", thread=thread)
    print(json.dumps(exported, ensure_ascii=False, indent=2))


@threads_app.command("delete")
def threads_delete(
    thread: ThreadArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
    config: Config = None,
    database: Database = None,
) -> None:
    """Remove a conversation with all that belongs to it."""
    if not yes:
        typer.confirm(f"Delete {thread} for good?", abort=True)
    operate(config, database, "threads.delete", thread=thread)
    print(f"Deleted {thread}.")


@pauses_app.command("list")
def pauses_list(config: Config = None, database: Database = None, as_json: AsJson = False) -> None:
    """What waits for an answer."""
    admin.show_pauses(operate(config, database, "pauses.list"), as_json)


@pauses_app.command("cancel")
def pauses_cancel(
    thread: ThreadArgument,
    reason: Annotated[str, typer.Option(help="Why.")] = "",
    config: Config = None,
    database: Database = None,
) -> None:
    """Decline every open question of a conversation; its run ends."""
    done = operate(config, database, "pauses.cancel", thread=thread, reason=reason)
    print(f"Cancelled: {done['cancelled']}.")
