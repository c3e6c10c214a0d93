"""Emoji that answer in every language, by role; skin tones and signs of gender don't matter."""

from __future__ import annotations

from collections.abc import Mapping

ROLES: Mapping[str, str] = {
    "y": "👍, ✅, ✔, ☑, 🆗, 👌, 💯, 🙆, 🫡, 🤝, 🟢",
    "n": "👎, ❌, ✖, 🚫, ⛔, 🙅, ❎, 🔴",
    "f": "🙂, 😀, 😊, 😄, 🙏, ❤, 😅, 😁, 🎉, 🚀, ☺, 🔥, 😃, ♂, ♀",
    "h": "🤷, 🤔, 😐, 😕, 🫤, 🤨, 😬",
    "b": "👀, 😢, 😭, ❓, ❔, 🙄, 😏, 😡, 🤦, 🙃",
}
