"""Somebody else's implementation of a game, held against the rules."""
