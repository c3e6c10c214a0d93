"""What the corpus says, by language and half; words of the held-out half are not in the other.

Texts are made up for it, not taken from the product's word lists.
"""

from __future__ import annotations

BACKCHANNELS = {
    "en": {
        "dev": ("uh-huh", "yeah", "okay", "right", "I see", "sure", "hmm", "got it", "oh okay"),
        "held": (
            "mm-hmm",
            "yep",
            "ah okay",
            "yeah right",
            "yes yes",
            "alright",
            "I get it",
            "oh",
            "makes sense",
            "uh-huh uh-huh",
            "okay okay",
        ),
    },
    "ru": {
        "dev": ("угу", "да", "ага", "так", "ясно", "понятно", "хорошо", "да да", "ну да"),
        "held": (
            "ладно",
            "ага ага",
            "да да да",
            "угу угу",
            "понял",
            "хм",
            "окей",
            "так так",
            "о",
            "ну понятно",
            "да ясно",
        ),
    },
}
HUMMED = {"mm-hmm": 2, "hmm": 1, "хм": 1}
"""Hums in so many syllables that are no words: voices would spell them, "em em aitch em"."""
INTERRUPTIONS = {
    "en": {
        "dev": (
            "stop",
            "wait, not that one",
            "no, I meant Paris",
            "hold on",
            "what does it cost",
            "delete the first one",
            "can you say that again",
            "I need it on Tuesday",
        ),
        "held": (
            "stop talking please",
            "wait a second",
            "no no, the other server",
            "actually make it Friday",
            "how long does it take",
            "show me the second one",
            "I want to change my order",
            "that is not what I asked for",
            "do you have something cheaper",
            "cancel it",
            "let me speak",
            "excuse me, I have a question",
        ),
    },
    "ru": {
        "dev": (
            "стоп",
            "подожди, не этот",
            "нет, я имел в виду Париж",
            "секунду",
            "сколько это стоит",
            "удали первый сервер",
            "повтори ещё раз",
            "мне нужно во вторник",
        ),
        "held": (
            "остановись пожалуйста",
            "подождите минуту",
            "нет нет, другой сервер",
            "лучше в пятницу",
            "а сколько времени это займёт",
            "покажи второй вариант",
            "я хочу изменить заказ",
            "я спрашивал совсем о другом",
            "а есть что-нибудь подешевле",
            "отмени это",
            "дай мне сказать",
            "извините, у меня вопрос",
        ),
    },
}
RECORDED = {
    # Sentences of asterisk's prompts, the same in both languages. Single words of these voices are
    # what thresholds of the recogniser were once set on; none of these was looked at for that.
    "dev": (
        "vm-toenternumber",
        "vm-tocancel",
        "conf-invalid",
        "check-number-dial-again",
        "vm-incorrect",
        "please-try-again",
    ),
    "held": (
        "agent-incorrect",
        "conf-getconfno",
        "conf-getpin",
        "conf-kicked",
        "dir-nomatch",
        "pls-hold-while-try",
        "vm-toforward",
        "vm-tomakecall",
        "vm-passchanged",
    ),
}
REPLIES = {
    "en": "I found three servers in Frankfurt, and all of them have been idle since last Monday. "
    "Together they cost forty dollars a week.",
    "ru": "Нашлось три сервера во Франкфурте, и все они простаивают с прошлого понедельника. "
    "Вместе они стоят сорок долларов в неделю.",
}
