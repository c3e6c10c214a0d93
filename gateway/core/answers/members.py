"""The members of a choice found in a text: the longest name wins, then forms and slips."""

from __future__ import annotations

from collections.abc import Sequence

from gateway.core.answers.context import Context
from gateway.core.answers.lexicons import NAMES, OTHER_WORDS
from gateway.core.answers.names import CLASH, names_of, whole_member, words_of
from gateway.core.answers.normalise import Token
from gateway.core.answers.numerals import numbers_of
from gateway.core.answers.plan import Plan
from gateway.core.answers.shell import Core, shell_of
from gateway.core.answers.skeleton import latin_skeleton
from gateway.core.answers.slips import slipped
from gateway.core.answers.types import How, ProblemCode
from gateway.core.answers.yesno import consent

__all__ = ["MemberCores", "names_of", "whole_member"]


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
        if self._in_compound(place) or self._in_compound(end):
            return Core(None, end, code=ProblemCode.MENTION)
        if number == CLASH:
            return Core(None, end, code=ProblemCode.AMBIGUOUS)
        return Core(self.plan.members[number].value, end, how)

    def _in_compound(self, place: int) -> bool:
        """Whether a hyphen joins the words on both sides of this place ("production-like")."""
        return (
            0 < place < len(self.tokens)
            and self.tokens[place].glued
            and self.tokens[place].kind == self.tokens[place - 1].kind == "w"
        )

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
