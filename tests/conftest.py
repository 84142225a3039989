"""Settings that every test shares: random tests draw the same examples, nothing is cached.

How many, `support/drawn.py` says.

Signals mean what they mean at a terminal, also where the tests run as a background job of a shell,
or by `nohup`, which ignore some: tests of interruption would wait for ever.
"""

import gc
import os
import signal

import pytest
from hypothesis import settings

from ruleproof.tests.support.drawn import EXAMPLES

os.environ["RULEPROOF_CACHE"] = "off"
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile(
    "ruleproof", derandomize=True, deadline=None, max_examples=EXAMPLES)
settings.load_profile("ruleproof")


@pytest.fixture
def printed_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the printed game be one that cannot be explored, as those that people print."""
    monkeypatch.setattr("ruleproof.checker.verify.SMALL", 1)


def pytest_collection_finish() -> None:
    """Spare the collector of garbage what is there for good."""
    gc.collect()
    gc.freeze()
