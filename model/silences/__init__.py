"""Silences: what a clause says and its sentence does not, with the other readings."""
