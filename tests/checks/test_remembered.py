"""A run of a changed spec meets the answers that still hold, and says what one anew does."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from ruleproof.checker.audit.audit import Audit
from ruleproof.checker.checks import ambiguity
from ruleproof.checker.points.points import Point
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.reports.formats.document import dump
from ruleproof.tests.support.drawn import one_in

GAME = """
game: heap
players: {count: 2}
state: {left: {type: int 0..3, start: 3}, took: {type: int 0..3, per: player}, last: {type: player}}
steps: {game: {}}
windows: {turn: {who: players}}
start: game
clauses:
- {id: run, kind: order, says: The players act in any order, on: game, do: turn()}
- {id: who, kind: define, says: Who takes last wins, define: wins, value: last}
- id: take
  kind: permit
  says: Each may take one
  on: turn
  option: take
  when: left > 0
  do: left -= 1; took[actor] += 1; last = actor
- {id: keep, kind: limit, says: Two at most, always: "all(took[p] <= 2 for p in players)"}
- {id: some, kind: claim, says: It never runs out, never: left == 0}
open_points:
- id: many
  asks: How many are taken?
  clauses: [take]
  readings:
  - {id: one, title: one, changes: {}}
  - id: two
    title: two
    changes: {take: {do: "left -= 2 if left > 1 else 1; took[actor] += 1; last = actor"}}
"""
LOOP = """\
- id: begin
  kind: setup
  says: Each is asked whether to begin
  on: game
  before: [run]
  do: |
    for p in players:
      if may(by=p, ask="Begin?"):
        last = p
"""
LOOPED = """
- id: still
  asks: How often are they asked?
  clauses: [begin]
  readings:
  - {id: once, title: once, changes: {}}
  - id: again
    title: twice
    changes:
      begin:
        do: |
          for p in players:
            for time in range(1, 3):
              if may(by=p, ask="Begin?"):
                last = p
                took[p] = took[p] + left
"""
MORE = """
- id: bar
  asks: May one take who has one?
  clauses: [take]
  readings:
  - {id: free, title: he may, changes: {}}
  - {id: barred, title: he may not, changes: {take: {when: "left > 0 and took[actor] == 0"}}}
"""
RULED = "rulings: [{{point: many, reading: {}, why: x}}]\n"
EDITS = {
    "nothing": ("heap", "heap", 0),
    "a mark of a question": ("  asks: How", "  hinted: [who]\n  asks: How", 0),
    "cards": ("  asks: How", "  on_cards: [who]\n  asks: How", 0),
    "a mark of a clause": ("option: take", "option: take\n  asked: [beyond-bounds]", 0),
    "a draft of a clause": ("option: take", "option: take\n  draft: One may be taken.", 0),
    "words of a clause": ("option: take", "option: take\n  stated: {beyond-bounds: one}", 1),
    "a question more": ("game: heap", "game: heap", 1),
    "a decided question": ("  asks: How", "  settled: [who]\n  asks: How", 1),
    "where it comes up": ("  asks: How", "  where: left > 1\n  asks: How", 1),
    "a draft": ("title: two", "title: two\n    draft: Two may be taken.", 0),
    "another reading": ("if left > 1", "if left > 2", 1),
    "another title": ("title: two", "title: a pair", 1),
    "a ruling of what is adopted": ("open_points:", f"{RULED.format('one')}open_points:", 0),
    "another ruling": ("open_points:", f"{RULED.format('two')}open_points:", -1),
    "another sentence": ("Each may take one", "Each may take an apple", -1),
    "another rule": ("took[p] <= 2", "took[p] <= 1", -1),
    "another start": ("start: 3", "start: 2", -1),
}
"""An edit, and how many questions are asked again: -1 for all."""


@pytest.fixture(name="game")
def _game(tmp_path: Path) -> Path:
    (tmp_path / "game.yaml").write_text(GAME, "utf-8")
    return tmp_path


@pytest.fixture(name="once", scope="module")
def _once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Verify the game once, and give its folder and that of what was kept."""
    game, kept = tmp_path_factory.mktemp("game"), tmp_path_factory.mktemp("kept")
    (game / "game.yaml").write_text(GAME, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULEPROOF_CACHE", str(kept))
        assert noted(patch, game, remember=True)[1] > 2
    return game, kept


def noted(patch: pytest.MonkeyPatch, game: Path, *, remember: bool) -> tuple[str, int]:
    """Verify a game; give the report, and how many points were decided anew."""
    decided: list[str] = []
    decide = ambiguity.decide

    def note(audit: Audit, point: Point) -> None:
        decided.append(point.id)
        decide(audit, point)

    with patch.context() as inner:
        inner.setattr("ruleproof.checker.audit.parallel.WORTH_FORKING", 10**9)
        inner.setattr(ambiguity, "decide", note)
        return dump(verify(str(game), Settings(), remember=remember)), len(decided)


@pytest.mark.parametrize("edit", one_in(2, EDITS))
def test_answers_that_hold_are_met_again(
    edit: str, once: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an edit the report is that of a run anew; what the edit is not about is not asked."""
    old, new, again = EDITS[edit]
    game, kept = once
    monkeypatch.setenv("RULEPROOF_CACHE", str(copytree(kept, tmp_path / "kept")))

    edited = GAME.replace(old, new) + (MORE if edit == "a question more" else "")
    assert edited != GAME or edit == "nothing"
    (game / "game.yaml").write_text(edited, "utf-8")
    met, asked = noted(monkeypatch, game, remember=True)
    monkeypatch.setenv("RULEPROOF_CACHE", "off")
    anew, asked_anew = noted(monkeypatch, game, remember=False)

    assert met == anew
    assert asked == (asked_anew if again < 0 else again)


@pytest.mark.parametrize("mark", [
    ("  on: turn\n", "  on: turn\n  draft: One.\n"),
    ("title: one,", "title: one, draft: One is taken.,\n    "),
    ("  asks: How many", "  hinted: [who]\n  asks: How many"),
    ("  kind: setup\n", "  kind: setup\n  draft: Begin.\n"),
], ids=["a clause before", "a reading before", "a question", "the clause itself"])
def test_plays_that_are_kept_can_be_made_again(
    mark: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where lines are moved on which something is kept in mind, plays name the same states."""
    game = tmp_path / "game"
    game.mkdir()
    monkeypatch.setenv("RULEPROOF_CACHE", str(tmp_path / "kept"))
    looped = GAME.replace("open_points:", LOOP + "open_points:") + LOOPED
    asked = []
    for text in (looped, looped.replace(*mark)):
        (game / "game.yaml").write_text(text, "utf-8")
        met, decided = noted(monkeypatch, game, remember=True)
        assert met == noted(monkeypatch, game, remember=False)[0]
        asked.append(decided)
    assert asked[0] > 2
    assert asked[1] < asked[0]


def test_where_a_body_is_indented_otherwise_plays_can_be_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A column is a part of what a state is called, so it is asked anew then."""
    game = tmp_path / "game"
    game.mkdir()
    monkeypatch.setenv("RULEPROOF_CACHE", str(tmp_path / "kept"))
    body = LOOP[LOOP.index("    for p"):]
    deeper = "".join(f"  {line}\n" for line in body.splitlines())
    for loop in (LOOP, LOOP.replace(body, deeper)):
        text = GAME.replace("open_points:", loop + "open_points:")
        (game / "game.yaml").write_text(text, "utf-8")
        met, _ = noted(monkeypatch, game, remember=True)
        assert met == noted(monkeypatch, game, remember=False)[0]


def test_nothing_is_kept_of_a_run_that_does_not_remember(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two runs that do not remember ask everything twice."""
    monkeypatch.setenv("RULEPROOF_CACHE", str(tmp_path / "kept"))
    one, two = (dump(verify(str(game), Settings())) for _ in range(2))
    assert one == two
    monkeypatch.setattr(ambiguity, "decide", lambda *_: 1 // 0)
    assert "internal error" in dump(verify(str(game), Settings()))
