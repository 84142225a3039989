"""Lowering: plans become the nodes and edges of the turn machine."""
