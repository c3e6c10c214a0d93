"""What people read, in their language: catalogs by gettext, numbers and dates by babel.

Sources are English and stand in the code. A module that runs before the language is known
declares its texts as data with `N_`, `NP_` or `NN_` and translates them when they are shown.
"""

import gettext
from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo
from functools import cache
from pathlib import Path
from typing import NamedTuple

from babel import Locale
from babel.dates import format_date, format_datetime, format_time, format_timedelta
from babel.lists import format_list
from babel.numbers import format_decimal

from gateway.core.errors import GatewayError

LANGUAGES = ("en", "ru")
DEFAULT_LANGUAGE = "en"
DOMAIN = "messages"
CATALOGS = Path(__file__).parent / "locales"
ONE_OF_ITS_UNIT = (60, 3600, 86_400)  # "1 minute", not "60 seconds"


class CatalogNotCompiled(GatewayError):
    """A language's compiled catalog is missing from the installation."""

    code = "CATALOG_NOT_COMPILED"

    def __init__(self, language: str, path: Path) -> None:
        text = f"The messages for {language!r} are not compiled: there is no {path}. "
        super().__init__(text + "Run `make locales`, or install it again.", language=language)


class Contextual(NamedTuple):
    """A text that needs its context to be translated, as a short word does."""

    context: str
    message: str


class Plural(NamedTuple):
    """A text that depends on ``count``; both forms are English."""

    singular: str
    plural: str


def N_(message: str) -> str:
    """Marks a text for translation and returns it unchanged."""
    return message


def NP_(context: str, message: str) -> Contextual:
    """Marks a text that needs its context."""
    return Contextual(context, message)


def NN_(singular: str, plural: str) -> Plural:
    """Marks a text with a number in it."""
    return Plural(singular, plural)


class Translator:
    """Texts, numbers and dates in one language. Values fill the ``{name}`` fields of a text.

    Unknown texts come back in English; a field without a value is a `KeyError`.
    """

    def __init__(self, language: str, catalog: gettext.NullTranslations) -> None:
        self.language = language
        self._catalog = catalog
        self._locale = Locale.parse(language)

    def gettext(self, message: str, /, **values: object) -> str:
        """Translates a text."""
        return self._catalog.gettext(message).format(**values)

    def pgettext(self, context: str, message: str, /, **values: object) -> str:
        """Translates a text in its context."""
        return self._catalog.pgettext(context, message).format(**values)

    def ngettext(self, singular: str, plural: str, count: int, /, **values: object) -> str:
        """Translates a text in the form for ``count``, which fills ``{count}`` by locale."""
        text = self._catalog.ngettext(singular, plural, count)
        return text.format(count=self.number(count), **values)

    def text(self, message: str | Contextual | Plural, /, **values: object) -> str:
        """Translates what was declared as data; a `Plural` takes its number as ``count``."""
        match message:
            case Contextual(context, source):
                return self.pgettext(context, source, **values)
            case Plural(singular, plural):
                count = values.pop("count")
                if not isinstance(count, int):
                    raise TypeError(f"count must be a whole number, not {type(count).__name__}")
                return self.ngettext(singular, plural, count, **values)
            case _:
                return self.gettext(message, **values)

    def number(self, value: float) -> str:
        """A number with the language's separators."""
        return format_decimal(value, locale=self._locale)

    def date(self, when: datetime) -> str:
        """The day of an aware moment, as people write it."""
        return format_date(when, "long", locale=self._locale)

    def time(self, when: datetime, zone: tzinfo | None = None) -> str:
        """The time of day of an aware moment, in ``zone`` or its own."""
        return format_time(when, "short", tzinfo=zone or when.tzinfo, locale=self._locale)

    def moment(self, when: datetime, zone: tzinfo | None = None) -> str:
        """Day and time of an aware moment, in ``zone`` or its own."""
        return format_datetime(when, "medium", tzinfo=zone or when.tzinfo, locale=self._locale)

    def span(self, seconds: float) -> str:
        """A length of time, rounded, in the largest unit of which it has two: "90 seconds"."""
        threshold = 1 if seconds in ONE_OF_ITS_UNIT else 2
        span = timedelta(seconds=seconds)
        return format_timedelta(span, threshold=threshold, locale=self._locale)

    def listed(self, items: Sequence[str]) -> str:
        """Several things as a sentence names them: "a, b, and c"."""
        return format_list(items, locale=self._locale)


def known_language(language: str) -> str:
    """The language we have for a tag ("ru", "ru-RU", "ru_RU.UTF-8"), else English."""
    primary = language.replace("_", "-").split("-")[0].split(".")[0].lower()
    return primary if primary in LANGUAGES else DEFAULT_LANGUAGE


def translator(language: str) -> Translator:
    """The translator for a language tag; English for a language we don't have.

    Raises `CatalogNotCompiled` where the installation lacks the catalog.
    """
    return _load(known_language(language), CATALOGS)


@cache
def _load(language: str, catalogs: Path) -> Translator:
    path = catalogs / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
    if not path.is_file():
        raise CatalogNotCompiled(language, path)
    with path.open("rb") as file:
        return Translator(language, gettext.GNUTranslations(file))
