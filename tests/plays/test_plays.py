"""Plays as documents: what is written replays, and what was tampered with does not."""

import copy
import json
import random
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from ruleproof.checker.positions.replays import check_position, perft_from
from ruleproof.checker.seats import Kind, Thinker
from ruleproof.model.lowering.compile import Compiled
from ruleproof.model.machine.core import Const, Local
from ruleproof.model.machine.machine import Domain, Machine, Param
from ruleproof.model.machine.state import Move, State
from ruleproof.model.plays.board import state_hash, values_by_name, view
from ruleproof.model.plays.documents import DocumentError, settings_json
from ruleproof.model.plays.knowledge import Knowledge, alike, guess, seen
from ruleproof.model.plays.moves import (
    NoSuchMove,
    choice_of,
    describe_move,
    describe_option,
    edge_of,
    move_from,
    move_json,
)
from ruleproof.model.plays.plays import record, replay, why_not
from ruleproof.model.plays.wording import many, numbers, third_person
from ruleproof.model.run.interp import Interpreter
from ruleproof.tests.support.little import DUEL, JUGS, compiled
from ruleproof.tests.support.machines import Builder, cards, ints, load, op, seats, spiral, store

Doc = dict[str, Any]


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    """Return a little card game for two."""
    return compiled(tmp_path_factory.mktemp("duel"), DUEL)


def walk(game: Compiled, seed: int, most: int = 60) -> list[tuple[State, Move]]:
    """Play at random."""
    interp, rng = Interpreter(game.machine), random.Random(seed)  # noqa: S311
    state, taken = interp.start().state, list[tuple[State, Move]]()
    while not interp.final(state) and len(taken) < most:
        move = rng.choice(interp.moves(state))
        taken.append((state, move))
        state = interp.step(state, move).state
    return taken


def played(game: Compiled, seed: int = 1) -> Doc:
    """Write a random play, as it comes out of a file."""
    doc: Doc = json.loads(json.dumps(record(game, [move for _, move in walk(game, seed)])))
    return doc


# ------------------------------------------------------------------------------------ moves


@pytest.mark.parametrize("seed", range(8))
def test_a_move_is_read_back_from_its_words(duel: Compiled, seed: int) -> None:
    """Every legal move on the way is the one that its written form means, and has its own words."""
    interp = Interpreter(duel.machine)
    for state, _ in walk(duel, seed):
        moves = interp.moves(state)
        written = [json.loads(json.dumps(move_json(duel.machine, state, m))) for m in moves]

        assert [move_from(duel.machine, state, each) for each in written] == list(moves)
        assert len({describe_option(duel.machine, state, m) for m in moves}) == len(moves)


def test_moves_are_told_as_sentences(duel: Compiled) -> None:
    """A sentence names who acts, what they do, and what they choose."""
    told = {
        describe_move(duel.machine, state, move)
        for seed in range(40)
        for state, move in walk(duel, seed)
    }

    assert {
        "Jab is drawn from the stock",
        "Duellist 1 chooses high (How do you stand?)",
        "Duellist 1 strikes Jab",
        "Duellist 2 passes",
        "Duellist 1 chooses nothing (Which do you hide?)",
        "Duellist 1 chooses Jab and Hook (Which do you hide?)",
        "Duellist 1 says no (Give up?)",
    } <= told


@pytest.mark.parametrize(("one", "told"), [
    ("Boss", "2 Bosses"), ("box", "2 boxes"), ("Witch", "2 Witches"), ("ally", "2 allies"),
    ("day", "2 days"), ("player", "2 players"), ("y", "2 ys"),
])
def test_things_are_put_into_the_plural(one: str, told: str) -> None:
    """What players and things are called is no fixed word, but follows the rules of spelling."""
    assert many(2, one) == told
    assert many(1, one) == f"1 {one}"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("lay no more SWAG", "lays no more SWAG"),
        ("pass", "passes"),
        ("try it", "tries it"),
        ("play", "plays"),
        ("go on", "goes on"),
        ("do not block", "does not block"),
        ("done", "is done"),
        ("be quiet", "is quiet"),
        ("have a look", "has a look"),
    ],
)
def test_verbs_are_put_into_the_third_person(words: str, told: str) -> None:
    """What a player does is told of them."""
    assert third_person(words) == told


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ({"event": "strik", "choice": {}}, "did you mean `strike`"),
        ({"event": "strike", "choice": {}}, "needs `card`"),
        ({"event": "strike", "choice": {"crad": "Jab"}}, "did you mean `card`"),
        ({"event": "strike", "choice": {"card": {"card": "Jib"}}}, "did you mean `Jab`"),
        ({"event": "strike", "choice": {"card": {"player": "Jab"}}}, "must be given as `card`"),
        ({"event": "strike", "choice": {"card": 99}}, "cannot be `99`"),
        ({"event": "strike", "choice": {"card": [1]}}, "must be a name or a number"),
        ({"event": "pass", "choice": {"card": "Jab"}}, "it takes nothing"),
        ({"event": "pass", "choice": 3}, "must be an object"),
        ("pass", "an object with `event`"),
    ],
)
def test_a_choice_that_is_none_says_why(duel: Compiled, choice: object, reason: str) -> None:
    """Unknown events, labels, names and types are told apart, with a suggestion."""
    state = at(duel, "bout")

    with pytest.raises(NoSuchMove, match=reason):
        move_from(duel.machine, state, choice)


def at(game: Compiled, name: str) -> State:
    """Find a state in which a step or window asks."""
    names = {node.id: node.step for node in game.machine.nodes}
    return next(
        state for seed in range(20) for state, _ in walk(game, seed) if names[state.node] == name
    )


def test_bare_names_are_read_too(duel: Compiled) -> None:
    """Who writes a choice by hand may leave the type out."""
    state = at(duel, "bout")
    move = move_from(duel.machine, state, {"event": "strike", "choice": {"card": "Hook"}})

    typed = choice_of(duel.machine, edge_of(duel.machine, state, move), move.args)
    assert typed == {"card": {"card": "Hook"}}


def healing() -> Machine:
    """Heal one of the wounds: records of a pool that each player has."""
    game = Builder("healing")
    who, kinds = seats(2), cards("Cut", "Bruise")
    game.array("wound.size", (2,), high=4, axes=[who])
    game.array("wound.card", (2, 4), low=-1, high=1, start=-1, domain=kinds, axes=[who, ints(0, 3)])
    game.node("turn", "decide", by=Const(1))
    there = op("<", Local("w"), load("wound.size", 1))
    wound = Param("w", Domain("record:wound", 0, 3), "wound", there)
    game.edge("turn", "turn", label="heal", params=[wound])
    return game.machine()


def test_records_are_named_by_what_they_hold() -> None:
    """Records are chosen by owner and fields; of those that look alike, by their number."""
    machine = healing()
    state = State(0, (0, 3, -1, -1, -1, -1, 1, 0, 1, -1))
    moves = Interpreter(machine).moves(state)
    written = [move_json(machine, state, move)["choice"] for move in moves]

    assert written == [
        {"wound": {"record": "wound", "of": "Bob", "fields": {"card": "Bruise"}}},
        {"wound": {"record": "wound", "of": "Bob", "fields": {"card": "Cut"}}},
        {"wound": {"record": "wound", "of": "Bob", "fields": {"card": "Bruise"}, "nth": 2}},
    ]
    assert [move_from(machine, state, {"choice": each}) for each in written] == list(moves)
    assert describe_move(machine, state, moves[2]).startswith("Bob heals Bruise of Bob (number 2")


# ------------------------------------------------------------------------------------ replay


@pytest.mark.parametrize("seed", range(6))
def test_what_is_recorded_replays(duel: Compiled, seed: int) -> None:
    """A play from the machine holds in every step, also after a way through a file."""
    doc = played(duel, seed)
    again = replay(doc, duel)

    assert (again.ok, again.step, again.reason) == (True, len(doc["steps"]), "")
    assert again.state is not None
    assert state_hash(duel.machine, again.state) == doc["steps"][-1]["state_sha256"]


def test_the_same_play_is_the_same_document(duel: Compiled) -> None:
    """Nothing of the run is in a play."""
    assert played(duel, 3) == played(duel, 3)


def place_in(doc: object, key: str) -> Any:  # noqa: ANN401  (an index or a key)
    """Read one part of a path."""
    return int(key) if isinstance(doc, list) else key


def tamper(path: str, value: object) -> Callable[[Doc], None]:
    """Change one thing of a document; `-` deletes it."""

    def change(doc: Doc) -> None:
        *way, last = path.split(".")
        here: Any = doc
        for key in way:
            here = here[place_in(here, key)]
        place = place_in(here, last)
        if value == "-":
            del here[place]
        else:
            here[place] = value

    return change


@pytest.mark.parametrize(
    ("path", "value", "step", "reason"),
    [
        ("game", "chess", 0, "another game"),
        ("spec_sha256", "0" * 64, 0, "another spec"),
        ("settings.players", 3, 0, "`players`"),
        ("settings.rulings", {"a": "b"}, 0, "`rulings`"),
        ("settings.extra", 1, 0, "`extra`"),
        ("setup.state_sha256", "0" * 64, 0, "the state is another one"),
        ("setup.cites", ["d.win"], 0, "`d.win` there"),
        ("steps.2.node", "turn", 3, "`node` is"),
        ("steps.2.by", "player 2", 3, "`by` is `chance` here"),
        ("steps.2.event", "dawr", 3, "did you mean `draw`"),
        ("steps.2.choice", {"card": {"card": "Jib"}}, 3, "did you mean `Jab`"),
        ("steps.2.cites", [], 3, "the clauses that are cited differ"),
        ("steps.2.state_sha256", "f" * 64, 3, "the state is another one"),
        ("steps.2.failed", [{"what": "x"}], 3, "the obligations that fail differ"),
        ("steps.2.broken", ["d.limit"], 3, "the limits that are broken differ"),
        ("steps.2.endless", ["a"], 3, "the rules that never come to rest differ"),
        ("steps.2", "-", 4, ""),
        ("result.winners", ["Nobody"], -1, "the result is"),
        ("loop_from", 0, -1, "not that after step 0"),
    ],
)
def test_a_tampered_play_is_refused_with_step_and_reason(
    duel: Compiled, path: str, value: object, step: int, reason: str
) -> None:
    """Whatever is changed in a play, replaying stops there and says what differs."""
    doc = played(duel)
    tamper(path, value)(doc)
    again = replay(doc, duel)

    assert not again.ok
    assert reason in again.reason
    if path != "steps.2":
        assert again.step == (len(doc["steps"]) if step == -1 else step)


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("format", "ruleproof/play-9", "not `ruleproof/play-1`"),
        ("format", "-", "has no `format`"),
        ("steps", {}, "must be a list"),
        ("steps.1", 7, "step 2 must be an object"),
        ("steps.1.choice", [], "`choice` of step 2 must be an object"),
        ("steps.1.cites", "-", "has no `cites`"),
        ("settings.players", True, "must be a number"),
        ("settings.rulings", {"a": 1}, "no names"),
        ("setup", None, "must be an object"),
        ("result", "-", "has no `result`"),
    ],
)
def test_what_is_no_play_is_another_error(
    duel: Compiled, path: str, value: object, reason: str
) -> None:
    """A document of the wrong shape is told apart from one that says something untrue."""
    doc = played(duel)
    tamper(path, value)(doc)

    with pytest.raises(DocumentError, match=reason):
        replay(doc, duel)


def test_an_illegal_choice_names_the_clause(duel: Compiled) -> None:
    """A move that a clause forbids is refused with that clause."""
    machine, interp = duel.machine, Interpreter(duel.machine)
    for seed in range(40):
        taken = walk(duel, seed)
        for number, (state, _) in enumerate(taken):
            low = values_by_name(machine, state)["stands"] == "low"
            striking = [
                v.move for v in interp.candidates(state) if not v.legal and v.failing and low
            ]
            if not striking:
                continue
            doc = json.loads(json.dumps(record(duel, [m for _, m in taken[: number + 1]])))
            doc["steps"][number] |= move_json(machine, state, striking[0])
            again = replay(doc, duel)

            assert again.step == number + 1
            assert "forbidden by `d.low`" in again.reason
            return
    pytest.fail("nobody could have struck from below")


def test_a_card_that_is_not_there_cannot_be_chosen(duel: Compiled) -> None:
    """What no clause even offers is refused too."""
    interp, state = Interpreter(duel.machine), at(duel, "bout")
    held = {args[0] for move in interp.moves(state) if (args := move.args)}
    other = next(kind for kind in range(3) if kind not in held)
    edge = next(v.move.edge for v in interp.candidates(state) if v.move.args)

    assert why_not(interp, state, Move(edge, (other,)))[0] == "`card` cannot be that here"


def test_steps_after_the_end_are_left_over(duel: Compiled) -> None:
    """A play that goes on when the game is over does not replay."""
    for seed in range(40):
        doc = played(duel, seed)
        if doc["result"]["over"]:
            doc["steps"].append(doc["steps"][-1])
            again = replay(doc, duel)

            assert (again.step, again.ok) == (len(doc["steps"]), False)
            assert "the game is over" in again.reason
            return
    pytest.fail("no game was over")


def of(game: Compiled, machine: Machine) -> Compiled:
    """Put another machine into a game."""
    return Compiled(game.game, machine, (), ())


def test_rules_that_never_rest_end_a_play(duel: Compiled) -> None:
    """An endless run is the last step of a play, and replays as one."""
    game = of(duel, spiral(9, endless=True))
    doc = json.loads(json.dumps(record(game, [Move(0, (2,)), Move(0, (7,))])))

    assert doc["steps"][1]["endless"] == ["loop", "stuck"]
    assert "state_sha256" not in doc["steps"][1]
    assert replay(doc, game).ok

    doc["steps"].append(doc["steps"][0])
    assert "never come to rest" in replay(doc, game).reason


def test_a_loop_closes(tmp_path: Path) -> None:
    """`loop_from` holds if the last state is that after the step it names."""
    game = compiled(tmp_path, JUGS)
    interp = Interpreter(game.machine)
    start = interp.start().state
    fill, empty = interp.moves(start)[1], interp.moves(start)[3]
    doc = record(game, [fill, empty], loop_from=0)

    assert replay(doc, game).ok
    doc["loop_from"] = 1
    assert not replay(doc, game).ok


def test_settings_are_written_resolved(tmp_path: Path) -> None:
    """The number of players is in the settings even if nobody chose it."""
    assert settings_json(compiled(tmp_path, DUEL))["players"] == 2
    assert settings_json(compiled(tmp_path, DUEL, players=3))["players"] == 3


# ------------------------------------------------------------------------------------ views


@pytest.mark.parametrize("seed", range(6))
def test_a_guess_looks_like_what_was_seen(duel: Compiled, seed: int) -> None:
    """States that are made up from a view give that view, and hold the same cards in all."""
    machine, rng = duel.machine, random.Random(seed)  # noqa: S311
    for state, _ in walk(duel, seed):
        for seat in (0, 1, None):
            known = seen(machine, state, seat)
            other = guess(machine, known, rng)

            assert seen(machine, other, seat) == known
            assert alike(machine, state, other, seat)
            assert held(duel, other) == held(duel, state)


def held(game: Compiled, state: State) -> dict[str, int]:
    """Count all cards by name."""
    found: dict[str, int] = {}
    shown = values_by_name(game.machine, state)
    for name in ("stock", "hand", "secret"):
        rows = shown[name] if name == "stock" else list(shown[name].values())  # type: ignore[union-attr]
        for row in [rows] if isinstance(rows, dict) else rows:  # type: ignore[union-attr]
            for card, number in row.items():  # type: ignore[union-attr]
                found[card] = found.get(card, 0) + number  # type: ignore[operator]
    return found


# ------------------------------------------------------------------------------------ seats


def test_a_seat_chooses_by_what_it_sees(duel: Compiled) -> None:
    """In two states that look alike to a seat it makes the same choice, whatever lies hidden."""
    interp, thinker = Interpreter(duel.machine), Thinker(duel.machine)
    for seed in range(4):
        for number, (state, _) in enumerate(walk(duel, seed)):
            seat = interp.by(state)
            if seat is None:
                continue
            known = seen(duel.machine, state, seat)
            other = guess(duel.machine, known, random.Random(number))  # noqa: S311
            assert interp.moves(other) == interp.moves(state)
            kinds: tuple[Kind, ...] = ("random", "greedy")
            for kind in kinds:
                chosen = [choice_in(duel, each, seat, kind, thinker) for each in (state, other)]
                assert chosen[0] == chosen[1]


def choice_in(game: Compiled, state: State, seat: int, kind: Kind, thinker: Thinker) -> Move:
    """Ask a computer seat."""
    options, rng = Interpreter(game.machine).moves(state), random.Random(7)  # noqa: S311
    return thinker.choose(kind, seen(game.machine, state, seat), options, rng)


def test_greedy_wins_against_random(duel: Compiled) -> None:
    """Looking ahead pays: of forty games against a random seat the greedy one wins most."""
    interp, thinker = Interpreter(duel.machine), Thinker(duel.machine)
    won = {0: 0, 1: 0}
    for game in range(40):
        greedy, rng = game % 2, random.Random(game)  # noqa: S311
        state = interp.start().state
        for _ in range(120):
            moves = interp.moves(state)
            if interp.final(state):
                break
            seat = interp.by(state)
            kind: Kind = "greedy" if seat == greedy else "random"
            move = rng.choice(moves) if seat is None else (
                thinker.choose(kind, seen(duel.machine, state, seat), moves, rng))
            state = interp.step(state, move).state
        for winner in interp.winners(state):
            won[int(winner == greedy)] += 1

    assert won[1] >= 2 * won[0] + 5


# ------------------------------------------------------------------------------------ positions


def position(game: Compiled, state: State, move: Move) -> Doc:
    """Write a position with everything that is tested."""
    machine, interp = game.machine, Interpreter(game.machine)
    node = next(node for node in machine.nodes if node.id == state.node)
    step = interp.step(state, move)
    named = machine.player_names
    doc: Doc = {
        "format": "ruleproof/position-1",
        "game": game.game.id,
        "spec_sha256": game.game.spec_sha256,
        "settings": settings_json(game),
        "id": "one",
        "title": "a position",
        "node": node.name,
        "state": values_by_name(machine, state),
        "state_sha256": state_hash(machine, state),
        "to_move": named[interp.by(state) or 0],
        "legal_moves": [move_json(machine, state, m) for m in interp.moves(state)],
        "illegal_moves": [
            {**move_json(machine, state, v.move), "clause": v.failing[0].clause}
            for v in interp.candidates(state)
            if v.failing
        ],
        "views": {
            "before": {name: view(machine, state, i) for i, name in enumerate(named)},
            "after": {name: view(machine, step.state, i) for i, name in enumerate(named)},
        },
        "perft": perft_from(game, state, 3),
        "move": move_json(machine, state, move),
        "chance": [],
        "decisions": [],
        "expect": {
            "state_sha256": state_hash(machine, step.state),
            "cites": list(step.cites),
            "legal_moves": [
                describe_move(machine, step.state, m) for m in interp.moves(step.state)
            ],
            "changes": {"hurt": values_by_name(machine, step.state)["hurt"]},
            "result": {"over": interp.final(step.state), "winners": []},
        },
    }
    return dict(json.loads(json.dumps(doc)))


def test_a_position_that_is_written_from_the_machine_holds(duel: Compiled) -> None:
    """Everything that the machine says of a position is found to be so."""
    state = at(duel, "bout")
    move = Interpreter(duel.machine).moves(state)[0]

    assert check_position(position(duel, state, move), lambda _: duel) == ()


NONE: list[Any] = []
EMPTY: Doc = {}
PASS: Doc = {"event": "pass", "choice": EMPTY}


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("state_sha256", "0" * 64, "`state_sha256` is"),
        ("to_move", "chance", "`to_move` is"),
        ("legal_moves.0", "-", "legal but not listed"),
        ("perft.2", 1, "`perft` is"),
        ("views.before.Duellist 1.hurt", EMPTY, "as Duellist 1 sees it"),
        ("views.after.Duellist 2.stands", "none", "as Duellist 2 sees it"),
        ("expect.cites", NONE, "`cites` is"),
        ("expect.result", {"over": True, "winners": NONE}, "`result` is"),
        ("expect.changes", {"hurt": {"Duellist 1": 5, "Duellist 2": 5}}, "hurt after"),
        ("expect.legal_moves.0", "-", "legal then but not listed"),
        ("decisions", [PASS] * 9, "`decisions`|decisions"),
        ("chance", [{"event": "draw", "choice": {"card": "Jab"}}], "1 of `chance` are left over"),
        ("reached_by", "play", "`reached_by` ends in another state"),
        ("spec_sha256", "1" * 64, "another spec"),
    ],
)
def test_a_wrong_expectation_is_named(
    duel: Compiled, path: str, value: object, reason: str
) -> None:
    """Each thing that a position says is tested, and what does not hold is told."""
    state = at(duel, "bout")
    doc = position(duel, state, Interpreter(duel.machine).moves(state)[0])
    tamper(path, played(duel, 5) if value == "play" else value)(doc)
    try:
        wrong = " | ".join(check_position(doc, lambda _: duel))
    except DocumentError as error:
        wrong = str(error)

    assert re.search(reason, wrong), wrong


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("node", "nowhere", "unknown node"),
        ("state.hurt", "-", "`hurt` is missing"),
        ("state.hurt", 3, "must be an object"),
        ("expect.mood", "good", "nobody can test"),
        ("expect.changes", {"mood": 1}, "does not have"),
        ("legal_moves.0", {"event": "x"}, "no event"),
        ("legal_moves.0", "sing a song", "nothing is called"),
        ("perft", [1] * 40, "more than"),
        ("illegal_moves", [3], "must be an object"),
    ],
)
def test_what_is_no_position_is_an_error(
    duel: Compiled, path: str, value: object, reason: str
) -> None:
    """A position that cannot be read is told apart from one that does not hold."""
    state = at(duel, "bout")
    doc = position(duel, state, Interpreter(duel.machine).moves(state)[0])
    tamper(path, value)(doc)

    with pytest.raises(DocumentError, match=reason):
        check_position(doc, lambda _: duel)


def test_an_impossible_state_is_no_crash(duel: Compiled) -> None:
    """A state within all ranges that no game reaches is an answer, not an error of ours."""
    state = at(duel, "bout")
    doc = position(duel, state, Interpreter(duel.machine).moves(state)[0])
    broken = copy.deepcopy(doc)
    broken["state"]["hand"] = {"Duellist 1": {"Jab": 3}, "Duellist 2": {"Jab": 3}}
    broken["state"]["secret"] = {"Duellist 1": {"Jab": 3}, "Duellist 2": {"Jab": 3}}

    assert check_position(broken, lambda _: duel)


def test_greedy_does_not_go_back_and_forth() -> None:
    """What leads back to where it has chosen before it leaves, unless there is nothing else."""
    game = Builder("lamp")
    game.array("lit", ())
    game.node("turn", "decide", by=Const(0))
    game.edge("turn", "turn", label="switch", do=[store("lit", op("-", Const(1), load("lit")))])
    game.edge("turn", "over", label="leave")
    game.node("over", "final")
    machine = game.machine()
    thinker, dark, bright = Thinker(machine), State(0, (0,)), State(0, (1,))

    def labels(past: set[Knowledge], most: int) -> set[str]:
        moves = Interpreter(machine).moves(bright)[:most]
        found = set[str]()
        for seed in range(20):
            rng = random.Random(seed)  # noqa: S311
            chosen = thinker.choose("greedy", seen(machine, bright, 0), moves, rng, past)
            found.add(edge_of(machine, bright, chosen).label)
        return found

    assert labels(set(), 2) == {"switch", "leave"}
    assert labels({seen(machine, dark, 0)}, 2) == {"leave"}
    assert labels({seen(machine, dark, 0)}, 1) == {"switch"}


@pytest.mark.parametrize(("some", "told"), [
    ([], ""), ([3], "3"), ([3, 4], "3 and 4"), ([12, 2], "2 and 12"), (range(4, 12), "4 to 11"),
    ([2, *range(4, 12), 14, 15], "2, 4 to 11, 14 and 15"),
])
def test_numbers_that_follow_each_other_are_told_as_one(some: Iterable[int], told: str) -> None:
    """Three and more by the first and the last of them."""
    assert numbers(some) == told
