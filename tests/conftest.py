"""Settings that every test shares: random tests draw the same examples, nothing is cached."""

import os

from hypothesis import settings

os.environ["RULEPROOF_CACHE"] = "off"

settings.register_profile("ruleproof", derandomize=True, deadline=None)
settings.load_profile("ruleproof")
