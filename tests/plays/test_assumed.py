"""The cards with assumed values that a play is said to rest on: all of them, and no bystander."""

import random
from pathlib import Path
from typing import Any

import pytest

from ruleproof.model.lowering.compile import Compiled
from ruleproof.model.machine.state import Move
from ruleproof.model.plays.assumed import assumed_in, texts_behind
from ruleproof.model.plays.moves import describe_move
from ruleproof.model.plays.plays import record
from ruleproof.model.run.interp import Interpreter
from ruleproof.tests.support.little import DUEL, compiled

FORCES = {"jab": 1, "hook": 2, "feint": 0}
ROLES = {"giant": 2, "dwarf": 1}
PRINTED = "force: {}}}"
ASSUMED = "force: {}, assumed: [force]}}"


def game(folder: Path, forces: dict[str, int], roles: dict[str, int]) -> Compiled:
    """Write the duel with assumed forces, and with roles that are no cards of any zone."""
    text = DUEL.replace('  strike: {attributes: {force: "int 0..3"}}', """
  strike: {attributes: {force: "int 0..3"}}
  role: {attributes: {strong: "int 0..3"}}""").replace("cards:\n", "cards:\n  role:\n" + "".join(
        f"    {name}: {{name: {name.title()}, copies: 1, strong: {strong}, assumed: [strong]}}\n"
        for name, strong in roles.items())).replace(
        "  active: {type: player, start: 1}\n", "  active: {type: player, start: 1}\n"
        "  plays: {type: card role, per: player, start: giant}\n").replace(
        "hurt[next_player(actor)] += card.force",
        "hurt[next_player(actor)] += min(2, card.force + plays[actor].strong)")
    for name, force in FORCES.items():
        mine = PRINTED.format(force)
        line = next(row for row in text.splitlines() if row.lstrip().startswith(f"{name}:"))
        text = text.replace(line, line.replace(mine, ASSUMED.format(forces[name])))
    folder.mkdir(exist_ok=True)
    return compiled(folder, text)


def walked(made: Compiled, seed: int, most: int) -> list[Move]:
    """Play at random."""
    interp, rng = Interpreter(made.machine), random.Random(seed)  # noqa: S311
    state, moves = interp.start().state, list[Move]()
    while not interp.final(state) and len(moves) < most:
        moves.append(rng.choice(interp.moves(state)))
        state = interp.step(state, moves[-1]).state
    return moves


def told(made: Compiled, moves: list[Move]) -> tuple[object, list[str]]:
    """Return the states of a play, and the moves offered at its end."""
    interp = Interpreter(made.machine)
    state = interp.start().state
    for move in moves:
        state = interp.step(state, move).state
    doc: Any = record(made, moves)
    return ([step["state_sha256"] for step in doc["steps"]],
            [describe_move(made.machine, state, move) for move in interp.moves(state)])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("most", [6, 12, 25])
def test_what_is_not_named_could_be_otherwise(seed: int, most: int, tmp_path: Path) -> None:
    """The play and the moves offered at its end are the same with other values of other cards."""
    made = game(tmp_path / "made", FORCES, ROLES)
    moves = walked(made, seed, most)
    named = {name.lower() for name in assumed_in(made, moves)}
    others = game(tmp_path / "other", {name: value if name in named else (value + 1) % 4
                                       for name, value in FORCES.items()},
                  {name: value if name in named else value + 1 for name, value in ROLES.items()})

    assert named <= {*FORCES, "giant"}
    assert told(others, moves) == told(made, moves)


def test_a_role_that_decides_is_named(tmp_path: Path) -> None:
    """A value is named that a rule reads of a card that nobody ever moves or chooses."""
    made = game(tmp_path / "made", FORCES, ROLES)
    named = [assumed_in(made, walked(made, seed, 40)) for seed in range(8)]

    assert any("Giant" in some for some in named)
    assert not any("Dwarf" in some for some in named)


HEROES = """
game: heroes
title: Heroes
players: {count: 2}
families: {hero: {attributes: {first: bool}}}
cards: {hero: {strong: {copies: 1, first: true, abilities: {each_turn: power += 1}, assumed: all}}}
state:
  active: {type: player, start: 1}
  power: {type: int 0..9, start: 0}
  plays: {type: card hero, per: player, start: strong}
  first: {type: bool, start: true}
steps: {game: {}, turn: {}}
windows: {acting: {by: active, repeat: true, done: rest}}
start: game
clauses:
- id: turns
  kind: order
  says: the players take turns
  on: game
  do: |
    while True:
      turn()
      active = next_player(active)
- id: begins
  kind: effect
  says: what the hero gives in the first turn, and what is done with it
  on: turn
  do: |
    if first:
      plays[active].each_turn()
    first = False
    acting()
    power = 0
- {id: trains, kind: permit, says: train, on: acting, option: train, do: power = 5}
"""


def test_a_text_is_named_that_a_number_comes_from(tmp_path: Path) -> None:
    """Also one that was done before anybody decided, and only as long as the number is there."""
    made = compiled(tmp_path, HEROES)
    interp, moves, behind = Interpreter(made.machine), list[Move](), list[object]()
    state = interp.start().state
    for edge in ("train", "rest", "train"):
        behind.append([*texts_behind(made, moves)])
        moves.append(next(each for each in interp.moves(state)
                          if edge in describe_move(made.machine, state, each)))
        state = interp.step(state, moves[-1]).state

    assert behind == [["strong"], ["strong"], []]
    assert assumed_in(made, moves) == ("strong",)
