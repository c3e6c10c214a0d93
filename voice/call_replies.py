"""The texts of runs on calls: what of each was played, and where else it is shown.

A reply belongs to the call that plays it. Its page shows what was played and nothing more; where
nobody plays it any more, the rest is shown there instead.
"""

from __future__ import annotations

from typing import Protocol

from gateway.ports.channel import Channel, Settle, Shown, TextRef
from voice.call_pieces import Reply
from voice.core.playout import Heard


class Speaker(Protocol):
    """Who says replies: a call."""

    @property
    def language(self) -> str:
        """The language of what is said."""

    def say(self, reply: Reply) -> None:
        """A new one."""

    def grow(self, reply: Reply, same_to: int) -> None:
        """There is more of it; it is as it was up to `same_to`."""

    def heard(self, reply: Reply) -> Heard:
        """What was heard of it in its last generation."""

    def fall_silent(self, reply: Reply) -> None:
        """Say nothing more of it, here and now."""


class Replies:
    """Every text that is still being played, or shown instead."""

    def __init__(self, mirror: Channel, settle: Settle) -> None:
        self._mirror = mirror
        self._settle = settle
        self._texts: dict[TextRef, Reply] = {}
        self._speakers: dict[TextRef, Speaker] = {}

    def show(self, ref: TextRef, text: str, final: bool, speaker: Speaker | None) -> None:
        """The text so far; a new one is said by `speaker`, or only shown."""
        reply = self._texts.get(ref)
        if reply is None:
            language = "en" if speaker is None else speaker.language
            reply = self._texts[ref] = Reply(text, language, final, ref=ref)
            if speaker is not None:
                self._speakers[ref] = speaker
                speaker.say(reply)
            else:
                self._silence(reply)
        elif reply.cut is None:
            same_to = _common(reply.text, text)
            reply.text, reply.final = text, final
            if reply.silent:
                self._show_silently(reply)
            else:
                self._speakers[ref].grow(reply, same_to)

    def shown(self, ref: TextRef) -> Shown:
        """What of it reached a person."""
        reply = self._texts.get(ref)
        if reply is None:
            return Shown("")
        return reply.cut or reply.shown(self._heard(reply))

    def cut(self, ref: TextRef) -> Shown:
        """Nothing more of it from now on; what had reached a person."""
        reply = self._texts.setdefault(ref, Reply("", "en", ref=ref))
        if reply.cut is None:
            if ref in self._speakers and not reply.silent:
                self._speakers[ref].fall_silent(reply)
            reply.cut = reply.shown(self._heard(reply))
        return reply.cut

    def close(self, ref: TextRef, text: str, reason: str | None) -> None:
        """It was saved."""
        self._mirror.close(ref, text, reason)
        self._texts.pop(ref, None)
        self._speakers.pop(ref, None)

    def forget(self, run: str) -> None:
        """The run has ended."""
        for ref in [ref for ref in self._texts if ref.run == run]:
            self._texts.pop(ref)
            self._speakers.pop(ref, None)

    # -- told by who speaks

    def progressed(self, reply: Reply) -> str:
        """More of it was heard: the page follows; what was heard."""
        shown = reply.shown(self._heard(reply)).text
        if reply.cut is None:
            self._mirror.show(reply.ref, shown, False)
        return shown

    def ended(self, reply: Reply) -> None:
        """It was heard to its end."""
        if reply.cut is None:
            self._mirror.show(reply.ref, reply.text, True)
            self._settle(reply.ref)

    def release(self, speaker: Speaker) -> None:
        """Nobody is there to hear them: the rest is shown."""
        for ref in [ref for ref, one in self._speakers.items() if one is speaker]:
            self.release_one(self._texts[ref])

    def release_one(self, reply: Reply) -> None:
        """It can't be said: the rest of it is shown."""
        if reply.cut is None and not reply.silent:
            speaker = self._speakers.get(reply.ref)
            if speaker is not None:
                speaker.fall_silent(reply)
            self._silence(reply)

    def _silence(self, reply: Reply) -> None:
        reply.fall_silent(self._heard(reply))
        self._show_silently(reply)

    def _show_silently(self, reply: Reply) -> None:
        self._mirror.show(reply.ref, reply.text, reply.final)
        if reply.final:
            self._settle(reply.ref)

    def _heard(self, reply: Reply) -> Heard:
        speaker = self._speakers.get(reply.ref)
        return NOTHING if speaker is None else speaker.heard(reply)


NOTHING = Heard("", complete=False, heard_ms=0, total_ms=0)


def _common(one: str, other: str) -> int:
    """How many characters both begin with."""
    if other.startswith(one):
        return len(one)
    both = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(both) if a != b), min(len(one), len(other)))
