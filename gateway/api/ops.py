"""What the operator's machines ask: `/healthz`, `/readyz`, `/metrics`."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from gateway.core.errors import GatewayError

SHUTDOWN_SECONDS = 1.0
"""How long answers that are on their way may take once the server stops."""
METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class PortTaken(GatewayError):
    """The address to listen on is in use, or not this machine's."""

    code = "HTTP_ADDRESS_UNUSABLE"


def routes(ready: Callable[[], bool], metrics: Callable[[], bytes]) -> list[web.RouteDef]:
    """The routes. `ready` is true once what was interrupted by the last end has been taken up."""

    async def healthz(request: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def readyz(request: web.Request) -> web.Response:
        if ready():
            return web.Response(text="ready\n")
        return web.Response(text="recovering\n", status=503)

    async def metrics_(request: web.Request) -> web.Response:
        return web.Response(body=metrics(), headers={"Content-Type": METRICS_TYPE})

    return [
        web.get("/healthz", healthz),
        web.get("/readyz", readyz),
        web.get("/metrics", metrics_),
    ]


class HttpServer:
    """An HTTP server with these routes, from `start` to `stop`."""

    def __init__(self, routes: list[web.RouteDef]) -> None:
        app = web.Application()
        app.add_routes(routes)
        self._runner = web.AppRunner(
            app, access_log=None, handle_signals=False, shutdown_timeout=SHUTDOWN_SECONDS
        )

    async def start(self, host: str, port: int) -> str:
        """Listen; the address as a URL, with the port that was taken for 0.

        Raises:
            PortTaken: the address can't be used.
        """
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port)
        try:
            await site.start()
        except OSError as error:
            await self._runner.cleanup()
            raise PortTaken(f"can't listen on {host}:{port}: {error.strerror}") from error
        _, bound, *_ = self._runner.addresses[0]
        shown = f"[{host}]" if ":" in host else host
        return f"http://{shown}:{bound}"

    async def stop(self) -> None:
        """Close the listener and what is connected. Idempotent."""
        await self._runner.cleanup()
