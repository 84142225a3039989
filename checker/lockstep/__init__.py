"""Drivers of two compiled machines at once: every pair of states, and random plays of both."""
