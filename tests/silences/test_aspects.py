"""Each aspect on a small game: its silence is found, and one that cannot matter raises nothing."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ruleproof.checker.findings.results import Report
from ruleproof.checker.points.points import points_of
from ruleproof.checker.points.silences import silences_of
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import bundled, load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.silences.questions import as_change_list, questions_of
from ruleproof.model.views.silences import decisions
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.games import loaded
from ruleproof.tests.support.places import TESTS

SPEC: dict[str, Any] = {
    "game": "hush", "title": "Hush", "players": {"count": 2},
    "enums": {"hue": ["red", "green", "blue"]},
    "families": {"coin": {"attributes": {"hue": "hue"}}},
    "cards": {"coin": {"penny": {"copies": 2, "hue": "red"},
                       "pound": {"copies": 1, "hue": "blue"}}},
    "zones": {
        "purse": {"holds": "coin", "kind": "deck", "starts": "all"},
        "heap": {"holds": "coin", "kind": "bag"},
        "hand": {"holds": "coin", "kind": "bag", "per": "player", "seen_by": "owner"},
        "shelf": {"holds": "coin", "kind": "bag", "per": "player"},
    },
    "pools": {"dogs": {"capacity": 3, "per": "player",
                       "fields": {"tag": "card coin", "toy": "card coin?"}}},
    "state": {
        "n": {"type": "int 0..9", "per": "player", "start": 1},
        "active": {"type": "player", "start": 1}, "other": {"type": "player", "start": 2},
    },
    "steps": {"game": {}, "step": {}}, "start": "game",
}
MAIN = {"id": "go", "kind": "effect", "says": "the sentence", "on": "game"}
OPEN = {"id": "go", "kind": "effect", "says": "there is time for it", "on": "game", "do": "w()"}
OPTION = {"id": "opt", "kind": "permit", "says": "the sentence", "on": "w", "option": "act"}
FILL = "for p in clockwise(active):\n  draw(1, purse, hand[p])\n"
GOT = "for p in clockwise(active):\n  draw(1, purse, shelf[p])\n"


def spec(*clauses: dict[str, Any], **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Lay clauses and sections over the common ones."""
    merged = {key: {**SPEC[key], **value} if isinstance(value, dict) and key in SPEC else value
              for key, value in more.items()}
    return {**SPEC, **merged, "clauses": list(clauses)}


def once(do: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a game of one sentence."""
    return spec({**MAIN, "do": do, **more})


def option(do: str, before: str = "", **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a game of one window, with an option."""
    return spec({**OPEN, "do": before + "w()"}, {**OPTION, "do": do, **more},
                windows={"w": {"by": "active"}})


def again(do: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a game of one window in which one may act again and again."""
    return spec(OPEN, {**OPTION, "do": do, **more},
                windows={"w": {"by": "active", "repeat": True}})


def asking(number: str, do: str = "n[active] = 5\nstep(active)",
           **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a game of one option that leads to a step in which cards are chosen."""
    return spec(
        OPEN, {**OPTION, "do": do},
        {"id": "s", "kind": "effect", "says": "the cards go away", "on": "step",
         "do": f"c = choose_cards(shelf[who], by=who, {number})\nmove_all(c, shelf[who], heap)",
         **more},
        windows={"w": {"by": "active"}},
        steps={"game": {}, "step": {"params": {"who": "player"}}},
        cards={"coin": {"penny": {"copies": 2, "hue": "red", "abilities": {"act": "step(active)"}},
                        "pound": {"copies": 1, "hue": "blue", "abilities": {"act": "pass"}}}})


def cases(when: str) -> dict[str, Any]:
    """Return a game of two sentences, of which one names two cases, and the other one some."""
    return spec(
        {**MAIN, "do": "c = draw(purse, heap)\nstep(c.hue)"},
        {"id": "some", "kind": "effect", "says": "red and green have their numbers", "on": "step",
         "do": "if hue == red:\n  n[active] = 3\nelif hue == green:\n  n[active] = 5"},
        {"id": "more", "kind": "effect", "says": "so have others", "on": "step", "after": ["some"],
         "when": when, "do": "n[active] = 4"},
        steps={"game": {}, "step": {"params": {"hue": "hue"}}})


def summed(before: str) -> dict[str, Any]:
    """Return a game of two sentences, of which one is for what the cards of a zone give."""
    return spec(
        {**MAIN, "do": before + "n[active] = worth(active)"},
        {"id": "tot", "kind": "define", "says": "cards are worth something", "define": "worth",
         "params": {"p": "player"},
         "value": "sum((1 if c.hue == red else 2) for c in shelf[p])"})


def given(turn: str, turns: str = "turn()\nactive = next_player(active)") -> dict[str, Any]:
    """Return a game of turns in which a card adds to a number that a sentence sets back."""
    gives = {"abilities": {"act": "extra += 1"}}
    return spec(
        {**OPEN, "id": "turns", "do": turns},
        {**OPTION, "id": "some", "do": "n[actor] += 2"},
        {**MAIN, "id": "turn", "on": "turn", "do": turn},
        {**MAIN, "on": "step", "do": "c = draw(purse, shelf[active])\nc.act()\n"
                                     "n[active] += extra\nextra = 0"},
        steps={"game": {}, "turn": {}, "step": {}}, windows={"w": {"by": "active"}},
        state={"extra": {"type": "int 0..5"}},
        cards={"coin": {"penny": {"copies": 4, "hue": "red", **gives},
                        "pound": {"copies": 1, "hue": "blue", **gives}}})


def bounded(most: int) -> dict[str, Any]:
    """Return a game of turns in which a number is not to be larger than one that is given."""
    return spec(
        {**OPEN, "id": "turns", "do": "turn()\nactive = next_player(active)"},
        {**OPEN, "on": "turn"},
        {**OPTION, "id": "more", "do": "n[actor] = 5", "when": "n[actor] == 1"},
        {**OPTION, "id": "less", "option": "less", "do": "n[actor] = 2", "when": "n[actor] == 5"},
        {"id": "most", "kind": "limit", "says": "nobody has more",
         "always": f"all(n[p] <= {most} for p in players)"},
        steps={"game": {}, "turn": {}}, windows={"w": {"by": "active", "repeat": True}})


FOUND: dict[str, tuple[str, str, dict[str, Any]]] = {
    "too few to draw": ("too-few/go", "ambiguity", once("draw(5, purse, hand[active])")),
    "too few to choose from": ("too-few/go", "ambiguity", once(
        GOT + "c = choose_cards(shelf[active], by=active, exactly=2)\n"
        "move_all(c, shelf[active], heap)")),
    "an option without a target": ("too-few/opt", "ambiguity", option(
        "n[active] = 5\nc = choose(heap, by=active)\nmove(c, heap, hand[active])")),
    "a target that a step asks for": ("too-few/opt", "ambiguity", spec(
        OPEN, {**OPTION, "do": "n[active] = 5\nstep(active)"},
        {"id": "s", "kind": "effect", "says": "t", "on": "step",
         "do": "c = choose(shelf[who], by=who)\nmove(c, shelf[who], heap)"},
        windows={"w": {"by": "active"}},
        steps={"game": {}, "step": {"params": {"who": "player"}}})),
    "cards that a step asks for": ("too-few/s", "ambiguity", asking("exactly=1")),
    "less than nothing": ("beyond-bounds/go", "ambiguity", once(
        "n[active] -= 3\nn[other] += 1")),
    "more than there is to give": ("beyond-bounds/go", "ambiguity", once(
        "n[active] -= 3\nn[other] += 3")),
    "all give at once": ("together/go", "order-dependence", once(
        "n[active] = 4\nfor p in players:\n  n[p] = n[next_player(p)]")),
    "all lose at once": ("together/lose", "order-dependence", spec(
        {**MAIN, "id": "lose", "do": "for p in players:\n  n[p] -= 1"},
        {"id": "end", "kind": "outcome", "says": "t", "timing": "at once",
         "whenever": "any(n[p] == 0 for p in players)",
         "do": "win({p for p in players if n[p] > 0})"})),
    "judged late": ("when-judged/go", "ambiguity", once(
        FILL + "n[active] = size(hand[active])")),
    "judged first": ("when-judged/go", "ambiguity", once(
        GOT + "many = size(shelf[active])\nmove_all(shelf[active], heap)\nn[active] += many")),
    "whose choice": ("who-chooses/go", "ambiguity", once(
        GOT + GOT + "c = choose(shelf[active], by=other)\nmove(c, shelf[active], heap)",
        kind="effect")),
    "one who is kept": ("who-chooses/go", "ambiguity", once(
        "c = choose(players, by=active)\nwin(c)")),
    "with oneself": ("with-oneself/opt", "ambiguity", spec(
        OPEN, {**OPTION, "with": {"who": "others(actor)"}, "do": "n[who] = 7"},
        windows={"w": {"by": "active"}})),
    "whose shelf": ("whose/go", "ambiguity", once(
        FILL + "move_all(hand[active], shelf[other])")),
    "what hangs on it": ("the-rest/go", "ambiguity", once(
        "a = draw(purse, shelf[active])\nb = draw(purse, shelf[active])\n"
        "r = new(dogs[active], tag=a, toy=b)\nmove(r.tag, shelf[active], heap)\n"
        "if r.toy != none:\n  move(r.toy, shelf[active], heap)\nremove(r)")),
    "a hue that is not named": ("left-over/go", "gap", once(
        "c = draw(purse, shelf[active])\nif c.hue == red:\n  n[active] = 3\n"
        "elif c.hue == green:\n  n[active] = 5")),
    "all of them together": ("adds-up/tot", "ambiguity", summed(GOT + GOT)),
    "as often as one likes": ("how-often/opt", "ambiguity", again(
        "n[actor] += 1", when="n[actor] < 4")),
    "at another time": ("when/opt", "ambiguity", spec(
        {**OPEN, "do": "w()\nn[active] += 1\nv()"}, {**OPTION, "when": "n[actor] < 4",
                                                   "do": "n[actor] += n[actor]"},
        {**OPTION, "id": "more", "on": "v", "option": "more", "do": "n[actor] += 2"},
        windows={"w": {"by": "active"}, "v": {"by": "active"}})),
    "in a turn of one's own, too": ("when/opt", "ambiguity", spec(
        {**OPEN, "do": "w()\nn[active] += 1\nv()"}, {**OPTION, "do": "n[actor] += n[actor]"},
        {**OPTION, "id": "more", "on": "v", "option": "more", "do": "n[actor] += 2"},
        windows={"w": {"who": "{p for p in players}", "order": "clockwise"},
                 "v": {"by": "active"}})),
    "for all of the turn": ("how-long/go", "ambiguity", given("step()\nstep()\nw()")),
    "too many for a moment": ("how-binding/most", "ambiguity", bounded(4)),
    "in the middle of it": ("when-it-ends/end", "ambiguity", spec(
        {**MAIN, "do": "n[active] = 3\nn[other] = 4"},
        {"id": "end", "kind": "outcome", "says": "the sentence", "timing": "at once",
         "whenever": "n[active] == 3", "do": "win({p for p in players if n[p] >= 3})"})),
    "in the middle of it, by a step": ("when-it-ends/end", "ambiguity", spec(
        {**MAIN, "do": "n[active] = 3\nn[other] = 4"},
        {"id": "end", "kind": "outcome", "says": "the sentence", "timing": "at once",
         "whenever": "n[active] == 3", "do": "step()"},
        {"id": "s", "kind": "outcome", "says": "t", "on": "step",
         "do": "win({p for p in players if n[p] >= 3})"})),
}
"""Silences that matter: the point, the class of the finding, the game."""

DECOYS: dict[str, tuple[str, dict[str, Any]]] = {
    "enough to draw": ("too-few", once("draw(2, purse, hand[active])")),
    "one card": ("too-few", once("draw(1, purse, hand[active])")),
    "to choose none of none": ("too-few", once(
        "c = choose_cards(heap, by=active, exactly=2)\nmove_all(c, heap, shelf[active])")),
    "a number made of what is there": ("too-few", once(
        GOT + "c = choose_cards(shelf[active], by=active, exactly=size(shelf[active]))\n"
        "move_all(c, shelf[active], heap)")),
    "a target that is always there": ("too-few", option(
        "c = choose(coin, by=active)\nn[active] = 2")),
    "a target that is known only on the way": ("too-few", spec(
        {**OPEN, "do": "draw(1, purse, shelf[active])\nw()"},
        {**OPTION, "do": "other = active\nstep()"},
        {"id": "s", "kind": "effect", "says": "t", "on": "step",
         "do": "c = choose(shelf[other], by=active)\nmove(c, shelf[other], heap)"},
        windows={"w": {"by": "active"}})),
    "none are asked for": ("too-few", spec(
        {**OPEN, "do": "draw(1, purse, shelf[active])\nw()"},
        {**OPTION, "do": "step()"},
        {"id": "s", "kind": "effect", "says": "t", "on": "step",
         "do": "c = choose_cards(shelf[other], by=active, at_least=0)\n"
               "move_all(c, shelf[other], heap)"},
        windows={"w": {"by": "active"}})),
    "enough to lose": ("beyond-bounds", once("n[active] -= 1")),
    "each his own": ("together", once("for p in players:\n  n[p] = 2")),
    "in a stated order": ("together", once(
        "for p in clockwise(active):\n  n[p] = n[next_player(p)] + 1")),
    "who is meant": ("when-judged", once(
        "w = only(argmax(n[p] for p in players))\nn[active] = 4\nn[w] = 2")),
    "whether the game is over": ("when-judged", once(
        "n[active] = 4\nif n[active] == 1:\n  end_game()\nelif n[active] == 4:\n  win(active)")),
    "nothing has changed it": ("when-judged", once("n[active] = 4\nn[other] = size(heap)")),
    "his own choice": ("who-chooses", once(
        GOT + "c = choose(shelf[active], by=active)\nmove(c, shelf[active], heap)")),
    "each his own, at once": ("who-chooses", spec(
        {**OPEN, "do": FILL + "for p in simultaneously(players):\n  c = choose(hand[p], by=p)\n"
                              "  move(c, hand[p], shelf[p])\nw()"},
        {**OPTION, "do": "n[actor] = 4"}, windows={"w": {"by": "active"}})),
    "before there is a self": ("with-oneself", once(
        "for p in players:\n  n[p] = 3", kind="setup")),
    "his own shelf": ("whose", once(FILL + "move_all(hand[active], shelf[active])")),
    "a shelf before anybody acts": ("whose", spec(
        {**MAIN, "do": "c = draw(purse, heap)\nmove(c, heap, shelf[other])", "kind": "setup"},
        {**OPEN, "id": "later", "after": ["go"]}, windows={"w": {"by": "active"}})),
    "a pile for each hue": ("whose", spec(
        {**MAIN, "do": FILL + "move_all(hand[active], pile[red])"},
        zones={"pile": {"holds": "coin", "kind": "bag", "per": "hue"}})),
    "nothing hangs on it": ("the-rest", once(
        "a = draw(purse, shelf[active])\nr = new(dogs[active], tag=a)\n"
        "move(r.tag, shelf[active], heap)\nremove(r)")),
    "the last hue is named before": ("left-over", once(
        "c = draw(purse, shelf[active])\nif c.hue == blue:\n  n[active] = 4\n"
        "if c.hue == red:\n  n[active] = 3\nelif c.hue == green:\n  n[active] = 5")),
    "the last hue is named by another sentence": ("left-over", cases("hue == blue")),
    "all other hues are named by another sentence": ("left-over", cases("hue != red")),
    "all hues are named": ("left-over", once(
        "c = draw(purse, shelf[active])\nif c.hue == red:\n  n[active] = 3\n"
        "elif c.hue == green:\n  n[active] = 5\nelif c.hue == blue:\n  n[active] = 4")),
    "at a time of somebody else": ("when", spec(
        {**OPEN, "do": "w()\nn[active] += 1\nv()"}, {**OPTION, "do": "n[actor] += n[actor]"},
        {**OPTION, "id": "more", "on": "v", "option": "more", "do": "n[actor] += 2"},
        windows={"w": {"by": "active"}, "v": {"by": "other"}})),
    "where it is offered as well": ("when", spec(
        {**OPEN, "do": "w()\nn[active] += 1\nv()"}, {**OPTION, "do": "n[actor] += n[actor]"},
        {**OPTION, "id": "more", "on": "v", "do": "n[actor] += 2"},
        windows={"w": {"by": "active"}, "v": {"by": "active"}})),
    "while it is done": ("when", spec(
        {**OPEN, "do": "w()"}, {**OPTION, "do": "n[actor] += n[actor]\nv()"},
        {**OPTION, "id": "more", "on": "v", "option": "more", "do": "n[actor] += 2",
         "stated": {"when": "the sentence"}},
        windows={"w": {"by": "active"}, "v": {"by": "active"}})),
    "a ban comes along": ("when", spec(
        {**OPEN, "do": "w()\nn[active] += 1\nv()"}, {**OPTION, "do": "n[actor] += n[actor]"},
        {"id": "ban", "kind": "forbid", "says": "t", "on": "w.act", "when": "n[actor] > 1"},
        {**OPTION, "id": "more", "on": "v", "option": "more", "do": "n[actor] += 2",
         "stated": {"when": "the sentence"}},
        windows={"w": {"by": "active"}, "v": {"by": "active"}})),
    "there is but one": ("adds-up", summed(GOT)),
    "a window that opens once": ("how-often", option("n[actor] += 1")),
    "it can be done once": ("how-often", again("n[actor] = 4", when="n[actor] < 4")),
    "at the end of a turn": ("how-long", given("w()\nstep()")),
    "before the turns": ("how-long", given(
        "c = draw(purse, shelf[active])\nc.act()\nw()\nn[active] += extra",
        "step()\nwhile n[active] < 4:\n  turn()\n  active = next_player(active)\n"
        "  while n[active] == 3:\n    active = next_player(active)")),
    "never too many": ("how-binding", bounded(5)),
    "nothing comes after it": ("when-it-ends", spec(
        {**MAIN, "do": "n[active] = 3"},
        {"id": "end", "kind": "outcome", "says": "t", "timing": "at once",
         "whenever": "n[active] == 3", "do": "win(active)"})),
}
"""What looks like a silence and cannot matter: the aspect, the game."""


@cache
def checked(text: str, folder: Path) -> Report:
    """Verify a game."""
    (folder / "game.yaml").write_text(text, "utf-8")
    return verify(str(folder), Settings(), only=(
        "ambiguity", "order-dependence", "gap", "contradiction"))


@pytest.mark.parametrize("name", FOUND)
def test_a_silence_is_found(name: str, tmp_path: Path) -> None:
    """It is in its class, and the finding names its sentence."""
    point, cls, game = FOUND[name]
    found = {f.open_point: f for f in checked(json.dumps(game), tmp_path).everything}

    assert point in found
    assert found[point].cls == cls
    assert found[point].clauses == (point.split("/")[1],)
    assert found[point].evidence.replayed
    assert len(found[point].readings) > 1


LEADER = {"leader": {"type": "player", "start": 1}}
TURNS = {"v": {"who": "players", "order": "clockwise", "from": "leader", "each": "once"}}


@pytest.mark.parametrize(("do", "state", "windows", "others"), [
    ("n[leader] = choose(range(1, 3), by=leader)", LEADER, TURNS, ["the active player",
                                                                   "the other"]),
    ("n[leader] = choose(range(1, 3), by=leader)", {
        **LEADER, "active": {"type": "player", "start": 1, "internal": True},
        "other": {"type": "player?"}}, TURNS, []),
    ("leader = choose(players, by=active)", LEADER, {}, ["the other"]),
    ("for p in players:\n  n[p] = choose(range(1, 3), by=p)", LEADER, TURNS, []),
    ("n[leader] = choose(range(1, 3), by=next_player(leader))", LEADER, TURNS, [
        "the active player", "the other"]),
    ("n[leader] = choose(range(1, 3), by=leader)", LEADER, {"v": {"by": "active"}}, [
        "the player whose turn it is"])])
def test_where_nobody_acts_one_who_is_kept_may_choose(
    do: str, state: dict[str, Any], windows: dict[str, Any], others: list[str], tmp_path: Path
) -> None:
    """Not one who is none at times, or internal, or chosen; with nobody else there is a line."""
    game = spec({**MAIN, "do": f"v()\n{do}" if windows else do},
                {**OPTION, "on": "v"}, state={**SPEC["state"], **state}, windows=windows)
    if not windows:
        del game["clauses"][1]
    (tmp_path / "game.yaml").write_text(json.dumps(game), "utf-8")
    (line,) = [each for each in decisions(load_game(str(tmp_path)))
               if each.aspect == "who-chooses" and each.clause == "go"]

    assert list(line.others) == others
    assert line.status == "silent"
    assert bool(line.point) == bool(others)


@pytest.mark.parametrize(("aspect", "do", "asked"), [
    ("the-rest", ("r = new(dogs[active], tag=a, toy=b, other_toy=b)\nremove(r)\n"
     "move(r.tag, shelf[active], heap)\nmove(r.toy, shelf[active], heap)\n"
     "move(r.other_toy, shelf[active], heap)"), "what becomes of its toy and other toy"),
    ("whose", "move(a, shelf[active], hand[other])",
     "whose hand is meant, as each player has that"),
    ("whose", "move_all(hand[active], shelf[other])",
     "whose pearls are meant, as each player has that"),
    ("beyond-bounds", "n[active] -= 2", "what if that takes away more than is left of the n")])
def test_a_question_names_what_it_is_about(
    aspect: str, do: str, asked: str, tmp_path: Path
) -> None:
    """What is attached to a thing, and the number that is not enough, stand in the question."""
    dogs = {**SPEC["pools"]["dogs"]["fields"], "other_toy": "card coin?"}
    drawn = "a = draw(purse, shelf[active])\nb = draw(purse, shelf[active])\n"
    game = spec({**MAIN, "do": drawn + do},
                pools={"dogs": {**SPEC["pools"]["dogs"], "fields": dogs}},
                titles={"shelf": "pearls"})
    (tmp_path / "game.yaml").write_text(json.dumps(game), "utf-8")
    (asks,) = {point.asks for point in silences_of(load_game(str(tmp_path)))
               if point.id.startswith(f"{aspect}/")}

    assert asks == f"the sentence: {asked}"


@pytest.mark.parametrize("name", DECOYS)
def test_a_silence_that_cannot_matter_raises_nothing(name: str, tmp_path: Path) -> None:
    """No finding is about the aspect."""
    aspect, game = DECOYS[name]
    found = [f.open_point for f in checked(json.dumps(game), tmp_path).everything]

    assert [point for point in found if (point or "").startswith(f"{aspect}/")] == []


@pytest.mark.parametrize("name", one_in(2, FOUND))
def test_a_mark_makes_no_finding_of_it_and_does_not_delete_it(name: str, tmp_path: Path) -> None:
    """What words decide is told with the words, where the readings differ."""
    point, _, game = FOUND[name]
    aspect, clause = point.split("/")
    words = next(c["says"] for c in game["clauses"] if c["id"] == clause)
    clauses = [{**c, "stated": {aspect: words}} if c["id"] == clause else c
               for c in game["clauses"]]
    report = checked(json.dumps({**game, "clauses": clauses}), tmp_path)

    assert point not in {f.open_point for f in report.everything}
    assert [h.what for h in report.holds if h.clause == clause
            and h.what.startswith(f"decided by its words ({words})")]
    assert report.coverage.marked


@pytest.mark.parametrize("name", ["a shelf before anybody acts", "a pile for each hue",
                                  "before the turns", "each his own, at once"])
def test_what_is_nobodys_is_not_asked(name: str, tmp_path: Path) -> None:
    """Whose a zone of nobody is; how long, where no turn is; who, where all choose at once."""
    aspect, game = DECOYS[name]
    (tmp_path / "game.yaml").write_text(json.dumps(game), "utf-8")

    assert aspect not in {each.aspect.name for each in questions_of(load_game(str(tmp_path)))}


@pytest.mark.parametrize(("mark", "asked"), [({}, True), ({"internal": True}, False)])
def test_the_order_of_bookkeeping_is_not_asked(
    mark: dict[str, object], tmp_path: Path, *, asked: bool
) -> None:
    """Which of two clauses comes first is a question only if both are sentences of the book."""
    game = spec({**MAIN, "do": "n[active] = 3"},
                {**MAIN, "id": "keep", "do": "n[active] = 4", **mark})
    (tmp_path / "game.yaml").write_text(json.dumps(game), "utf-8")
    points = points_of(compile_game(load_game(str(tmp_path))))

    assert ("order/go/keep" in {point.id for point in points}) == asked


@pytest.mark.parametrize("mark", [{"internal": True}, {"assumed": ["together"]}])
def test_what_is_no_matter_of_the_book_is_not_asked(
    mark: dict[str, object], tmp_path: Path
) -> None:
    """Bookkeeping, and what is assumed of cards, raise neither a finding nor a line."""
    _, _, game = FOUND["all give at once"]
    clauses = [{**c, **mark} for c in game["clauses"]]
    report = checked(json.dumps({**game, "clauses": clauses}), tmp_path)

    assert "together/go" not in str(report)
    assert report.coverage.silences == 0


def test_differences_in_internal_things_are_none(tmp_path: Path) -> None:
    """A difference in a variable that is bookkeeping is none of the game."""
    _, _, game = FOUND["all give at once"]
    state = {**game["state"], "n": {**game["state"]["n"], "internal": True}}
    report = checked(json.dumps({**game, "state": state}), tmp_path)

    assert "together/go" not in {f.open_point for f in report.everything}


def test_siblings_are_one_question(tmp_path: Path) -> None:
    """The same construct in several clauses is one finding that names all of them."""
    more = [{**OPTION, "id": f"opt{place}", "option": f"act {place}",
             "do": f"n[active] = {place}\nc = choose(heap, by=active)\nmove(c, heap, hand[active])"}
            for place in range(2, 5)]
    game = spec(OPEN, *more, windows={"w": {"by": "active"}})
    found = [f for f in checked(json.dumps(game), tmp_path).everything
             if (f.open_point or "").startswith("too-few/")]

    assert [f.clauses for f in found] == [("opt2", "opt3", "opt4")]


def bound_to_fail(bound: int, **marks: str) -> str:
    """Write a game with three like sentences, of which one alone may find nothing to choose."""
    more = [{**OPTION, "id": f"opt{place}", "option": f"act {place}",
             "says": f"this is act {place}", **{mark: {"too-few": text.format(place)}
                                                for mark, text in marks.items()},
             "do": f"n[active] = {place}\nc = choose({zone}[active], by=active)\n"
                   f"move(c, {zone}[active], heap)"}
            for place in range(1, 4) for zone in ("hand" if place == bound else "shelf",)]
    return json.dumps(spec({**OPEN, "do": GOT + "w()"}, *more, windows={"w": {"by": "active"}}))


@pytest.mark.parametrize("bound", [1, 2, 3])
def test_one_question_is_named_after_the_sentence_that_its_witness_shows(
    bound: int, tmp_path: Path
) -> None:
    """Of siblings, the title is that of the one that the play is about.

    In the others there always is something to choose, so nothing is open there.
    """
    (found,) = (f for f in checked(bound_to_fail(bound), tmp_path).everything
                if (f.open_point or "").startswith("too-few/"))

    assert found.clauses == (f"opt{bound}",)
    assert found.id.endswith(f"/too-few-opt{bound}")
    assert found.title.startswith(f"This is act {bound}: ")


@pytest.mark.parametrize("bound", [1, 3])
def test_what_is_decided_is_told_of_the_sentence_that_its_witness_shows(
    bound: int, tmp_path: Path
) -> None:
    """Of siblings whose words all decide, with the words of the one that the play is about."""
    report = checked(bound_to_fail(bound, stated="act {}"), tmp_path)
    (told,) = (one for one in report.holds if one.kind == "decided")

    assert told.clause == f"opt{bound}"
    assert told.what.startswith(f"decided by its words (act {bound}): “this is act {bound}: ")
    assert "; under “" in told.what


def test_two_that_are_stated_to_come_first_contradict_each_other(tmp_path: Path) -> None:
    """Two marks that claim the same place are a contradiction and no settlement."""
    def first(name: str, value: int) -> dict[str, Any]:
        return {"id": name, "kind": "effect", "says": "first of all", "on": "game",
                "do": f"n[active] = n[active] * 2 + {value}", "stated": {"order": "first of all"}}

    report = checked(json.dumps(spec(first("a", 1), first("b", 2))), tmp_path)
    one = spec(first("a", 1), {**first("b", 2), "stated": {}})
    other = tmp_path / "one"
    other.mkdir()

    assert [f.cls for f in report.everything if f.open_point == "order/a/b"] == ["contradiction"]
    assert "order/a/b" not in {f.open_point for f in checked(json.dumps(one), other).everything}


@pytest.mark.parametrize("name", [*bundled(), str(TESTS / "specs" / "stall")])
def test_answers_are_sentences(name: str) -> None:
    """An answer to a derived question holds no expression and no name of the spec."""
    titles = {title for question in questions_of(loaded(name)) for _, title in question.readings}

    assert not [title for title in titles if re.search(r"[`_=\[\](){}]|\b\w+\.\w+\b", title)]


def ways_of(game: dict[str, Any], folder: Path) -> tuple[Any, dict[str, Any]]:
    """Return the only question of a game about too few, and what each answer changes."""
    (folder / "game.yaml").write_text(json.dumps(game), "utf-8")
    made = load_game(str(folder))
    (asked,) = (each for each in questions_of(made) if each.aspect.name == "too-few")
    return asked, {reading: as_change_list(made, asked, reading).get("changes", {})
                   for reading, _ in asked.readings}


@pytest.mark.parametrize(("do", "when"), [
    ("n[active] = 5\nstep(active)", "size(shelf[active]) >= 2"),
    ("shelf_of = other\nstep(shelf_of)", ""),
    ("move_all(shelf[active], heap)\nstep(active)", ""),
    ("this_one.act()", "implies(this_one == coin.penny, size(shelf[active]) >= 2)"),
    ("this_one = coin.pound\nthis_one.act()", ""),
])
def test_what_leads_to_a_shortage_may_be_not_allowed(do: str, when: str, tmp_path: Path) -> None:
    """That is an answer if it can be foreseen, also where the text of a card leads there."""
    state = {"this_one": {"type": "card coin", "start": "penny"}}
    asked, ways = ways_of(asking("exactly=2", do) | {"state": {**SPEC["state"], **state}}, tmp_path)

    assert asked.id == "too-few/s"
    assert asked.adopted == "as-many"
    for reading, _ in asked.readings:
        assert compile_game(load_game(str(tmp_path), Settings(rulings=((asked.id, reading),))))
    assert ways.get("not-allowed") == ({"opt": {"when": when}} if when else None)


@pytest.mark.parametrize(("number", "mark", "adopted"), [
    ("at_least=1", {}, "not-allowed"),
    ("at_least=2", {}, "not-allowed"),
    ("exactly=1", {}, "nothing"),
    ("exactly=2", {}, "as-many"),
    ("exactly=2", {"stated": {"too-few": "go away"}}, "nothing"),
    ("at_least=1", {"stated": {"too-few": "go away"}}, "nothing"),
    ("at_least=1", {"internal": ["too-few"]}, "nothing"),
])
def test_at_least_so_many_is_stated(
    number: str, mark: dict[str, Any], adopted: str, tmp_path: Path
) -> None:
    """What leads to at least so many is not done with fewer; else as many go as there are."""
    asked, _ = ways_of(asking(number, **mark), tmp_path)
    game = load_game(str(tmp_path))
    ruled = load_game(str(tmp_path), Settings(rulings=(("too-few/s", "nothing"),)))
    barred, free = (next(c.when for c in each.clauses if c.id == "opt") for each in (game, ruled))

    assert asked.adopted == adopted
    assert (barred is not None) == (adopted == "not-allowed")
    assert free is None


def test_what_is_stated_so_is_played_and_told(tmp_path: Path) -> None:
    """The games that are looked at are played so, and the report says by what it is decided."""
    game = asking("at_least=1", "n[active] = 5\nstep(p)")
    opened, taken, asked = game["clauses"]
    report = checked(json.dumps({**game, "clauses": [
        {**opened, "do": f"draw(1, purse, shelf[other])\n{opened['do']}"},
        {**taken, "with": {"p": "players"}}, asked]}), tmp_path)

    assert "too-few" not in str(report.findings)
    assert [each.what for each in report.holds if each.what.startswith(
        "decided by the least number that the sentence asks for")]


TERM = {"id": "rich", "kind": "define", "says": "who holds three is rich", "define": "rich",
        "params": {"p": "player"}, "value": "size(hand[p]) >= 3"}
LATE = {**MAIN, "do": FILL + "if rich(active):\n  n[active] = 5"}


@pytest.mark.parametrize(("game", "asks"), [
    (FOUND["an option without a target"][2], ": may this be done without a target"),
    (FOUND["too few to draw"][2], ": what if there are too few, or none"),
    (spec(TERM, LATE), "who holds three is rich: is this judged as the effect begins"),
])
def test_a_silence_asks_about_what_it_is(
    game: dict[str, Any], asks: str, tmp_path: Path
) -> None:
    """An option without a target, too few cards, and a term that is judged have their questions."""
    (tmp_path / "game.yaml").write_text(json.dumps(game), "utf-8")

    assert any(asks in point.asks for point in silences_of(load_game(str(tmp_path))))


@pytest.mark.parametrize("asked", [True, False])
def test_how_often_is_asked_apart_of_what_somebody_asks_about(
    asked: bool, tmp_path: Path,  # noqa: FBT001
) -> None:
    """Two options of which a declared point is about one are two questions; else they are one."""
    more = {**OPTION, "id": "more", "option": "more", "do": "n[active] += 1"}
    game = spec(OPEN, {**OPTION, "do": "n[active] += 1"}, more, windows={
        "w": {"by": "active", "repeat": True}}, **({"open_points": [{
            "id": "p", "clauses": ["more"], "asks": "how often", "readings": [
                {"id": "a", "title": "often", "changes": {}},
                {"id": "b", "title": "seldom", "drop": ["more"]}]}]} if asked else {}))
    (tmp_path / "game.yaml").write_text(json.dumps(game), "utf-8")
    points = [point.clauses for point in silences_of(load_game(str(tmp_path)))
              if point.id.startswith("how-often/")]

    assert points == ([("opt",), ("more",)] if asked else [("opt", "more")])


def test_the_end_is_asked_about_once(tmp_path: Path) -> None:
    """A rule that does not say when it ends the game is one question, whichever way it is ruled."""
    game = spec({**MAIN, "do": "n[active] = 3"}, {
        "id": "end", "kind": "outcome", "says": "t", "whenever": "n[active] == 3",
        "fires": "each time", "do": "win(active)"}, rulings=[
            {"point": "timing/end", "reading": "after-the-step", "why": "ours"}])
    (tmp_path / "game.yaml").write_text(json.dumps(game), "utf-8")
    loaded_game = load_game(str(tmp_path))
    points = [*points_of(compile_game(loaded_game)), *silences_of(loaded_game)]

    assert [point.id for point in points if "end" in point.clauses] == ["timing/end"]


ROUND = "for p in simultaneously(players):\n  move_all(shelf[p], shelf[next_player(p)])"


@pytest.mark.parametrize(("says", "do", "aspect", "decided"), [
    ("each other player gets a coin", "n[active] += 1\nfor p in others(active):\n  n[p] = 5",
     "with-oneself", True),
    ("all the rest get a coin", "n[active] += 1\nfor p in others(active):\n  n[p] = 5",
     "with-oneself", False),
    ("no other coin is given to anybody", "n[active] += 1\nfor p in players:\n  n[p] = 5",
     "with-oneself", False),
    ("all give at the same time", ROUND, "together", True),
    ("all give", ROUND, "together", False),
])
def test_plain_words_of_a_sentence_decide(
    says: str, do: str, aspect: str, *, decided: bool, tmp_path: Path
) -> None:
    """That one is left out, or that it is for all at once, is stated then without a mark."""
    game = spec({**MAIN, "do": "step()"}, {**MAIN, "id": "s", "on": "step", "says": says, "do": do},
                {**OPTION, "do": "n[actor] = 3"}, windows={"w": {"by": "active"}})
    (tmp_path / "game.yaml").write_text(json.dumps(game), "utf-8")
    (line,) = [each for each in decisions(load_game(str(tmp_path))) if each.aspect == aspect]

    assert (line.status == "stated") == decided


def test_who_is_found_out_in_the_body_is_one_who_chooses(tmp_path: Path) -> None:
    """Somebody else who is kept may choose for that one; each of several chooses alone."""
    lowest = "low = only(argmin(n[p] for p in players))\nn[low] = choose(range(1, 4), by=low)"
    each = "for p in clockwise(active):\n  n[p] = choose(range(1, 4), by=p)"
    found: dict[str, list[int]] = {}
    for name, do in (("lowest", lowest), ("each", each)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "game.yaml").write_text(json.dumps(once(do)), "utf-8")
        found[name] = [len(line.others) for line in decisions(load_game(str(folder)))
                       if line.aspect == "who-chooses"]

    assert found == {"lowest": [2], "each": [0]}
