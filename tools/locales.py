"""The message catalogs: ``python tools/locales.py extract | update | compile | check``.

Sources are English and stand in the code; ``locales/messages.pot`` is extracted from it,
``locales/<language>/LC_MESSAGES/messages.po`` holds the translations, and the compiled
catalogs lie in ``gateway/locales/`` (they are built, never committed).
"""

from __future__ import annotations

import io
import re
import string
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.plurals import get_plural
from babel.messages.pofile import PoFileError, read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("en", "ru")
SOURCE_LANGUAGE = "en"
DOMAIN = "messages"
PACKAGES = ("gateway", "voice")
METHODS = [("**.py", "python"), ("**.js", "javascript")]
COMMENT_TAGS = ("Translators:",)
# What marks a message. `N_`, `NP_` and `NN_` declare it as data, to be translated later.
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "N_": None,
    "NN_": (1, 2),
    "NP_": ((1, "c"), 2),
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}

Key = tuple[str | None, tuple[str, ...]]


class Problem(NamedTuple):
    """One thing wrong in one file, told with the message that it is about."""

    file: str
    message: str
    text: str

    def __str__(self) -> str:
        return (
            f"{self.file}: {self.message!r}: {self.text}"
            if self.message
            else f"{self.file}: {self.text}"
        )


# -- files


def template_path(root: Path) -> Path:
    return root / "locales" / f"{DOMAIN}.pot"


def catalog_path(root: Path, language: str) -> Path:
    return root / "locales" / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read_catalog(path: Path, language: str | None = None) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def write_catalog(path: Path, catalog: Catalog) -> None:
    """Writes without dates and line numbers, so that only real changes show in a diff."""
    buffer = io.BytesIO()
    write_po(buffer, catalog, width=96, sort_output=True, include_lineno=False, omit_header=False)
    dated = re.compile(
        rb'^"(POT-Creation-Date|PO-Revision-Date|Generated-By|Last-Translator):.*\n', re.MULTILINE
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(dated.sub(b"", buffer.getvalue()))


# -- commands


def extract(root: Path = ROOT) -> Catalog:
    """Collects the marked messages of the source tree."""
    catalog = Catalog(
        project="bargein",
        version="0.1",
        charset="utf-8",
        fuzzy=False,
        header_comment="# Messages of bargein. Made by `make locales`; do not edit.",
    )
    for package in PACKAGES:
        if not (root / package).is_dir():
            continue
        found = extract_from_dir(
            root / package,
            METHODS,
            {},
            keywords=KEYWORDS,
            comment_tags=COMMENT_TAGS,
            strip_comment_tags=True,
        )
        for name, line, message, comments, context in found:
            where = (f"{package}/{Path(name).as_posix()}", line)
            catalog.add(message, None, [where], auto_comments=comments, context=context)
    return catalog


def update(root: Path = ROOT) -> None:
    """Brings the template and every catalog up to the sources; never guesses a translation."""
    template = extract(root)
    write_catalog(template_path(root), template)
    for language in LANGUAGES:
        path = catalog_path(root, language)
        catalog = read_catalog(path, language) if path.exists() else Catalog(locale=language)
        catalog.project, catalog.version, catalog.fuzzy = "bargein", "0.1", False
        catalog.header_comment = f"# Messages of bargein: {language}."
        catalog.update(template, no_fuzzy_matching=True, update_header_comment=False)
        catalog.obsolete.clear()
        write_catalog(path, catalog)


def compile_catalogs(target: Path, root: Path = ROOT) -> list[Path]:
    """Compiles each to ``target/<language>/LC_MESSAGES/messages.mo``; returns the files."""
    written = []
    for language in LANGUAGES:
        path = target / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
        path.parent.mkdir(parents=True, exist_ok=True)
        buffer = io.BytesIO()
        write_mo(buffer, read_catalog(catalog_path(root, language), language))
        path.write_bytes(buffer.getvalue())
        written.append(path)
    return written


def check(root: Path = ROOT) -> list[Problem]:
    """Everything that keeps the catalogs from being shipped; empty when all is well."""
    template = extract(root)
    problems = list(_stale(template, template_path(root), root))
    for language in LANGUAGES:
        path = catalog_path(root, language)
        if not path.exists():
            problems.append(Problem(_name(path, root), "", "there is no such catalog"))
            continue
        try:
            problems += _stale(template, path, root)
            problems += _catalog_problems(read_catalog(path, language), language, _name(path, root))
        except PoFileError as error:
            problems.append(Problem(_name(path, root), "", f"cannot be read: {error}"))
    return problems


# -- what is wrong


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def _ids(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def _strings(message: Message) -> tuple[str, ...]:
    if isinstance(message.string, str):
        return (message.string,)
    return tuple(text or "" for text in message.string or ())


def _messages(catalog: Catalog) -> dict[Key, Message]:
    return {(message.context, _ids(message)): message for message in catalog if message.id}


def _stale(template: Catalog, path: Path, root: Path) -> Iterator[Problem]:
    name = _name(path, root)
    if not path.exists():
        yield Problem(name, "", "there is no such file; run `make locales`")
        return
    wanted, found = set(_messages(template)), set(_messages(read_catalog(path)))
    for _, ids in sorted(wanted - found, key=str):
        yield Problem(name, ids[0], "missing; run `make locales`")
    for _, ids in sorted(found - wanted, key=str):
        yield Problem(name, ids[0], "no longer in the sources; run `make locales`")


def _catalog_problems(catalog: Catalog, language: str, name: str) -> Iterator[Problem]:
    rule = get_plural(language)
    if catalog.num_plurals != rule.num_plurals:
        text = (
            f"{catalog.num_plurals} plural forms in the header, {language} has {rule.num_plurals}"
        )
        yield Problem(name, "", text)
    for message in _messages(catalog).values():
        for text in _message_problems(message, language, rule.num_plurals):
            yield Problem(name, _ids(message)[0], text)


def _message_problems(message: Message, language: str, plurals: int) -> Iterator[str]:
    if message.fuzzy:
        yield "fuzzy"
    ids, strings = _ids(message), _strings(message)
    if language == SOURCE_LANGUAGE and not any(strings):
        return  # the source text itself is shown
    if not all(strings):
        yield "not translated"
        return
    if len(ids) > 1 and len(strings) != plurals:
        yield f"{len(strings)} plural forms, {language} has {plurals}"
    wanted = placeholders(ids[-1])
    for text in strings:
        if (found := placeholders(text)) != wanted:
            yield f"placeholders differ: {_listed(wanted)} in the source, {_listed(found)} here"
        if _edges(text) != _edges(ids[-1]):
            yield f"spaces or line breaks at the ends differ in {text!r}"


def placeholders(text: str) -> frozenset[str]:
    """The named fields of a text: ``{name}`` and ``%(name)s``."""
    try:
        fields = {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}
    except ValueError:
        fields = {"(unbalanced braces)"}
    return frozenset(fields | set(re.findall(r"%\(\w+\)[a-z]", text)))


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def _edges(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def main(arguments: list[str]) -> int:
    match arguments:
        case ["extract"]:
            write_catalog(template_path(ROOT), extract())
        case ["update"]:
            update()
        case ["compile"]:
            compile_catalogs(ROOT / "gateway" / "locales")
        case ["check"]:
            problems = check()
            for problem in problems:
                print(problem)
            print(f"locales: {len(problems)} problems" if problems else "locales: up to date")
            return 1 if problems else 0
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
