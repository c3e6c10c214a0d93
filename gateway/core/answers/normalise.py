"""One text into tokens: what is invisible, doubled or look-alike is settled here, once."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MAX_TEXT = 2000
MAX_TOKENS = 80

_LATIN = "ABCEHKMOPTXYaceopxyk"
_CYRILLIC = "АВСЕНКМОРТХУасеорхук"
_TO_CYRILLIC = str.maketrans(_LATIN, _CYRILLIC)
_TO_LATIN = str.maketrans(_CYRILLIC, _LATIN)
_CYRILLIC_LETTER = re.compile(r"[\u0400-\u04ff]")
_LATIN_LETTER = re.compile(r"[A-Za-z]")
_MIXED = re.compile(r"[A-Za-z\u0400-\u04ff]+")
_ZERO = re.compile(r"(?<=[0-9])[OО]+(?=[0-9OО]|\b)")
_PLAIN = re.compile(r"[ -~\n\u0410-\u044f\u0401\u0451]*")
_KEYCAP = re.compile(r"([0-9])\ufe0f?\u20e3")
_VULGAR = re.compile("(?<=[0-9])[¼½¾⅐-⅞]")
_QUOTES = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "`": "`", "−": "-", "‐": "-", "‑": "-", "\u2044": "/"}
)
_TOKEN = re.compile(
    r"(?P<s>[^\S\n]+)|(?P<n>\n)|(?P<u>\[[a-z_ ]{1,12}\]|<[a-z_]{1,12}>)"
    r"|(?P<b>(?<!\S)!(?=\w))|(?P<d>[0-9]+)|(?P<w>[^\W\d_]+(?:'[^\W\d_]+)*)|(?P<p>.)",
    re.DOTALL,
)
NOT_MARK = "¬"
"""Stands for a "!" before a word ("!yes"), which programmers read as a not."""
_WRAPS = {
    '"': '"',
    "'": "'",
    "`": "`",
    "*": "*",
    "(": ")",
    "[": "]",
    "«": "»",
    "“": "”",
    "„": "“",
    "_": "_",
    "{": "}",
    "<": ">",
}
_DOUBLED = ("**", "__", "``", "''", "||")
_SEPARATORS = {",": ",", ";": ",", ".": ".", "!": ".", "…": ".", ":": ":", "–": "-", "—": "-"}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Token:
    """One word, digit run or mark. `glued` is True where no space stands before it."""

    text: str
    kind: str
    glued: bool
    cased: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reading:
    """A text made ready: `clean` without wrapping, `plain` in lower case.

    `typed` is the whole text as it came, trimmed; `raw` its first 2,000 characters in one form.
    """

    typed: str
    raw: str
    clean: str
    plain: str
    tokens: tuple[Token, ...]
    repaired: bool
    too_long: bool


def visible(text: str) -> str:
    """The text in one composed form (NFKC) without invisible characters and stress marks."""
    if text.isascii():
        return text.translate(_CONTROLS) if not text.isprintable() else text
    if _PLAIN.fullmatch(text):
        return text
    text = _KEYCAP.sub(r"\1", text).replace("№", "#")
    text = _VULGAR.sub(r" \g<0>", text)
    composed = unicodedata.normalize("NFKC", "".join(map(_circled, text)))
    kept = [char for char in composed if char in "\n\t" or not _is_invisible(char)]
    return "".join(kept).translate(_QUOTES)


_CONTROLS = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127)) | {13: "\n"}
_SKIN = range(0x1F3FB, 0x1F400)


def _circled(char: str) -> str:
    if char < "\u00b2" or not char.isdigit() or char.isdecimal():
        return char
    return "\ue000"


def _is_invisible(char: str) -> bool:
    if char == "\ue000":
        return False
    category = unicodedata.category(char)
    if category in ("Cf", "Cc", "Cs", "Co", "Cn"):
        return True
    return char in "\u0301\u0300\u200d\ufe0e\ufe0f\u20e3" or ord(char) in _SKIN


def unmixed(text: str) -> str:
    """Words that mix Latin and Cyrillic look-alikes, each in the one script it can be."""
    if not (_CYRILLIC_LETTER.search(text) and _LATIN_LETTER.search(text)):
        return text
    return _MIXED.sub(lambda found: _unmixed_word(found.group()), text)


def _unmixed_word(word: str) -> str:
    if not (_CYRILLIC_LETTER.search(word) and _LATIN_LETTER.search(word)):
        return word
    as_cyrillic = word.translate(_TO_CYRILLIC)
    if _LATIN_LETTER.search(as_cyrillic) is None:
        return as_cyrillic
    as_latin = word.translate(_TO_LATIN)
    return as_latin if _CYRILLIC_LETTER.search(as_latin) is None else word


def _ascii_digits(text: str) -> str:
    return "".join(
        str(unicodedata.decimal(char)) if not char.isascii() and char.isdecimal() else char
        for char in text
    )


def fold(text: str) -> str:
    """Lower case with `ё` as `е`."""
    return text.casefold().replace("ё", "е")


def unwrapped(text: str) -> str:
    """The text without quotes, brackets, asterisks or a slash round the whole of it."""
    for _ in range(4):
        text = text.strip()
        if len(text) > 1 and text[0] == "/" and text[1].isalpha() and "/" not in text[1:]:
            text = text[1:]
        elif text[:3] == "```" and text[-3:] == "```" and len(text) > 6:
            text = text[3:-3]
        elif len(text) > 4 and text[:2] == text[-2:] and text[:2] in _DOUBLED:
            text = text[2:-2]
        elif len(text) > 2 and _WRAPS.get(text[0]) == text[-1] and text[0] not in text[1:-1]:
            text = text[1:-1]
        else:
            break
    return text


def tokenise(clean: str) -> tuple[Token, ...]:
    """The tokens in order; every character but space ends up in exactly one."""
    tokens: list[Token] = []
    glued = False
    for found in _TOKEN.finditer(clean):
        kind = found.lastgroup or "p"
        if kind == "s":
            glued = False
            continue
        text = NOT_MARK if kind == "b" else found.group()
        if kind == "w":
            tokens.append(Token(fold(text), "w", glued, text))
        else:
            tokens.append(Token(text, "p" if kind == "b" else kind, glued, text))
        glued = kind != "n"
        if len(tokens) > MAX_TOKENS:
            break
    return tuple(tokens)


def read(text: str) -> Reading:
    """The reading of a text; beyond 2,000 characters or 80 tokens it is `too_long`."""
    raw = visible(text[: MAX_TEXT + 1]).strip()
    body = unwrapped(raw)
    clean = body
    if not body.isascii():
        clean = unmixed(body if _PLAIN.fullmatch(body) else _ascii_digits(body))
    if "O" in clean or "О" in clean:
        clean = _ZERO.sub(lambda found: "0" * len(found.group()), clean)
    too_long = len(text) > MAX_TEXT
    tokens = tokenise(clean[:MAX_TEXT])
    return Reading(
        text.strip(),
        raw,
        clean,
        fold(clean),
        tokens,
        clean != body,
        too_long or len(tokens) > MAX_TOKENS,
    )


def separator(token: Token) -> str | None:
    """The kind of pause that a mark makes: a comma, a full stop, a colon or a dash."""
    if token.kind == "n":
        return "."
    return _SEPARATORS.get(token.text) if token.kind == "p" else None
