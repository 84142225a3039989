"""Settings that every test shares: random tests draw the same examples, nothing is cached.

Ctrl-C is what it is at a terminal, also where the tests run as a background job of a shell, which
ignores it: tests of interruption would wait for ever.
"""

import os
import signal

from hypothesis import settings

os.environ["RULEPROOF_CACHE"] = "off"
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("ruleproof", derandomize=True, deadline=None)
settings.load_profile("ruleproof")
