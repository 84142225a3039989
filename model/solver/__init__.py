"""Formulas: the only door to Z3."""
