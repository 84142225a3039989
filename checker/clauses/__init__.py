"""Clauses: what one of them, or a phrase of it, does in play."""
