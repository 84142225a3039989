"""Test positions: goals, cases, set cover, replay."""
