"""Records are told as one thing: what they are, who has them, what has changed about them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ruleproof.cli.table.announcements import changes
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.model.machine.state import Move, State
from ruleproof.model.plays.board import from_values, values_by_name
from ruleproof.model.plays.moves import describe_move
from ruleproof.model.run.interp import Interpreter
from ruleproof.tests.support.kennel import KENNEL

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
