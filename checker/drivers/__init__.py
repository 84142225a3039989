"""Drivers: what a compiled machine can do, from one move to a whole search."""
