"""Settings that every test shares: random tests draw the same examples, nothing is cached.

Of random tests that do not say how many examples they draw, `RULEPROOF_EXAMPLES` does.

Signals mean what they mean at a terminal, also where the tests run as a background job of a shell,
or by `nohup`, which ignore some: tests of interruption would wait for ever.
"""

import os
import signal

from hypothesis import settings

os.environ["RULEPROOF_CACHE"] = "off"
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile("ruleproof", derandomize=True, deadline=None,
                          max_examples=int(os.environ.get("RULEPROOF_EXAMPLES", "50")))
settings.load_profile("ruleproof")
