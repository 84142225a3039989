"""Plays as documents (`ruleproof/play-1`): written from moves, and replayed step by step.

A play holds the game, the SHA-256 of its spec, the settings, how the setup went, and the steps;
each step holds the node, who moved (`player 1`, `chance`, or `rules` where the book names nobody),
the event, the choice by names, the clauses cited, what failed on the way, and the hash of the state
after it.  Everything but the moves is redundant, on purpose: `replay` computes it afresh with the
reference interpreter and says at which step the first difference is.

A play may end in rules that never come to rest (`endless` names the nodes they go round in), and
may say that its last state is that after step `loop_from`: then it can go on for ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..lowering.compile import Compiled
from ..machine.machine import Machine
from ..machine.state import Move, State, Transition
from ..run.interp import EndlessRules, IllegalMove, Interpreter
from ..source.errors import quote
from .board import JSON, state_hash
from .circumstances import asked, landed, off_the_top
from .documents import (
    Differs,
    DocumentError,
    check_format,
    field,
    header,
    is_list,
    is_object,
    same_game,
    settings_json,
)
from .moves import (
    NoSuchMove,
    actor,
    choice_of,
    describe_move,
    edge_of,
    move_from,
    move_json,
    node_of,
)

FORMAT = "ruleproof/play-1"


@dataclass(frozen=True, slots=True)
class Taken:
    """A move that was made; `step` is None if the rules then never came to rest."""

    before: State
    move: Move
    step: Transition | None
    endless: tuple[str, ...] = ()
    notes: tuple[int, ...] = ()
    """The obligations that fail in the rules that go round."""


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of replaying: if not `ok`, at which step (0: before the first) and for what reason.

    `start` and `taken` are what was reached.
    """

    step: int
    reason: str = ""
    start: Transition | None = None
    taken: tuple[Taken, ...] = ()

    @property
    def ok(self) -> bool:
        """Return whether everything held."""
        return not self.reason

    @property
    def state(self) -> State | None:
        """Return the last state that was reached."""
        for taken in reversed(self.taken):
            if taken.step is not None:
                return taken.step.state
        return self.start.state if self.start is not None else None


# ------------------------------------------------------------------------------------ writing


def record(
    compiled: Compiled, moves: Sequence[Move], *, seed: int | None = None,
    loop_from: int | None = None,
) -> dict[str, JSON]:
    """Make the moves from the setup on, and write the play down.

    Raises:
        IllegalMove: if one of them is not legal.

    """
    interp = Interpreter(compiled.machine)
    try:
        start = interp.start()
    except EndlessRules as error:
        return document(compiled, None, (), seed=seed, endless=error.cycle, notes=error.notes)
    taken: list[Taken] = []
    state = start.state
    for number, move in enumerate(moves, 1):
        try:
            step = interp.step(state, move)
        except EndlessRules as error:
            if number < len(moves):
                raise
            taken.append(Taken(state, move, None, error.cycle, error.notes))
            break
        taken.append(Taken(state, move, step))
        state = step.state
    return document(compiled, start, taken, seed=seed, loop_from=loop_from)


def document(
    compiled: Compiled, start: Transition | None, taken: Sequence[Taken], *,
    seed: int | None = None, loop_from: int | None = None, endless: tuple[str, ...] = (),
    notes: tuple[int, ...] = (),
) -> dict[str, JSON]:
    """Write a play that was made already.

    `start` is None if the setup is `endless`; `notes` are then the obligations that fail in it.
    """
    machine = compiled.machine
    made: dict[str, JSON] = {
        "format": FORMAT,
        "game": compiled.game.id,
        "spec_sha256": compiled.game.spec_sha256,
        "settings": settings_json(compiled),
    }
    if seed is not None:
        made["seed"] = seed
    made["setup"] = _outcome(machine, start, endless, notes)
    made["steps"] = [step_json(machine, each) for each in taken]
    if loop_from is not None:
        made["loop_from"] = loop_from
    last = taken[-1].step if taken else start
    if last is not None:
        made["result"] = result_json(machine, last.state)
    return made


def step_json(machine: Machine, taken: Taken) -> dict[str, JSON]:
    """Write one step."""
    return {
        "node": node_of(machine, taken.before).name,
        "by": by_json(machine, taken.before),
        **asked(machine, taken.before),
        **move_json(machine, taken.before, taken.move),
        **({} if taken.step is None else {
            **off_the_top(machine, taken.before, taken.step.state),
            **landed(machine, taken.before, taken.move, taken.step.state)}),
        **_outcome(machine, taken.step, taken.endless, taken.notes),
    }


def by_json(machine: Machine, state: State) -> str:
    """Say who moves in a state: `player 1`, `chance`, or `rules` where nobody is named."""
    if node_of(machine, state).kind == "chance":
        return "chance"
    seat = actor(machine, state)
    return "rules" if seat is None else f"player {seat + 1}"


def result_json(machine: Machine, state: State) -> dict[str, JSON]:
    """Say how a game stands: whether it is over, and who has won."""
    interp = Interpreter(machine)
    winners: list[JSON] = [machine.player_names[seat] for seat in interp.winners(state)]
    return {"over": interp.final(state), "winners": winners}


def failures(machine: Machine, notes: Sequence[int]) -> list[JSON]:
    """Write the obligations that failed, in order."""
    known = machine.duties
    return [
        {"clause": known[n].clause, "defect": known[n].defect, "what": known[n].prompt}
        for n in notes
    ]


def _outcome(
    machine: Machine, step: Transition | None, endless: tuple[str, ...], notes: tuple[int, ...] = ()
) -> dict[str, JSON]:
    if step is None:
        failed = failures(machine, notes)
        return {"endless": list(endless), **({"failed": failed} if failed else {})}
    made: dict[str, JSON] = {"cites": list(step.cites)}
    if step.notes:
        made["failed"] = failures(machine, step.notes)
    if step.broken:
        made["broken"] = [machine.limits[i].clause for i in step.broken]
    made["state_sha256"] = state_hash(machine, step.state)
    return made


# ------------------------------------------------------------------------------------ reading


def replay(doc: object, compiled: Compiled) -> Replay:
    """Make the moves of a play again, and compare everything that it says.

    Raises:
        DocumentError: if it is no play at all.

    """
    check_format(doc, FORMAT, "the play")
    steps = field(doc, "steps", list, "the play")
    setup = field(doc, "setup", dict, "the play")
    header(doc)
    start: Transition | None = None
    taken: list[Taken] = []
    number = 0
    try:
        same_game(doc, compiled)
        interp = Interpreter(compiled.machine)
        start = _setup(interp, setup)
        state = start.state if start is not None else None
        for number, step in enumerate(steps, 1):
            state = _goes_on(interp, state, len(steps) - number + 1)
            made = _step(interp, state, step, number)
            taken.append(made)
            state = made.step.state if made.step is not None else None
        _end(doc, compiled.machine, start, taken)
    except Differs as error:
        return Replay(number, error.reason, start, tuple(taken))
    return Replay(len(steps), start=start, taken=tuple(taken))


def _goes_on(interp: Interpreter, state: State | None, left: int) -> State:
    """Insist that the play goes on here."""
    if state is None or interp.final(state):
        ended = "the rules never come to rest" if state is None else "the game is over"
        more = f"{left} more steps are" if left > 1 else "one more step is"
        raise Differs(f"{ended}, and {more} left")
    return state


def _setup(interp: Interpreter, setup: Mapping[str, JSON]) -> Transition | None:
    try:
        start = interp.start()
    except EndlessRules as error:
        _compare(setup, _outcome(interp.machine, None, error.cycle, error.notes), "the setup")
        return None
    _compare(setup, _outcome(interp.machine, start, ()), "the setup")
    return start


def _step(interp: Interpreter, state: State, given: object, number: int) -> Taken:
    machine, where = interp.machine, f"step {number}"
    if not is_object(given):
        raise DocumentError(f"{where} must be an object")
    for name, ours in (("node", node_of(machine, state).name), ("by", by_json(machine, state))):
        theirs = field(given, name, str, where)
        if theirs != ours:
            raise Differs(f"`{name}` is {quote(ours)} here, not {quote(theirs)}")
    for name, here in asked(machine, state).items():
        if name in given and given[name] != here:
            raise Differs(f"`{name}` is {_brief([here])} here, not {_brief([given[name]])}")
    field(given, "event", str, where)
    field(given, "choice", dict, where)
    try:
        move = move_from(machine, state, given)
    except NoSuchMove as error:
        raise Differs(str(error)) from None
    try:
        step = interp.step(state, move)
    except IllegalMove:
        reason, _ = why_not(interp, state, move)
        raise Differs(f"{describe_move(machine, state, move)}: {reason}") from None
    except EndlessRules as error:
        _compare(given, _outcome(machine, None, error.cycle, error.notes), where)
        return Taken(state, move, None, error.cycle, error.notes)
    _compare(given, _outcome(machine, step, ()), where)
    return Taken(state, move, step)


def _compare(given: Mapping[str, JSON], ours: Mapping[str, JSON], where: str) -> None:
    """Compare what is said to have come of a step with what came of it."""
    for name in ("endless", "cites", "failed", "broken", "state_sha256"):
        theirs = given.get(name)
        if name in ours and name not in given and name != "failed":
            raise DocumentError(f"{where} has no `{name}`")
        if theirs != ours.get(name):
            raise Differs(_difference(name, theirs, ours.get(name)))


def _difference(name: str, theirs: object, ours: JSON) -> str:
    if name == "state_sha256":
        return f"the state is another one: {str(theirs)[:12]}… there, {str(ours)[:12]}… here"
    what = {
        "endless": "the rules that never come to rest",
        "cites": "the clauses that are cited",
        "failed": "the obligations that fail",
        "broken": "the limits that are broken",
    }[name]
    return f"{what} differ: {_brief(theirs)} there, {_brief(ours)} here"


def _brief(value: object) -> str:
    if not value:
        return "none"
    if not is_list(value):
        return "something else"
    names = [str(v.get("what")) if is_object(v) else str(v) for v in value]
    return ", ".join(quote(name) for name in names[:5]) + ("…" if len(names) > 5 else "")


def _end(doc: object, machine: Machine, start: Transition | None, taken: Sequence[Taken]) -> None:
    """Compare the result, and that a loop closes."""
    states = [None if start is None else start.state]
    states += [None if each.step is None else each.step.state for each in taken]
    last = states[-1]
    if is_object(doc) and "loop_from" in doc:
        loop_from = field(doc, "loop_from", int, "the play")
        if not 0 <= loop_from < len(states) - 1 or states[loop_from] != last:
            raise Differs(f"the last state is not that after step {loop_from}")
    if last is None:
        return
    ours = result_json(machine, last)
    theirs = field(doc, "result", dict, "the play")
    if theirs != ours:
        raise Differs(f"the result is {_result(ours)}, not {_result(theirs)}")


def _result(result: Mapping[str, JSON]) -> str:
    """Say a result in a few words."""
    winners = result.get("winners")
    names = [str(each) for each in winners] if is_list(winners) else []
    won = f"won by {' and '.join(names)}" if names else "won by nobody"
    return quote(f"over, {won}" if result.get("over") is True else "not over")


# ------------------------------------------------------------------------------------ reasons


def why_not(interp: Interpreter, state: State, move: Move) -> tuple[str, tuple[str, ...]]:
    """Say why a move may not be made, and which clauses forbid it; ("", ()) if it may."""
    machine = interp.machine
    edge = edge_of(machine, state, move)
    verdict = next((each for each in interp.candidates(state) if each.move == move), None)
    if verdict is None:
        choice = choice_of(machine, edge, move.args, state=state)
        names = {p.name: label for p, label in zip(edge.params, choice, strict=True)}
        blamed = _impossible(interp, state, move)
        which = f"{quote(names[blamed])} cannot be that" if blamed else "that cannot be chosen"
        return f"{which} here", edge.clauses[:1]
    if verdict.legal:
        return "", ()
    if not verdict.failing and not verdict.broken:
        return "chance never does that here", ()
    reasons = [condition.role for condition in verdict.failing]
    clauses = [condition.clause for condition in verdict.failing]
    clauses += [limit.clause for limit in verdict.broken]
    named = tuple(dict.fromkeys(clauses))
    verb = {"permit": "not permitted by", "forbid": "forbidden by", "require": "ruled out by"}
    how = verb.get(reasons[0], "ruled out by") if reasons else "it would break"
    return f"{how} {', '.join(quote(each) for each in named)}", named


def _impossible(interp: Interpreter, state: State, move: Move) -> str:
    """Name the first parameter whose value cannot be chosen, whatever the conditions say."""
    edge = interp.edges[move.edge]
    names: dict[str, int | tuple[int, ...]] = {}
    for param, arg in zip(edge.params, move.args, strict=True):
        inner = {**names, param.name: arg}
        if arg not in interp.values(state, param, names):
            return param.name
        if interp.evaluate(state, param.where, inner) == 0:
            return param.name
        names[param.name] = arg
    return ""
