"""A play that tells two readings apart is made shorter, and still does so."""

import json
from pathlib import Path

import pytest

from ruleproof.checker.bench.workbench import Workbench, side_by_side
from ruleproof.checker.comparison.equivalence import apart_in_play
from ruleproof.checker.comparison.lockstep import SideBySide
from ruleproof.checker.comparison.product import diverge, shortened
from ruleproof.checker.search.playouts import Plays
from ruleproof.checker.search.shorten import Follower
from ruleproof.model.game.game import Settings

STEPS = "while steps < 40:\n  walk()\nend_game()"
SPEC = {
    "game": "walks", "title": "Walks", "players": {"count": 2},
    "state": {"x": {"type": "int 0..6"}, "y": {"type": "int 0..6"}, "flag": {"type": "int 0..1"},
              "steps": {"type": "int 0..40"}, "active": {"type": "player", "start": 1}},
    "steps": {"game": {}, "walk": {}}, "start": "game",
    "clauses": [
        {"id": "go", "kind": "order", "says": "they walk", "on": "game", "do": STEPS},
        {"id": "walk", "kind": "effect", "says": "a step is made", "on": "walk",
         "do": "way = choose(range(0, 4), by=active)\nsteps += 1\n"
               "if way == 0:\n  x = min(6, x + 1)\nelif way == 1:\n  x = max(0, x - 1)\n"
               "elif way == 2:\n  y = min(6, y + 1)\nelse:\n  y = max(0, y - 1)"},
        {"id": "there", "kind": "effect", "says": "somebody is there", "on": "walk",
         "after": ["walk"], "do": "if x == 3 and y == 2:\n  flag = 0"}],
    "open_points": [{"id": "what", "clauses": ["there"], "asks": "what then", "readings": [
        {"id": "nothing", "title": "nothing", "changes": {}},
        {"id": "a-flag", "title": "a flag", "changes": {"there": {
            "do": "if x == 3 and y == 2:\n  flag = 1"}}}]}]}


@pytest.mark.parametrize("seed", range(3))
def test_a_random_play_becomes_as_short_as_can_be(seed: int, tmp_path: Path) -> None:
    """Of a random walk to where two readings differ the steps stay that lead there."""
    (tmp_path / "game.yaml").write_text(json.dumps(SPEC), "utf-8")
    bench = Workbench(str(tmp_path), Settings())
    one, two = side_by_side(bench.instance("printed"),
                            bench.instance("printed", rulings={"what": "a-flag"}))
    play = apart_in_play(one, two, seed=seed, plays=Plays(3, 40))
    assert play is not None
    found = diverge(one.whole, two.whole, limit=100, after=play)
    short = shortened(found, one.whole, two.whole)
    both = SideBySide(one.whole, two.whole)
    s, t = (Follower(each)(short.best.play) for each in (both.first, both.second)) if (
        short.best is not None) else (None, None)

    assert found.best is not None
    assert short.best is not None
    assert short.first is not None
    assert s is not None
    assert t is not None
    assert short.best.level == found.best.level
    assert short.best.level in both.levels((s, t))
    assert len(short.best.play) == 5 <= len(found.best.play)
    assert len(short.first.play) <= len(short.best.play)
