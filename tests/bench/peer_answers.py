"""The peers of `bench_answers`, run in a venv of their own: rows on stdin, values on stdout.

Each library is used as its own documentation shows, a value taken where it gives one that the
schema's type allows. What a library prints on its way is kept out of the result.
"""

import contextlib
import io
import json
import sys
import time
from datetime import datetime

import dateparser
from number_parser import parse_number
from ovos_number_parser import extract_number
from ovos_yes_no import HeuristicYesNoEngine
from rapidfuzz import fuzz, process
from text_to_num import text2num

LANGS = {"en": "en-us", "ru": "ru-ru"}
SOLVER = HeuristicYesNoEngine()


def ovos_yes_no(row):
    return SOLVER.yes_or_no("", row["text"], lang=LANGS[row["lang"]])


def token_list(row):
    words = set(row["text"].casefold().strip(" .!").split())
    yes = words <= {"yes", "yeah", "ok", "sure", "да", "ага", "ок", "конечно", "please"}
    no = words <= {"no", "nope", "not", "нет", "не", "неа", "thanks"}
    return (yes or None) if not no else False


def number(row, value):
    if value is None or isinstance(value, bool):
        return None
    whole = row["schema"].get("type") == "integer"
    return None if whole and value != int(value) else value


def by_number_parser(row):
    return number(row, parse_number(row["text"], language=row["lang"]))


def by_text2num(row):
    return number(row, text2num(row["text"].casefold(), row["lang"]))


def by_ovos_number(row):
    found = extract_number(row["text"], lang=LANGS[row["lang"]])
    return None if found is False else number(row, found)


def names(schema):
    if "enum" in schema:
        return {str(one): one for one in schema["enum"]}
    found = {}
    for one in schema.get("oneOf", schema.get("anyOf", [])):
        if "const" in one:
            found[one.get("title", str(one["const"]))] = one["const"]
            found[str(one["const"])] = one["const"]
    return found


def by_ratio(row):
    known = names(row["schema"])
    best = process.extractOne(
        row["text"].casefold(),
        {one: one.casefold() for one in known},
        scorer=fuzz.WRatio,
        score_cutoff=80,
    )
    return known[best[2]] if best else None


def exact(row):
    return {one.casefold(): value for one, value in names(row["schema"]).items()}.get(
        row["text"].casefold().strip(" .!\"'`«»")
    )


def by_dateparser(row):
    kind = row["schema"].get("format")
    if kind not in ("date", "date-time"):
        return None
    now = datetime.fromisoformat(row["now"]) if row["now"] else None
    options = {"RELATIVE_BASE": now.replace(tzinfo=None)} if now else {}
    found = dateparser.parse(row["text"], languages=[row["lang"]], settings=options)
    if found is None:
        return None
    if kind == "date":
        return found.date().isoformat()
    return found.replace(tzinfo=now.tzinfo if now else None).isoformat()


READERS = {
    "yesno": {"token list": token_list, "ovos-yes-no-plugin": ovos_yes_no},
    "number": {
        "number-parser": by_number_parser,
        "text2num": by_text2num,
        "ovos-number-parser": by_ovos_number,
    },
    "enum": {"exact": exact, "rapidfuzz WRatio 80": by_ratio},
    "mixed": {"dateparser": by_dateparser},
}


def tried(reader, row):
    try:
        value = reader(row)
    except Exception:
        return [False, None]
    return [value is not None, value]


def run(reader, rows):
    values, spent = [], []
    for row in rows:
        began = time.perf_counter()
        values.append(tried(reader, row))
        spent.append((time.perf_counter() - began) * 1e6)
    spent.sort()
    return {"values": values, "middle_us": spent[len(spent) // 2]}


rows = json.load(sys.stdin)
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    found = {name: run(reader, rows) for name, reader in READERS[sys.argv[1]].items()}
sys.stdout.write(json.dumps(found) + "\n")
