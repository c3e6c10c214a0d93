"""Who is let in: the people who write to the bot, and the holders of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gateway.cli.deferred import Deferred
from gateway.cli.options import AsJson, Config, Database, operate, settings_of

if TYPE_CHECKING:
    from gateway.cli import admin
    from gateway.cli import tokens as secrets
else:
    admin = Deferred("gateway.cli.admin")
    secrets = Deferred("gateway.cli.tokens")

pairs = typer.Typer(
    help="People who write to the bot: list, approve, revoke.", no_args_is_help=True
)
tokens = typer.Typer(
    help="Who may open the page and the API: create, list, revoke.", no_args_is_help=True
)


@pairs.command("list")
def pair_list(config: Config = None, database: Database = None, as_json: AsJson = False) -> None:
    """Who waits to be let in, with their codes, and who was."""
    admin.show_pairings(operate(config, database, "pairing.list"), as_json)


@pairs.command("approve")
def pair_approve(
    code: Annotated[str, typer.Argument(help="What the bot told the person.")],
    config: Config = None,
    database: Database = None,
) -> None:
    """Let somebody in by their code."""
    done = operate(config, database, "pairing.approve", code=code)
    print(f"Let in: {done['name']} ({done['principal']}).")


@pairs.command("revoke")
def pair_revoke(
    person: Annotated[str, typer.Argument(help="The person's number.")],
    config: Config = None,
    database: Database = None,
) -> None:
    """Let somebody out again."""
    done = operate(config, database, "pairing.revoke", person=person)
    print(f"Let out: {done['name']} ({done['principal']}).")


@tokens.command("create")
def token_create(
    name: Annotated[str, typer.Argument(help="The person's name.")],
    scope: Annotated[
        list[str] | None,
        typer.Option(help="What it opens: page (the default), api, agui, mcp; may be repeated."),
    ] = None,
    config: Config = None,
    database: Database = None,
) -> None:
    """Make a token that lets a person in; it is shown this once, for the page as a link."""
    named = {"scope": " ".join(scope)} if scope else {}
    made = operate(config, database, "tokens.create", name=name, **named)
    print(secrets.shown(settings_of(config, database), made["token"], scope or ["page"]))


@tokens.command("list")
def token_list(config: Config = None, database: Database = None, as_json: AsJson = False) -> None:
    """Every token, without its secret."""
    secrets.show(operate(config, database, "tokens.list"), as_json)


@tokens.command("revoke")
def token_revoke(
    name: Annotated[str, typer.Argument(help="The person's name.")],
    config: Config = None,
    database: Database = None,
) -> None:
    """End every token of a person; what they have open is closed at once."""
    done = operate(config, database, "tokens.revoke", name=name)
    print(f"Revoked: {done['revoked']}.")
