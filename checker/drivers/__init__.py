"""Drivers: what one compiled machine can do, from one move to a whole search."""
