"""Findings: what was observed becomes evidence, rank and ways out."""
