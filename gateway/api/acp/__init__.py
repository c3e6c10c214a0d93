"""The agent in editors, over the Agent Client Protocol."""
