"""Findings about play are shown in the printed game, if they come up there."""

from pathlib import Path

import pytest

from ruleproof.checker.findings.results import Finding
from ruleproof.checker.judge.decide import ENOUGH
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.plays.plays import replay
from ruleproof.tests.support.little import write

COINS = """
game: coins
title: Coins
players: {count: 2}
families: {coin: {}}
cards: {coin: {penny: {name: Penny, copies: 9}, pound: {name: Pound, copies: 1}}}
zones:
  purse: {holds: coin, kind: deck, starts: all}
  hand: {holds: coin, kind: bag, per: player}
  spare: {holds: coin, kind: bag}
  mint: {holds: coin, kind: deck}
state: {active: {type: player, start: 1}}
steps: {game: {title: The game}}
windows: {taking: {by: active, repeat: true, done: stop}}
start: game
clauses:
  - {id: c.spare, kind: setup, on: game, do: "draw(4, purse, spare)", says: four are laid aside}
  - {id: c.game, kind: effect, on: game, after: [c.spare], do: "taking()", says: coins are taken}
  - id: c.take
    kind: permit
    on: taking
    option: take
    says: you take one coin
    do: |
      draw(1, purse, hand[active])
      active = next_player(active)
  - id: c.change
    kind: permit
    on: taking
    option: change
    when: count(hand[active], coin.pound) > 0
    says: who has the pound may change it
    do: draw(1, mint, hand[active])
scopes:
  tiny: {cards: {coin: {penny: 3, pound: 0}}}
"""


@pytest.fixture(name="source", scope="module")
def _source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the game above."""
    return write(tmp_path_factory.mktemp("coins"), COINS)


def found(source: Path, scope: str = "printed") -> dict[str, Finding]:
    """Verify a game; give the findings of what cannot be done by their clause."""
    report = verify(str(source), Settings(scope=scope), only=("undefined-operation",))
    return {finding.clauses[0]: finding for finding in report.findings}


@pytest.mark.usefixtures("printed_is_large")
def test_a_finding_is_shown_at_the_printed_size(source: Path) -> None:
    """First comes a play of the printed game, then that of the scope; both replay."""
    evidence = found(source)["c.take"].evidence
    printed, smaller = evidence.plays
    lengths = {"printed": 4 + 2 * 6 + 1, "tiny": 3 + 1}

    assert (evidence.scope, evidence.depth, evidence.at_printed_size) == ("printed", 17, True)
    assert (printed.scope, smaller.scope) == ("", "tiny")
    for each, scope in ((printed, "printed"), (smaller, "tiny")):
        again = replay(each.play, compile_game(load_game(str(source), Settings(scope=scope))))
        assert again.ok
        assert len(again.taken) == lengths[scope]


def test_what_cannot_be_at_the_printed_size_is_no_finding(source: Path) -> None:
    """Three coins are too few to lay four aside, nine are not."""
    assert "c.spare" in found(source, "tiny")
    assert "c.spare" not in found(source)


@pytest.mark.usefixtures("printed_is_large")
def test_what_no_scope_has_the_cards_for_is_found(source: Path) -> None:
    """The pound is in the printed game only, and there is nothing to change it for."""
    evidence = found(source)["c.change"].evidence

    assert (evidence.scope, evidence.method) == ("printed", "sampled")
    assert [each.scope for each in evidence.plays] == [""]
    assert "c.change" not in found(source, "tiny")


def test_of_a_scope_that_was_asked_for_its_own_play_is_shown(source: Path) -> None:
    """The printed game is not looked at then, and nothing is said of it."""
    evidence = found(source, "tiny")["c.take"].evidence

    assert evidence.scope == "tiny"
    assert evidence.at_printed_size is None
    assert [each.scope for each in evidence.plays] == [""]


@pytest.mark.usefixtures("printed_is_large")
def test_a_refuted_claim_is_shown_at_the_printed_size(tmp_path: Path) -> None:
    """What is said never to be is sought in printed games, counted and shown there, shortened."""
    claim = ('  - {id: c.never, kind: claim, says: nobody has two, '
             'never: "any(size(hand[p]) > 1 for p in players)"}\n')
    source = write(tmp_path, COINS.replace("scopes:", claim + "scopes:").replace(
        "penny: 3", "penny: 8"))
    report = verify(str(source), Settings(), only=("false-claim",))
    (finding,) = (each for each in report.findings if each.cls == "false-claim")
    printed, smaller = finding.evidence.plays

    assert (printed.scope, smaller.scope) == ("", "tiny")
    assert printed.play["settings"]["scope"] == "printed"
    assert len(printed.play["steps"]) == 4 + 2 * 3  # four aside; one of them takes two
    assert finding.frequency is not None
    assert finding.frequency.plays == ENOUGH
    assert 0 < finding.frequency.seen < ENOUGH


ANSWERS = """
game: answers
title: A question with three answers, of which the last decides the game
players: {count: 2}
state: {active: {type: player, start: 1}, n: {type: int 0..3}}
steps: {game: {}}
start: game
scopes: {tiny: {players: 2}}
clauses:
- {id: a.do, kind: effect, says: it is counted, on: game,
   do: "x = choose(range(0, 2), by=active)\\nn = x\\nwin(active)"}
open_points:
- id: how
  clauses: [a.do]
  asks: how is it counted
  readings:
  - {id: once, title: once, changes: {}}
  - id: seldom
    title: the other one wins with nothing
    changes: {a.do: {do: "x = choose(range(0, 2), by=active)\\nn = x\\nwin(next_player(active) if x == 0 else active)"}}
  - id: other
    title: the other one wins
    changes: {a.do: {do: "x = choose(range(0, 2), by=active)\\nn = x\\nwin(next_player(active))"}}
"""  # noqa: E501


def test_the_answer_that_decides_most_says_how_often(tmp_path: Path) -> None:
    """The share of games is that of the answer which changes the winner most, not of the first."""
    report = verify(str(write(tmp_path, ANSWERS)), Settings())
    (finding,) = (each for each in report.findings if each.open_point == "how")

    assert finding.frequency is not None
    assert finding.frequency.decides == finding.frequency.plays
