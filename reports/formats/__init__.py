"""Formats: one file for each way to write a report."""
