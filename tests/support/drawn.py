"""How many examples random tests draw."""

import os

from hypothesis import settings

EXAMPLES = int(os.environ.get("RULEPROOF_EXAMPLES", "20"))
"""Of a test that does not say how many; a campaign draws more of all."""


def many(share: float) -> settings:
    """Let a test draw so many times as many examples as others."""
    return settings(max_examples=round(share * EXAMPLES))
