"""Settings that every test shares: random tests draw the same examples on every run."""

from hypothesis import settings

settings.register_profile("ruleproof", derandomize=True, deadline=None)
settings.load_profile("ruleproof")
