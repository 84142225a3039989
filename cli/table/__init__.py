"""The terminal client: a game at the table."""
