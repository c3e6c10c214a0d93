"""What is said about answers in Russian."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time

from gateway.core.answers.sentences.kinds import Sentences
from gateway.core.answers.types import ProblemCode as P

MONTHS = (
    "января",
    "февраля",
    "марта",
    "апреля",
    "мая",
    "июня",
    "июля",
    "августа",
    "сентября",
    "октября",
    "ноября",
    "декабря",
)
NOUNS: Mapping[str, tuple[str, str, str]] = {
    "year": ("год", "года", "лет"),
    "month": ("месяц", "месяца", "месяцев"),
    "day": ("день", "дня", "дней"),
    "hour": ("час", "часа", "часов"),
    "minute": ("минута", "минуты", "минут"),
    "second": ("секунда", "секунды", "секунд"),
    "digit": ("цифра", "цифры", "цифр"),
    "character": ("символ", "символа", "символов"),
    "item": ("пункт", "пункта", "пунктов"),
    "more": ("вариант", "варианта", "вариантов"),
}


def _count(noun: str, number: int) -> str:
    last, pair = number % 10, number % 100
    if last == 1 and pair != 11:
        form = 0
    else:
        form = 1 if last in (2, 3, 4) and pair not in (12, 13, 14) else 2
    return f"{number} {NOUNS[noun][form]}"


def _day(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year:04} года"


def _clock(clock: time) -> str:
    seconds = f":{clock.second:02}" if clock.second else ""
    return f"{clock.hour:02}:{clock.minute:02}{seconds}"


SENTENCES = Sentences(
    yes="да",
    no="нет",
    nothing="ничего",
    everything="все",
    forms={
        "boolean": "да или нет",
        "number": "число",
        "integer": "целое число",
        "range": "число от {low} до {high}",
        "least": "число не меньше {low}",
        "most": "число не больше {high}",
        "above": "число больше {low}",
        "below": "число меньше {high}",
        "step": "с шагом {step}",
        "percent": "в процентах",
        "one_of": "одно из: {names}",
        "exactly": "в точности: {name}",
        "several": "одно или несколько из: {names}",
        "some": "любые из: {names}, или ничего",
        "list": "список: {item}",
        "shortened": "{names} и ещё {more}",
        "text": "текст",
        "date": "дата, например завтра или 15 марта",
        "time": "время, например 15:30",
        "date-time": "день и время, например завтра в 15:00",
        "duration": "длительность, например 20 минут",
        "email": "адрес электронной почты",
        "uri": "ссылка",
        "phone": "номер телефона",
        "digits": "{count}",
        "some_digits": "цифры",
        "pattern": "текст вида {pattern}",
        "length": "текст от {low} до {high} символов",
        "length_least": "текст, не меньше: {count}",
        "length_most": "текст, не больше: {count}",
        "money": "сумма с валютой, например {example}",
        "object": "всё вместе: {fields}",
        "field": "{name} ({form})",
        "optional": "{name} (необязательно)",
        "null": "ничего",
        "json": "JSON",
    },
    problems={
        P.EMPTY: "В этом сообщении нет ответа.",
        P.NOT_UNDERSTOOD: "Не удалось понять ответ.",
        P.UNHEARD: "Часть ответа не расслышана.",
        P.AMBIGUOUS: "Это можно понять по-разному.",
        P.CONTRADICTION: "Здесь и да, и нет.",
        P.HEDGED: "Ответ звучит неуверенно, поэтому он не принят.",
        P.CONDITIONAL: "В ответе есть условие, поэтому он не принят.",
        P.DEFERRED: "Хорошо, вопрос остаётся открытым.",
        P.NEGATED: "Сказано, чего не нужно.",
        P.MENTION: "Ответ упомянут, но не дан.",
        P.QUESTION: "Это вопрос, поэтому как ответ он не принят.",
        P.APPROXIMATE: "Нужно точное значение.",
        P.OUT_OF_RANGE: "{value} вне допустимых пределов.",
        P.WRONG_STEP: "{value} не подходит по шагу.",
        P.NOT_WHOLE: "Нужно целое число.",
        P.NOT_A_MEMBER: "Такого варианта нет.",
        P.WRONG_COUNT: "Вариантов названо больше или меньше, чем нужно.",
        P.BAD_GROUPING: "Непонятно, какое это число.",
        P.BAD_FORMAT: "Ответ не той формы.",
        P.BAD_DATE: "Такой даты или такого времени нет.",
        P.INCOMPLETE: "Не хватает части ответа.",
        P.MISSING_FIELD: "Не хватает: {fields}.",
        P.UNKNOWN_FIELD: "Есть лишнее поле.",
        P.BAD_JSON: "Это не JSON нужной формы.",
        P.WRONG_UNIT: "Единица не подходит.",
        P.WRONG_LENGTH: "Ответ не той длины.",
    },
    expected="Ответьте, пожалуйста: {form}.",
    conjunction="и",
    alternative=" или ",
    decimal_mark=",",
    group_mark="\u00a0",
    count=_count,
    day=_day,
    clock=_clock,
)
