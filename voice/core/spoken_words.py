"""How signs are said, language by language. A unit has its forms for 1, for 2 and for 5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Forms = tuple[str, str, str]

_EN_MONTHS = """
    January February March April May June July August September October November December
"""
_RU_MONTHS = """
    января февраля марта апреля мая июня июля августа сентября октября ноября декабря
"""


@dataclass(frozen=True, slots=True)
class Sayings:
    """What one language says for what is written."""

    code: str
    point: str
    to: str
    before_range: str
    minus: str
    dot: str
    at: str
    comma_decimal: bool
    months: tuple[str, ...]
    date: str
    units: Mapping[str, Forms]
    signs: Mapping[str, str]


EN = Sayings(
    code="code",
    point="point",
    to="to",
    before_range="",
    minus="minus",
    dot="dot",
    at="at",
    comma_decimal=False,
    months=tuple(_EN_MONTHS.split()),
    date="{month} {day}, {year}",
    units={
        "%": ("percent", "percent", "percent"),
        "$": ("dollar", "dollars", "dollars"),
        "€": ("euro", "euros", "euros"),
        "£": ("pound", "pounds", "pounds"),
        "₽": ("rouble", "roubles", "roubles"),
        "°C": ("degree Celsius", "degrees Celsius", "degrees Celsius"),
        "°F": ("degree Fahrenheit", "degrees Fahrenheit", "degrees Fahrenheit"),
        "°": ("degree", "degrees", "degrees"),
    },
    signs={
        "&": "and",
        "+": "plus",
        "=": "equals",
        "<": "less than",
        ">": "more than",
        "≤": "at most",
        "≥": "at least",
        "≈": "about",
        "~": "about",
        "±": "plus or minus",
        "×": "times",
        "÷": "divided by",
        "№": "number",
        "#": "number",
        "§": "section",
        "@": "at",
        "→": "to",
    },
)

RU = Sayings(
    code="код",
    point="запятая",
    to="до",
    before_range="от",
    minus="минус",
    dot="точка",
    at="собака",
    comma_decimal=True,
    months=tuple(
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split()  # noqa: SIM905
    ),
    date="{day} {month} {year} года",
    units={
        "%": ("процент", "процента", "процентов"),
        "$": ("доллар", "доллара", "долларов"),
        "€": ("евро", "евро", "евро"),
        "£": ("фунт", "фунта", "фунтов"),
        "₽": ("рубль", "рубля", "рублей"),
        "°C": ("градус Цельсия", "градуса Цельсия", "градусов Цельсия"),
        "°F": ("градус Фаренгейта", "градуса Фаренгейта", "градусов Фаренгейта"),
        "°": ("градус", "градуса", "градусов"),
    },
    signs={
        "&": "и",
        "+": "плюс",
        "=": "равно",
        "<": "меньше",
        ">": "больше",
        "≤": "не больше",
        "≥": "не меньше",
        "≈": "примерно",
        "~": "примерно",
        "±": "плюс-минус",
        "×": "умножить на",
        "÷": "разделить на",
        "№": "номер",
        "#": "номер",
        "§": "параграф",
        "@": "собака",
        "→": "в",
    },
)

SAYINGS: Mapping[str, Sayings] = {"en": EN, "ru": RU}


def form_for(number: str, forms: Forms, *, slavic: bool) -> str:
    """The unit's form for a number written in digits; a fraction takes the second."""
    if not number.isdigit():
        return forms[1]
    value = int(number)
    if not slavic:
        return forms[0] if value == 1 else forms[2]
    if value % 100 in range(11, 15) or value % 10 in (0, 5, 6, 7, 8, 9):
        return forms[2]
    return forms[0] if value % 10 == 1 else forms[1]
