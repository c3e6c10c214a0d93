"""A server of tools for tests that wants pages opened."""

from mcp import UrlElicitationRequiredError
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.types import ElicitRequestURLParams


def page_server() -> tuple[MCPServer, list[str]]:
    """A server that wants a page opened: inside the call, and, as `first`, before it."""
    server = MCPServer("pay")
    done: list[str] = []

    @server.tool()
    async def pay(context: Context) -> str:
        """Pays."""
        opened = await context.elicit_url("Pay here", "https://pay.example/1", "e1")
        done.append(opened.action)
        return opened.action

    ready: list[bool] = []

    @server.tool()
    async def first() -> str:
        """Wants a page opened before anything."""
        if not ready:
            ready.append(True)
            page = ElicitRequestURLParams(
                message="Sign in", url="https://pay.example/in", elicitation_id="e2"
            )
            raise UrlElicitationRequiredError([page])
        done.append("first")
        return "signed in"

    return server, done
