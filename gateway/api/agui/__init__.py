"""AG-UI: the agent behind the gateway as an AG-UI server."""
