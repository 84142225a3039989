"""Checks: one file for each family of finding classes."""
