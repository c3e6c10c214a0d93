"""The members of a choice by every name they go by, found at a token as far as they reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gateway.core.answers.context import Context
from gateway.core.answers.lexicons import NAMES, OTHER_WORDS
from gateway.core.answers.normalise import Token, fold, tokenise, visible
from gateway.core.answers.numerals import numbers_of
from gateway.core.answers.plan import Member, Plan, spoken_name
from gateway.core.answers.shell import Core, shell_of
from gateway.core.answers.skeleton import (
    code_in_cyrillic,
    cyrillic_skeleton,
    latin_skeleton,
    neighbours,
)
from gateway.core.answers.types import How, ProblemCode
from gateway.core.answers.yesno import consent

CLASH = -1
LONG_NAME = 6


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Names:
    """All names of one plan's members; a name of two members leads to CLASH."""

    exact: Mapping[str, int]
    compact: Mapping[str, int]
    formed: Mapping[str, tuple[tuple[int, tuple[frozenset[str], ...]], ...]]
    parts: Mapping[str, int]
    skeletons: Mapping[str, int]
    near: frozenset[int]
    long: tuple[tuple[str, int], ...]
    numeric: bool
    coded: bool
    longest: int


def _put(table: dict[str, int], name: str, member: int) -> None:
    if name and table.setdefault(name, member) != member:
        table[name] = CLASH


def words_of(name: str) -> tuple[str, ...]:
    """The words and digit runs of a name, marks left out, camel case apart."""
    tokens = tokenise(spoken_name(visible(name)))
    return tuple(token.text for token in tokens if token.kind in ("w", "d"))


def compact_of(name: str) -> str:
    """The letters and digits of a name run together."""
    return "".join(char for char in fold(visible(name)) if char.isalnum())


def one_edit(left: str, right: str) -> bool:
    """Whether one letter more, less, other, or one swap of neighbours makes them equal."""
    if left == right or abs(len(left) - len(right)) > 1:
        return False
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    if len(left) == len(right):
        swap = left[start : start + 2] == right[start : start + 2][::-1]
        return left[start + 1 :] == right[start + 1 :] or (
            swap and left[start + 2 :] == right[start + 2 :]
        )
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    return longer[start + 1 :] == shorter[start:]


def slipped(text: str, name: str) -> bool:
    """Whether a text is one slip from a name; a short one takes no letter from far off."""
    if not one_edit(text, name):
        return False
    if len(text) != len(name) or len(name) >= LONG_NAME:
        return True
    wrong = [(one, other) for one, other in zip(text, name, strict=True) if one != other]
    return len(wrong) > 1 or neighbours(*wrong[0])


def _within_two(left: str, right: str) -> bool:
    """Whether at most two edits lie between two names."""
    if abs(len(left) - len(right)) > 2:
        return False
    row = list(range(len(right) + 1))
    for place, char in enumerate(left, 1):
        last, row[0] = row[0], place
        for other, letter in enumerate(right, 1):
            last, row[other] = (
                row[other],
                min(row[other] + 1, row[other - 1] + 1, last + (char != letter)),
            )
    return row[-1] <= 2


@lru_cache(maxsize=512)
def names_of(plan: Plan, languages: tuple[str, ...]) -> Names:
    """Every name of the plan's members, made once."""
    exact: dict[str, int] = {}
    compact: dict[str, int] = {}
    skeletons: dict[str, int] = {}
    formed: dict[str, list[tuple[int, tuple[frozenset[str], ...]]]] = {}
    for number, member in enumerate(plan.members):
        for name in member.names:
            words = words_of(name)
            _put(exact, " ".join(words), number)
            _put(compact, compact_of(name), number)
            _put(skeletons, cyrillic_skeleton(compact_of(name)), number)
            _codes(name, number, compact)
            sets = tuple(_forms(word, languages) for word in words)
            for first in sets[0] if sets else ():
                formed.setdefault(first, []).append((number, sets))
    long = tuple((name, number) for name, number in compact.items() if len(name) >= 5)
    return Names(
        exact,
        compact,
        {first: tuple(found) for first, found in formed.items()},
        _parts(plan.members, exact, languages),
        skeletons,
        _near(long),
        long,
        any(_is_number(name) for member in plan.members for name in member.names),
        any(char.isdigit() for name in compact for char in name),
        max((len(name.split()) for name in exact), default=0) + 3,
    )


def _codes(name: str, number: int, compact: dict[str, int]) -> None:
    """A Latin code in Cyrillic letters (v2 as в2), where it is no name already."""
    plain = compact_of(name)
    if plain.isascii() and 2 <= len(plain) <= 10:
        _put(compact, code_in_cyrillic(plain), number)


def _forms(word: str, languages: tuple[str, ...]) -> frozenset[str]:
    return frozenset((word,)).union(*(NAMES[c].forms(word) for c in languages if c in NAMES))


def _is_number(name: str) -> bool:
    return name.replace(".", "", 1).replace("-", "", 1).isdecimal()


def _near(long: Sequence[tuple[str, int]]) -> frozenset[int]:
    """Members with a neighbour within two edits: those are never guessed."""
    return frozenset(
        number
        for name, number in long
        for other, owner in long
        if owner != number and _within_two(name, other)
    )


def _parts(
    members: Sequence[Member], exact: Mapping[str, int], languages: tuple[str, ...]
) -> dict[str, int]:
    """Head nouns of titles and customary abbreviations, each leading to the one member it fits."""
    found: dict[str, int] = {}
    spoken = shell_of(languages).roles
    every = [[words_of(name) for name in member.names] for member in members]
    for number, names in enumerate(every):
        head = _head(names[0], languages) if len(names) > 1 else None
        shared = head and any(
            head in words for other, rest in enumerate(every) for words in rest if other != number
        )
        if head and len(head) > 3 and not shared and head not in spoken:
            for form in _forms(head, languages):
                _put(found, form, number)
    for code in languages:
        for short, meant in NAMES[code].abbreviations.items() if code in NAMES else ():
            for word in meant.split():
                if word in exact:
                    _put(found, short, exact[word])
    return {name: number for name, number in found.items() if name not in exact}


def _head(words: tuple[str, ...], languages: tuple[str, ...]) -> str | None:
    if len(words) < 2:
        return None
    latin = words[-1].isascii()
    for code in languages:
        if code in NAMES and (NAMES[code].latin == latin):
            return NAMES[code].head(words)
    return None


class MemberCores:
    """Finds members in a text: the longest name wins, then forms, parts and misspellings."""

    __slots__ = ("_context", "_pieces", "_shell", "names", "plan", "tokens")

    def __init__(self, tokens: Sequence[Token], plan: Plan, context: Context) -> None:
        """Prepare how each token may stand in a code: digits for number words, letters."""
        self.tokens = tokens
        self.plan = plan
        self.names = names_of(plan, context.languages)
        self._context = context
        self._shell = shell_of(context.languages)
        self._pieces = [self._piece(place) for place in range(len(tokens))]

    def _piece(self, place: int) -> str | None:
        token = self.tokens[place]
        if token.kind == "d":
            return token.text
        if token.kind == "w":
            return token.text.replace("'", "")
        return "" if token.text in "-_./" and place else None

    def _spoken_piece(self, place: int) -> str | None:
        text = self.tokens[place].text
        for code in self._context.languages:
            words = NAMES.get(code)
            if words is None:
                continue
            if text in words.spoken:
                return words.spoken[text]
            if self._context.spoken and text in words.letters:
                return words.letters[text]
        if self.names.coded:
            found = numbers_of(self._context.languages).words.get(text)
            if found is not None and found[0] in "zut":
                return str(found[1])
        return self._pieces[place]

    def at(self, place: int) -> Core | None:
        """The member named from this token on, a clash, or None."""
        best = self._named(place)
        joined_name = self._joined(place)
        if joined_name is not None and (best is None or joined_name[1] > best[1]):
            best = joined_name
        if best is None:
            best = self._single(place)
        if best is None:
            return None
        number, end, how = best
        if number == CLASH:
            return Core(None, end, code=ProblemCode.AMBIGUOUS)
        return Core(self.plan.members[number].value, end, how)

    def _named(self, place: int) -> tuple[int, int, How] | None:
        """A name in any of its forms, token by token."""
        best: tuple[int, int, How] | None = None
        for number, sets in self.names.formed.get(self.tokens[place].text, ()):
            end = self._follow(place, sets)
            if end == 0 or (best is not None and end < best[1]):
                continue
            if best is not None and end == best[1] and best[0] != number:
                number = self._closer(place, end, best[0], number)
            best = (number, end, How.EXACT)
        return best

    def _closer(self, place: int, end: int, one: int, other: int) -> int:
        """Of two members whose forms fit, the one whose very name it is."""
        text = " ".join(token.text for token in self.tokens[place:end] if token.kind != "p")
        found = self.names.exact.get(text, CLASH)
        return found if found in (one, other) else CLASH

    def _follow(self, place: int, sets: tuple[frozenset[str], ...]) -> int:
        for words in sets:
            while place < len(self.tokens) and self.tokens[place].text in ("-", "_", ".", "/"):
                place += 1
            if place >= len(self.tokens) or self.tokens[place].text not in words:
                return 0
            place += 1
        return place

    def _joined(self, place: int) -> tuple[int, int, How] | None:
        """A name whose letters and digits stand together or apart ("us east 1", "post gres")."""
        best = None
        for piece_of in (self._pieces.__getitem__, self._spoken_piece):
            text = ""
            for end in range(place, min(len(self.tokens), place + self.names.longest + 6)):
                piece = piece_of(end)
                if piece is None or len(text) > 60:
                    break
                seam = piece[1:] if len(text) > 2 and piece[:1] == text[-1:] else piece
                found = self.names.compact.get(text + piece) if piece else None
                if found is None and self._context.spoken and seam != piece and len(seam) > 2:
                    found = self.names.compact.get(text + seam)
                text += piece
                if found is not None and (best is None or end + 1 > best[1]):
                    best = (found, end + 1, How.EXACT)
        return best

    def _single(self, place: int) -> tuple[int, int, How] | None:
        """One word that is a part, a translit or a misspelling of a name."""
        token = self.tokens[place]
        if token.kind != "w":
            return None
        text = token.text
        part = self.names.parts.get(text)
        if part is not None:
            return part, place + 1, How.REPAIRED
        if self._context.closed or self._context.spoken:
            return self._misspelt(place)
        return self._translit(place) or self._misspelt(place)

    def _translit(self, place: int) -> tuple[int, int, How] | None:
        """A Cyrillic name in Latin letters, where the person's own script is Cyrillic."""
        first = NAMES.get(self._context.languages[0])
        if first is None or first.latin or not self.tokens[place].text.isascii():
            return None
        best, text = None, ""
        for end in range(place, min(len(self.tokens), place + 4)):
            piece = self._pieces[end]
            if piece is None:
                break
            text += piece
            found = self.names.skeletons.get(latin_skeleton(text)) if piece else None
            if found is not None and len(text) > 1:
                best = (found, end + 1, How.REPAIRED)
        return best

    def _misspelt(self, place: int) -> tuple[int, int, How] | None:
        """One slip in a name of five letters or more that is no other word and near no other."""
        if not self.names.long or self._context.closed:
            return None
        text = ""
        best = None
        for end in range(place, min(len(self.tokens), place + 3)):
            piece = self._pieces[end]
            if piece is None:
                break
            text += piece
            number = self._slip(text) if piece and len(text) >= 4 else None
            if number is not None and (end == place or self._same_shape(place, end, number)):
                best = (number, end + 1, How.REPAIRED)
        return best

    def _same_shape(self, place: int, end: int, number: int) -> bool:
        """Whether a misspelling over several words has the words of the name."""
        count = sum(1 for token in self.tokens[place : end + 1] if token.kind in "wd")
        return any(len(words_of(name)) == count for name in self.plan.members[number].names)

    def _slip(self, text: str) -> int | None:
        found = {number for name, number in self.names.long if slipped(text, name)}
        if len(found) != 1 or CLASH in found or found & self.names.near:
            return None
        known = text in OTHER_WORDS or text in consent(self._context.languages).known.roles
        if known or text in self._shell.roles or self._inflected(text):
            return None
        return found.pop()

    def _inflected(self, text: str) -> bool:
        """Whether the text is a name with an ending of its own: another form, no slip."""
        stems = (text[:-1] if text.endswith("s") and not text.endswith("ss") else "",)
        return any(stem and stem in self.names.compact for stem in stems)


def whole_member(text: str, plan: Plan) -> int | None:
    """The member that a whole text is, by value or title, case and marks at the edges aside."""
    found = _whole(plan).get(_edgeless(text))
    return None if found in (None, CLASH) else found


def _edgeless(text: str) -> str:
    return " ".join(fold(visible(text[:400])).split()).strip(" .!,;:\"'`«»*()")


@lru_cache(maxsize=512)
def _whole(plan: Plan) -> Mapping[str, int]:
    table: dict[str, int] = {}
    for number, member in enumerate(plan.members):
        for name in member.names:
            _put(table, _edgeless(name), number)
    return table
