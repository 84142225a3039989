"""Effects on several at the same time: all read the old state, and then all change."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ruleproof.checker.engine.program import Program
from ruleproof.checker.search.explore import Exploration
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.model.plays.board import values_by_name
from ruleproof.model.run.interp import Interpreter
from ruleproof.model.solver.symbolic import SymbolicMachine
from ruleproof.model.source.errors import SpecErrors
from ruleproof.tests.support.agreement import compare
from ruleproof.tests.support.drawn import one_in

SEATS = 3
CLASH = "two players change the same thing at the same time"
SPEC: dict[str, Any] = {
    "game": "chorus", "title": "Chorus", "players": {"count": SEATS},
    "families": {"coin": {"attributes": {}}},
    "cards": {"coin": {"penny": {"copies": 3}, "pound": {"copies": 1}}},
    "zones": {
        "purse": {"holds": "coin", "kind": "bag", "starts": "all"},
        "deck": {"holds": "coin", "kind": "deck"},
        "hand": {"holds": "coin", "kind": "bag", "per": "player"},
        "own": {"holds": "coin", "kind": "deck", "per": "player"},
    },
    "pools": {"dogs": {"capacity": 3, "per": "player", "fields": {"d": "int 0..9"}}},
    "state": {
        "l": {"type": "int 0..12", "per": "player", "start": 2},
        "n": {"type": "int 0..9", "per": "player"},
        "active": {"type": "player", "start": 2}, "top": {"type": "player?"},
        "some": {"type": "players"}, "rang": {"type": "int 0..9"},
    },
    "steps": {"game": {}, "other": {}}, "windows": {"w": {"by": "active"}}, "start": "game",
}


def chorus(folder: Path, body: str, *more: dict[str, Any]) -> Compiled:
    """Compile a game with one body."""
    clauses = [{"id": "go", "kind": "effect", "says": "x", "on": "game", "do": body}, *more]
    (folder / "game.yaml").write_text(json.dumps({**SPEC, "clauses": clauses}), "utf-8")
    return compile_game(load_game(str(folder)))


def ended(compiled: Compiled, *names: str) -> tuple[list[Any], set[str]]:
    """Return the values of some variables in all final states, and what has failed on the way."""
    program = Program(compiled.machine)
    run = Exploration(program)
    result = run.run()
    ends: list[Any] = [values_by_name(compiled.machine, program.unpack(each))
                       for each in run.order if program.kind(each) == "final"]
    failed = {duty.prompt for duty in compiled.machine.obligations if duty.id in result.notes}
    return [[by_seat(end[name], end["l"]) for name in names] for end in ends], failed


def by_seat(value: Any, seats: Any) -> Any:  # noqa: ANN401  (whatever a variable holds)
    """Return what each player has as a list, anything else as it is."""
    return [*value.values()] if isinstance(value, dict) and {*value} == {*seats} else value


def coins(*zones: dict[str, int]) -> dict[str, int]:
    """Count the coins of some zones."""
    return dict(sum((Counter(each) for each in zones), Counter[str]()))


@pytest.mark.parametrize(("body", "name", "end", "failed"), [
    # each gives what he had: what he gets now he does not give on
    ("for p in simultaneously(players):\n  l[next_player(p)] += l[p]\n  l[p] -= l[p]",
     "l", [2, 2, 2], set()),
    # all set from the old values
    ("l[active] = 5\nfor p in simultaneously(players):\n  l[p] = l[next_player(p)]",
     "l", [5, 2, 2], set()),
    # what is only raised adds up
    ("for p in simultaneously(players):\n  l[active] += l[active]", "l", [2, 8, 2], set()),
    # lowered by more than there is: it stops at the bound, once for all
    ("for p in simultaneously(players):\n  l[active] -= 1", "l", [2, 0, 2],
     {"what several change at the same time leaves its range"}),
    # set to one thing by all is no conflict, to several is one: then only the first counts
    ("for p in simultaneously(players):\n  l[active] = 7", "l", [2, 7, 2], set()),
    ("for p in simultaneously(players):\n  n[p] = 1\n  top = p", "n", [1, 0, 0], {CLASH}),
    # to set what was there is no change, whatever others set
    ("for p in simultaneously(players):\n  l[active] = 2 if p == active else 7",
     "l", [2, 7, 2], set()),
    # a record that several add to one pool is not one record of all
    ("for p in simultaneously(players):\n  new(dogs[active], d=0)\n  n[p] = 1",
     "n", [1, 0, 0], {CLASH}),
    # within his own part each sees what he has done
    ("for p in simultaneously(players):\n  l[p] += 1\n  n[p] = l[p]", "n", [3, 3, 3], set()),
    ("for p in simultaneously(players):\n  l[active] += 1\n  n[p] = l[active]",
     "n", [3, 3, 3], set()),
    # a set of players grows by all
    ("for p in simultaneously(others(active)):\n  some |= {p}", "some", [True, False, True], set()),
    # a local from before the loop is put together as well
    ("t = 1\nfor p in simultaneously(players):\n  t += l[p]\n  n[p] = t\nl[active] = t",
     "l", [2, 7, 2], set()),
    ("t = 1\nfor p in simultaneously(players):\n  t += l[p]\n  n[p] = t\nl[active] = t",
     "n", [3, 3, 3], set()),
    # of whom it is said is found out once
    ("for p in simultaneously(argmin(l[q] for q in players)):\n  l[p] -= 1\n  l[active] += 0",
     "l", [1, 1, 1], set()),
    # records of several
    (("for p in simultaneously(players):\n  new(dogs[p], d=size(dogs[next_player(p)]))\n"
     "for p in simultaneously(players):\n  for r in dogs[p]:\n    n[next_player(p)] += r.d + 1"),
     "n", [1, 1, 1], set()),
    # what fails for one is left off for that one
    (("top = active\nfor p in simultaneously(players):\n  n[p] = 1\n  l[active] += 1\n"
     "  q = only({r for r in players if r == top and r != p})\n  n[p] = 2"), "n", [2, 1, 2],
     {"`{r for r in players if r == top and r != p}` is not exactly one player"}),
])
def test_all_read_the_old_state(
    tmp_path: Path, body: str, name: str, end: list[Any], failed: set[str]
) -> None:
    """What comes of a body on several at the same time is what comes of it on the old state."""
    ends, notes = ended(chorus(tmp_path, body), name)

    assert ends == [[end]]
    assert notes == failed


def test_a_card_goes_to_one_only(tmp_path: Path) -> None:
    """Of a card that two take at the same time there is still one, and the second has none."""
    compiled = chorus(tmp_path, "for p in simultaneously(players):\n"
                                "  c = choose(purse, by=p)\n  move(c, purse, hand[p])")
    ends, failed = ended(compiled, "purse", "hand")

    assert failed == {CLASH}
    for purse, hands in ends:
        assert coins(purse, *hands) == {"penny": 3, "pound": 1}
    assert len(ends) == 2**3


def test_nobody_sees_what_the_others_do(tmp_path: Path) -> None:
    """While the others choose, what lies on the table is what lay there before."""
    compiled = chorus(tmp_path, "for p in simultaneously(players):\n"
                                "  c = choose(purse, by=p)\n  l[p] -= 1\n  move(c, purse, hand[p])")
    interp = Interpreter(compiled.machine)
    state = interp.start().state
    seen = set[str]()
    for _ in range(SEATS):
        values = values_by_name(compiled.machine, state)
        seen.add(repr((values["l"], values["purse"], values["hand"])))
        state = interp.take(state, interp.moves(state)[0]).state

    assert len(seen) == 1
    assert interp.final(state)


def test_rules_of_any_time_look_when_all_have_changed(tmp_path: Path) -> None:
    """Such a rule acts once, on what has come of all, and not in between."""
    rule = {"id": "bell", "kind": "effect", "says": "it rings", "timing": "at once",
            "fires": "each time", "whenever": "any(l[p] < 2 for p in players)",
            "do": "rang += count(p for p in players if l[p] < 2)"}
    body = "for p in {}(players):\n  l[p] -= 1"

    assert ended(chorus(tmp_path, body.format("simultaneously"), rule), "rang") == ([[3]], set())
    assert ended(chorus(tmp_path, body.replace("{}(players)", "clockwise(active)"), rule),
                 "rang") == ([[6]], set())


@pytest.mark.parametrize("line", [
    "other()", "w()", "win(p)", "end_game()", "draw(1, deck, hand[p])",
    "for r in dogs[p]:\n    remove(r)",
])
def test_what_only_one_can_do_is_refused(tmp_path: Path, line: str) -> None:
    """What several cannot do at the same time has an error at its place."""
    with pytest.raises(SpecErrors) as caught:
        chorus(tmp_path, f"for p in simultaneously(players):\n  {line}")
    (error,) = caught.value.diagnostics
    assert error.code == "RP211"


LINES = (
    "l[p] -= 1", "l[next_player(p)] += 1", "l[p] = n[next_player(p)]", "n[active] = l[p]",
    "n[p] = l[active] + 1", "top = next_player(p)", "some |= {p}", "some -= {next_player(p)}",
    "if l[p] > n[p]:\n    n[p] += 2", "for q in clockwise(p):\n    l[q] -= n[p]",
    "if size(purse) > 2:\n    move(coin.penny, purse, hand[p])",
    "move_all(hand[next_player(p)], purse)", "new(dogs[next_player(p)], d=l[p])",
    "if may(by=p):\n    n[p] += 1", "draw(1, own[p], hand[p])", ("put = choose(purse, by=p)\n"
    "  move(put, purse, own[p])"),
)


def made_up(seed: int) -> str:
    """Write a body of two loops, each of up to three lines."""
    random = Random(seed)  # noqa: S311
    loops = ["for p in simultaneously({}):\n  {}".format(
        random.choice(("players", "others(active)", "argmax(l[q] for q in players)")),
        "\n  ".join(random.choice(LINES) for _ in range(random.randint(1, 3))))
        for _ in range(2)]
    return "n[active] = 3\n" + "\n".join(loops)


@pytest.mark.parametrize("seed", one_in(2, range(40)))
def test_engines_agree(tmp_path: Path, seed: int) -> None:
    """Compiled code and the interpreter do the same with it, and no card is lost or doubled."""
    compiled = chorus(tmp_path, made_up(seed))
    program = Program(compiled.machine)

    compare(compiled.machine, most=300, program=program)
    ends, _ = ended(compiled, "purse", "hand", "own")
    for purse, hands, own in ends:
        assert coins(purse, *hands, *own) == {"penny": 3, "pound": 1}


@pytest.mark.parametrize("seed", range(0, 40, 8))
def test_the_solver_agrees(tmp_path: Path, seed: int) -> None:
    """So does the solver."""
    compiled = chorus(tmp_path, made_up(seed))
    interp, symbolic = Interpreter(compiled.machine), SymbolicMachine(compiled.machine)
    state = interp.start().state
    for move in () if interp.final(state) else interp.moves(state)[:2]:
        after = symbolic.check_step(state, move)
        assert after is not None


def test_nothing_is_left_of_what_was_put_together(tmp_path: Path) -> None:
    """Whoever had the coins before, they end in one place, and in one state."""
    compiled = chorus(tmp_path, (
        "to = choose(players, by=active)\n"
        "move_all(purse, hand[to])\n"
        "for p in simultaneously(players):\n"
        "  move_all((c for c in hand[p] if c == coin.penny), purse)\n"
        "  move_all((c for c in hand[p] if c == coin.pound), purse)"))
    run = Exploration(Program(compiled.machine))

    assert (run.run().states, len(ended(compiled, "purse")[0])) == (2, 1)
