"""An agent behind AG-UI: any server that speaks it."""
