"""Misspellings of known words: stretched, doubled, dropped and swapped letters, nothing freer."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from gateway.core.answers.lexicons import OTHER_WORDS
from gateway.core.answers.normalise import Token
from gateway.core.answers.roles import Phrases

_RUN = re.compile(r"(\w)\1+")
_LONG_RUN = re.compile(r"(\w)\1\1+")


def squeezed(word: str, is_known: Callable[[str], bool]) -> str | None:
    """The known word behind stretched letters ("yesss", «дааа»)."""
    if _RUN.search(word) is None:
        return None
    singles = (word[: run.start()] + word[run.start() + 1 :] for run in _RUN.finditer(word))
    for shorter in (_LONG_RUN.sub(r"\1\1", word), _RUN.sub(r"\1", word), *singles):
        if shorter != word and len(shorter) > 1 and is_known(shorter):
            return shorter
    return None


def swapped(word: str, is_known: Callable[[str], bool]) -> str | None:
    """The one known word of four letters or more that differs by two neighbours swapped."""
    found = {
        other
        for place in range(len(word) - 1)
        if word[place] != word[place + 1]
        and is_known(other := word[:place] + word[place + 1] + word[place] + word[place + 2 :])
    }
    return found.pop() if len(word) >= 4 and len(found) == 1 else None


def shortened(words: Mapping[str, object], rivals: Collection[str] = ()) -> dict[str, str]:
    """Words of five letters or more with a letter dropped; what has two meanings is left out.

    `rivals` are other words that the same letters may have been meant for.
    """
    found: dict[str, str] = {}
    twice: set[str] = set()
    for word in words:
        for place in range(len(word)) if len(word) >= 5 else ():
            short = word[:place] + word[place + 1 :]
            if words[found.setdefault(short, word)] != words[word]:
                twice.add(short)
    twice |= {one[:place] + one[place + 1 :] for one in rivals for place in range(len(one))}
    return {short: word for short, word in found.items() if short not in twice}


class Speller:
    """The misspellings of some single words, made when first needed."""

    __slots__ = ("_known", "_rivals", "_short")

    def __init__(self, words: Mapping[str, object], rivals: Collection[str] = ()) -> None:
        """Keep the words that may be misspelt, by meaning; those of one letter never are."""
        self._rivals = rivals
        self._known = {word: words[word] for word in sorted(words) if len(word) > 1}
        self._short: dict[str, str] | None = None

    def repair(self, word: str) -> str | None:
        """The word meant, or None where the word is another one or nothing is near."""
        known = self._known.__contains__
        stretched = squeezed(word, known)
        if stretched is not None:
            return stretched if word not in OTHER_WORDS else None
        if word in OTHER_WORDS or len(word) < 4 or len(word) > 20:
            return None
        if self._short is None:
            self._short = shortened(self._known, self._rivals)
        return self._short.get(word) or swapped(word, known)


def respelled(
    tokens: Sequence[Token], known: Phrases, speller: Speller
) -> tuple[Sequence[Token], bool]:
    """The tokens with misspelt words of consent put right, and whether there were any."""
    unknown = [
        place
        for place, token in enumerate(tokens)
        if token.kind == "w" and token.text not in known.longest and len(token.text) > 2
    ]
    if not unknown or len(unknown) > 3:
        return tokens, False
    fixed = {place: word for place in unknown if (word := speller.repair(tokens[place].text))}
    if not fixed:
        return tokens, False
    return (
        [
            replace(token, text=fixed[place]) if place in fixed else token
            for place, token in enumerate(tokens)
        ],
        True,
    )
