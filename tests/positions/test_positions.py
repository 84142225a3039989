"""Test positions: few, all of them true, and none of the rules can be changed unnoticed."""

import copy
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ruleproof.checker.bench.workbench import Instance, Workbench
from ruleproof.checker.comparison.product import diverge
from ruleproof.checker.packed.flags import HIDDEN
from ruleproof.checker.positions.captions import status
from ruleproof.checker.positions.cases import Cases, Disagreement
from ruleproof.checker.positions.goals import Collector, Goal, Showing, Spot, chosen
from ruleproof.checker.positions.observer import Watcher
from ruleproof.checker.positions.positions import positions
from ruleproof.checker.positions.probes import reaches, tells_apart
from ruleproof.checker.positions.replays import check_position
from ruleproof.checker.positions.search import Suite
from ruleproof.checker.positions.sites import sites_of
from ruleproof.cli.app import run
from ruleproof.cli.files.rerun import Games, outcomes
from ruleproof.cli.files.shapes import schema_text
from ruleproof.model.game.game import Ruling, Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.machine.state import State
from ruleproof.model.machine.traversal import arrays_read
from ruleproof.model.plays.documents import DocumentError
from ruleproof.model.run.interp import EndlessRules
from ruleproof.model.source.errors import SpecErrors
from ruleproof.tests.support.places import TESTS

SPECS = TESTS / "specs"
ANTE = """
game: ante
players: {count: 2}
state: {coins: {type: int 0..3, per: player, start: 2}, pot: {type: int 0..4}}
steps: {game: {}}
start: game
clauses:
- id: ante
  kind: effect
  says: everybody may pay one coin
  on: game
  do: |
    for p in players:
      if may(by=p, ask="pay"):
        coins[p] -= 1
        pot += 1
"""
DEAL = """
game: deal
players: {count: 2}
families: {number: {attributes: {value: int 1..2}}}
cards: {number: {one: {copies: 3, value: 1}, two: {copies: 2, value: 2}}}
zones:
  deck: {holds: number, kind: deck, starts: all, seen_by: none}
  hand: {holds: number, kind: bag, per: player, seen_by: owner}
steps: {game: {}}
start: game
clauses:
- id: deal
  kind: setup
  says: two cards each
  on: game
  do: |
    for p in players:
      draw(2, deck, hand[p])
"""
NAMES = """
game: names
players: {count: 2}
state: {coins: {type: int 0..1, per: player, start: 1}}
steps: {game: {}}
windows: {w: {who: players, order: clockwise, each: rounds, done: stop}}
start: game
clauses:
- {id: game, kind: order, says: they pay, on: game, do: w()}
- id: w.pay
  kind: permit
  says: who pays asks all for more
  on: w
  option: pay
  when: coins[actor] == 1
  do: |
    pending = coins[actor]
    rich = choose((p for p in players if p != actor and coins[p] == 1), by=actor)
    for left in players:
      if may(by=left, ask="more"):
        coins[left] = 0
    coins[rich] -= pending
  otherwise: |
    for p in players:
      if coins[p] == 1:
        if may(by=p, ask="less"):
          coins[p] = 0
"""
LANTERNS = (SPECS / "lanterns.yaml").read_text("utf-8")


def written(folder: Path, text: str) -> str:
    """Write a game."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.yaml").write_text(text, "utf-8")
    return str(folder)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write the small race."""
    return written(tmp_path_factory.mktemp("lanterns"), LANTERNS)


@pytest.fixture(scope="module")
def suite(source: str) -> Suite:
    """Choose its positions."""
    return positions(source, Settings())


def wrong(document: dict[str, Any], source: str) -> tuple[str, ...]:
    """Test a document as `replay` does."""
    return check_position(document, lambda chosen: compile_game(load_game(source, chosen)))


# --- what is written --------------------------------------------------------------------------


def test_every_position_replays(suite: Suite, source: str) -> None:
    """All that a position says is so, from the setup on, and it has the shape of its format."""
    validator = Draft202012Validator(json.loads(schema_text("position")))
    for document in suite.documents:
        plain = json.loads(json.dumps(document))

        assert wrong(plain, source) == ()
        assert list(validator.iter_errors(plain)) == []


def test_few_positions_show_everything(suite: Suite) -> None:
    """A dozen files are enough for all that the small race can show."""
    assert len(suite.documents) <= 13
    assert {goal.what[0] for goal in suite.unmet} == {"firing/l.deck", "firing/l.win"}
    assert [whole for _, _, whole in suite.searched] == [True]
    kinds = {goal.kind for goal in suite.met}
    assert kinds >= {"clause", "pair", "boundary", "forbids", "empties", "fills", "top", "over",
                     "without", "reading"}


def test_the_same_game_gives_the_same_positions(suite: Suite, source: str) -> None:
    """Nothing depends on the run."""
    again = positions(source, Settings())

    assert json.dumps(again.documents) == json.dumps(suite.documents)


def test_rulings_stand_in_one_order() -> None:
    """Which rulings a position rests on is told by name, and not as a set happens to lie."""
    names = [f"point-{number}" for number in range(9)]
    game = SimpleNamespace(open_points=(), rulings=[Ruling(name, "so", "ours") for name in names])
    instance: Any = SimpleNamespace(
        game=game, compiled=SimpleNamespace(machine=SimpleNamespace(duties={})))
    made = status(instance, [], {Goal("reading", (name, "other")) for name in names})

    assert [each["point"] for each in made["ruling"]] == names


def test_each_position_says_what_is_asked_of_it(suite: Suite) -> None:
    """The fields of the contract are there, and ids are different."""
    for document in suite.documents:
        assert {"id", "title", "why", "covers", "tags", "status", "state", "state_sha256",
                "to_move", "legal_moves", "illegal_moves", "move", "chance", "decisions", "expect",
                "views", "window", "perft", "reached_by", "line"} <= document.keys()
        assert document["why"]
        assert len(document["perft"]) == 3
    assert len({document["id"] for document in suite.documents}) == len(suite.documents)


def test_what_is_under_way_is_told_in_words_beside_the_state(tmp_path: Path) -> None:
    """`state` has names of the spec only; what a deal still owes is told, and needed."""
    found = positions(written(tmp_path, DEAL), Settings()).documents
    told = [each for document in found for each in document["under_way"] or ()]
    halfway = next(document for document in found if document["under_way"])

    assert all(set(each["state"]) == {"deck", "hand", "winners"} for each in found)
    assert any(each["says"] == "how many cards deal has still to draw" for each in told)
    assert all(each["says"] and "@" not in each["says"] for each in told)
    assert wrong(halfway, str(tmp_path)) == ()
    assert wrong({**halfway, "under_way": []}, str(tmp_path))


def test_what_is_under_way_is_told_whatever_a_spec_calls_it(tmp_path: Path) -> None:
    """A local or a clause that is called like something of the engine's is not taken for it."""
    found = positions(written(tmp_path, NAMES), Settings()).documents
    told = {each["says"] for document in found for each in document["under_way"] or ()}
    inside = [each for each in found if each["window"].get("asks") == "more"]

    assert {"`pending` of w.pay", "`left` of w.pay, in which it is at this one",
            "how many players the loop over `left` of w.pay is past"} <= told
    assert not {each for each in told if "draw" in each}
    assert inside
    assert all({*each["window"]["to_act"], *each["window"]["not_to_act"]}
               == {"player 1", "player 2"} for each in inside)


def test_how_far_a_loop_has_come_is_no_comparison_of_the_game(tmp_path: Path) -> None:
    """Neither in what a clause does nor in what it does otherwise."""
    game = load_game(written(tmp_path, NAMES), Settings())
    machine = compile_game(game).machine
    placed = {each.name for each in machine.arrays if each.of is not None and each.of.place}

    assert any("otherwise" in name for name in placed)
    assert [site for site in sites_of(machine, game)[1] if arrays_read(site.expr) & placed] == []


def test_illegal_moves_name_the_clause_that_forbids_them(suite: Suite) -> None:
    """Who is two ahead may not light up."""
    barred = [each for d in suite.documents for each in d["illegal_moves"]]

    assert ["l.modest"] in [each["clauses"] for each in barred]
    assert all(each["clauses"] and each["why"] for each in barred)


def test_chance_is_scripted_with_its_exact_probability(suite: Suite) -> None:
    """After a move the likeliest outcomes follow until somebody decides."""
    scripted = [each for d in suite.documents for each in d["chance"]]

    assert scripted
    assert all(re.fullmatch(r"\d+/\d+", each["probability"]) for each in scripted)


def test_a_reading_that_parts_is_expected_apart(suite: Suite) -> None:
    """A position on an open point says what is so under each reading, and who ruled."""
    under = [(d, each) for d in suite.documents for each in d["expect"].get("under", ())]

    assert [each["rulings"] for _, each in under] == [{"lamp-last": "exactly"}]
    document, other = under[0]
    assert document["status"] == "house-rule"
    assert document["ruling"][0]["point"] == "lamp-last"
    assert other["expect"]["legal_moves"] != document["expect"]["legal_moves"]


def test_hidden_things_are_in_nobody_elses_view(suite: Suite) -> None:
    """Of another's hand a seat knows the size."""
    document = next(d for d in suite.documents if any(d["state"]["hand"]["player 2"].values()))
    hand = document["views"]["before"]["player 1"]["hand"]

    assert hand["player 1"] == document["state"]["hand"]["player 1"]
    assert set(hand["player 2"]) == {"size"}


@pytest.mark.parametrize("path", [
    "state_sha256", "to_move", "legal_moves.0.choice", "perft.1", "expect.state_sha256",
    "expect.changes", "expect.result.over", "expect.cites", "reached_by.steps.0.state_sha256",
    "state.glow.player 1", "spec_sha256", "move.by",
])
def test_a_tampered_position_is_refused(suite: Suite, source: str, path: str) -> None:
    """Whatever is changed, something does not hold any more."""
    document = copy.deepcopy(next(d for d in suite.documents if d["reached_by"]["steps"]
                                  and d["legal_moves"][0]["choice"] and d["expect"]["changes"]))
    *names, last = path.split(".")
    at: Any = document
    for name in names:
        at = at[int(name)] if isinstance(at, list) else at[name]
    key: Any = int(last) if isinstance(at, list) else last
    at[key] = {str: "0" * 64, int: 7, bool: not at[key], list: ["no.clause"],
               dict: {"glow": {"player 1": 3, "player 2": 3}}}[type(at[key])]
    try:
        found = wrong(document, source)
    except DocumentError as error:
        found = (str(error),)

    assert found


def test_a_limit_on_their_number_keeps_those_that_show_most(source: str, suite: Suite) -> None:
    """With few positions the first ones are those that a greedy choice takes first."""
    few = positions(source, Settings(), most=3)

    assert len(few.documents) <= 3
    assert few.unmet
    assert len(few.met) > len(suite.met) / 3


# --- mutants ----------------------------------------------------------------------------------

CHANGES = (
    (r">=", ">"), (r">=", "=="), (r"(?<![<>=!])==", "!="), (r"(?<![<>=!])==", ">="), (r"==", "<="),
    (r"(?<![-=<>])>(?!=)", ">="), (r"(?<![-=<>])>(?!=)", "=="), (r"\+ 2", "+ 1"), (r"\+ 2", "+ 3"),
    (r"== 0", "== 1"), (r"> 0", "> 1"), (r"<= goal", "< goal"), (r"\+ card.light", "+ 1"),
    (r"\+ card.light", "- card.light"), (r"draw\(1", "draw(2"), (r"\band\b", "or"),
    (r"any\(", "all("),
    (r"min\(goal, ", "max(glow[actor], "), (r"next_player\(active\)", "active"),
    (r"next_player\(actor\)", "actor"), (r"timing: at once", "timing: after the step"),
    (r"hand\[actor\], used", "hand[actor], deck"), (r"shuffle_into\(used", "move_all(used"),
    (r", after: \[l.draw\]", ""), (r"win\(only", "end_game() #"),
    (r"done: wait", "done: wait, forced: true"),
    (r"hand_limit: 1", "hand_limit: 2"), (r"goal: 3", "goal: 2"), (r"start: 1", "start: 2"),
    (r"light: 2", "light: 1"), (r"copies: 2", "copies: 1"), (r", timing: at once", ""),
    (r"while size", "if size"), (r"glow\[actor\] =", "glow[next_player(actor)] ="),
)
"""What is put in the place of each match, one match at a time, in the clauses and entries."""


def mutants() -> Iterator[tuple[str, str]]:
    """Change the small race in one place."""
    rulings = LANTERNS.index("open_points:")
    for pattern, other in CHANGES:
        for found in re.finditer(pattern, LANTERNS[:rulings]):
            text = LANTERNS[: found.start()] + other + LANTERNS[found.end():]
            line = LANTERNS.count("\n", 0, found.start()) + 1
            yield f"line {line}: {found[0]} becomes {other}", text
    whole = re.compile(r"^- (\{)?id: (l\.\w+).*?(?=^- |^open_points)", re.MULTILINE | re.DOTALL)
    for found in whole.finditer(LANTERNS):
        yield f"without {found[2]}", LANTERNS[: found.start()] + LANTERNS[found.end():]


MUTANTS = dict(mutants())


@cache
def original(source: str) -> Instance:
    """Compile the small race, or a mutant of it."""
    return Workbench(source, Settings()).instance("printed")


@pytest.mark.parametrize("name", MUTANTS)
def test_no_rule_can_be_changed_unnoticed(
    name: str, suite: Suite, source: str, tmp_path: Path
) -> None:
    """Each mutant makes a position fail, or cannot be told from the original at all (C4)."""
    try:
        mutant = original(written(tmp_path / "mutant", MUTANTS[name]))
    except SpecErrors:
        return
    if any(tells_apart(document, mutant) or not reaches(document, mutant)
           for document in suite.documents):
        return
    try:
        found = diverge(original(source).program, mutant.program, stop_at=HIDDEN)
    except EndlessRules:
        pytest.fail("the mutant never comes to rest, and no position notices")

    assert found.complete
    assert found.splits == {}


# --- how they are chosen ----------------------------------------------------------------------


def test_a_watcher_sees_what_the_generated_code_does(source: str) -> None:
    """The third reading of the rules has the same moves with the same results."""
    instance = original(source)
    watcher = Watcher(instance.compiled.machine, instance.game)
    todo, seen = [instance.program.start()[0]], set[bytes]()
    while todo:
        packed = todo.pop()
        if packed in seen:
            continue
        seen.add(packed)
        sight = watcher.look(instance.program.unpack(packed))
        theirs = [(m[0], m[1], m[2]) for m in instance.program.succ(packed) if not m[3] & 1]
        ours = [(r.move.edge, r.move.args, r.after and instance.program.pack(r.after))
                for r in sight.ran]
        assert ours == theirs
        todo += [after for _, _, after in theirs if after is not None]
    assert len(seen) == 243


def test_a_comparison_decides_where_turning_it_round_matters(source: str) -> None:
    """The boundary goals of the rule on modesty are met below, at and above its edge."""
    instance = original(source)
    collector = Collector(Watcher(instance.compiled.machine, instance.game), Counter())
    todo, seen = [instance.program.start()[0]], set[bytes]()
    while todo:
        packed = todo.pop()
        if packed not in seen:
            seen.add(packed)
            collector.look(Spot("printed", instance.program.unpack(packed), 0))
            todo += [m[2] for m in instance.program.succ(packed) if m[2] is not None]
    found = {goal.what[2] for c in collector.candidates.values() for goal in c.goals
             if goal.kind == "boundary" and goal.what[0] == "l.modest"}

    assert {"-1", "0"} <= found


def test_the_cover_is_small_and_complete() -> None:
    """Greedy choice takes what shows most, and drops what the others make needless."""
    def candidate(number: int, depth: int, *names: str) -> Showing:
        goals = {Goal("clause", (name,)) for name in names}
        return Showing(Spot("s", State(0, ()), depth, number), None, goals)

    pool = [candidate(0, 1, "a", "b"), candidate(1, 1, "b", "c"), candidate(2, 1, "c", "d"),
            candidate(3, 5, "a", "b", "c"), candidate(4, 2, "d")]
    taken = chosen(pool)

    assert set().union(*(each.goals for each in taken)) == set().union(*(c.goals for c in pool))
    assert len(taken) == 2
    assert [each.spot.number for each in chosen(pool, most=1)] == [3]


# --- the command ------------------------------------------------------------------------------


def pointers(value: object, at: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """List where the values of a document are."""
    yield at
    for key, each in (value.items() if isinstance(value, dict) else enumerate(value)
                      if isinstance(value, list) else ()):
        yield from pointers(each, (*at, key))


@pytest.mark.parametrize("form", ["position", "play", "findings"])
def test_no_document_of_a_stranger_breaks_replay(
    form: str, suite: Suite, source: str, tmp_path: Path
) -> None:
    """With any value of it replaced by one of another type, a document is read or refused."""
    rng = random.Random(form)  # noqa: S311
    games = Games(source)
    position = max(suite.documents, key=lambda each: len(str(each)))
    play = position["reached_by"]
    findings = {"format": "ruleproof/findings-1", **{key: position[key] for key in (
        "game", "spec_sha256", "settings")}, "findings": [{"id": "a", "evidence": {
            "plays": [{"reading": "", "play": play}], "scope": "printed", "position": {
                key: position[key] for key in ("node", "to_move", "state")}}}]}
    whole = {"position": position, "play": play, "findings": findings}[form]
    places = sorted(filter(None, pointers(whole)), key=str)
    refused = 0
    for _ in range(120):
        doc = copy.deepcopy(whole)
        *way, last = rng.choice(places)
        inner: Any = doc
        for key in way:
            inner = inner[key]
        inner[last] = rng.choice([None, True, -1, 2.5, "", "x", [], {}, [[]], {"a": {}}])
        path = tmp_path / "a.json"
        path.write_text(json.dumps(doc), "utf-8")
        for outcome in outcomes(path, games, steps=True):
            refused += outcome.unreadable
            assert not outcome.unreadable or outcome.wrong

    assert refused > 20


def test_a_value_of_the_wrong_type_is_named_by_its_place(
    suite: Suite, source: str, tmp_path: Path
) -> None:
    """What has the wrong shape is refused with a pointer to it, and status 2."""
    document = {**suite.documents[0], "move": {"by": {}, "event": "draw"}}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document), "utf-8")
    (found,) = outcomes(path, Games(source), steps=False)

    assert found.unreadable
    assert found.wrong == ("`/move/by` must be text",)


def test_a_position_is_told_under_a_reading_where_the_same_seat_moves(tmp_path: Path) -> None:
    """Where another reading gives the move to another seat, it is another situation."""
    game = written(tmp_path / "ante", ANTE)
    found = positions(game, Settings())

    assert found.documents
    assert not any(each.failed for each in found.not_done)
    for document in found.documents:
        assert wrong(document, game) == ()


def test_a_position_that_fails_costs_itself_only(
    source: str, suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be written is named, and the other positions are."""
    write, bad = Cases.write, suite.documents[0]["id"]

    def sometimes(*args: Any) -> dict[str, Any]:  # noqa: ANN401
        document = write(*args)
        if document["id"] == bad:
            raise Disagreement("this one")
        return document

    monkeypatch.setattr(Cases, "write", sometimes)
    found = positions(source, Settings())

    assert bad not in {document["id"] for document in found.documents}
    assert len(found.documents) > len(suite.documents) / 2
    assert any("internal error: Disagreement: this one" in each.why for each in found.not_done)


def test_the_command_writes_files_that_replay(source: str, tmp_path: Path) -> None:
    """Each file and each line that is written is accepted; written again, all is as it was."""
    folder, lines = tmp_path / "out", tmp_path / "out.txt"

    assert run(["positions", source, "-o", str(folder), "-q"]) == 0
    first = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert run(["replay", str(folder), "--game", source, "-q"]) == 0
    assert run(["positions", source, "-o", str(folder), "-q"]) == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == first
    assert run(["positions", source, "-o", str(lines), "--format", "lines", "-q"]) == 0
    assert len(lines.read_text("utf-8").splitlines()) == len(first)
    assert run(["replay", str(lines), "--game", source, "-q"]) == 0


@pytest.mark.parametrize(("change", "status"), [
    ((" ;", " ;"), 0), (("glow=[1", "glow=[2"), 1), (("#", "#0"), 1), (("perft ", "perft 9"), 1),
    (("lanterns", "moon"), 2), (("2/printed", "printed"), 2), (("glow", "moon"), 2), (("=", ""), 2),
    (("perft", "perft x"), 2), (("lighting", "moon"), 2),
])
def test_a_tampered_line_is_refused(
    suite: Suite, source: str, tmp_path: Path, change: tuple[str, str], status: int
) -> None:
    """The hash of a line and its numbers of plays are tested; what is no line cannot be read."""
    one = next(each for each in suite.documents if "glow=[1" in each["line"])
    line = f"{one['line']} ; perft {one['perft'][0]}"
    path = tmp_path / "lines.txt"
    path.write_text(f"# a remark\n\n{line.replace(*change)}\n", "utf-8")

    assert run(["replay", str(path), "--game", source]) == status


def test_only_positions_of_the_game_are_overwritten(source: str, tmp_path: Path) -> None:
    """What else lies in the folder is not touched; positions that are no more are removed."""
    folder = tmp_path / "out"
    assert run(["positions", source, "-o", str(folder), "-q", "--max", "2"]) == 0
    old = folder / "old.json"
    old.write_text(next(folder.glob("*.json")).read_text("utf-8"), "utf-8")
    assert run(["positions", source, "-o", str(folder), "-q", "--max", "2"]) == 0
    assert not old.exists()
    (folder / "notes.txt").write_text("mine", "utf-8")
    assert run(["positions", source, "-o", str(folder), "-q"]) == 2
    assert run(["positions", source, "-o", str(folder / "notes.txt"), "-q"]) == 2
    assert (folder / "notes.txt").read_text("utf-8") == "mine"
