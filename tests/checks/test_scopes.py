"""Scopes that are proposed can be explored, do what they say, and fit into the spec."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from ruleproof.checker.audit.scoped import explored
from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.scopes import Proposal, Proposed, Proposing, goals_of
from ruleproof.cli.app import run
from ruleproof.model.game.game import Settings
from ruleproof.model.stop import Stop

DUEL = """
game: duel
title: Duel
players: {min: 2, max: 4, default: 3}
constants: {hand_size: 3}
families: {spell: {}}
cards:
  spell:
    spark: {name: Spark 🔥, copies: 8, abilities: {cast: "life[active] -= 1 if life[active] > 0 else 0"}}
    mend: {copies: 8, abilities: {cast: "life[active] += 1"}}
    dull: {copies: 8}
    void: {copies: 8}
zones:
  deck: {holds: spell, kind: deck, starts: all, seen_by: none}
  hand: {holds: spell, kind: bag, per: player, seen_by: owner}
  heap: {holds: spell, kind: bag}
state:
  active: {type: player, start: 1}
  life: {type: int 0..9, per: player, start: 3}
  turns: {type: int 0..9, start: 0}
steps: {game: {}, deal: {}, turn: {}}
windows: {casting: {by: active, done: cast nothing}}
start: game
clauses:
- {id: order, kind: order, says: cards are dealt and then turns are taken, on: game, do: "deal()\\nwhile turns < 6:\\n  turns += 1\\n  turn()\\n  active = next_player(active)"}
- {id: dealt, kind: setup, says: everybody gets cards, on: deal, do: "for p in players:\\n  draw(hand_size, deck, hand[p])"}
- {id: casts, kind: effect, says: in a turn spells are cast, on: turn, do: casting()}
- {id: cast, kind: permit, says: a spell may be cast, on: casting, option: cast, with: {c: "s for s in hand[active]"}, do: "move(c, hand[active], heap)\\nc.cast()"}
- {id: never, kind: effect, says: it is odd, on: turn, after: [casts], when: turns > 8, do: "life[active] = 0"}
"""  # noqa: E501


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a game without scopes that is too large to be explored."""
    made = tmp_path_factory.mktemp("duel")
    (made / "game.yaml").write_text(DUEL, "utf-8")
    return made


@pytest.fixture(scope="module")
def found(folder: Path) -> Proposed:
    """Return what is proposed for it."""
    return Proposing(str(folder), Settings(), most=2_000).propose(Stop())


def with_scopes(folder: Path, to: Path, scopes: Mapping[str, object]) -> Path:
    """Write the game with some scopes."""
    text = (folder / "game.yaml").read_text("utf-8")
    (to / "game.yaml").write_text(text + yaml.safe_dump({"scopes": scopes}), "utf-8")
    return to


def named(found: Proposed) -> dict[str, Proposal]:
    """Give proposals names."""
    return {f"small_{number}": each for number, each in enumerate(found.proposals, 1)}


def test_what_is_proposed_is_explored_and_does_what_it_says(
    folder: Path, found: Proposed, tmp_path: Path
) -> None:
    """A proposed scope has as many states as is said, all are found, and what it adds is done."""
    bench = Workbench(str(with_scopes(folder, tmp_path, {
        name: each.scope for name, each in named(found).items()})), Settings())

    for name, each in named(found).items():
        instance = bench.instance(name)
        result = instance.explored(None).result()
        done = goals_of(instance.compiled.machine, result.coverage)
        assert explored(name, instance.compiled.machine, result).complete
        assert (result.states, {*each.adds} - {*done}) == (each.states, set())
        assert result.states < 2_000


def test_every_text_of_a_card_acts_in_some_proposal(found: Proposed) -> None:
    """What random plays of the printed game do is done in a proposal, and nothing twice."""
    adds = [goal for each in found.proposals for goal in each.adds]

    assert {("clause", "card:spell.spark.cast"), ("clause", "card:spell.mend.cast")} <= {*adds}
    assert len(adds) == len({*adds})
    assert not found.large


def test_what_is_never_done_is_named(found: Proposed) -> None:
    """A clause that no random play comes to is told."""
    assert ("clause", "never") in found.unseen


def test_nobody_is_dealt_too_few_cards(found: Proposed) -> None:
    """The set-up of a proposal succeeds: there are as many cards as are dealt."""
    for each in found.proposals:
        cards, constants = each.scope.get("cards"), each.scope.get("constants", {"hand_size": 3})
        assert isinstance(cards, dict)
        assert isinstance(constants, dict)
        assert sum(cards["spell"].values()) >= 2 * constants["hand_size"]


def test_nothing_is_proposed_that_there_is(folder: Path, found: Proposed, tmp_path: Path) -> None:
    """With the scopes that were proposed no others are."""
    taken = with_scopes(folder, tmp_path, {
        name: each.scope for name, each in named(found).items()})

    again = Proposing(str(taken), Settings(), most=2_000).propose(Stop())

    assert (again.proposals, again.unseen) == ((), found.unseen)


SMALL = """
game: small
title: Small
players: {count: 2}
state: {active: {type: player, start: 1}, n: {type: int 0..9}}
POOL
steps: {game: {}}
windows: {w: {by: active}}
start: game
clauses:
- {id: all, kind: order, says: one acts and wins, on: game, do: "w()\\nwin(active)"}
- {id: more, kind: permit, says: one may count, on: w, option: more, do: n = 1}
"""


def test_a_printed_game_that_can_be_explored_needs_no_scopes(tmp_path: Path) -> None:
    """What it does is not said to be done in no small instance."""
    (tmp_path / "game.yaml").write_text(SMALL.replace("POOL\n", ""), "utf-8")
    found = Proposing(str(tmp_path), Settings()).propose(Stop())

    assert (found.proposals, found.large, found.unseen, found.unsought) == ((), (), (), ())
    assert found.done


def test_why_nothing_is_looked_for_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A set-up that meets a bound is no end of the time."""
    (tmp_path / "game.yaml").write_text(
        SMALL.replace("POOL", "pools: {army: {capacity: 1, fields: {d: int 0..3}}}")
        .replace("w()", "new(army, d=1)\\nnew(army, d=2)\\nw()"), "utf-8")
    code = run(("scopes", str(tmp_path), "-q"))

    assert (code, "as the set-up meets a bound of the model" in capsys.readouterr().out) == (
        3, True)


def test_what_is_written_can_be_taken_over(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The output is a section of the spec, which lints and has the scopes."""
    code = run(("scopes", str(folder), "--max-states", "2000", "-q"))
    (tmp_path / "game.yaml").write_text(DUEL + capsys.readouterr().out, "utf-8")

    assert code == 0
    assert run(("lint", str(tmp_path), "-q")) == 0
    assert run(("explore", str(tmp_path), "--scope", "small_1", "-q")) == 0


def test_the_end_of_the_time_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What there was no time for is named, and the status says so."""
    code = run(("scopes", str(folder), "--max-time", "0.01", "-q"))

    assert (code, "Not looked for, as the time was up" in capsys.readouterr().out) == (3, True)
