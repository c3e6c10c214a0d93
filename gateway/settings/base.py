"""What the tables of the settings are made of."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_settings import NoDecode


def listed(value: object) -> object:
    """Names in one text, parted by commas, as a list."""
    return (
        [item.strip() for item in value.split(",") if item.strip()]
        if isinstance(value, str)
        else value
    )


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(listed)]
"""Names; in the environment parted by commas."""
Milliseconds = Annotated[int, Field(ge=0, le=3_600_000)]
Seconds = Annotated[float, Field(gt=0, le=7 * 24 * 3600)]


class Section(BaseModel):
    """A table of the file; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)
