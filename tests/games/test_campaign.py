"""Random games against the laws of `campaign`: a sample here, thousands in `make campaign`.

`python -m ruleproof.tests.campaign --games 20000` runs as many as one likes, and can be stopped.
"""

import json
import os

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from ruleproof.checker.engine.program import Program
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.tests.campaign.choices import Choices, Drawn, Seeded
from ruleproof.tests.campaign.plays import played
from ruleproof.tests.campaign.running import tried
from ruleproof.tests.campaign.specs import Spec, random_spec
from ruleproof.tests.support.places import TESTS

SAMPLE = 2
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


@pytest.mark.parametrize("name", ["kuhn-poker", "leduc-poker", "tic-tac-toe"])
def test_whole_plays_are_the_interpreter_s(name: str) -> None:
    """Random plays of a whole game end, and go through the same states in the interpreter."""
    program = Program(compile_game(load_game(str(TESTS / "specs" / "known" / name))).machine)
    whole = played(program, plays=100, checked=20, seed=1)

    assert (whole.seen.finished, whole.cut, whole.differing) == (100, 0, ())


@pytest.mark.campaign
@pytest.mark.parametrize("seed", [1, 2])
def test_many_random_games(seed: int) -> None:
    """What is said of many random games is what brute force shows."""
    broken = {number: found for number in range(GAMES)
              if (found := tried(random_spec(Choices(Seeded(seed, number)))).broken)}

    assert broken == {}
