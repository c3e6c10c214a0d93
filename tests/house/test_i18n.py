"""Texts, numbers and dates in the reader's language."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from gateway import i18n
from gateway.i18n import N_, NN_, NP_, CatalogNotCompiled, known_language, translator
from tests.house import test_locales
from tools import locales

MOMENT = datetime(2026, 3, 5, 14, 7, tzinfo=UTC)


@pytest.fixture
def russian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> i18n.Translator:
    """The Russian translator over a small catalog of its own."""
    (tmp_path / "gateway").mkdir()
    (tmp_path / "gateway" / "texts.py").write_text(test_locales.SOURCE, encoding="utf-8")
    locales.update(tmp_path)
    test_locales.translate(tmp_path, test_locales.RUSSIAN)
    locales.compile_catalogs(tmp_path / "compiled", tmp_path)
    monkeypatch.setattr(i18n, "CATALOGS", tmp_path / "compiled")
    return translator("ru")


def test_a_text_is_translated_and_filled(russian: i18n.Translator):
    assert russian.gettext("Stopped, {name}.", name="Анна") == "Остановлено, Анна."


def test_a_short_word_is_translated_in_its_context(russian: i18n.Translator):
    assert russian.pgettext("answer", "yes") == "да"


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (1, "1 сообщение ждёт"),
        (3, "3 сообщения ждут"),
        (5, "5 сообщений ждут"),
        (21, "21 сообщение ждёт"),
        (1000, "1\xa0000 сообщений ждут"),
    ],
)
def test_russian_has_three_plural_forms(russian: i18n.Translator, count: int, text: str):
    assert russian.ngettext("{count} message waits", "{count} messages wait", count) == text


def test_what_was_declared_as_data_is_translated_when_shown(russian: i18n.Translator):
    assert russian.text(N_("Stopped, {name}."), name="Ян") == "Остановлено, Ян."
    assert russian.text(NP_("answer", "yes")) == "да"
    waiting = NN_("{count} message waits", "{count} messages wait")
    assert russian.text(waiting, count=2) == "2 сообщения ждут"


def test_a_plural_without_a_whole_number_is_refused(russian: i18n.Translator):
    with pytest.raises(TypeError, match="whole number"):
        russian.text(NN_("{count} message waits", "{count} messages wait"), count="2")


def test_an_unknown_text_comes_back_in_english(russian: i18n.Translator):
    assert russian.gettext("Never translated") == "Never translated"


def test_english_is_the_source_text():
    english = translator("en")
    assert english.gettext("Stopped, {name}.", name="Ann") == "Stopped, Ann."
    assert (
        english.ngettext("{count} message waits", "{count} messages wait", 1) == "1 message waits"
    )
    assert (
        english.ngettext("{count} message waits", "{count} messages wait", 2) == "2 messages wait"
    )


@pytest.mark.parametrize(
    ("tag", "language"),
    [("ru", "ru"), ("ru-RU", "ru"), ("ru_RU.UTF-8", "ru"), ("RU", "ru"), ("de", "en"), ("", "en")],
)
def test_tags_find_their_language_or_english(tag: str, language: str):
    assert known_language(tag) == language
    assert translator(tag).language == language


def test_numbers_dates_and_lists_follow_the_language():
    english, russian = translator("en"), translator("ru")
    assert (english.number(1234.5), russian.number(1234.5)) == ("1,234.5", "1\xa0234,5")
    assert english.date(MOMENT) == "March 5, 2026"
    assert russian.date(MOMENT) == "5 марта 2026\u202fг."
    assert russian.time(MOMENT, timezone(timedelta(hours=3))) == "17:07"
    assert [english.span(x) for x in (60, 90, 180, 86_400)] == [
        "1 minute",
        "90 seconds",
        "3 minutes",
        "1 day",
    ]
    assert russian.span(180) == "3 минуты"
    assert (english.listed(["a", "b", "c"]), russian.listed(["а", "б"])) == ("a, b, and c", "а и б")


def test_a_catalog_that_is_not_compiled_is_an_error_that_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(i18n, "CATALOGS", tmp_path)
    with pytest.raises(CatalogNotCompiled, match=r"'ru' are not compiled: .*make locales"):
        translator("ru")
