"""Comparisons: two machines side by side, move by move."""
