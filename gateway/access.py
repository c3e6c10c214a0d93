"""Who may enter which thread, act for whom, and run what. Deny by default."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum

from gateway.ports.rows import ThreadRow


class Relation(StrEnum):
    """How a person stands to a thread."""

    OWN = "own"
    MEMBER = "member"
    ADMIN = "admin"
    STRANGER = "stranger"


class Access:
    """The operator's lists, asked at each input and again right before a tool runs.

    `allow` are the persons who may talk to the agent at all; on `open_channels` everybody who gets
    as far as the channel may (a socket only this system's user can open). `tools` names who may
    run a tool, for those tools that not everybody may. `homes` says in which channel and thread an
    approver is asked.
    """

    def __init__(
        self,
        *,
        allow: Iterable[str] = (),
        admins: Iterable[str] = (),
        approvers: Iterable[str] = (),
        open_channels: Iterable[str] = (),
        tools: Mapping[str, Iterable[str]] | None = None,
        homes: Mapping[str, tuple[str, str]] | None = None,
    ) -> None:
        self._allow = set(allow)
        self._admins = set(admins)
        self._approvers = list(dict.fromkeys(approvers))
        self._open = set(open_channels)
        self._tools = {tool: set(people) for tool, people in (tools or {}).items()}
        self._homes = dict(homes or {})
        self._withdrawn: set[str] = set()

    def may_talk(self, principal: str, channel: str) -> bool:
        """Whether this person may talk to the agent on this channel."""
        if principal in self._withdrawn:
            return False
        return channel in self._open or principal in self._allow or principal in self._admins

    def relation(self, principal: str, thread: ThreadRow) -> Relation:
        """How this person stands to the thread. Everybody is a member of a shared one, or those it
        names where it names some.
        """
        if principal == thread.owner:
            return Relation.OWN
        if principal in self._admins:
            return Relation.ADMIN
        open_to_all = not thread.private and not thread.members
        if open_to_all or principal in thread.members:
            return Relation.MEMBER
        return Relation.STRANGER

    def may_look(self, principal: str, thread: ThreadRow) -> bool:
        """Whether this person may see what stands in the thread."""
        return self.relation(principal, thread) is not Relation.STRANGER

    def is_admin(self, principal: str) -> bool:
        """Whether this person may act on anybody's runs and queue."""
        return principal in self._admins

    def approvers(self) -> tuple[str, ...]:
        """Who is asked by `to="approvers"`."""
        return tuple(self._approvers)

    def home(self, approver: str, channel: str) -> tuple[str, str]:
        """The channel and thread in which this approver is asked."""
        return self._homes.get(approver, (channel, f"{channel}:{approver}"))

    def may_run(self, tool: str, principals: Collection[str]) -> bool:
        """Whether all these persons may run the tool."""
        if any(principal in self._withdrawn for principal in principals):
            return False
        allowed = self._tools.get(tool)
        return allowed is None or all(principal in allowed for principal in principals)

    def may_approve(self, principal: str) -> bool:
        """Whether this person still is a named approver or admin."""
        return principal in self._approvers or principal in self._admins

    def grant(self, principal: str) -> None:
        """Let this person talk to the agent from now on, also after `withdraw`."""
        self._withdrawn.discard(principal)
        self._allow.add(principal)

    def withdraw(self, principal: str) -> None:
        """Take every right of this person away, from now on, on open channels too."""
        self._withdrawn.add(principal)
        self._allow.discard(principal)
        self._admins.discard(principal)
        if principal in self._approvers:
            self._approvers.remove(principal)
        for people in self._tools.values():
            people.discard(principal)
