"""Cards go from zone to zone and none is lost: a full zone keeps the others out, and says so."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.model.machine.state import State
from ruleproof.model.plays.knowledge import in_places
from ruleproof.model.run.interp import Interpreter
from ruleproof.model.run.shape import shape_of
from ruleproof.model.solver.symbolic import SymbolicMachine
from ruleproof.model.source.errors import SpecErrors
from ruleproof.tests.games.test_laws import one_edge
from ruleproof.tests.support.agreement import compare
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.walks import states_of

HEAD = """
game: crates
title: Crates
players: {count: 2}
families: {c: {}}
cards: {c: {a: {copies: 3}, b: {copies: 1}}}
zones:
  bag: {holds: c, kind: bag, starts: all}
  deck: {holds: c, kind: deck, known: 1}
  row: {holds: c, kind: pile, capacity: 2}
  shelf: {holds: c, kind: pile, capacity: 1, per: player}
  hand: {holds: c, kind: bag, per: player}
  seen: {holds: c, kind: ledger}
state: {active: {type: player, start: 1}, o: {type: int 0..99}}
"""
PLACES = ("bag", "deck", "row", "shelf[active]", "shelf[next_player(active)]", "hand[active]")
ORDERED = PLACES[1:5]
SHUFFLED = ("deck", "bag", "hand[active]")


def compiled(text: str, folder: Path) -> Compiled:
    """Compile a game that is given as text."""
    (folder / "game.yaml").write_text(text, "utf-8")
    return compile_game(load_game(str(folder)))


def statement(random: Random) -> str:
    """Write a statement that moves cards."""
    source, target, ordered = (random.choice(group) for group in (PLACES, PLACES, ORDERED))
    card = random.choice(("c.a", "c.b"))
    return random.choice((
        f"move({card}, {source}, {target})",
        f"move_all({source}, {target})",
        f"move_all((k for k in {source} if k == {card}), {target})",
        f"draw({random.randint(1, 3)}, {source}, {target})",
        f"x = draw({source}, {target})",
        f"put_on_top({card}, {source}, {ordered})",
        f"put_on_bottom({card}, {source}, {ordered})",
        f"shuffle_into({source}, {random.choice(SHUFFLED)})",
        f"add({card}, seen)",
    ))


def crates(seed: int) -> str:
    """Write a game of random moves of cards."""
    random = Random(seed)  # noqa: S311  (no secrets here)
    actions = "".join(
        f"  act {number}:\n    do: |\n" + "".join(
            f"      {statement(random)}\n" for _ in range(random.randint(1, 3)))
        + "      active = next_player(active)\n"
        for number in range(5))
    return f"{HEAD}mover: active\nactions:\n{actions}"


def cards_in(game: Compiled, state: State) -> Counter[int]:
    """Count the cards in all zones, by kind."""
    found: Counter[int] = Counter()
    for array in game.machine.arrays:
        first = shape_of(game.machine).offsets[array.name]
        row = state.values[first : first + array.size]
        if array.declared and in_places(array):
            found.update(card for card in row if card >= 0)
        elif array.declared and array.zone in ("bag", "deck"):
            for place, many in enumerate(row):
                found[place % array.dims[-1]] += many
    return found


@pytest.mark.parametrize("seed", one_in(4, range(20)))
def test_no_card_is_lost(seed: int, tmp_path: Path) -> None:
    """Whatever is moved where, each kind of card is there as often as at the start."""
    game = compiled(crates(seed), tmp_path)
    interp, random = Interpreter(game.machine), Random(seed)  # noqa: S311
    state = interp.start().state
    for _ in range(60):
        state = interp.step(state, random.choice(interp.moves(state))).state

        assert cards_in(game, state) == {0: 3, 1: 1}, state
    compare(game.machine, most=60)


@pytest.mark.parametrize("seed", range(3))
def test_the_solver_moves_cards_as_the_interpreter_does(seed: int, tmp_path: Path) -> None:
    """Z3 takes the same steps, full zones included."""
    game = compiled(crates(seed), tmp_path)
    interp, symbolic = Interpreter(game.machine), SymbolicMachine(game.machine)
    for state in states_of(interp, most=4):
        for move in interp.moves(state)[:3]:
            assert symbolic.check_step(state, move) == one_edge(interp, state, move)


FULL = """
start: game
steps: {game: {}}
clauses:
- {id: a, kind: effect, says: t, on: game, do: "DO"}
"""


@pytest.mark.parametrize("body", [
    "move(c.a, bag, row)\\nmove(c.b, bag, row)\\nmove(c.a, bag, row)",
    "move_all(bag, row)",
    "move_all((k for k in bag if k == c.a), row)",
    "draw(3, bag, row)",
    "put_on_top(c.a, bag, row)\\nput_on_top(c.a, bag, row)\\nput_on_top(c.a, bag, row)",
    "put_on_bottom(c.a, bag, row)\\nput_on_bottom(c.a, bag, row)\\nput_on_bottom(c.a, bag, row)",
])
def test_a_full_pile_is_where_the_model_ends(body: str, tmp_path: Path) -> None:
    """Nothing is called exhaustive that met the capacity of a pile, and the note names it."""
    (tmp_path / "game.yaml").write_text(HEAD + FULL.replace("DO", body), "utf-8")
    report = verify(str(tmp_path), Settings())

    assert any(f"more than 2 {cards}" in f"{each.what} {each.why}"
               for each in report.not_checked for cards in ("cards in `row`", "known cards"))
    assert "exhaustive" not in {each.method for each in report.holds}


def test_a_card_can_be_moved_within_a_full_pile(tmp_path: Path) -> None:
    """Taking it out makes the room that it needs."""
    text = HEAD + FULL.replace("DO", (
        "move(c.a, bag, row)\\nmove(c.b, bag, row)\\nmove(c.a, row, row)\\n"
        "x = draw(row, bag)\\nif x == c.a:\\n  o = 1"))
    game = compiled(text, tmp_path)
    step = Interpreter(game.machine).start()

    assert not step.notes
    assert step.state.values[shape_of(game.machine).offsets["o"]] == 1


@pytest.mark.parametrize("body", [
    "move(c.a, bag, seen)", "move(c.a, seen, bag)", "move_all(seen, bag)", "draw(1, bag, seen)",
    "shuffle(row)", "shuffle_into(bag, row)",
])
def test_cards_go_where_they_can_lie(body: str, tmp_path: Path) -> None:
    """A tally holds no cards that could be moved, and a pile has no order that could be lost."""
    with pytest.raises(SpecErrors) as found:
        compiled(HEAD + FULL.replace("DO", body), tmp_path)

    assert {each.code for each in found.value.diagnostics} == {"RP211"}
