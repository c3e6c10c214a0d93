"""The bot, put together: from the settings to a channel that talks and listens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from aiohttp import web

from gateway import expiring
from gateway.channels.pairing import Pairing
from gateway.channels.spoken import Spoken
from gateway.channels.telegram.api import make_bot
from gateway.channels.telegram.channel import TelegramChannel
from gateway.channels.telegram.chats import Chats
from gateway.channels.telegram.desk import Desk
from gateway.channels.telegram.edits import Edits
from gateway.channels.telegram.files import Files
from gateway.channels.telegram.gate import gate_of
from gateway.channels.telegram.inbox import Inbox
from gateway.channels.telegram.incoming import Incoming
from gateway.channels.telegram.lanes import Lane, Lanes, Ways
from gateway.channels.telegram.limits import Overall
from gateway.channels.telegram.listening import Listener
from gateway.channels.telegram.names import CHANNEL, Place, place_of
from gateway.channels.telegram.pairs import Pairs
from gateway.channels.telegram.parts import Tools
from gateway.channels.telegram.presses import Presses
from gateway.channels.telegram.pressing import Pressing
from gateway.channels.telegram.prompting import Prompting
from gateway.channels.telegram.runs import Known
from gateway.channels.telegram.saying import Saying
from gateway.channels.telegram.sender import Sender
from gateway.channels.telegram.status import Status
from gateway.channels.telegram.tongues import Tongues
from gateway.handlers import HANDLERS
from gateway.mail import PromptSent
from gateway.ports.channel import Sent
from gateway.ports.clock import Clock, Ids
from gateway.ports.rows import PromptRow
from gateway.ports.store import Blobs, Store
from gateway.ports.telegram import TelegramStore
from gateway.router import Router
from gateway.settings import AccessSettings, TelegramSettings
from gateway.supervise import Supervisor

LAST_WORDS_SECONDS = 1.0
REMEMBERED_DAYS = 3
"""Telegram delivers an update again for a day; what is over is forgotten after three."""


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What the bot is given by the application."""

    keep: TelegramStore
    store: Store
    blobs: Blobs
    clock: Clock
    ids: Ids
    supervisor: Supervisor
    report: Callable[[str, BaseException], str]


class Telegram:
    """The bot of one token."""

    def __init__(
        self, settings: TelegramSettings, access: AccessSettings, token: str, house: House
    ) -> None:
        self.settings = settings
        self.house = house
        self.gate = gate_of(settings, access)
        self.number = int(token.partition(":")[0])
        self.bot, self._clients = make_bot(token, settings.api_url)
        self._listener = Listener(
            self.bot,
            self._clients[1],
            settings,
            ids=house.ids,
            supervisor=house.supervisor,
            report=house.report,
        )
        self.chats = Chats(house.keep, lambda work: house.supervisor.spawn(work, name="chats"))
        self._sender = Sender(self.bot)
        monotonic = house.clock.monotonic
        overall = Overall(monotonic)
        self.ways = Ways(
            overall, monotonic, house.supervisor, house.report, self._lost, self._moved
        )
        self.lanes = Lanes(self.ways)
        self.tongues = Tongues(
            house.keep, lambda work: house.supervisor.spawn(work, name="tongues")
        )
        known = Known(self.tongues)
        self.status = Status(
            self._sender, self.chats, overall, house.supervisor, known.working, settings.reactions
        )
        self.saying = Saying(
            self._sender,
            house.keep,
            house.clock,
            house.ids,
            house.supervisor,
            house.report,
            self._lane,
            settings.reactions,
        )
        self.channel = self._channel(known)
        self._task: asyncio.Task[None] | None = None
        self.inbox: Inbox | None = None

    def _channel(self, known: Known) -> TelegramChannel:
        house = self.house
        prompting = Prompting(
            self._sender,
            house.keep,
            house.store,
            house.clock,
            house.ids,
            house.supervisor,
            known,
            house.report,
            self._lane,
            self.saying.say,
            self._late,
        )
        return TelegramChannel(
            tools=Tools(
                self._sender,
                house.keep.put_delivery,
                house.clock.now,
                house.clock.monotonic,
                house.report,
            ),
            keep=house.keep,
            chats=self.chats,
            lanes=self.lanes,
            known=known,
            status=self.status,
            saying=self.saying,
            prompting=prompting,
            supervisor=house.supervisor,
            drafts=self.settings.drafts,
        )

    def _lane(self, place: Place) -> Lane | None:
        return self.channel.lane(place)

    def _lost(self, chat: int) -> None:
        self.channel.lost(self.chats.home(chat))

    def _moved(self, old: int, new: int) -> None:
        self.chats.moved(old, new)
        self.lanes.of(self.chats.home(new), new)

    # -- from start to stop --------------------------------------------------------------------

    async def restore(self) -> None:
        """Take up what was to be said, before the engine recovers its runs."""
        for client in self._clients:
            await client.initialize()
        await self.chats.load()
        await self.tongues.load()
        await self.channel.restore()
        now = self.house.clock.now()
        for question in await self.house.store.questions(open_only=True):
            await self.channel.prompting.restore(question, now)

    def attach(self, router: Router, pairing: Pairing, spoken: Spoken | None) -> None:
        """Connect the bot with the engine, and with what understands voice notes."""
        house, engine = self.house, router
        self.channel.settle = router.settled
        pressing = Pressing(
            self.bot,
            house.keep,
            house.clock,
            house.ids,
            house.supervisor,
            self.saying,
            self._sender,
            self._lane,
        )
        presses = Presses(
            bot=self.number,
            engine=engine,
            store=house.store,
            keep=house.keep,
            gate=self.gate,
            out=pressing,
            home=self.chats.home,
            tongues=self.tongues,
        )
        self.pairs = Pairs(
            pairing, self.gate, self.tongues, self.channel.say, open_=self.settings.pairing
        )
        self._heed = router.heed
        self.channel.on_lost = self._later_cancel
        desk = Desk(
            bot=self.number,
            engine=engine,
            store=house.store,
            keep=house.keep,
            chats=self.chats,
            gate=self.gate,
            files=Files(self.bot, house.blobs, hears=spoken is not None),
            out=self.channel,
            pairs=self.pairs,
            presses=presses,
            edits=Edits(self.number, house.store, router.ask, self._offer),
            tongues=self.tongues,
            clock=house.clock,
            supervisor=house.supervisor,
            report=house.report,
            mentions_only=self.settings.mentions_only,
            spoken=spoken,
        )
        self.inbox = Inbox(desk)

    async def _offer(self, item: Incoming, place: Place, run: str) -> None:
        body = {
            "thread": place.thread,
            "text": item.text,
            "run": run,
            "principal": item.principal,
        }
        await self.saying.offer(place, item.language, item.message, body)

    def _late(self, row: PromptRow, sent: Sent) -> None:
        """A prompt's delivery is known only now: its question is armed, or reached nobody."""
        told = PromptSent(row.token, sent.delivery.value, sent.message_ref, sent.seq)
        self._heed(row.thread, lambda state, work: HANDLERS[PromptSent](state, told, work))

    def _later_cancel(self, home: int) -> None:
        self.house.supervisor.spawn(self._cancel_questions({home}), name="telegram lost")

    async def _cancel_questions(self, lost: Collection[int]) -> None:
        """Nobody can answer where the bot was put out: what is asked only there reaches nobody."""
        people = {str(home) for home in lost}
        threads: set[str] = set()
        for question in await self.house.store.questions(open_only=True):
            thread = await self.house.store.question_thread(question.id)
            if thread is not None and (_in(lost, thread) or people.intersection(question.asked)):
                threads.add(thread)
        for thread in threads:
            self._heed(thread, partial(expiring.chat_lost, gone=_at(lost)))

    def routes(self) -> list[web.RouteDef]:
        """The webhook's route, where one is set."""
        return self._listener.routes(self._receive)

    async def _receive(self, update: dict[str, Any]) -> bool:
        return self.inbox is not None and await self.inbox.take(update)

    async def start(self) -> None:
        """Talk and listen. Telegram need not be there yet: it is tried until it is."""
        await self.pairs.load()
        before = self.house.clock.now() - timedelta(days=REMEMBERED_DAYS)
        await self.house.keep.prune(before)
        await self._cancel_questions(self.chats.unreachable)
        for question in await self.house.store.questions(open_only=True):
            await self.channel.prompting.send_unknown(question)
        self._task = self.house.supervisor.spawn(self._listen(), name="telegram")

    async def _listen(self) -> None:
        if self.inbox is not None:
            self.inbox.desk.username = await self._listener.username()
            await self.inbox.load()
            await self._listener.listen(self._receive)

    async def stop_listening(self) -> None:
        """Take nothing more; what was not taken comes again."""
        if self._task is not None:
            self._task.cancel()
        await self._clients[1].shutdown()

    async def stop(self) -> None:
        """Say what can be said in a moment; what was not said is kept."""
        self.status.close()
        await self.lanes.settle(LAST_WORDS_SECONDS)
        self.lanes.close()
        for client in self._clients:
            await client.shutdown()


def _in(homes: Collection[int], thread: str) -> bool:
    place = place_of(thread)
    return place is not None and place.chat in homes


def _at(homes: Collection[int]) -> Callable[[PromptRow], bool]:
    """Whether a prompt stands in one of these chats."""
    return lambda row: row.channel == CHANNEL and _in(homes, row.chat)
