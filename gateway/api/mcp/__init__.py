"""The agents as tools of an MCP server."""
