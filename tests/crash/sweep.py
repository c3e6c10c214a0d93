"""Kill a conversation at many points, and say what was wrong after it went on.

`python -m tests.crash.sweep [--every N] [--seed S] [--spoken] [--twice]`, or `--points
commit:before:3 effect:after:9` for one conversation. Prints a JSON line for each conversation that
went wrong, then one with how many there were.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.crash.checks import pending, wrongs
from tests.crash.life import Kill, in_child
from tests.fakes.kill_channel import read_screen

KILLED = -9
SOON = 20
"""The second kill comes at the latest at this commit or effect of the second process."""


def points(directory: Path, spoken: bool) -> list[Kill]:
    """Every point of a conversation that nobody kills."""
    status = in_child(directory, Kill(), spoken)
    bad = wrongs(directory, {})
    over = read_screen(directory / "screen")[-1]
    if status != 0 or bad:
        raise AssertionError(f"unkilled it ends with {status}: {bad}")
    counts = {"commit": over["commits"], "effect": over["effects"]}
    return [
        Kill(what, when, number)
        for what, count in counts.items()
        for number in range(1, count + 1)
        for when in ("before", "after")
    ]


def killed_at(directory: Path, spoken: bool, kills: Sequence[Kill]) -> list[str]:
    """What is wrong after one process after the other was killed, and the last went on."""
    waited: dict[str, str | None] = {}
    for kill in kills:
        status = in_child(directory, kill, spoken)
        if status not in (KILLED, 0):
            return [f"the process ended with {status}"]
        waited |= pending(directory)
    status = in_child(directory, Kill(), spoken)
    return wrongs(directory, waited) if status == 0 else [f"the last process ended with {status}"]


def chosen(given: argparse.Namespace) -> list[tuple[Kill, ...]]:
    """The kills of each conversation: one, or with `--twice` a second one soon after."""
    if given.points:
        return [tuple(Kill(w, b, int(n)) for w, b, n in (p.split(":") for p in given.points))]
    with tempfile.TemporaryDirectory(prefix="sweep") as name:
        everywhere = points(Path(name), given.spoken)
    chance = random.Random(given.seed)
    chance.shuffle(everywhere)
    firsts = everywhere[:: given.every]
    if not given.twice:
        return [(kill,) for kill in firsts]
    soon = [kill for kill in everywhere if kill.number <= SOON]
    return [(kill, chance.choice(soon)) for kill in firsts]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--spoken", action="store_true")
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("--points", nargs="*", default=[])
    given = parser.parse_args(arguments)
    failed, conversations = 0, chosen(given)
    for kills in conversations:
        with tempfile.TemporaryDirectory(prefix="sweep") as name:
            bad = killed_at(Path(name), given.spoken, kills)
        if bad:
            failed += 1
            names = [f"{kill.what}:{kill.when}:{kill.number}" for kill in kills]
            print(json.dumps({"kills": names, "wrong": bad}), flush=True)
    print(json.dumps({"conversations": len(conversations), "failed": failed}), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
