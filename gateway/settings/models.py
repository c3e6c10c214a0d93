"""Everything that can be set, with its type, its limits and its default."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    BeforeValidator,
    Field,
    SecretStr,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from gateway.core.queueing import Drop, Mode
from gateway.settings.base import Milliseconds, Names, Seconds, Section, listed
from gateway.settings.mcp import McpServerSettings, ServerName

PREFIX = "BARGEIN_"
NESTED = "__"


ModelFiles = Annotated[
    tuple[Literal["pictures", "documents"], ...], NoDecode, BeforeValidator(listed)
]
"""Kinds of files that a model reads."""
AgentFiles = Annotated[
    tuple[Literal["image", "audio", "video", "pdf", "file"], ...], NoDecode, BeforeValidator(listed)
]


class LogFormat(StrEnum):
    """How log lines are written."""

    JSON = "json"
    CONSOLE = "console"


class QueueSettings(Section):
    """How messages wait."""

    cap: int = Field(20, ge=1, le=1_000, description="messages of a person that wait on a thread")
    drop: Drop = Field(Drop.REJECT_NEWEST, description="what gives way at the cap")
    debounce_ms: Milliseconds = Field(0, description="joins a burst to an idle thread")
    collect_ms: Milliseconds = Field(500, description="the same in mode collect")
    debounce_longest_ms: Milliseconds = Field(3_000, description="the longest a burst is held back")


class GraceSettings(Section):
    """How long a stopped run may take to settle."""

    grace_ms: Milliseconds = Field(500, description="then it is abandoned")
    now_grace_ms: Milliseconds = Field(
        10_000, description="the same while a call that can't be cut runs and a newer message waits"
    )


class TimeoutSettings(Section):
    """What may take how long."""

    run_seconds: Seconds = Field(600.0, description="a run, without the time it waits for people")
    shutdown_seconds: Seconds = Field(10.0, description="an orderly shutdown")


class BudgetSettings(Section):
    """What a run may use, its child runs included; then it ends BUDGET_EXCEEDED."""

    cost_usd: float | None = Field(None, gt=0, description="the most that it may cost, in dollars")
    tokens: int | None = Field(None, ge=1, description="the most that its models read and write")
    history_tokens: int | None = Field(
        None,
        ge=1_000,
        description="about how much of a conversation the model reads, 100 000 if not set; older "
        "turns are summed up",
    )


class PriceSettings(Section):
    """What the model costs, in US dollars for a million tokens; left out, a public list counts."""

    input_usd: float | None = Field(None, ge=0, description="what it reads")
    output_usd: float | None = Field(None, ge=0, description="what it writes")

    @model_validator(mode="after")
    def _both(self) -> PriceSettings:
        if (self.input_usd is None) != (self.output_usd is None):
            raise ValueError("set input_usd and output_usd, or none of them")
        return self


class AccessSettings(Section):
    """Who may do what; people by their names, on Telegram by their numbers."""

    allow: Names = Field((), description="who may talk to the agent where the channel isn't open")
    admins: Names = Field((), description="who may act on anybody's runs and queue")
    approvers: Names = Field((), description='who is asked by `to="approvers"`')
    shared: Names = Field((), description="threads that everybody allowed may enter")
    tools: dict[str, Names] = Field(
        default_factory=dict, description="who may run a tool, for those not everybody may"
    )


class ChannelSettings(Section):
    """What holds on one channel."""

    queue_mode: Mode | None = Field(None, description="what a message does while the agent works")


class LogSettings(Section):
    """The log on standard error. It never holds what people say."""

    format: LogFormat = Field(LogFormat.JSON, description="json or console")
    level: str = Field(
        "info", pattern="^(debug|info|warning|error)$", description="debug, info, warning or error"
    )


class HttpSettings(Section):
    """Where the page, `/healthz`, `/readyz` and `/metrics` are."""

    host: str = Field("127.0.0.1", min_length=1, description="the address to listen on")
    port: int = Field(8642, ge=0, le=65_535, description="0 takes a free one")
    page: bool = Field(True, description="whether the page is served")
    require_tokens: bool = Field(
        False, description="let nobody in without a token, on 127.0.0.1 too (behind a proxy)"
    )
    public_url: str | None = Field(
        None, pattern="^https?://[^/]+$", description="the address that people use for it"
    )
    upload_limit_bytes: int = Field(
        10 * 2**20, ge=1, le=200 * 2**20, description="the largest picture or file"
    )
    upload_keep_seconds: int = Field(
        86_400, ge=60, description="how long a file is kept that was brought and not sent"
    )


Origins = Annotated[
    tuple[Annotated[str, Field(pattern=r"^https?://[^/]+$")], ...],
    NoDecode,
    BeforeValidator(listed),
]
"""Sites, as a browser names them: scheme, host and port."""


class ApiSettings(Section):
    """What programs may do over HTTP, under `/v1` and the other protocols' paths."""

    enabled: bool = Field(True, description="whether it is served")
    proxy_secret: SecretStr | None = Field(
        None, min_length=32, description="what a proxy signs the names of people with"
    )
    cors_origins: Origins = Field((), description="other sites whose pages may use it")
    body_limit_bytes: int = Field(
        2**20, ge=1024, le=64 * 2**20, description="the largest body of a request"
    )
    requests_at_once: int = Field(200, ge=1, description="requests of a person in a burst")
    requests_per_second: float = Field(50.0, gt=0, description="the same in the long run")
    streams: int = Field(1_000, ge=1, description="streams that are open at once")
    streams_per_person: int = Field(100, ge=1, description="the same of one person")


def _numbered(value: object) -> object:
    names = listed(value)
    if not isinstance(names, list):
        return names
    return [str(item) if type(item) is int else item for item in names]


Numbers = Annotated[
    tuple[Annotated[str, Field(pattern=r"^(-?\d+|\*)$")], ...], NoDecode, BeforeValidator(_numbered)
]
"""Telegram's numbers of people and groups, never @names, which change hands; `*` for all."""


class TelegramSettings(Section):
    """The bot on Telegram; there is none without a token. Needs the extra `telegram`."""

    token: SecretStr | None = Field(None, description="what @BotFather gave; or in a file")
    allow: Numbers = Field((), description="who may talk to it in private, by their numbers")
    pairing: bool = Field(True, description="whether others get a code to be let in by")
    groups: Numbers = Field((), description="the groups that it works in, by their numbers")
    group_allow: Numbers = Field(
        (), description='who may talk to it there, "*" every member; none: who may in private'
    )
    mentions_only: bool = Field(
        True, description="hear in groups only what names it, replies to it or is a command"
    )
    drafts: bool = Field(
        False, description="let replies grow as drafts in private chats, with the client's own Stop"
    )
    reactions: bool = Field(True, description="show where a message stands as a reaction to it")
    webhook_url: str | None = Field(
        None, pattern="^https?://[^/]+/.+$", description="where Telegram delivers; else it is asked"
    )
    webhook_secret: SecretStr | None = Field(None, description="what Telegram proves itself by")
    api_url: str = Field(
        "https://api.telegram.org",
        pattern="^(https?|unix)://",
        description="a Bot API server of your own; unix:///path for one on a socket",
    )


class SpeechSettings(Section):
    """Which voice speaks a language: `espeak`, `hibari` (English), or `piper:` and the path of a
    voice of yours. The latter two need the extra of their name.
    """

    en: str = Field("espeak", pattern="^(espeak|hibari|piper:.+)$", description="for English")
    ru: str = Field("espeak", pattern="^(espeak|piper:.+)$", description="for Russian")


class HearingSettings(Section):
    """What understands callers."""

    engine: Literal["whisper", "vosk"] = Field("whisper", description="the recogniser")
    threads: int = Field(2, ge=1, le=64, description="cores that Whisper may use")
    models: dict[str, Path] = Field(
        default_factory=dict,
        description="Vosk's models by language, as `ru`; beside those of `bargein models add`",
    )


class VoiceSettings(Section):
    """Calls from the page, voice notes and recordings. Needs the extra `voice`."""

    enabled: bool | None = Field(
        None, description="whether calls are taken; left out, where the extra is installed"
    )
    cache: Path = Field(
        Path("~/.cache/bargein"), description="where the recogniser's weights are put together"
    )
    traces: Path | None = Field(
        None, description="where calls that ask for it are recorded; left out, none is"
    )
    note_seconds: Seconds = Field(300, description="the longest recording that is listened to")
    speech: SpeechSettings = SpeechSettings()
    hearing: HearingSettings = HearingSettings()


class Settings(BaseSettings):
    """Everything that can be set."""

    model_config = SettingsConfigDict(
        extra="forbid",
        frozen=True,
        env_prefix=PREFIX,
        env_nested_delimiter=NESTED,
        protected_namespaces=(),
    )

    agent: str = Field(
        "demo",
        pattern=r"^(demo|agui:https?://\S+|[A-Za-z_][\w.]*:[A-Za-z_]\w*)$",
        description='"demo", your own as "module:attribute", or an AG-UI server as "agui:https://…"',
    )
    agent_token: SecretStr | None = Field(None, description="what an AG-UI server asks for")
    agent_silence_seconds: Seconds = Field(
        120.0, description="so long an AG-UI server may send nothing while it works"
    )
    agent_files: AgentFiles | None = Field(
        None, description='what it reads: "image", "audio", "video", "pdf", "file"; left out, all'
    )
    agent_files_limit_bytes: int = Field(15_000_000, ge=0, description="of files in one request")
    model: str | None = Field(
        None, min_length=1, description='a real model, as "openai:gpt-4o-mini" or a server\'s name'
    )
    model_base_url: str | None = Field(
        None, pattern="^https?://", description="the address of an OpenAI-compatible server"
    )
    model_api_key: SecretStr | None = Field(None, description="its key")
    model_files: ModelFiles | None = Field(
        None, description='what it reads: "pictures", "documents"; left out, as is known of it'
    )
    database: Path = Field(Path("bargein.db"), description="the SQLite file")
    queue_mode: Mode = Field(
        Mode.STEER, description="what a message does while the agent works, in private threads"
    )
    shared_queue_mode: Mode = Field(Mode.ENQUEUE, description="the same in shared threads")
    max_concurrent_runs: int = Field(100, ge=1, description="runs at once; more wait their turn")
    queue: QueueSettings = QueueSettings()
    graces: GraceSettings = GraceSettings()
    timeouts: TimeoutSettings = TimeoutSettings()
    budgets: BudgetSettings = BudgetSettings()
    prices: PriceSettings = PriceSettings()
    access: AccessSettings = AccessSettings()
    channels: dict[str, ChannelSettings] = Field(
        default_factory=dict, description="by the channel's name"
    )
    log: LogSettings = LogSettings()
    http: HttpSettings = HttpSettings()
    api: ApiSettings = ApiSettings()
    telegram: TelegramSettings = TelegramSettings()
    voice: VoiceSettings = VoiceSettings()
    mcp: dict[ServerName, McpServerSettings] = Field(
        default_factory=dict, description="servers of tools, by names of your choice"
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what `load` hands over: nothing is read behind its back."""
        return (init_settings,)
