"""The in-process agent: loop, coordinator, tools, handle, journal."""
