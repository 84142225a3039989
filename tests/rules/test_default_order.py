"""What nobody orders stays as the spec has it, also if a clause is taken out or read otherwise."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Game, Settings
from ruleproof.model.rules.ordering import order_on

CLAUSES = {  # the third one waits for the last, and comes in front of nothing
    "one": {}, "two": {"after": ["five"]}, "three": {}, "four": {"after": ["two"]}, "five": {}}


def spec(folder: Path) -> str:
    """Write a game with five clauses on a step, some of them in order."""
    clauses = [{"id": name, "kind": "effect", "says": name, "on": "end", "do": f"x += {at}",
                **more} for at, (name, more) in enumerate(CLAUSES.items(), 1)]
    points = [{"id": f"p-{name}", "clauses": [name], "asks": "how", "readings": [
        {"id": "as-it-is", "title": "so", "changes": {}},
        {"id": "never", "title": "never", "drop": [name]},
        {"id": "late", "title": "late", "changes": {name: {"after": [
            other for other in CLAUSES if other != name and "after" not in CLAUSES[other]][:1]}}},
    ]} for name in CLAUSES]
    (folder / "game.yaml").write_text(json.dumps({
        "game": "ends", "title": "Ends", "players": {"count": 2},
        "state": {"x": {"type": "int 0..99"}}, "steps": {"game": {}, "end": {}}, "start": "game",
        "clauses": [{"id": "runs", "kind": "order", "says": "it ends", "on": "game",
                     "do": "end()\nend_game()"}, *clauses], "open_points": points}), "utf-8")
    return str(folder)


def turns(game: Game) -> list[str]:
    """Return the clauses of the step in the order in which they act."""
    return list(order_on(game, "end").names() or ())


@pytest.mark.parametrize("name", CLAUSES)
def test_without_a_clause_all_others_act_in_the_same_order(name: str, tmp_path: Path) -> None:
    """Whether a check takes it out, or a reading."""
    bench = Workbench(spec(tmp_path), Settings())
    before = [each for each in turns(bench.game("printed")) if each != name]
    dropped = bench.game("printed", changes=({"drop": [name]},))
    read = bench.game("printed", rulings={f"p-{name}": "never"})

    assert turns(dropped) == turns(read) == before


@pytest.mark.parametrize("name", CLAUSES)
def test_what_another_reading_moves_moves_alone(name: str, tmp_path: Path) -> None:
    """All pairs of others keep their order, unless what the reading states moves them, too."""
    bench = Workbench(spec(tmp_path), Settings())
    game = bench.game("printed", rulings={f"p-{name}": "late"})
    before, after = turns(bench.game("printed")), turns(game)
    others = [pair for pair in combinations(before, 2) if name not in pair]

    assert all(after.index(one) < after.index(two) for one, two in others)


def test_a_reading_that_drops_a_clause_shows_its_own_difference(tmp_path: Path) -> None:
    """What is drawn at the end is not compared in the midst of what comes before it elsewhere."""
    body = {"lost": "x = 0", "draws": "n = roll(2)\ny = n", "marks": "z = 1"}
    clauses = [
        {"id": "draws", "kind": "effect", "says": "dice", "on": "end", "do": body["draws"]},
        {"id": "lost", "kind": "effect", "says": "all is lost", "on": "end", "do": body["lost"]},
        {"id": "marks", "kind": "effect", "says": "a mark", "on": "end", "before": ["draws"],
         "do": body["marks"]}]
    (tmp_path / "game.yaml").write_text(json.dumps({
        "game": "ends", "title": "Ends", "players": {"count": 2},
        "state": {name: {"type": "int 0..9", "start": 1 if name == "x" else 0} for name in "xyz"},
        "steps": {"game": {}, "end": {}}, "start": "game",
        "clauses": [{"id": "runs", "kind": "order", "says": "it ends", "on": "game",
                     "do": "end()\nend_game()"}, *clauses],
        "open_points": [{"id": "mark", "clauses": ["marks"], "asks": "is there a mark", "readings":
            [{"id": "yes", "title": "yes", "changes": {}},
             {"id": "no", "title": "no", "drop": ["marks"]}]}]}), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("ambiguity",))
    (found,) = [one for one in report.everything if one.open_point == "mark"]

    assert all("x" not in one.outcome and "z" in one.outcome for one in found.readings)
