"""The catalogs' guard: what must not ship is named, with its file and message."""

import shutil
from pathlib import Path

import pytest

from tools import locales

ROOT = Path(__file__).resolve().parents[2]
SOURCE = """
from gateway.i18n import N_, NN_, NP_

STOPPED = N_("Stopped, {name}.")
WAITING = NN_("{count} message waits", "{count} messages wait")
YES = NP_("answer", "yes")
"""
RUSSIAN: dict[str, str | tuple[str, ...]] = {
    "Stopped, {name}.": "Остановлено, {name}.",
    "yes": "да",
    "{count} message waits": (
        "{count} сообщение ждёт",
        "{count} сообщения ждут",
        "{count} сообщений ждут",
    ),
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small source tree whose catalogs are in order."""
    (tmp_path / "gateway").mkdir()
    (tmp_path / "gateway" / "texts.py").write_text(SOURCE, encoding="utf-8")
    locales.update(tmp_path)
    translate(tmp_path, RUSSIAN)
    return tmp_path


def translate(root: Path, texts: dict[str, str | tuple[str, ...]], *, fuzzy: str = "") -> None:
    path = locales.catalog_path(root, "ru")
    catalog = locales.read_catalog(path, "ru")
    for message in catalog:
        first = message.id if isinstance(message.id, str) else message.id[0]
        if first in texts:
            message.string = texts[first]
        if fuzzy and first == fuzzy:
            message.flags.add("fuzzy")
    locales.write_catalog(path, catalog)


def texts_of(problems: list[locales.Problem]) -> list[str]:
    return [str(problem) for problem in problems]


def test_catalogs_in_order_have_no_problems(tree: Path):
    assert locales.check(tree) == []


def test_updating_twice_changes_nothing(tree: Path):
    before = locales.catalog_path(tree, "ru").read_bytes()
    locales.update(tree)
    assert locales.catalog_path(tree, "ru").read_bytes() == before


def test_a_missing_translation_is_named(tree: Path):
    translate(tree, {"Stopped, {name}.": ""})
    assert texts_of(locales.check(tree)) == [
        "locales/ru/LC_MESSAGES/messages.po: 'Stopped, {name}.': not translated"
    ]


def test_a_missing_plural_form_is_named(tree: Path):
    translate(tree, {"{count} message waits": ("{count} а", "{count} б", "")})
    [problem] = locales.check(tree)
    assert problem.text == "not translated"


def test_a_fuzzy_entry_is_named(tree: Path):
    translate(tree, {}, fuzzy="yes")
    assert texts_of(locales.check(tree)) == ["locales/ru/LC_MESSAGES/messages.po: 'yes': fuzzy"]


def test_a_wrong_number_of_plural_forms_is_named(tree: Path):
    path = locales.catalog_path(tree, "ru")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(x for x in lines if "msgstr[2]" not in x), encoding="utf-8")
    assert any(
        "plural forms" in text or "not translated" in text for text in texts_of(locales.check(tree))
    )


def test_a_header_with_another_plural_rule_is_named(tree: Path):
    path = locales.catalog_path(tree, "ru")
    text = path.read_text(encoding="utf-8")
    start, end = text.index('"Plural-Forms'), text.index('"MIME-Version')
    path.write_text(
        text[:start] + '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n' + text[end:],
        encoding="utf-8",
    )
    [problem] = locales.check(tree)
    assert problem.text.startswith("cannot be read: msg has more translations than num_plurals")


def test_a_header_that_names_too_many_plural_forms_is_named(tree: Path):
    path = locales.catalog_path(tree, "ru")
    text = path.read_text(encoding="utf-8").replace("nplurals=3", "nplurals=4")
    path.write_text(text, encoding="utf-8")
    problems = texts_of(locales.check(tree))
    assert "locales/ru/LC_MESSAGES/messages.po: 4 plural forms in the header, ru has 3" in problems


def test_a_placeholder_that_differs_is_named(tree: Path):
    translate(tree, {"Stopped, {name}.": "Остановлено, {имя}."})
    assert texts_of(locales.check(tree)) == [
        "locales/ru/LC_MESSAGES/messages.po: 'Stopped, {name}.': "
        "placeholders differ: name in the source, имя here"
    ]


def test_a_plural_form_without_its_number_is_named(tree: Path):
    translate(tree, {"{count} message waits": ("сообщение ждёт", "{count} б", "{count} в")})
    [problem] = locales.check(tree)
    assert problem.text == "placeholders differ: count in the source, none here"


def test_lost_edges_are_named(tree: Path):
    translate(tree, {"Stopped, {name}.": "Остановлено, {name}.\n"})
    [problem] = locales.check(tree)
    assert problem.text.startswith("spaces or line breaks at the ends differ")


def test_a_new_message_makes_template_and_catalogs_stale(tree: Path):
    with (tree / "gateway" / "texts.py").open("a", encoding="utf-8") as file:
        file.write('\nNEW = N_("Something new")\n')
    assert texts_of(locales.check(tree)) == [
        f"locales/{name}: 'Something new': missing; run `make locales`"
        for name in ("messages.pot", "en/LC_MESSAGES/messages.po", "ru/LC_MESSAGES/messages.po")
    ]


def test_a_message_that_left_the_sources_makes_them_stale(tree: Path):
    (tree / "gateway" / "texts.py").write_text("", encoding="utf-8")
    assert {problem.text for problem in locales.check(tree)} == {
        "no longer in the sources; run `make locales`"
    }


def test_updating_keeps_translations_and_guesses_none(tree: Path):
    with (tree / "gateway" / "texts.py").open("a", encoding="utf-8") as file:
        file.write('\nNEAR = N_("Stopped, {name}!")\n')
    locales.update(tree)
    assert texts_of(locales.check(tree)) == [
        "locales/ru/LC_MESSAGES/messages.po: 'Stopped, {name}!': not translated"
    ]


def test_a_missing_catalog_is_named(tree: Path):
    shutil.rmtree(tree / "locales" / "ru")
    assert texts_of(locales.check(tree)) == [
        "locales/ru/LC_MESSAGES/messages.po: there is no such catalog"
    ]


def test_the_messages_of_this_tree_are_all_translated():
    assert texts_of(locales.check(ROOT)) == []
