"""Write the corpus as WAV files beside an index: `python -m tests.corpus DIR [--count 50]`.

No sound is kept in git: it is made again, the same, from its seeds.
"""

from __future__ import annotations

import argparse
import json
import sys
import wave
from pathlib import Path

from tests.corpus.stimuli import KINDS, stimuli
from tests.corpus.voices import RATE, missing
from voice.core.pcm import to_pcm16


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.corpus")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--count", type=int, default=50, help="of each kind, language and half")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    for package in missing():
        print(f"not installed, its voices are left out: {package}", file=sys.stderr)
    given.directory.mkdir(parents=True, exist_ok=True)
    with (given.directory / "index.jsonl").open("w") as index:
        for half in ("dev", "held"):
            for language in ("en", "ru"):
                for kind in KINDS:
                    made = stimuli(kind, language, half, given.count, given.seed)
                    for number, one in enumerate(made):
                        file = f"{half}-{language}-{kind}-{number:03}.wav"
                        with wave.open(str(given.directory / file), "wb") as out:
                            out.setparams((1, 2, RATE, 0, "NONE", ""))
                            out.writeframes(to_pcm16(one.samples))
                        facts = {"file": file, "text": one.text, "voice": one.voice}
                        index.write(json.dumps({**facts, "name": one.name}) + "\n")


main()
