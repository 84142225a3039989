"""What reports say is so: a number is a count, a blank is nothing, what was not done is listed."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.engine.program import Program
from ruleproof.checker.findings.outcomes import differences
from ruleproof.checker.findings.results import CLASSES
from ruleproof.checker.judge.consistent import AS_DEFINED
from ruleproof.checker.search.explore import Exploration
from ruleproof.checker.search.loops import AWAY, graph_of, loops
from ruleproof.checker.verify import verify
from ruleproof.cli.app import run
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import bundled, load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.model.plays.board import JSON, values_by_name
from ruleproof.model.plays.documents import is_object
from ruleproof.model.plays.moves import move_from
from ruleproof.model.run.interp import Interpreter
from ruleproof.reports.blocks.boards import Board, board_of
from ruleproof.reports.blocks.classes import words
from ruleproof.reports.blocks.finding import encoded
from ruleproof.tests.games.test_laws import GAMES, each_state, subject
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.little import write
from ruleproof.tests.support.machines import all_machines

MACHINES = all_machines()

SHOP = """
game: shop
title: Shop
players: {count: 2}
enums: {colour: [red, blue]}
families: {ware: {}}
cards:
  ware:
    ball: {name: Ball, copies: 2}
    kite: {name: Kite, copies: 1}
zones:
  shelf: {holds: ware, kind: bag, starts: all}
  bag: {holds: ware, kind: bag, per: player}
  crate: {holds: ware, kind: deck, per: colour, known: 1}
  stock: {holds: ware, kind: deck, per: player, known: 1}
state:
  price: {type: int 0..5, per: ware, start: 2}
  rank: {type: int 0..3, per: colour}
  mood: {type: "colour?", per: ware}
  life: {type: int 0..9, per: player, start: 1}
  points: {type: int 0..9, per: player}
  asleep: {type: players}
actions:
  buy: {with: {p: players, card: c for c in shelf}, do: "move(card, shelf, bag[p])"}
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    """Compile a game with a variable for each thing that there can be one for."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "game.yaml").write_text(SHOP, "utf-8")
    return compile_game(load_game(str(folder)))


def drawn(board: Board) -> dict[str, tuple[str, ...] | str]:
    """List what is drawn by its name."""
    return {row.name: row.cells for row in board.rows} | {e.name: e.text for e in board.shared}


def values(compiled: Compiled, **changed: JSON) -> dict[str, JSON]:
    """Return a position: the start, with some values changed."""
    state = Interpreter(compiled.machine).start().state
    return {"state": {**values_by_name(compiled.machine, state), **changed}}


def test_only_cards_are_counted_as_cards(shop: Compiled) -> None:
    """A number for each card or value is told by its name; copies are counted in zones only."""
    at = values(shop, price={"Ball": 5, "Kite": 2}, rank={"red": 0, "blue": 2},
                mood={"Ball": "red", "Kite": None})  # fmt: skip

    assert drawn(board_of(at, shop)) == {
        "shelf": "2 × Ball, Kite", "price": "Ball 5", "rank": "blue 2", "mood": "Ball red"
    }  # fmt: skip
    assert drawn(board_of(at, shop, focus=["price", "mood"])) == {
        "shelf": "2 × Ball, Kite", "price": "Ball 5, Kite 2", "rank": "blue 2",
        "mood": "Ball red, Kite none",
    }  # fmt: skip


def test_zones_of_each_value_are_told_apart(shop: Compiled) -> None:
    """Where there is a zone for each value, those with cards in them are listed by their value."""
    at = values(shop, crate={"red": {"Ball": 2}, "blue": {}})

    assert drawn(board_of(at, shop))["crate"] == "red: 2 × Ball"


def test_cards_whose_place_is_known_lie_on_the_deck(shop: Compiled) -> None:
    """A deck is drawn with the cards on top and at the bottom; of a hidden one all are counted."""
    at = values(shop, crate={"red": {"Ball": 1}, "blue": {}})
    state = at["state"]
    assert is_object(state)
    state |= {"crate.top": {"red": [], "blue": ["Kite"]},
              "crate.bottom": {"red": ["Ball"], "blue": []}}
    state |= {"stock": {"player 1": {"Ball": 1}, "player 2": {}},
              "stock.top": {"player 1": ["Kite"], "player 2": []},
              "stock.bottom": {"player 1": [], "player 2": ["Ball"]}}
    hidden: dict[str, JSON] = {"crate": {"size": 2}, "crate.top": {"size": 1},
                               "crate.bottom": {"size": 0}}

    assert drawn(board_of(at, shop))["crate"] == (
        "red: Ball; at the bottom Ball; blue: on top Kite")
    assert drawn(board_of(at, shop))["stock"] == ("on top Kite; Ball", "at the bottom Ball")
    assert drawn(board_of({"state": {**state, **hidden}}, shop))["crate"] == "3 cards"


def test_a_difference_is_told_as_what_it_is(shop: Compiled) -> None:
    """Two boards differ in copies of cards, or in the value of something."""
    other = values(shop)["state"]
    one = values(shop, price={"Ball": 5, "Kite": 2}, shelf={"Kite": 1},
                 bag={"player 1": {"Ball": 2}, "player 2": {}},
                 asleep={"player 1": True, "player 2": False})["state"]  # fmt: skip
    assert is_object(one)
    assert is_object(other)

    assert differences(shop.machine, one, other) == [
        "shelf: no Ball", "bag of player 1: 2 × Ball", "price of Ball: 5",
        "asleep of player 1: yes",
    ]  # fmt: skip


def test_of_many_kinds_both_boards_tell_the_same_ones(shop: Compiled) -> None:
    """Those of which there are not as many in both; none of a zone that has none at all."""
    few: dict[str, JSON] = {"Ball": 1, "Kite": 2, "Top": 1, "Doll": 1}
    kinds: tuple[dict[str, JSON], ...] = (few, {**few, "Drum": 2}, {})
    one, other, none = ({"bag": dict[str, JSON]({"player 1": held})} for held in kinds)

    assert differences(shop.machine, one, other) == ["bag of player 1: no Drum"]
    assert differences(shop.machine, other, one) == ["bag of player 1: 2 × Drum"]
    assert differences(shop.machine, none, other) == ["bag of player 1: nothing"]


def test_a_start_value_is_written(shop: Compiled) -> None:
    """Where one player's number has changed, the others' are written too, be they the start."""
    at = values(shop, life={"player 1": 1, "player 2": 4}, points={"player 1": 3, "player 2": 0},
                asleep={"player 1": True, "player 2": False})  # fmt: skip
    found = drawn(board_of(at, shop))

    assert (found["life"], found["points"]) == (("1", "4"), ("3", "0"))
    assert found["asleep"] == ("yes", "")


def test_a_position_of_fewer_players_has_their_columns(shop: Compiled) -> None:
    """A scope may have fewer players than the printed game."""
    board = board_of({"state": {"life": {"player 1": 3}, "bag": {"player 1": {"Ball": 1}}}}, shop)

    assert board.players == ("player 1",)
    assert drawn(board) == {"life": ("3",), "bag": ("Ball",)}


BOUNDED = """
game: bounded
title: Bounded
players: {count: 1}
families: {ware: {}}
cards: {ware: {ball: {copies: 3}, kite: {copies: 1}}}
zones:
  shelf: {holds: ware, kind: bag, starts: all}
  deck: {holds: ware, kind: deck, seen_by: none, known: KNOWN}
pools: {army: {capacity: POOL, fields: {kind: card ware}}}
state: {life: {type: int 0..3}, active: {type: player, start: 1}}
steps: {game: {title: All}}
windows: {doing: {by: active, done: stop, repeat: true, depth: 2}}
start: game
clauses:
- {id: run, kind: order, says: all, on: game, do: doing()}
- {id: top, kind: permit, says: a card on top, on: doing, option: top, with: {c: c for c in shelf},
   when: size(deck) < 2, do: "put_on_top(c, shelf, deck)"}
- {id: hire, kind: permit, says: somebody joins, on: doing, option: hire, when: size(army) < 3,
   do: "new(army, kind=ware.ball)"}
- {id: think, kind: permit, says: one goes deeper, on: doing, option: think, when: life < DEEP,
   do: "life += 1\\ndoing()"}
"""


@pytest.mark.parametrize(
    ("bounds", "met"),
    [
        ({"KNOWN": 2, "POOL": 3, "DEEP": 1}, []),
        ({"KNOWN": 1, "POOL": 3, "DEEP": 1}, ["more than 1 known cards in `deck`"]),
        ({"KNOWN": 2, "POOL": 2, "DEEP": 1}, ["more than 2 records in `army`"]),
        ({"KNOWN": 2, "POOL": 3, "DEEP": 2}, ["`doing` is nested deeper than its `depth`"]),
    ],
)
def test_what_a_bound_cuts_is_not_complete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], bounds: dict[str, int], met: list[str]
) -> None:
    """Where a play meets a bound of the model, neither command calls the exploration complete."""
    text = BOUNDED
    for name, value in bounds.items():
        text = text.replace(name, str(value))
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    status = run(["explore", str(tmp_path), "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    report = verify(str(tmp_path), Settings(), only=("deadlock",))
    (explored,) = report.explored

    assert (found["complete"], found.get("bounds", [])) == (not met, met)
    assert status == (3 if met else 0)
    assert (explored.complete, list(explored.bounds)) == (not met, met)
    assert {h.method for h in report.holds} <= {"bounded" if met else "exhaustive", "proof"}


FORCED = """
game: forced
title: Forced
players: {count: 1}
state:
  coins: {type: int 0..9, start: 1}
  turns: {type: int 0..9}
  active: {type: player, start: 1}
steps: {game: {title: All}}
windows: {stall: {by: active, done: leave}}
start: game
clauses:
- id: run
  kind: order
  says: three turns
  on: game
  do: |
    while turns < 3:
      stall()
      turns += 1
- {id: take, kind: permit, says: one may take, on: stall, option: take, do: coins += 1}
- {id: give, kind: permit, says: one may give, on: stall, option: give, do: coins -= 1}
- {id: few, kind: limit, says: never more than two coins, always: coins <= 2}
"""
GREED = "- {id: greed, kind: require, says: a coin must be taken, on: stall, must: take}\n"
STAY = "- {id: stay, kind: forbid, says: nobody leaves, on: stall.leave, when: coins >= 0}\n"
KEEP = "- {id: keep, kind: forbid, says: nothing is given, on: stall.give, when: coins > 1}\n"
SPARE = "- {id: spare, kind: forbid, says: enough, on: stall.take, when: coins > 1}\n"


@pytest.mark.parametrize(
    ("clauses", "cls", "core"),
    [
        (GREED, "limit-broken", {"few", "greed"}),
        (STAY + KEEP, "limit-broken", {"few", "stay", "keep"}),
        (GREED + STAY + KEEP, "limit-broken", {"few", "greed"}),
        (GREED + SPARE, "contradiction", {"greed", "spare"}),
        (STAY + KEEP + SPARE, "contradiction", {"stay", "keep", "spare"}),
    ],
)
def test_who_is_blamed_is_to_blame(
    tmp_path: Path, clauses: str, cls: str, core: set[str]
) -> None:
    """Where no move is left, the blamed clauses do it together; without what is named one is."""
    (tmp_path / "game.yaml").write_text(FORCED + clauses, "utf-8")
    (found,) = verify(str(tmp_path), Settings(), only=(cls,)).everything
    (shown,) = found.evidence.plays
    play = shown.play
    others = {c.id for c in load_game(str(tmp_path)).clauses if c.must or c.kind == "forbid"} - core

    assert set(found.evidence.core) == core
    assert core <= set(found.clauses)
    assert not has_a_way(str(tmp_path), play, cls)
    assert not has_a_way(str(tmp_path), play, cls, without=others)
    assert found.evidence.details["drop_one"]
    for some in found.evidence.details["drop_one"]:
        assert has_a_way(str(tmp_path), play, cls, without=some), some
        for clause in some:
            assert not has_a_way(str(tmp_path), play, cls, without={*some} - {clause}), some


def has_a_way(source: str, play: Mapping[str, Any], cls: str, without: Iterable[str] = ()) -> bool:
    """Return whether some move is legal (and breaks no limit) where a play comes to a bad end."""
    changes = ({"drop": sorted(without)},) if without else ()
    instance = Workbench(source, Settings()).instance("printed", changes=changes)
    judge, steps = instance.interpreter, play["steps"]
    state = judge.start().state
    for step in steps[:-1] if cls == "limit-broken" else steps:
        state = judge.step(state, move_from(judge.machine, state, step)).state
    moves = judge.moves(state)
    return any(not judge.breaks(state, move) for move in moves) if cls == "limit-broken" else bool(
        moves)


TIE = """
game: tie
title: Tie
players: {count: 2}
state: {best: {type: "player?"}, shown: {type: int 0..3}}
steps: {game: {title: All}}
start: game
clauses:
- id: win
  kind: outcome
  says: the best player is known
  on: game
  do: "DO"
  OTHERWISE
open_points:
- id: even
  clauses: [win]
  asks: who wins a tie
  readings:
  - {id: nobody, title: nobody, changes: {win: {otherwise: best = none}}}
  - {id: as-it-is, title: nothing is done, changes: {}}
rulings: [{point: even, reading: READING, why: ours}]
"""
SINGLED = "best = only(argmax(0 for p in players))"
OWN = "otherwise: best = none"


@pytest.mark.parametrize(
    ("do", "own", "reading", "then"),
    [
        (SINGLED, "", "as-it-is", "The book does not say what happens then. In the games"),
        (SINGLED, "", "nobody", "as a ruling of ours says. then it is as ruled: even=nobody"),
        (SINGLED, OWN, "as-it-is", "then the clause's `otherwise` is done"),
        ("shown += 5", OWN, "as-it-is", "the number stays at its bound"),
    ],
)
def test_who_says_what_is_done_then(
    tmp_path: Path, do: str, own: str, reading: str, then: str
) -> None:
    """A finding tells what the game does: its own `otherwise`, a ruling's, or what is possible."""
    text = TIE.replace("DO", do).replace("OTHERWISE", own).replace("READING", reading)
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("unresolved-tie", "undefined-operation"))
    (found,) = report.everything
    told = f"{found.explanation} {encoded(found)[-1]}"

    assert then in told
    assert ("The book does not say" in told) == ("`otherwise`" not in told)


@pytest.mark.parametrize("cls", CLASSES)
def test_what_was_looked_for_is_found_or_not(tmp_path: Path, cls: str) -> None:
    """With `--only CLASS`, there is a finding of it, or a line says that there is none.

    A class that was not asked for is listed as not checked, and nothing is said to hold of it.
    """
    (tmp_path / "game.yaml").write_text(FORCED + GREED + SPARE, "utf-8")
    report = verify(str(tmp_path), Settings(), only=(cls,))
    said = [each.what for each in report.holds if each.what.startswith("no finding of")]

    assert bool(report.everything) != bool(said)
    assert said in ([], [f"no finding of the class: {AS_DEFINED.get(cls, cls)}"])  # type: ignore[call-overload]
    assert any(each.why == "not asked for" for each in report.not_checked)


@pytest.mark.parametrize("args", [("--only", "deadlock"), ("--skip", "ambiguity")])
def test_a_text_names_the_classes_that_were_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, str]
) -> None:
    """It counts and names them, counts them nowhere else, and says of answers what was done."""
    (tmp_path / "game.yaml").write_text(
        FORCED.replace("{count: 1}", "{min: 1, max: 2, default: 1}"), "utf-8")
    left = [cls for cls in CLASSES if (cls == args[1]) == (args[0] == "--skip")]
    run(["verify", str(tmp_path), "-q", "--no-color", *args])
    told = " ".join(capsys.readouterr().out.split())

    assert f"{len(left)} of {len(CLASSES)} classes of findings not asked for" in told
    assert f"- findings of {', '.join(left)}: not asked for" in told
    assert "own checks" not in told
    assert ("Answers are compared" in told) == (args[0] == "--skip")


def test_there_is_something_to_look_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A report that looks for no class would find nothing, and is not made."""
    (tmp_path / "game.yaml").write_text(FORCED, "utf-8")

    assert run(["verify", str(tmp_path), "--only", "deadlock", "--skip", "deadlock"]) == 2
    assert "leave no class of findings to look for" in capsys.readouterr().err


COUNTER = """
game: counter
title: Counter
players: {count: 2}
state: {n: {type: int 0..999}, mover: {type: player}}
mover: mover
actions: {count: {when: n < 999, do: n += 1}}
"""


ALIKE = "whether all seats are alike in scope printed beyond"
LIMIT = (f"{ALIKE} what was explored", "the exploration met the limit of states")
NEAREST = (f"{ALIKE} 500 states", "only the nearest states are compared")


@pytest.mark.parametrize(
    ("most", "said"), [(51, [LIMIT]), (800, [NEAREST, LIMIT]), (9999, [NEAREST])])
def test_states_that_are_compared_are_counted(
    tmp_path: Path, most: int, said: list[tuple[str, str]]
) -> None:
    """How many states were compared is told as it was, and why no more were."""
    (tmp_path / "game.yaml").write_text(COUNTER, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("asymmetry",), max_states=most)

    assert [(one.what, one.why) for one in report.not_checked if "seats" in one.what] == said


def test_what_was_cut_off_is_not_called_exhaustive(tmp_path: Path) -> None:
    """If not all states were explored, that nothing was found is bounded."""
    (tmp_path / "game.yaml").write_text(FORCED, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("deadlock",), max_states=3)
    (line,) = (each for each in report.holds if each.what == "no finding of the class: deadlock")

    assert line.method == "bounded"


@pytest.mark.parametrize("name", [*MACHINES, *(name for name in GAMES if name not in bundled())])
def test_states_on_loops_are_counted(name: str) -> None:
    """The states on forced, trapped and optional loops are those that can come back to themselves.

    Each loop that is shown comes back, and one player alone never goes round in more of them.
    """
    machine = MACHINES[name] if name in MACHINES else subject(name).compiled.machine
    exploration = Exploration(Program(machine))
    if not exploration.run(max_states=700).complete:
        return
    graph = graph_of(exploration)
    after = [{target for _, target, _ in moves if target != AWAY} for moves in graph.moves]
    back = 0
    for number, reached in enumerate(after):
        found, ahead = set(reached), list(reached)
        while ahead:
            more = after[ahead.pop()] - found
            found |= more
            ahead += more
        back += number in found
    shown = {loop.kind: loop for loop in loops(graph)}
    judge = Interpreter(machine)

    assert sum(loop.states for kind, loop in shown.items() if kind not in ("free", "alone")) == back
    assert sum(shown[kind].states for kind in {"free", "alone"} & shown.keys()) <= back
    for loop in shown.values():
        state = judge.start().state
        for move in loop.prefix:
            state = judge.step(state, move).state
        first = state
        for move in loop.cycle:
            state = judge.step(state, move).state

        assert loop.cycle
        assert state == first


HEAT = """
game: heat
title: Heat
players: {count: 1}
state: {n: {type: int 0..4}, hot: {type: bool}}
steps: {game: {}}
windows: {act: {by: only(players), done: do nothing}}
start: game
clauses:
- {id: heat, kind: effect, says: it gets warm, on: game, do: hot = False}
- {id: go, kind: order, says: one acts, on: game, after: [heat], do: "act()\\nif n > 0:\\n  win(only(players))"}
- {id: one, kind: permit, says: one acts, on: act, option: one, do: n = 1}
- {id: ban, kind: forbid, says: not if it is hot, on: act.one, when: hot}
open_points:
- id: heat
  clauses: [ABOUT]
  asks: does it get hot
  readings:
  - {id: not, title: it does not, changes: {}}
  - {id: hot, title: it does, changes: {heat: {do: hot = True}}}
"""  # noqa: E501


@pytest.mark.parametrize(("about", "adopted", "said"), [
    ("heat", {}, [True]), ("heat, ban", {}, []), ("heat", {"heat": "hot"}, [])])
def test_what_does_nothing_does_so_under_the_adopted_answers(
    about: str, adopted: dict[str, str], said: list[bool], tmp_path: Path
) -> None:
    """Of a sentence that another answer to an open point needs it is not said that nothing does."""
    source = str(write(tmp_path, HEAT.replace("ABOUT", about)))
    report = verify(source, Settings(rulings=tuple(adopted.items())),
                    only=("ambiguity", "dead-clause"))

    assert ["under other answers to 1 question it may be needed" in one.explanation
            for one in report.everything if one.clauses[0] == "ban"] == said


@pytest.mark.parametrize("name", one_in(4, GAMES))
def test_a_blank_is_nothing(name: str) -> None:
    """A cell is blank for an empty zone or set, `none` and `no`, and a row of blanks is not drawn.

    Every other value is written.  Bookkeeping of the encoding is on no board.
    """
    for game, state in each_state(name):
        shown = values_by_name(game.compiled.machine, state)
        board = board_of({"state": shown}, game.compiled, focus=shown)
        known = game.compiled.game
        lines = drawn(board)
        hidden = {name for name, zone in known.zones.items() if zone.internal}
        hidden |= {name for name, variable in known.variables.items() if variable.internal}
        assert not {known.titles.of(name) for name in hidden} & set(lines)
        for each in sorted({*known.zones, *known.variables} - hidden):
            value, line = shown[each], lines.get(known.titles.of(each))
            parts = [value]
            if line is None:
                kinds = value.values() if is_object(value) else parts
                assert all(map(is_nothing, kinds)), each
                continue
            if is_object(value) and isinstance(line, tuple):
                parts = [value[player] for player in board.players]
            for part, text in zip(parts, [line] if isinstance(line, str) else line, strict=True):
                shows = text not in ("", "nothing")

                assert shows != is_nothing(part) or isinstance(line, str), (each, part, text)
                assert shows or is_nothing(part), (each, part)
                assert each in known.zones or " × " not in text, each


def is_nothing(value: object) -> bool:
    """Return whether a value is an empty zone or set, `none` or `no`."""
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return all(part is False or part in ({}, []) for part in parts)
    return value is None or value is False


LAST = """
game: last
title: The last one
players: {count: 3}
state: {active: {type: player, start: 1}, n: {type: int 0..2}}
steps: {game: {}}
start: game
clauses:
- {id: rank, kind: effect, says: the last one begins, on: game,
    do: "last = active\\nfor p in clockwise(active):\\n  last = p\\nactive = last"}
- {id: fin, kind: outcome, says: the active one wins, on: game, after: [rank], do: "MOVE"}
"""


@pytest.mark.parametrize(("move", "said"), [
    ("win(active)", ""),
    ("if may(by=active):\\n  n = 1\\nwin(active)", "the setup is not compared"),
    ("if may(by=active):\\n  n = 1\\nfor p in players:\\n  active = p\\nwin(active)", None),
])
def test_seats_are_alike_in_what_was_compared(tmp_path: Path, move: str, said: str | None) -> None:
    """Seats are alike only in moves that were compared, and the setup is none.

    `said` is empty if nobody moves, None if the seats differ.
    """
    (tmp_path / "game.yaml").write_text(LAST.replace("MOVE", move))
    report = verify(str(tmp_path), Settings(), only=("asymmetry",))
    alike = [holds.what for holds in report.holds if "seats" in holds.what]

    assert [said in what for what in alike if said] == [True] * bool(said)
    assert bool(alike) == bool(said)
    assert any("seats" in each.what for each in report.not_checked) == (said == "")


def test_a_duty_that_fails_in_endless_rules_is_told(tmp_path: Path) -> None:
    """A draw from an empty deck is told, also where the rules then never come to a rest."""
    (tmp_path / "game.yaml").write_text("""
game: empty
title: A draw from an empty deck in rules that never rest
players: {count: 1}
families: {rank: {}}
cards: {rank: {a: {copies: 1}, b: {copies: 1}}}
zones:
  deck: {holds: rank, kind: deck, starts: all}
  hand: {holds: rank, kind: bag}
steps: {game: {}}
start: game
clauses:
- {id: deal, kind: setup, says: three cards are drawn, on: game,
    do: "while size(hand) < 3:\\n  draw(1, deck, hand)"}
""")
    report = verify(str(tmp_path), Settings())

    assert {finding.cls for finding in report.everything} >= {"endless-loop", "undefined-operation"}
    assert not any("card to draw" in holds.what for holds in report.holds)


ONLY_PRINTED = """
game: only-printed
title: A clause that runs at the printed size only, and does nothing there
players: {count: 1}
constants: {rounds: 2}
families: {leaf: {}}
cards: {leaf: {oak: {name: Oak, copies: 2}}}
zones: {heap: {holds: leaf, kind: deck, seen_by: none, starts: all}}
state: {n: {type: int 0..3}}
steps: {game: {}, late: {}}
start: game
scopes: {tiny: {about: one round, constants: {rounds: 1}}}
clauses:
- {id: go, kind: order, says: go, on: game, do: "x = roll(2)\\nn = x\\nif rounds > 1:\\n  late()"}
- {id: late, kind: effect, says: the leaves stay as many, on: late, do: "n += 0"}
"""


def test_what_was_seen_in_a_scope_is_no_proof(tmp_path: Path) -> None:
    """A clause that runs at the printed size is not dead, though a small scope never runs it."""
    report = verify(str(write(tmp_path, ONLY_PRINTED)), Settings())
    found = [(f.cls, f.evidence.method) for f in report.everything if f.clauses == ("late",)]

    assert found == [("inert-clause", "proof")]


ABSENT = """
game: absent
title: Two clauses about a card that a scope does not have
players: {count: 1}
families: {leaf: {}}
cards: {leaf: {oak: {name: Oak, copies: 2}, elm: {name: Elm, copies: 1}}}
zones:
  deck: {holds: leaf, kind: deck, seen_by: none, starts: all}
  heap: {holds: leaf, kind: bag}
state: {n: {type: int 0..3}}
actions:
  draw: {when: size(heap) == 0, do: "draw(1, deck, heap)"}
  keep: {when: n == 3, do: "n = 3"}
  take: {when: n == 2, do: "move(leaf.elm, heap, heap)"}
scopes: {tiny: {about: no elm, cards: {leaf: {oak: 1}}}}
"""


def test_a_card_without_copies_is_no_difference(tmp_path: Path) -> None:
    """Clauses that never run stand for no others, whatever cards only they name."""
    report = verify(str(write(tmp_path, ABSENT)), Settings())
    found = sorted(f.id for f in report.everything if f.cls in ("dead-clause", "redundant-clause"))

    assert found == ["absent/dead-clause/keep", "absent/dead-clause/take"]


TORN = """
game: torn
title: Torn
players: {count: 1}
families: {ware: {}}
cards: {ware: {ball: {copies: 1}}}
zones:
  shelf: {holds: ware, kind: deck, starts: all}
  bag: {holds: ware, kind: bag}
steps: {game: {}}
start: game
clauses:
- {id: t.draw, MARK kind: effect, says: draw, on: game, do: "draw(2, shelf, bag)"}
"""


@pytest.mark.parametrize(("mark", "found"), [("", 1), ("missing: how many,", 0)])
def test_what_the_print_has_lost_is_no_defect(tmp_path: Path, mark: str, found: int) -> None:
    """A finding about a clause with lost text is listed as not checked, with what was lost."""
    write(tmp_path, TORN.replace("MARK", mark))
    report = verify(str(tmp_path), Settings(), only=("undefined-operation",))
    lost = [each.why for each in report.not_checked if each.why == "the print has lost how many"]

    assert (len(report.findings), len(lost)) == (found, 1 - found)


HOW_MANY = """
open_points:
- id: how-many
  clauses: [t.draw]
  asks: how many
  readings:
  - {id: one, title: one, changes: {}}
  - {id: two, title: two, changes: {t.draw: {do: "draw(2, shelf, bag)"}}}
"""


@pytest.mark.parametrize("declared", [True, False])
def test_a_question_about_what_is_left_of_a_torn_sentence_is_asked(
    tmp_path: Path, *, declared: bool
) -> None:
    """An open point of the spec is about words that are there; what is derived may be of others."""
    text = TORN.replace("MARK", "missing: of what colour,")
    if declared:
        text = text.replace("draw(2", "draw(1").replace("copies: 1", "copies: 3") + HOW_MANY
    write(tmp_path, text)
    report = verify(str(tmp_path), Settings(), only=("ambiguity", "undefined-operation"))

    assert [each.open_point for each in report.findings] == ["how-many"] * declared
    assert any("lost of what colour" in each.why for each in report.not_checked) != declared


MODES = """
game: modes
title: Modes
players: {count: 1}
state: {n: {type: int 0..3, start: 0}}
steps: {game: {}}
start: game
variants: {long: {title: long}, odd: {title: odd}}
scopes:
  plain: {state: {n: 1}}
  more: {state: {n: 2}, variants: [long]}
clauses:
- {id: m.add, kind: effect, says: add, on: game, do: n += 1}
- {id: m.long, kind: claim, says: never three, never: n == 3, only_in: [long]}
- {id: m.odd, kind: claim, says: never zero, never: n == 0, only_in: [odd]}
"""


def test_claims_of_a_mode_are_looked_at_where_it_is_played(tmp_path: Path) -> None:
    """What is claimed of a mode is looked at in the scopes that play it, else in print."""
    write(tmp_path, MODES)
    report = verify(str(tmp_path), Settings(), only=("false-claim",))

    assert [(each.clauses, each.evidence.scope) for each in report.findings] == [
        (("m.long",), "more")]
    assert [(each.clause, each.scope) for each in report.holds if each.kind == "claim"] == [
        ("m.odd", "printed in the mode “odd”, in the mode “long” and “odd”")]


def test_what_a_mode_without_a_scope_refutes_is_found(tmp_path: Path) -> None:
    """It is shown in the printed game of that mode; what is never asked there is not checked."""
    write(tmp_path, MODES.replace("never: n == 0", "never: n == 1") + """
- {id: m.two, kind: claim, says: two comes up, reachable: n == 2, only_in: [odd]}
- {id: m.far, kind: claim, says: never a two, never: n == 2 and n == 3, only_in: [odd]}
""")
    report = verify(str(tmp_path), Settings(), only=("false-claim",))
    found = {each.clauses[0]: each.evidence for each in report.findings}
    (line,) = (each for each in report.not_checked if "m.far" in each.what)

    assert found["m.odd"].mode == "in the mode “odd”"
    assert found["m.two"].scope == "printed in the mode “odd”, in the mode “long” and “odd”"
    assert "nothing looked at could refute it" in line.why


def test_what_is_shown_in_a_mode_is_not_said_to_be_only_in_scaled_scopes(tmp_path: Path) -> None:
    """A claim that is proved of the game as chosen, and refuted in a mode, is not said to hold."""
    write(tmp_path, MODES + "- {id: m.any, kind: claim, says: no mode, never: variant(odd)}\n")
    report = verify(str(tmp_path), Settings())

    assert [each.evidence.mode for each in report.everything if each.clauses == ("m.any",)] == [
        "in the mode “odd”"]
    assert not [each for each in report.holds if each.clause == "m.any"]


FEW = """
game: few
title: Few
players: {count: 1}
families: {ware: {}}
cards: {ware: {ball: {copies: 1}, kite: {copies: 1}}}
zones:
  shelf: {holds: ware, kind: bag, starts: all}
  bag: {holds: ware, kind: bag}
steps: {game: {}}
windows: {w: {by: active}}
state: {active: {type: player, start: 1}}
start: game
scopes: {balls: {cards: {ware: {ball: 1}}}}
clauses:
- {id: f.ask, kind: effect, says: ask, on: game, do: w()}
- {id: f.take, kind: permit, says: take, on: w, option: take, with: {c: c in shelf},
   do: "move(c, shelf, bag)"}
- {id: f.kite, kind: claim, says: a kite is taken, reachable: "count(bag, ware.kite) == 1"}
- {id: f.both, kind: claim, says: both are taken, reachable: size(bag) == 2}
"""


@pytest.mark.usefixtures("printed_is_large")
def test_what_a_scope_has_no_cards_for_is_looked_for_in_the_printed_game(tmp_path: Path) -> None:
    """What plays of the printed game come to is possible, whatever the scopes lack."""
    write(tmp_path, FEW.replace("c in shelf", '"c for c in shelf"'))
    report = verify(str(tmp_path), Settings(), only=("false-claim",))

    assert [one.clauses for one in report.findings] == [("f.both",)]
    assert [(one.clause, one.method, one.scope) for one in report.holds
            if one.clause == "f.kite"] == [("f.kite", "sampled", "printed")]


THREE = """
game: three
title: Three sentences of which one is enough
players: {count: 2}
state: {active: {type: player, start: 1}, n: {type: int 0..3, start: 3}}
mover: active
actions: {take: {do: "n -= 1\\nactive = next_player(active)"}}
clauses:
- {id: one, whenever: n == 0, do: win(active), before: [two, three], kind: outcome, says: it ends}
- {id: two, whenever: n == 0, do: win(active), before: [three], kind: outcome, says: so it ends}
- {id: three, whenever: n == 0, do: win(active), kind: outcome, says: and it ends}
"""


def test_sentences_of_which_any_is_enough_are_one_finding(tmp_path: Path) -> None:
    """None of them is missed alone, nor are two: together they are, and are told once."""
    report = verify(str(write(tmp_path, THREE)), Settings(), only=("redundant-clause",))
    idle = [each for each in report.everything
            if each.cls in ("dead-clause", "inert-clause", "redundant-clause")]

    assert [(each.cls, each.clauses) for each in idle
            if each.identity is None or each.identity.kind != "phrase"] == [
        ("redundant-clause", ("one", "two", "three"))]


BROKEN = """
game: broken
players: {min: 2, max: 4, default: 2}
constants: {many: 3}
state: {active: {type: player, start: 1}, n: {type: int 0..4, start: 0}, m: {type: int 0..9, start: 0}}
steps: {game: {}, more: {}}
windows: {w: {by: active, repeat: true, done: stop}}
start: game
scopes: {tiny: {constants: {many: 2}}}
clauses:
- {id: o, kind: order, says: play, on: game, do: "w()\\nx = roll(2)\\nmore()\\ny = roll(2)\\nwin(active)"}
- {id: more, kind: effect, says: it grows, on: more, do: "n = many"}
- {id: s, kind: permit, says: one may mark it, on: w, option: mark, do: "m += 1"}
- {id: never, kind: limit, says: it is never below zero, always: n + 1 > 0}
- {id: often, kind: limit, says: it is never three, always: n != 3}
- {id: crowd, kind: limit, says: it is never three with more players, always: player_count < 4 or n < 3}
- {id: low, kind: limit, says: two marks are never made, always: m < 2}
- {id: lower, kind: limit, says: nor more, always: m < 2 and n != 2}
"""  # noqa: E501


def test_a_limit_that_a_forced_step_breaks_is_not_idle(tmp_path: Path) -> None:
    """A limit breaks though taking it out lets nobody do more: it does not do nothing.

    So it is where only the printed game shows it, or one with more players; a limit that others
    imply is still told of, but not one that is broken where those are not.
    """
    report = verify(str(write(tmp_path, BROKEN)), Settings(), only=(
        "dead-clause", "redundant-clause", "limit-broken"))

    assert {each.clauses[0] for each in report.everything if each.cls == "dead-clause"} == {"never"}
    assert {each.clauses for each in report.everything if each.cls == "redundant-clause"} == {
        ("low", "lower")}
    assert {"often", "lower"} <= {each.clauses[0] for each in report.everything
                                  if each.cls == "limit-broken"}


def test_a_sentence_that_has_cards_shuffled_is_not_idle(tmp_path: Path) -> None:
    """A deck of the encoding is always shuffled, and the book is right to say so all the same."""
    text = """
game: shuffled
title: Shuffled
players: {count: 1}
families: {f: {}}
cards: {f: {club: {copies: 1}, cup: {copies: 1}}}
zones: {deck: {holds: f, kind: deck, starts: all}, hand: {holds: f, kind: bag}}
steps: {game: {}}
start: game
clauses:
- {id: shuffles, kind: setup, says: the cards are shuffled, on: game, do: shuffle(deck)}
- {id: draws, kind: order, says: draw one, on: game, after: [shuffles], do: "draw(1, deck, hand)"}
- {id: ends, kind: outcome, says: that is all, on: game, after: [draws], do: end_game()}
"""
    (tmp_path / "game.yaml").write_text(text, "utf-8")

    assert not [one for one in verify(str(tmp_path), Settings(), only=("inert-clause",)).everything
                if "shuffles" in one.clauses]


def test_nobody_can_choose_to_shuffle_where_nobody_is_asked(tmp_path: Path) -> None:
    """An option to shuffle in a window that never opens is a dead sentence, as any other option."""
    text = """
game: shuffled
title: Shuffled
players: {count: 1}
families: {f: {}}
cards: {f: {club: {copies: 1}, cup: {copies: 1}}}
zones: {deck: {holds: f, kind: deck, starts: all}, hand: {holds: f, kind: bag}}
steps: {game: {}}
windows: {w: {by: only(players)}}
start: game
clauses:
- {id: shuffles, kind: permit, says: one may shuffle, on: w, option: shuffle, do: shuffle(deck)}
- {id: draws, kind: order, says: draw one, on: game, do: "draw(1, deck, hand)"}
"""
    (tmp_path / "game.yaml").write_text(text, "utf-8")

    assert [one.clauses for one in verify(str(tmp_path), Settings(), only=("dead-clause",)).findings
            ] == [("shuffles",)]


GRABS = """
game: grabs
title: Grabs
players: {count: 3}
state: {first: {type: player, start: 1}, got: {type: int 0..9, per: player}}
steps: {game: {}, grab: {}, after: {}}
start: game
clauses:
- {id: g.game, kind: order, says: all grab, on: game, do: "grab()\\nafter()"}
- id: g.grab
  kind: effect
  says: each names who is first, at the same time
  on: grab
  do: |
    for p in simultaneously(players):
      q = choose(players, by=p, ask="Who?")
      first = q
- {id: g.after, kind: effect, says: then the first gains one, on: after, do: "got[first] += 1"}
"""


def test_what_clashes_with_itself_names_no_other_sentence(tmp_path: Path) -> None:
    """What else runs after the same move has no part in it."""
    write(tmp_path, GRABS)
    report = verify(str(tmp_path), Settings(), only=("contradiction",))

    assert [each.clauses for each in report.findings] == [("g.grab",)]



@pytest.mark.parametrize(("over", "kinds"), [
    ("players", ["tie"]), ("players if n[p] > 0", ["nothing-to-compare", "tie"]),
    ("argmin(n[q] for q in players)", ["tie"]), ("marked", ["nothing-to-compare"])])
def test_nobody_is_no_tie(over: str, kinds: list[str], tmp_path: Path) -> None:
    """Where nobody is ranked it is asked what then, and not who is first of equals."""
    write(tmp_path, f"""
game: ranked
title: Ranked
players: {{count: 2}}
state: {{n: {{type: int 0..2, per: player}}, best: {{type: "player?"}}, marked: {{type: players}}}}
steps: {{game: {{}}}}
start: game
clauses:
- {{id: r.roll, kind: effect, says: all roll, on: game,
   do: "for p in players:\\n  k = roll(2)\\n  n[p] = k - 1"}}
- {{id: r.best, kind: effect, says: the best of those is first, after: [r.roll], on: game,
   do: "best = only(argmax(n[p] for p in {over}))"}}
""")
    report = verify(str(tmp_path), Settings(), only=("undefined-operation", "unresolved-tie"))

    assert sorted(one.identity.kind for one in (
        *report.findings, *(each for one in report.findings for each in one.consequences))
        if one.identity is not None) == kinds


LEFT = """
game: left
title: Take and leave
players: {count: 2}
state: {active: {type: player, start: 1}, tray: {type: int 0..3, start: 3}, coin: {type: int 0..2}}
steps: {game: {}, turn: {}, toss: {}}
windows: {w: {by: active, done: stop, repeat: true}}
start: game
clauses:
- {id: l.game, kind: order, says: a turn and a toss, on: game, do: "turn()\\ntoss()"}
- {id: l.turn, kind: effect, says: take as you like, on: turn, do: w()}
- {id: l.take, kind: permit, says: take one, on: w, option: take, when: tray > 0, do: tray -= 1}
- {id: l.even, kind: require, says: a turn leaves one or three, on: turn, ensure: tray % 2 == 1}
- {id: l.some, kind: limit, says: a turn leaves something, on: turn, ensure: tray > 0}
- {id: l.toss, kind: effect, says: a coin is tossed, on: toss, do: "n = roll(2)\\ncoin = n"}
- {id: l.one, kind: limit, says: no more than one comes up, on: toss, ensure: coin < 2}
"""


def test_what_is_not_kept_as_a_step_ends_is_told_as_it_is(tmp_path: Path) -> None:
    """Of a choice it is not said that it is forced; what else is looked at then does not clash."""
    write(tmp_path, LEFT)
    report = verify(str(tmp_path), Settings(), only=("contradiction", "limit-broken"))
    titles = {one.clauses[0]: one.title for one in report.findings if one.cls == "limit-broken"}
    (clash,) = (one for one in report.findings if one.cls == "contradiction")

    assert "what if it comes to" in titles["l.some"]
    assert "what if another rule leads to" in titles["l.one"]
    assert "l.some" not in clash.clauses
    assert "forced" not in words("limit-broken", "limit-at-end").name
