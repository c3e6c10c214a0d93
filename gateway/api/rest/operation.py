"""An operation of the API, as data: its path, what it takes and gives, who handles it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from aiohttp.web import StreamResponse
from pydantic import BaseModel

from gateway.api.bodies import Body
from gateway.api.gate import Arrived, Handler
from gateway.api.rest import requests

READ: Final = (400, 401, 403, 404, 429, 503)
WRITE: Final = (400, 401, 403, 404, 409, 413, 415, 429, 503)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation. `statuses` are its good answers, `errors` the others; `events`: it can answer
    with a stream; `key`: it takes an idempotency key; `file`: its request is the
    bytes of a file, or, where it answers no `json`, its answer is.
    """

    id: str
    method: str
    path: str
    summary: str
    handler: Handler
    answer: type[BaseModel]
    statuses: tuple[int, ...] = (200,)
    errors: tuple[int, ...] = READ
    body: type[Body] | None = None
    query: type[BaseModel] = requests.NoQuery
    events: bool = False
    json: bool = True
    key: bool = False
    file: bool = False

    async def handle(self, arrived: Arrived) -> StreamResponse:
        """Answer a request, once its query is seen to be one."""
        arrived.query(self.query)
        return await self.handler(arrived)
