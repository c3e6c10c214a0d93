"""The ports: what the engine asks of agents, models, stores, channels and clocks."""
