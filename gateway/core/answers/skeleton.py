"""Translit and keyboard layouts: Latin letters for Russian words and the other way round."""

from __future__ import annotations

import re

_TO_LATIN = str.maketrans(
    {
        "а": "a",
        "б": "b",
        "в": "v",
        "г": "g",
        "д": "d",
        "е": "e",
        "ё": "e",
        "ж": "zh",
        "з": "z",
        "и": "i",
        "й": "i",
        "к": "k",
        "л": "l",
        "м": "m",
        "н": "n",
        "о": "o",
        "п": "p",
        "р": "r",
        "с": "s",
        "т": "t",
        "у": "u",
        "ф": "f",
        "х": "h",
        "ц": "c",
        "ч": "ch",
        "ш": "sh",
        "щ": "sh",
        "ъ": "",
        "ы": "i",
        "ь": "",
        "э": "e",
        "ю": "iu",
        "я": "ia",
    }
)
_SPELLINGS = (
    ("shch", "sh"),
    ("sch", "sh"),
    ("sh4", "sh"),
    ("kh", "h"),
    ("ts", "c"),
    ("tz", "c"),
    ("yo", "e"),
    ("jo", "e"),
    ("ye", "e"),
    ("je", "e"),
    ("ja", "ia"),
    ("ya", "ia"),
    ("ju", "iu"),
    ("yu", "iu"),
    ("yy", "i"),
    ("iy", "i"),
    ("ij", "i"),
    ("yi", "i"),
    ("y", "i"),
    ("j", "i"),
    ("w", "v"),
    ("x", "h"),
    ("'", ""),
    ("`", ""),
    ("ph", "f"),
    ("4", "ch"),
    ("6", "sh"),
)
_RUNS = re.compile(r"i{2,}")
_ENGLISH = "qwertyuiop[]asdfghjkl;'zxcvbnm,."
_RUSSIAN = "йцукенгшщзхъфывапролджэячсмитьбю"
_AS_RUSSIAN = str.maketrans(_ENGLISH + "`", _RUSSIAN + "ё")
_AS_ENGLISH = str.maketrans(_RUSSIAN, _ENGLISH)
_CODE = str.maketrans(
    {
        "a": "а",
        "b": "б",
        "c": "с",
        "d": "д",
        "e": "е",
        "f": "ф",
        "g": "г",
        "h": "х",
        "i": "и",
        "j": "й",
        "k": "к",
        "l": "л",
        "m": "м",
        "n": "н",
        "o": "о",
        "p": "п",
        "q": "к",
        "r": "р",
        "s": "с",
        "t": "т",
        "u": "у",
        "v": "в",
        "w": "в",
        "x": "х",
        "y": "й",
        "z": "з",
    }
)


def cyrillic_skeleton(word: str) -> str:
    """The Latin letters of a Russian word, soft signs and kinds of i levelled."""
    return _RUNS.sub("i", word.translate(_TO_LATIN).replace("ts", "c"))


def latin_skeleton(word: str) -> str:
    """A Latin spelling of a Russian word brought to the same letters."""
    for spelling, level in _SPELLINGS:
        if spelling in word:
            word = word.replace(spelling, level)
    return _RUNS.sub("i", word)


def as_russian_layout(text: str) -> str:
    """What the same keys give in the Russian layout."""
    return text.translate(_AS_RUSSIAN)


def as_english_layout(text: str) -> str:
    """What the same keys give in the English layout."""
    return text.translate(_AS_ENGLISH)


def code_in_cyrillic(code: str) -> str:
    """A Latin code as it is typed letter by letter in Cyrillic (v2, msk)."""
    return code.translate(_CODE)


_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю")
_VOWELS = frozenset("aeiouyаеиоуыэюяй")


def neighbours(one: str, other: str) -> bool:
    """Whether two letters are easily put for each other: vowels, or keys side by side."""
    if one in _VOWELS and other in _VOWELS:
        return True
    for above, row in zip(("", *_ROWS), _ROWS, strict=False):
        if one in row and other in row:
            return abs(row.index(one) - row.index(other)) == 1
        pair = (one, other) if one in above else (other, one)
        if pair[0] in above and pair[1] in row:
            return abs(above.index(pair[0]) - row.index(pair[1])) <= 1
    return {one, other} == {"ь", "ъ"}
