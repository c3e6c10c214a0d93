"""Tools of MCP servers as tools of an agent in this process."""
