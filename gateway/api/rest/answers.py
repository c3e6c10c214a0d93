"""JSON answers."""

from __future__ import annotations

import json
from collections.abc import Mapping

from aiohttp.web import Response

from gateway.api.problems import NO_STORE
from gateway.api.rest.models import Answer


def json_answer(
    model: Answer, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """The model as JSON; what is not there is left out."""
    data = model.model_dump(mode="json", by_alias=True, exclude_none=True)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Response(
        body=text.encode("utf-8", "replace"),
        status=status,
        content_type="application/json",
        headers={**NO_STORE, **(headers or {})},
    )
