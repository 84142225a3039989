"""Plays: states and moves in words, and their documents."""
