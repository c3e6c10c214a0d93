"""Integers in words, English and Russian in every case, made here to be read by the grammar."""

from __future__ import annotations

ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SCALES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand"))

CASES = ("nom", "gen", "dat", "acc", "ins", "loc")
RU_ONES = [
    "ноль ноля нолю ноль нолём ноле",
    "один одного одному один одним одном",
    "два двух двум два двумя двух",
    "три трёх трём три тремя трёх",
    "четыре четырёх четырём четыре четырьмя четырёх",
    "пять пяти пяти пять пятью пяти",
    "шесть шести шести шесть шестью шести",
    "семь семи семи семь семью семи",
    "восемь восьми восьми восемь восемью восьми",
    "девять девяти девяти девять девятью девяти",
]
RU_TEENS = [
    f"{stem}ь {stem}и {stem}и {stem}ь {stem}ью {stem}и"
    for stem in (
        "десят",
        "одиннадцат",
        "двенадцат",
        "тринадцат",
        "четырнадцат",
        "пятнадцат",
        "шестнадцат",
        "семнадцат",
        "восемнадцат",
        "девятнадцат",
    )
]
RU_TENS = [
    "",
    "",
    "двадцать двадцати двадцати двадцать двадцатью двадцати",
    "тридцать тридцати тридцати тридцать тридцатью тридцати",
    "сорок сорока сорока сорок сорока сорока",
    *(
        f"{nom}десят {gen}десяти {gen}десяти {nom}десят {ins}десятью {gen}десяти"
        for nom, gen, ins in (
            ("пять", "пяти", "пятью"),
            ("шесть", "шести", "шестью"),
            ("семь", "семи", "семью"),
            ("восемь", "восьми", "восемью"),
        )
    ),
    "девяносто девяноста девяноста девяносто девяноста девяноста",
]
RU_HUNDREDS = [
    "",
    "сто ста ста сто ста ста",
    "двести двухсот двумстам двести двумястами двухстах",
    "триста трёхсот трёмстам триста тремястами трёхстах",
    "четыреста четырёхсот четырёмстам четыреста четырьмястами четырёхстах",
    *(
        f"{nom}сот {gen}сот {gen}стам {nom}сот {ins}стами {gen}стах"
        for nom, gen, ins in (
            ("пять", "пяти", "пятью"),
            ("шесть", "шести", "шестью"),
            ("семь", "семи", "семью"),
            ("восемь", "восьми", "восемью"),
            ("девять", "девяти", "девятью"),
        )
    ),
]
RU_FEMININE = {1: "одна одной одной одну одной одной", 2: "две двух двум две двумя двух"}
RU_SCALES = (
    (10**12, "триллион", False),
    (10**9, "миллиард", False),
    (10**6, "миллион", False),
    (1000, "тысяч", True),
)
SINGULAR = {False: ("", "а", "у", "", "ом", "е"), True: ("а", "и", "е", "у", "ей", "е")}
PLURAL = {False: ("ы", "ов", "ам", "ы", "ами", "ах"), True: ("и", "", "ам", "и", "ами", "ах")}
FEW = {False: "а", True: "и"}
MANY = {False: "ов", True: ""}


def english(number: int, *, joined: bool = False) -> str:
    """The integer in English words, with or without "and"."""
    if number < 0:
        return f"minus {english(-number, joined=joined)}"
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10] + (f" {ONES[number % 10]}" if number % 10 else "")
    if number < 1000:
        rest = english(number % 100, joined=joined) if number % 100 else ""
        return f"{ONES[number // 100]} hundred" + (
            f"{' and' if joined else ''} {rest}" if rest else ""
        )
    scale, word = next(pair for pair in SCALES if number >= pair[0])
    below = number % scale
    and_ = " and" if joined and 0 < below < 100 else ""
    tail = f"{and_} {english(below, joined=joined)}" if below else ""
    return f"{english(number // scale, joined=joined)} {word}{tail}"


def _form(text: str, case: int) -> str:
    return text.split()[case]


def _group(number: int, case: int, *, feminine: bool) -> str:
    words = []
    if number >= 100:
        words.append(_form(RU_HUNDREDS[number // 100], case))
    rest = number % 100
    if 10 <= rest < 20:
        words.append(_form(RU_TEENS[rest - 10], case))
    else:
        if rest >= 20:
            words.append(_form(RU_TENS[rest // 10], case))
        unit = rest % 10
        if unit:
            table = RU_FEMININE if feminine and unit in RU_FEMININE else RU_ONES
            words.append(_form(table[unit], case))
    return " ".join(words)


def _scale(stem: str, count: int, case: int, *, feminine: bool) -> str:
    last, pair = count % 10, count % 100
    if last == 1 and pair != 11:
        return stem + SINGULAR[feminine][case]
    if case not in (0, 3):
        return stem + PLURAL[feminine][case]
    few = last in (2, 3, 4) and pair not in (12, 13, 14)
    return stem + (FEW if few else MANY)[feminine]


def russian(number: int, case: int) -> str:
    """The integer in Russian words in a case (0 nominative … 5 locative)."""
    if number < 0:
        return f"минус {russian(-number, case)}"
    if number == 0:
        return _form(RU_ONES[0], case)
    words = []
    for scale, stem, feminine in RU_SCALES:
        count = number // scale % 1000 if scale < 10**12 else number // scale
        if count:
            words += [
                _group(count, case, feminine=feminine),
                _scale(stem, count, case, feminine=feminine),
            ]
    words.append(_group(number % 1000, case, feminine=False))
    return " ".join(word for word in words if word)
