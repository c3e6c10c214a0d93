"""English forms of a word in a title: what a verb becomes when it is said of oneself or of it."""

from __future__ import annotations

from collections.abc import Mapping

IRREGULAR: Mapping[str, str] = {
    "keep": "kept keeping",
    "send": "sent sending",
    "take": "took taken taking",
    "leave": "left leaving",
    "run": "ran running",
    "begin": "began begun beginning",
    "stop": "stopped stopping",
    "skip": "skipped skipping",
    "drop": "dropped dropping",
    "buy": "bought buying",
    "sell": "sold selling",
    "pay": "paid paying",
    "write": "written writing wrote",
    "build": "built building",
    "hold": "held holding",
    "find": "found finding",
    "undo": "undone undid undoing",
    "rebuild": "rebuilt rebuilding",
    "submit": "submitted submitting",
    "commit": "committed committing",
    "ship": "shipped shipping",
    "scrap": "scrapped scrapping",
    "permit": "permitted permitting",
    "cancel": "cancelled canceled cancelling canceling",
    "shut": "shutting",
    "forget": "forgot forgotten",
    "swap": "swapped swapping",
    "stop it": "",
    "roll back": "rolled back rolling back rollback",
}
JOINTS = frozenset(
    "to me my for in on at with without and or not the a an all no by from as it this".split()
)
VERBS = frozenset(
    """
    keep reset delete remove add use set send take leave run start stop skip drop buy sell pay write
    build hold find undo submit commit ship cancel approve reject accept decline edit change update
    create open close save show hide turn switch move copy merge retry restart resume pause ask wait
    try make do get give put go call book order enable disable install upgrade deploy restore revert
    roll replace rename ignore allow deny block report review continue proceed abort discard apply
    """.split()
)
VOWELS = "aeiou"
ARTICLES = frozenset({"the", "a", "an"})
LETTER_NAMES: Mapping[str, str] = {
    "ay": "a",
    "bee": "b",
    "cee": "c",
    "dee": "d",
    "eff": "f",
    "gee": "g",
    "aitch": "h",
    "jay": "j",
    "kay": "k",
    "ell": "l",
    "em": "m",
    "pee": "p",
    "cue": "q",
    "queue": "q",
    "ess": "s",
    "tee": "t",
    "vee": "v",
    "ex": "x",
    "zee": "z",
    "zed": "z",
}
SPOKEN: Mapping[str, str] = {
    "sequel": "sql",
    "version": "v",
    "dash": "",
    "hyphen": "",
    "underscore": "",
}
ABBREVIATIONS: Mapping[str, str] = {
    "prod": "production",
    "devel": "development",
    "stdev": "",
    "admin": "administrator administration",
    "config": "configuration",
    "conf": "configuration",
    "info": "information",
    "repo": "repository",
    "temp": "temporary temperature",
    "auto": "automatic automatically automobile",
    "docs": "documents documentation",
    "demo": "demonstration",
    "spec": "specification",
    "prem": "premium",
    "pref": "preferred",
    "corp": "corporate corporation",
    "biz": "",
    "intl": "international",
    "std": "",
    "kube": "kubernetes",
    "mongo": "mongodb",
    "elastic": "elasticsearch",
    "sync": "synchronous synchronize",
    "async": "asynchronous",
    "postgre": "postgresql",
    "postgres": "postgresql",
    "weds": "wednesday",
    "thurs": "thursday",
    "tues": "tuesday",
    "sept": "september",
    "veggie": "vegetarian",
    "fave": "favorite",
    "advert": "advertisement",
    "fridge": "refrigerator",
    "exam": "examination",
    "stats": "statistics",
    "perf": "performance",
    "prep": "preparation preproduction",
    "recon": "reconciliation",
    "cali": "california",
    "philly": "philadelphia",
    "frisco": "francisco",
    "aussie": "",
    "preprod": "preproduction",
    "nonprod": "nonproduction",
    "ubuntu": "",
    "rabbit": "rabbitmq",
    "envir": "environment",
    "approx": "approximate",
    "distro": "distribution",
    "intro": "introduction",
}


def forms(word: str) -> frozenset[str]:
    """The word and its verb forms (approve, approved, approving), never a plural."""
    if len(word) < 3 or not word.isascii() or not word.isalpha():
        return frozenset((word,))
    found = {word, *IRREGULAR.get(word, "").split()}
    if word.endswith("e"):
        found |= {word + "d", word[:-1] + "ing"}
    elif word.endswith("y") and word[-2] not in VOWELS:
        found |= {word[:-1] + "ied", word + "ing"}
    else:
        found |= {word + "ed", word + "ing"}
    return frozenset(found | _bases(word))


def _bases(word: str) -> set[str]:
    if word.endswith("ied") and len(word) > 5:
        return {word[:-3] + "y"}
    if word.endswith("ed") and len(word) > 5:
        return {word[:-1], word[:-2]}
    return set()


def head(words: tuple[str, ...]) -> str | None:
    """The head noun of a title of several words: the last word, or the word before "of"."""
    if "of" in words[1:]:
        return words[words.index("of") - 1]
    if not 2 <= len(words) <= 3 or words[0] in VERBS or set(words) & JOINTS:
        return None
    return words[-1]
