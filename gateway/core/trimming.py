"""A long history for a model: whole turns of its beginning go, and a summary of them stays.

A turn begins with what a person said and ends before they speak again, so nothing is ever parted
from its result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gateway.core.messages import AssistantMessage, Attachment, Message, ToolResult, UserMessage
from gateway.core.notes import escape_note

BYTES_A_TOKEN = 4
"""A token is about four Latin letters, or two Cyrillic ones."""
PICTURE_TOKENS = 1_500
LONGEST_FILE_TOKENS = 25_000
QUOTED = 160
SUMMARY_PART = 10
"""A summary takes up at most so much (a tenth) of the budget."""


@dataclass(frozen=True, slots=True)
class _Turn:
    start: int
    end: int
    tokens: int


def tokens_of(messages: Iterable[Message]) -> int:
    """About how many tokens the messages are to a model."""
    return sum(map(_tokens, messages))


def _tokens(message: Message) -> int:
    return _bytes(message) // BYTES_A_TOKEN + _files(message)


def own_start(messages: Sequence[Message], steps: int) -> int:
    """Where the last run begins, of which so many steps are the end of `messages`."""
    place = len(messages)
    while place and steps:
        place -= 1
        steps -= isinstance(messages[place], AssistantMessage)
    while place and not isinstance(messages[place - 1], AssistantMessage | ToolResult):
        place -= 1
    return place


def trimmed(messages: Sequence[Message], own: int, budget_tokens: int) -> tuple[Message, ...]:
    """The messages within the budget: whole turns before `own` give way, oldest first, to a
    summary. What follows `own`, the turn in hand, always stays.

    Where it has to cut it cuts to half of the budget, and where it cut follows from the messages
    alone: the beginning stays the same over many calls, as providers' caches want it.
    """
    sizes = [_tokens(message) for message in messages]
    if sum(sizes) <= budget_tokens:
        return tuple(messages)
    turns = _turns(messages[:own], sizes)
    cut = _cut(turns, sum(sizes[own:]), budget_tokens)
    if cut == 0:
        return tuple(messages)
    kept = messages[turns[cut - 1].end :]
    gone = [messages[turn.start : turn.end] for turn in turns[:cut]]
    return (_summary(gone, budget_tokens // SUMMARY_PART), *kept)


def _turns(messages: Sequence[Message], sizes: Sequence[int]) -> list[_Turn]:
    starts = [
        place
        for place, message in enumerate(messages)
        if place == 0
        or (isinstance(message, UserMessage) and not isinstance(messages[place - 1], UserMessage))
    ]
    ends = [*starts[1:], len(messages)]
    return [
        _Turn(start, end, sum(sizes[start:end])) for start, end in zip(starts, ends, strict=False)
    ]


def _cut(turns: Sequence[_Turn], own_tokens: int, budget_tokens: int) -> int:
    """How many turns go: as if each turn had been asked about when it was the last."""
    cut = before = 0
    for place, tokens in enumerate([*(turn.tokens for turn in turns), own_tokens]):
        total = before + tokens
        if total > budget_tokens:
            while cut < place and total > budget_tokens // 2:
                total -= turns[cut].tokens
                cut += 1
        before = total
    return cut


def _bytes(message: Message) -> int:
    match message:
        case UserMessage(text=text, quote=quote):
            return _size(text) + (0 if quote is None else _size(quote.text))
        case ToolResult(content=content):
            return _size(content)
        case AssistantMessage(text=text, calls=calls, provider_parts=parts):
            given = sum(_size(str(call.arguments)) for call in calls)
            return _size(text) + given + (0 if parts is None else _size(str(parts)))


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _files(message: Message) -> int:
    attached = message.attachments if isinstance(message, UserMessage) else ()
    return sum(_file_tokens(attachment) for attachment in attached)


def _file_tokens(attachment: Attachment) -> int:
    if attachment.media_type.startswith("image/"):
        return PICTURE_TOKENS
    return min(attachment.size_bytes // BYTES_A_TOKEN, LONGEST_FILE_TOKENS)


# -- the summary -----------------------------------------------------------------------------------


def _summary(gone: Sequence[Sequence[Message]], budget_tokens: int) -> UserMessage:
    """What the turns were, shortened; the newest of them, as many as fit."""
    shown: list[str] = []
    for turn in reversed(gone):
        line = _line(turn)
        budget_tokens -= _size(line) // BYTES_A_TOKEN
        if budget_tokens < 0:
            break
        shown.insert(0, line)
    count = sum(len(turn) for turn in gone)
    head = (
        f"[earlier in this conversation there were {count} more messages; they are left out here"
        f"{', and this is what they were about' if shown else ''}]"
    )
    return UserMessage("\n".join([head, *shown]))


def _line(turn: Sequence[Message]) -> str:
    said = [_said(message) for message in turn if isinstance(message, UserMessage)]
    answers = [message for message in turn if isinstance(message, AssistantMessage)]
    called = dict.fromkeys(call.name for message in answers for call in message.calls)
    answered = [message.text for message in answers if message.text]
    parts = ["; ".join(said)]
    if called:
        parts.append(f"you called {', '.join(map(escape_note, called))}")
    if answered:
        parts.append(f'you said "{_short(answered[-1])}"')
    return "- " + "; ".join(part for part in parts if part)


def _said(message: UserMessage) -> str:
    who = "they" if message.sender is None else escape_note(message.sender)[:64]
    files = "".join(f" with {escape_note(a.name) or 'a file'}" for a in message.attachments)
    return f'{who} said "{_short(message.text)}"{files}'


def _short(text: str) -> str:
    whole = escape_note(text[: 2 * QUOTED])
    return whole if len(whole) <= QUOTED and len(text) <= 2 * QUOTED else f"{whole[:QUOTED]}…"
