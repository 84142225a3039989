"""Positions and findings, tested against the reference interpreter.

A position (`ruleproof/position-1`) is `game`, `spec_sha256`, `settings`, `node`, `state` (zones
and variables by name), `under_way` (what of a sentence that is half carried out is still to be
done; without it all is as the game begins) and what is expected of it.
Each of these is tested if it is there:

* `state_sha256`; `to_move` (a player's name, `player 2`, `chance`, `rules` or null);
* `legal_moves`: all of them, in any order; a move is `{event, choice}`, or a sentence;
* `illegal_moves`: each with the `clause` (or `clauses`) that stands against it;
* `perft`: the number of plays of 1, 2, … moves from here, chance counted as a player;
* `views`: `before` and `after`, by player; only the entries that are given are compared;
* `move`, then `chance` (outcomes in order, each with its `probability` as "1/3") and `decisions`
  (answers in order, each with `by` if it says so), taken as the machine asks for them; all must be
  used up; and `expect`: what holds then.  It may hold `state_sha256`, `node`, `to_move`,
  `legal_moves`, `changes` (name → value after, or → {from, to}), `cites`, `failed`, `broken`,
  `result` (as in a play) and `under`: a list of `{rulings, expect}` for other rulings;
* `reached_by`: a play that ends in this state.

Other fields are for people and are not looked at; an unknown entry of `expect` is an error, for
nobody could say that it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ...model.game.game import Settings
from ...model.lowering.compile import Compiled
from ...model.machine.machine import Machine
from ...model.machine.state import Move, State, Transition
from ...model.plays.board import JSON, from_values, state_hash, values_by_name, view
from ...model.plays.documents import (
    Differs,
    DocumentError,
    check_format,
    header,
    is_list,
    is_object,
    same_game,
)
from ...model.plays.documents import field as get
from ...model.plays.moves import (
    NoSuchMove,
    actor,
    describe_move,
    describe_option,
    move_from,
    node_of,
)
from ...model.plays.plays import by_json, failures, replay, result_json, why_not
from ...model.run.evaluate import OutOfRangeError
from ...model.run.interp import EndlessRules, IllegalMove, Interpreter, UncoveredRules
from ...model.source.errors import quote
from ..engine.program import Program
from ..search.perft import levels
from .under_way import read_under_way

FORMAT = "ruleproof/position-1"
WHERE = "the position"
LONGEST_PERFT = 200_000
"""So many states are counted for `perft` in each level at most."""
DEEPEST_PERFT = 12

Load = Callable[[Settings], Compiled]


@dataclass(slots=True)
class Trial:
    """A position under test: what was wrong with it so far."""

    compiled: Compiled
    state: State
    wrong: list[str] = field(default_factory=list[str])
    interp: Interpreter = field(init=False)

    def __post_init__(self) -> None:
        self.interp = Interpreter(self.compiled.machine)

    def check(self, name: str, theirs: object, ours: object) -> None:
        """Note that something differs."""
        if theirs != ours:
            self.wrong.append(f"`{name}` is {_brief(ours)} here, not {_brief(theirs)}")

    def note(self, text: str) -> None:
        """Note that something is wrong."""
        self.wrong.append(text)


def check_position(doc: object, load: Load) -> tuple[str, ...]:
    """Test a position; give all that does not hold, nothing if all is well.

    Raises:
        DocumentError: if it is no position.

    """
    check_format(doc, FORMAT, WHERE)
    if not is_object(doc):
        return ()
    _, settings = header(doc, WHERE)
    compiled = load(settings)
    try:
        same_game(doc, compiled)
    except Differs as error:
        return (error.reason,)
    test = Trial(compiled, position_state(doc, compiled))
    try:
        _stand(test, doc)
        _act(test, doc, get(doc, "expect", dict, WHERE) if "expect" in doc else {})
        for other in _under(doc):
            _elsewhere(test, doc, other, settings, load)
    except (OutOfRangeError, UncoveredRules) as error:
        test.note(f"the rules cannot be run from here: {error}")
    return tuple(test.wrong)


def position_state(doc: Mapping[str, JSON], compiled: Compiled) -> State:
    """Read the state, and what is under way."""
    machine = compiled.machine
    first = Interpreter(machine).start().state
    kept = read_under_way(doc, machine, first, WHERE)
    values = {**kept, **get(doc, "state", dict, WHERE)}
    try:
        state = from_values(machine, get(doc, "node", str, WHERE), values)
    except (ValueError, TypeError) as error:
        raise DocumentError(f"`state` of {WHERE}: {error}") from None
    if node_of(machine, state).kind == "rules":
        raise DocumentError(f"`node` of {WHERE} is none at which the game rests")
    return state


# ------------------------------------------------------------------------------------ before


def _stand(test: Trial, doc: Mapping[str, JSON]) -> None:
    """Test what is said of the state itself."""
    machine = test.compiled.machine
    if "state_sha256" in doc:
        test.check("state_sha256", doc["state_sha256"], state_hash(machine, test.state))
    if "to_move" in doc:
        _to_move(test, doc["to_move"], test.state)
    if "legal_moves" in doc:
        _legal(test, get(doc, "legal_moves", list, WHERE), test.state)
    for number, each in enumerate(_list(doc, "illegal_moves"), 1):
        _illegal(test, each, f"illegal move {number}")
    if "views" in doc:
        _views(test, get(doc, "views", dict, WHERE).get("before"), test.state)
    if "perft" in doc:
        wanted = get(doc, "perft", list, WHERE)
        if len(wanted) > DEEPEST_PERFT:
            raise DocumentError(f"`perft` of {WHERE} has more than {DEEPEST_PERFT} numbers")
        test.check("perft", wanted, perft_from(test.compiled, test.state, len(wanted)))
    if doc.get("reached_by") is not None:
        again = replay(doc["reached_by"], test.compiled)
        if again.reason:
            test.note(f"`reached_by`: step {again.step}: {again.reason}")
        elif again.state != test.state:
            test.note("`reached_by` ends in another state")


def _list(doc: Mapping[str, JSON], name: str) -> list[JSON]:
    return get(doc, name, list, WHERE) if doc.get(name) is not None else []


def _to_move(test: Trial, theirs: object, state: State) -> None:
    machine = test.compiled.machine
    seat, by = actor(machine, state), by_json(machine, state)
    names = {by} if seat is None else {by, machine.player_names[seat]}
    if theirs not in names and not (theirs is None and seat is None):
        test.note(f"`to_move` is {quote(min(names))} here, not {_brief(theirs)}")


def _legal(test: Trial, given: Sequence[JSON], state: State, where: str = "") -> None:
    machine = test.compiled.machine
    legal = test.interp.moves(state)
    named = {_named(test, each, state, f"legal move {i}{where}") for i, each in enumerate(given, 1)}
    for move in sorted(named - set(legal)):
        reason, _ = why_not(test.interp, state, move)
        test.note(f"not legal{where}: {describe_move(machine, state, move)}: {reason}")
    for move in legal:
        if move not in named:
            test.note(f"legal{where} but not listed: {describe_move(machine, state, move)}")


def _named(test: Trial, given: object, state: State, where: str) -> Move:
    """Read a move: as an object, or as the sentence or the option that tells it."""
    machine = test.compiled.machine
    if isinstance(given, str):
        for verdict in test.interp.candidates(state):
            told = (
                describe_move(machine, state, verdict.move),
                describe_option(machine, state, verdict.move),
            )
            if given in told:
                return verdict.move
        raise DocumentError(f"{where}: nothing is called {quote(given)} here")
    if is_object(given) and is_object(given.get("move")):
        given = given["move"]
    try:
        return move_from(machine, state, given)
    except NoSuchMove as error:
        raise DocumentError(f"{where}: {error}") from None


def _illegal(test: Trial, given: object, where: str) -> None:
    if not is_object(given):
        raise DocumentError(f"{where} must be an object")
    named = given.get("clauses", given.get("clause", []))
    wanted = [named] if isinstance(named, str) else named
    bare = {key: given[key] for key in ("event", "choice", "move") if key in given}
    move = _named(test, bare, test.state, where)
    reason, clauses = why_not(test.interp, test.state, move)
    told = describe_move(test.compiled.machine, test.state, move)
    if not reason:
        test.note(f"legal, but listed as illegal: {told}")
    elif not is_list(wanted) or not set(wanted) <= set(clauses):
        test.note(f"{told}: {reason}, not by {_brief(named)}")


def _views(test: Trial, given: object, state: State) -> None:
    if given is None:
        return
    machine = test.compiled.machine
    for seat, name in enumerate(machine.player_names):
        theirs = given.get(name) if is_object(given) else None
        if theirs is None:
            continue
        ours = view(machine, state, seat)
        for key, value in theirs.items() if is_object(theirs) else ():
            test.check(f"{key} as {name} sees it", value, ours.get(key))


def perft_from(compiled: Compiled, state: State, depth: int) -> list[int]:
    """Count the plays of 1, 2, … moves from a state, chance outcomes counted as moves."""
    program, found = Program(compiled.machine), list[int]()
    for level in levels(program, program.pack(state), depth):
        if len(found) < depth and len(level) > LONGEST_PERFT:
            raise DocumentError(f"`perft` of {WHERE} is too deep to be counted")
        found.append(sum(level.values()))
    return found[1:]


# ------------------------------------------------------------------------------------ after


def _act(test: Trial, doc: Mapping[str, JSON], expect: Mapping[str, JSON]) -> None:
    """Make the move and what is scripted after it, and test what is expected."""
    steps = _script(test, doc)
    if steps is None:
        return
    after = steps[-1].state if steps else test.state
    _expect(test, expect, after, steps)
    if "views" in doc:
        _views(test, get(doc, "views", dict, WHERE).get("after"), after)


def _script(test: Trial, doc: Mapping[str, JSON]) -> list[Transition] | None:
    """Run the script; None if it does not go through."""
    waiting = {"chance": _list(doc, "chance"), "decisions": _list(doc, "decisions")}
    used = {"chance": 0, "decisions": 0}
    steps: list[Transition] = []
    state, given, where = test.state, doc.get("move"), "`move`"
    while True:
        if given is None:
            kind = node_of(test.compiled.machine, state).kind
            name = "chance" if kind == "chance" else "decisions"
            if kind == "final" or used[name] == len(waiting[name]):
                break
            given = waiting[name][used[name]]
            used[name] += 1
            where = f"{name} {used[name]}"
        step = _step(test, state, given, where)
        if step is None:
            return None
        steps.append(step)
        state, given = step.state, None
    for name, each in waiting.items():
        if used[name] < len(each):
            test.note(f"{len(each) - used[name]} of `{name}` are left over")
    return steps


def _step(test: Trial, state: State, given: object, where: str) -> Transition | None:
    machine = test.compiled.machine
    move = _named(test, given, state, where)
    if is_object(given):
        if "by" in given:
            _to_move(test, given["by"], state)
        if "probability" in given:
            chances = dict(test.interp.chance(state))
            ours = chances.get(move, Fraction(0))
            test.check(
                f"probability of {describe_move(machine, state, move)}",
                str(given["probability"]), f"{ours.numerator}/{ours.denominator}",
            )  # fmt: skip
    try:
        return test.interp.step(state, move)
    except IllegalMove:
        reason, _ = why_not(test.interp, state, move)
        test.note(f"{where}: {describe_move(machine, state, move)}: {reason}")
    except EndlessRules as error:
        test.note(f"{where}: {error}")
    return None


def _expect(
    test: Trial, expect: Mapping[str, JSON], after: State, steps: Sequence[Transition]
) -> None:
    ours = outcome(test.compiled.machine, after, steps)
    for name, theirs in expect.items():
        if name == "to_move":
            _to_move(test, theirs, after)
        elif name == "legal_moves":
            _legal(test, get(expect, name, list, "`expect`"), after, " then")
        elif name == "changes":
            _changes(test, get(expect, name, dict, "`expect`"), after)
        elif name in ours:
            test.check(name, theirs, ours[name])
        elif name != "under":
            raise DocumentError(f"`expect` of {WHERE} has {quote(name)}, which nobody can test")


def outcome(machine: Machine, after: State, steps: Sequence[Transition]) -> dict[str, JSON]:
    """Say what has come of some moves: where they led, and what was cited and failed on the way."""
    return {
        "node": node_of(machine, after).name,
        "cites": list(dict.fromkeys(clause for step in steps for clause in step.cites)),
        "failed": failures(machine, [note for step in steps for note in step.notes]),
        "broken": [machine.limits[i].clause for step in steps for i in step.broken],
        "result": result_json(machine, after),
        "state_sha256": state_hash(machine, after),
    }


def _changes(test: Trial, given: Mapping[str, JSON], after: State) -> None:
    machine = test.compiled.machine
    before, now = values_by_name(machine, test.state), values_by_name(machine, after)
    for name, value in given.items():
        if name not in now:
            raise DocumentError(f"`changes` names {quote(name)}, which the game does not have")
        if is_object(value) and set(value) == {"from", "to"}:
            test.check(f"{name} before", value["from"], before[name])
            test.check(f"{name} after", value["to"], now[name])
        else:
            test.check(f"{name} after", value, now[name])


# ------------------------------------------------------------------------------------ readings


def _under(doc: Mapping[str, JSON]) -> list[JSON]:
    expect = doc.get("expect")
    return _list(expect, "under") if is_object(expect) else []


def _elsewhere(
    test: Trial, doc: Mapping[str, JSON], other: object, settings: Settings, load: Load
) -> None:
    """Test what is expected under other rulings."""
    rulings = get(other, "rulings", dict, "`under`")
    pairs = {point: each for point, each in rulings.items() if isinstance(each, str)}
    if len(pairs) < len(rulings):
        raise DocumentError("`under` has rulings that are no names")
    merged = tuple(sorted({**dict(settings.rulings), **pairs}.items()))
    compiled = load(replace(settings, rulings=merged))
    there = Trial(compiled, position_state(doc, compiled))
    _act(there, {**doc, "views": {}}, get(other, "expect", dict, "`under`"))
    named = ", ".join(f"{point}={reading}" for point, reading in rulings.items())
    test.wrong += [f"under {named}: {each}" for each in there.wrong]


def _brief(value: object) -> str:
    text = str(value) if value is not None else "none"
    return quote(text)
