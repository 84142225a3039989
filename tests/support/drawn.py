"""How many examples random tests draw, and which cases of a law are tried."""

import os
from collections.abc import Iterable

import pytest
from hypothesis import settings

EXAMPLES = int(os.environ.get("RULEPROOF_EXAMPLES", "15"))
"""Of a test that does not say how many; a campaign draws more of all."""


def many(share: float) -> settings:
    """Let a test draw so many times as many examples as others."""
    return settings(max_examples=round(share * EXAMPLES))


def one_in(every: int, cases: Iterable[object]) -> list[object]:
    """List cases as parameters of a test, of so many one outside of the campaign.

    For laws that each case would show alike; the first one is always tried.
    """
    return [pytest.param(*case if isinstance(case, tuple) else (case,),
                         marks=[pytest.mark.campaign] if number % every else [])
            for number, case in enumerate(cases)]
