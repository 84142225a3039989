"""What is asked of a limit that cannot be kept: by whom, and by what it is broken."""

from pathlib import Path

import pytest

from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings

GROWS = """
game: grows
title: Grows
players: {count: 2}
state: {active: {type: player, start: 1}, n: {type: int 0..4}, m: {type: int 0..4}}
steps: {game: {}}
windows: {act: {by: active, forced: true}}
start: game
clauses:
- {id: game, kind: order, says: two turns, on: game, do: "act()\\nact()\\nwin(active)"}
- {id: one, kind: permit, says: one more, on: act, option: one, do: "n += 1"}
- {id: two, kind: permit, says: two more, on: act, option: two, do: "n += 2"}
- {id: other, kind: permit, says: more of another thing, on: act, option: other, do: "m += 1"}
- {id: most, kind: limit, says: it is never above two, always: n <= 2}
"""


@pytest.mark.parametrize(("given", "asked"), [
    ({}, set()),
    ({'do: "m += 1"': 'do: "n += 1"'}, {"whatever is chosen leads to more?"}),
    ({"option: one": "option: one, when: n < 2", "option: other": "option: other, when: n < 2"},
     {"a step that nobody chooses leads to more?"}),
    ({"option: one": "option: one, when: n < 2",
      "- {id: most": "- {id: not, kind: forbid, says: never, on: act.other, when: n == 2}\n"
                     "- {id: most"},
     {"other sentences leave no move that keeps to this?"}),
])
def test_a_limit_that_each_choice_breaks_is_not_broken_by_a_step_that_nobody_chooses(
    tmp_path: Path, given: dict[str, str], asked: set[str]
) -> None:
    """So it is told apart whether there is anything to choose, and whether a ban is in the way."""
    text = GROWS
    for old, new in given.items():
        text = text.replace(old, new)
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("limit-broken",))

    assert {each.title.partition("what if ")[2] for each in report.everything} == asked
