"""Packed states: a state as bytes, what is told of a move, what has been covered."""
