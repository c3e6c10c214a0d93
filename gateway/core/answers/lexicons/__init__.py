"""The one registry of languages: adding a language is adding a module and a line here."""

from __future__ import annotations

from collections.abc import Mapping

from gateway.core.answers.lexicons import en, ru
from gateway.core.answers.lexicons.kinds import Talk

TALK: Mapping[str, Talk] = {"en": en.TALK, "ru": ru.TALK}
