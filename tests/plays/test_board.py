"""States in words: what is shown comes back, and what is hidden stays hidden."""

import hashlib
import json
import re

import pytest

from ruleproof.model.machine.machine import Domain, Machine
from ruleproof.model.machine.state import Move, State
from ruleproof.model.plays.board import (
    canonical_json,
    from_values,
    state_hash,
    values_by_name,
    view,
)
from ruleproof.model.run.interp import Interpreter
from ruleproof.tests.support.machines import Builder, all_machines
from ruleproof.tests.support.walks import states_of

MACHINES = all_machines()


@pytest.mark.parametrize("name", MACHINES)
def test_states_come_back_from_json(name: str) -> None:
    """Writing a state as JSON text and reading it gives the same state."""
    machine = MACHINES[name]
    names = {node.id: node.name for node in machine.nodes}
    for state in states_of(Interpreter(machine)):
        text = canonical_json(values_by_name(machine, state))

        assert from_values(machine, names[state.node], json.loads(text)) == state


def all_kinds() -> Machine:
    """Make a machine with a value of every kind."""
    game = Builder("kinds")
    colour = Domain("enum:colour", 0, 1, ("red", "blue"))
    game.array("lit", domain=Domain("bool", 0, 1), start=1)
    game.array("count", low=-2, high=4, start=-1)
    game.array("maybe", low=-1, high=4, start=-1, domain=Domain("int", 0, 4))
    game.array("colour", low=-1, high=1, start=-1, domain=colour)
    game.array("first", low=-1, high=1, start=1, domain=Domain("player", 0, 1))
    game.array("secret", high=4, start=3, seen_by="none")
    game.array("bid", (2,), high=4, start=(1, 2), axes=[Domain("player", 0, 1)], seen_by="owner")
    game.array("grid", (2, 2), high=4, start=(1, 2, 3, 4))
    game.array("lost", (2,), high=4, start=(1, 2), seen_by="owner")
    game.array(
        "hand",
        (2, 2),
        high=4,
        start=(1, 0, 2, 2),
        axes=[Domain("player", 0, 1), colour],
        zone="bag",
        seen_by="owner",
    )
    game.array("deck", (2,), high=4, start=(1, 4), axes=[colour], zone="deck", seen_by="none")
    game.array(
        "piles",
        (2, 2),
        low=-1,
        high=1,
        start=(1, 0, -1, -1),
        domain=colour,
        axes=[colour, Domain("int", 1, 2)],
        zone="pile",
        seen_by="none",
    )
    game.node("turn", "decide")
    return game.machine()


START = State(0, (1, -1, -1, -1, 1, 3, 1, 2, 1, 2, 3, 4, 1, 2, 1, 0, 2, 2, 1, 4, 1, 0, -1, -1))


def test_every_kind_of_value_is_shown_by_name() -> None:
    """Truth values, numbers, names and `none`, in scalars, arrays and zones."""
    assert values_by_name(all_kinds(), START) == {
        "lit": True,
        "count": -1,
        "maybe": None,
        "colour": None,
        "first": "Bob",
        "secret": 3,
        "bid": {"Ann": 1, "Bob": 2},
        "grid": [[1, 2], [3, 4]],
        "lost": [1, 2],
        "hand": {"Ann": {"red": 1}, "Bob": {"red": 2, "blue": 2}},
        "deck": {"red": 1, "blue": 4},
        "piles": {"red": ["blue", "red"], "blue": []},
    }


def test_a_seat_sees_its_own_cards_and_the_size_of_the_others() -> None:
    """Other hands and hidden zones show their size only; hidden values nothing."""
    seen = view(all_kinds(), START, 0)

    assert seen["hand"] == {"Ann": {"red": 1}, "Bob": {"size": 4}}
    assert seen["bid"] == {"Ann": 1, "Bob": "hidden"}
    assert seen["deck"] == {"size": 5}
    assert seen["piles"] == {"red": {"size": 2}, "blue": {"size": 0}}
    assert (seen["secret"], seen["lost"]) == ("hidden", "hidden")
    assert seen["count"] == -1


def test_what_is_hidden_does_not_change_a_view() -> None:
    """Two states that differ in the other hand only look the same."""
    machine = all_kinds()
    values = list(START.values)
    values[16:18] = [3, 1]

    assert view(machine, State(0, tuple(values)), 0) == view(machine, START, 0)
    assert state_hash(machine, State(0, tuple(values))) != state_hash(machine, START)


def test_the_hash_is_of_the_canonical_form() -> None:
    """The published hash can be computed from the text alone."""
    machine = MACHINES["jugs"]
    state = Interpreter(machine).step(State(0, (0, 0)), Move(0)).state

    assert canonical_json(values_by_name(machine, state)) == '{"big":5,"small":0}'
    text = b'{"node":"table","values":{"big":5,"small":0}}'
    assert state_hash(machine, state) == hashlib.sha256(text).hexdigest()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"litt": True}, "unknown name `litt`, did you mean `lit`?"),
        ({"lit": "red"}, "unknown value of `lit` `red`"),
        ({"count": True}, "`count` is no truth value"),
        ({"count": 5}, "`count` must be -2 to 4, not 5"),
        ({"count": 0.5}, "`count` must be a name or a number"),
        ({"secret": None}, "`secret` must be 0 to 4, not -1"),
        ({"colour": "rad"}, "unknown value of `colour` `rad`, did you mean `red`?"),
        ({"bid": {"Ann": 1}}, "`bid` has no entry for `Bob`"),
        ({"bid": [1, 2]}, "`bid` must be an object"),
        ({"bid": {"Ann": 1, "Bobb": 1}}, "unknown entry of `bid` `Bobb`, did you mean `Bob`?"),
        ({"grid": [[1, 2]]}, "`grid` must have 2 entries, not 1"),
        ({"deck": {"red": True}}, "`deck.red` must be a number of cards"),
        ({"deck": {"red": 9}}, "`deck.red` must be 0 to 4, not 9"),
    ],
)
def test_mistakes_in_a_state_are_named(change: dict[str, object], message: str) -> None:
    """Each mistake is a ValueError that says what is wrong where."""
    machine = all_kinds()

    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        from_values(machine, "turn", values_by_name(machine, START) | change)


def test_nothing_may_be_missing() -> None:
    """A state names every array, and a node that there is."""
    machine = all_kinds()

    with pytest.raises(ValueError, match="`lit` is missing"):
        from_values(machine, "turn", {})
    with pytest.raises(ValueError, match="unknown node `turm`, did you mean `turn`"):
        from_values(machine, "turm", {})
