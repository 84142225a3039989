"""Random games against the laws of `campaign`: a sample here, thousands in `make campaign`.

`python -m ruleproof.tests.campaign --games 20000` runs as many as one likes, and can be stopped.
"""

import json
import os

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from ruleproof.tests.campaign.choices import Choices, Drawn, Seeded
from ruleproof.tests.campaign.running import tried
from ruleproof.tests.campaign.specs import Spec, random_spec

SAMPLE = 12
GAMES = int(os.environ.get("RULEPROOF_GAMES", "1000"))


@st.composite
def games(draw: st.DrawFn) -> Spec:
    """Draw a game."""
    return random_spec(Choices(Drawn(draw)))


@settings(max_examples=SAMPLE, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(games())
def test_random_games(spec: Spec) -> None:
    """What is said of a random game is what brute force shows."""
    note(json.dumps(spec, indent=1))

    assert tried(spec).broken == {}


@pytest.mark.campaign
@pytest.mark.parametrize("seed", [1, 2])
def test_many_random_games(seed: int) -> None:
    """What is said of many random games is what brute force shows."""
    broken = {number: found for number in range(GAMES)
              if (found := tried(random_spec(Choices(Seeded(seed, number)))).broken)}

    assert broken == {}
