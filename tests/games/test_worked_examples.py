"""The worked examples of the bundled games, by the rules as they are encoded, and more scenes."""

import json
from pathlib import Path
from typing import Any

import pytest

from ruleproof.checker.audit.audit import Audit
from ruleproof.checker.audit.listener import Listener
from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.examples.examples import run
from ruleproof.model.game.game import Settings
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.games import often
from ruleproof.tests.support.seeding import read

SCENES = read(Path(__file__).with_name("scenes.yaml"))
ANSWERS = [(game, scene)
           for game, scenes in read(Path(__file__).with_name("answers.yaml")).items()
           for scene in scenes]


@pytest.mark.slow
@pytest.mark.parametrize("game", often("edition-wars"))
def test_worked_examples_of_a_bundled_game_hold(game: str) -> None:
    """Every example can be played to its end, with each choice that it leads to, and comes out."""
    bench = Workbench(game, Settings())
    audit = Audit(bench, bench.instance("printed"), [], 1, 0, Listener(), lambda _: True)
    run(audit)
    examples = {clause.id for clause in audit.printed.game.clauses if clause.example is not None}

    assert not audit.not_checked
    assert {holds.clause for holds in audit.holds} == examples


@pytest.mark.parametrize("game", one_in(3, SCENES))
def test_scenes_that_no_book_plays_come_out(game: str, tmp_path: Path) -> None:
    """What sentences say of a scene that is no example of the book comes out, too."""
    scenes = [{"kind": "example", **each} for each in SCENES[game]]
    (tmp_path / "game.yaml").write_text(
        json.dumps({"game": "scenes", "extends": game, "clauses": scenes}), "utf-8")
    bench = Workbench(str(tmp_path), Settings())
    audit = Audit(bench, bench.instance("printed"), [], 1, 0, Listener(), lambda _: True)
    run(audit)

    assert {each["id"] for each in scenes} <= {holds.clause for holds in audit.holds}


@pytest.mark.parametrize(("game", "scene"), one_in(4, ANSWERS))
def test_scenes_come_out_as_an_answer_says(
    game: str, scene: dict[str, Any], tmp_path: Path,
) -> None:
    """Under an answer that is not the adopted one a scene comes out as this answer has it."""
    rulings = [{"point": point, "reading": reading, "why": "the scene is about it"}
               for point, reading in scene["answers"].items()]
    told = {"kind": "example", **{key: scene[key] for key in scene if key != "answers"}}
    (tmp_path / "game.yaml").write_text(
        json.dumps({"game": "scenes", "extends": game, "clauses": [told], "rulings": rulings}),
        "utf-8")
    bench = Workbench(str(tmp_path), Settings())
    audit = Audit(bench, bench.instance("printed"), [], 1, 0, Listener(), lambda _: True)
    run(audit)

    assert scene["id"] in {holds.clause for holds in audit.holds}
