"""Who may talk to the bot: private chats and groups apart, everybody by number, deny by default."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gateway.settings import AccessSettings, TelegramSettings

EVERYBODY = "*"


@dataclass(slots=True)
class Gate:
    """The operator's lists, and those who were paired."""

    allow: set[str]
    owners: set[str]
    groups: set[str]
    group_allow: set[str]

    def private(self, principal: str) -> bool:
        """Whether this person may talk to it in their own chat."""
        return principal in self.allow or EVERYBODY in self.allow

    def group(self, principal: str, chat: int) -> bool:
        """Whether this person may talk to it in this group."""
        if str(chat) not in self.groups and EVERYBODY not in self.groups:
            return False
        if not self.group_allow:
            return self.private(principal)
        return principal in self.group_allow or EVERYBODY in self.group_allow

    def let_in(self, principal: str, allowed: bool) -> None:
        """Somebody was paired, or is no more."""
        if allowed:
            self.allow.add(principal)
        else:
            self.allow.discard(principal)
            self.group_allow.discard(principal)


def gate_of(telegram: TelegramSettings, access: AccessSettings) -> Gate:
    """The gate of these settings. Admins and approvers may talk to it: they are asked there."""
    named = (*telegram.allow, *_numbers((*access.allow, *access.admins, *access.approvers)))
    return Gate(
        set(named),
        set(_numbers(access.admins)),
        set(telegram.groups),
        set(telegram.group_allow),
    )


def _numbers(names: Iterable[str]) -> list[str]:
    return [name for name in names if name.isdecimal()]
