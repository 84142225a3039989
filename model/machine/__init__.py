"""The turn machine: the core language, nodes and edges, and what can be read off them."""
