"""Blocks that every format is made of: board, play, finding."""
