"""Several moves told as one: nothing is lost, nothing is added."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from ruleproof.model.plays.offers import Offer, either, joined

CARDS, PLAYERS = ("Cat", "Dog", "Owl"), ("player 1", "player 2")


def plays(card: str, on: str) -> Offer:
    """Return a move with two things to choose."""
    return Offer(("play",), (("card", (card,)), ("on", (on,))),
                 lambda shown: f"plays {shown['card']} on {shown['on']}")


PASSES = Offer(("pass",), (), lambda _: "passes")


def moves(offer: Offer) -> set[tuple[str, ...]]:
    """Return the moves that an offer stands for."""
    return set(product(*(some for _, some in offer.shown)))


def test_moves_that_differ_in_one_thing_are_told_as_one() -> None:
    """What may be chosen for it is joined by “or”, and then what differs in one other thing."""
    some = [plays("Cat", "player 1"), PASSES, plays("Cat", "player 2"), plays("Dog", "player 1")]
    assert [each.text for each in joined(some)] == [
        "plays Cat on player 1 or player 2", "passes", "plays Dog on player 1"]
    assert [each.text for each in joined([*some, plays("Dog", "player 2")])] == [
        "plays Cat or Dog on player 1 or player 2", "passes"]


@given(st.sets(st.tuples(st.sampled_from(CARDS), st.sampled_from(PLAYERS))))
def test_joined_offers_are_the_same_moves(chosen: set[tuple[str, str]]) -> None:
    """Each move is in just one of the joined offers, and none is in them beside."""
    made = joined([*(plays(*each) for each in sorted(chosen)), PASSES])
    told = [move for each in made if each != PASSES for move in moves(each)]
    assert sorted(told) == sorted(chosen)
    assert sum(each.number for each in made) == len(chosen) + 1


def test_of_many_alternatives_some_are_named() -> None:
    """Of more than four three are named; what has an “and” of its own is set off by commas."""
    assert either(["A"]) == "A"
    assert either(["A", "B", "C", "D"]) == "A, B, C or D"
    assert either(["A", "B", "C", "D", "E"]) == "A, B, C or one of 2 others"
    assert either(["A and B", ""]) == "A and B, or nothing"
