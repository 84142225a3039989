"""Records are told as one thing: what they are, who has them, what has changed about them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ruleproof.cli.table.announcements import changes
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.model.machine.state import Move, State
from ruleproof.model.plays.board import JSON, from_values, values_by_name
from ruleproof.model.plays.moves import describe_move
from ruleproof.model.plays.wording import counted_in, say_records
from ruleproof.model.run.interp import Interpreter
from ruleproof.reports.blocks.boards import board_of
from ruleproof.tests.support.kennel import KENNEL

CREW = """
game: crew
title: Crew
players: {count: 2, called: Boss}
state: {active: {type: player, start: 1}}
pools: {crew: {per: player, capacity: 2, fields: {tired: bool, sick: bool}}}
steps: {game: {}}
windows: {w: {by: active, done: stop}}
start: game
clauses:
- {id: a, kind: order, says: the first player acts, on: game, do: "w()\\nwin(active)"}
- id: b
  kind: permit
  says: a worker comes
  on: w
  option: hire
  do: "new(crew[active], tired=False, sick=False)"
"""

Yard = list[tuple[str, int]]


@pytest.fixture
def kennel(tmp_path: Path) -> Compiled:
    """Compile the kennel."""
    (tmp_path / "game.yaml").write_text(KENNEL, "utf-8")
    return compile_game(load_game(str(tmp_path)))


def state_of(kennel: Compiled, yard: Yard, node: str = "") -> State:
    """Put dogs into the yard of the first keeper."""
    machine = kennel.machine
    start = Interpreter(machine).start().state
    values: dict[str, Any] = values_by_name(machine, start)
    first, second = machine.player_names
    cards = [card for card, _ in yard] + ["Pug"] * (2 - len(yard))
    hurts = [hurt for _, hurt in yard] + [0] * (2 - len(yard))
    values["yard.size"] = {first: len(yard), second: 0}
    values["yard.card"] = {first: cards, second: ["Pug", "Pug"]}
    values["yard.hurt"] = {first: hurts, second: [0, 0]}
    return from_values(machine, node or machine.nodes[start.node].name, values)


PUG, SORE, WOLF = ("Pug", 0), ("Pug", 1), ("Wolf", 0)


@pytest.mark.parametrize(("before", "after", "told"), [
    ([], [PUG], ["yard of Keeper 1: + Pug"]),
    ([], [SORE], ["yard of Keeper 1: + Pug, hurt 1"]),
    ([PUG, WOLF], [WOLF], ["yard of Keeper 1: - Pug"]),
    ([PUG, WOLF], [PUG], ["yard of Keeper 1: - Wolf"]),
    ([PUG, WOLF], [SORE, WOLF], ["Pug of Keeper 1: hurt 1"]),
    ([PUG, WOLF], [PUG, WOLF], []),
    ([PUG, WOLF], [], ["yard of Keeper 1: - Pug", "yard of Keeper 1: - Wolf"]),
])
def test_changes(kennel: Compiled, before: Yard, after: Yard, told: list[str]) -> None:
    """One line for each record that came, went, or is not as it was."""
    one, two = state_of(kennel, before), state_of(kennel, after)
    assert changes(kennel.machine, one, two, 0) == told


@pytest.mark.parametrize(("yard", "told"), [
    ([PUG, WOLF], ["Pug of Keeper 1", "Wolf of Keeper 1"]),
    ([PUG, SORE], ["Pug (hurt 0) of Keeper 1", "Pug (hurt 1) of Keeper 1"]),
    ([PUG, PUG], ["Pug of Keeper 1", "Pug of Keeper 1 (number 2 of these)"]),
])
def test_a_record_is_named_by_what_sets_it_apart(
    kennel: Compiled, yard: Yard, told: list[str]
) -> None:
    """The card alone where it is the only one, more where it is not."""
    machine = kennel.machine
    node, edge = next((node, edge) for node in machine.nodes for edge in node.edges
                      if edge.label == "snarl")
    state = state_of(kennel, yard, node.name)
    said = [describe_move(machine, state, Move(edge.id, (i,))) for i in range(len(yard))]
    assert [one.partition("snarls ")[2] for one in said] == told


@pytest.mark.parametrize(("columns", "told"), [
    ({"tired": [False], "sick": [False]}, "1"),
    ({"tired": [True], "sick": [False]}, "1 (tired)"),
    ({"tired": [False, True], "sick": [False, False]}, "2 (1 tired)"),
    ({"tired": [True, True], "sick": [True, True]}, "2 (all tired and sick)"),
    ({"tired": [False, True, True], "sick": [False, True, False]},
     "3 (1 tired and sick, 1 tired)"),
    ({"card": ["Snowbird", "Emperor"], "health": [0, 5]},
     "Snowbird (health 0), Emperor (health 5)"),
    ({"card": ["Snowbird", "Emperor"], "health": [0, 0]}, "Snowbird, Emperor"),
    ({"card": [], "health": []}, ""),
])
def test_no_record_is_told_as_nothing(columns: dict[str, Any], told: str) -> None:
    """What has no name is counted, and a number is told of all records if one has some."""
    size = len(next(iter(columns.values())))
    assert say_records(size, columns, counted=counted_in([columns])) == told


def test_what_is_0_is_told_where_others_of_the_pool_have_some() -> None:
    """The records of one player are told like those of another one."""
    mine: dict[str, Any] = {"card": ["Pug"], "hurt": [0]}
    other: dict[str, Any] = {"card": ["Wolf"], "hurt": [2]}
    assert say_records(1, mine, counted=counted_in([mine, other])) == "Pug (hurt 0)"


def test_records_without_a_name_are_drawn_and_told(tmp_path: Path) -> None:
    """A board has their number, and what changes about one says so."""
    (tmp_path / "game.yaml").write_text(CREW, "utf-8")
    crew = compile_game(load_game(str(tmp_path)))
    machine = crew.machine
    start = Interpreter(machine).start().state

    def of(*tired: int) -> State:
        values: dict[str, Any] = values_by_name(machine, start)
        values["crew.size"] = {"Boss 1": len(tired), "Boss 2": 0}
        held = [*map(bool, tired), *(False,) * (2 - len(tired))]
        values["crew.tired"] = {"Boss 1": held, "Boss 2": [False, False]}
        return from_values(machine, machine.nodes[start.node].name, values)

    def drawn(state: State) -> list[tuple[str, ...]]:
        shown: dict[str, JSON] = {"state": values_by_name(machine, state)}
        return [row.cells for row in board_of(shown, crew).rows if row.name == "crew"]

    assert changes(machine, of(), of(0), 0) == ["crew of Boss 1: + 1"]
    assert changes(machine, of(), of(1), 0) == ["crew of Boss 1: + 1, tired"]
    assert changes(machine, of(0), of(1), 0) == ["1 of the crew of Boss 1: tired"]
    assert changes(machine, of(1), of(), 0) == ["crew of Boss 1: - 1"]
    assert drawn(of()) == []
    assert drawn(of(0)) == [("1", "")]
    assert drawn(of(0, 1)) == [("2 (1 tired)", "")]
