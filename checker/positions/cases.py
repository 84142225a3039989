"""A test position as a document (`ruleproof/position-1`): what is so, and what must come of a move.

Expectations are computed by the reference interpreter.  The compiled code must list the same moves
with the same results, Z3 must lead the edge that is taken to the same state, and the finished
document is replayed; where one of them says something else nothing is written (`Disagreement`,
which is an error of ours).

What the engine keeps for itself (locals) stands in `under_way`, in words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...model.game.game import Settings
from ...model.machine.machine import Array
from ...model.machine.state import Move, State, Transition
from ...model.plays.board import JSON, state_hash, values_by_name, view
from ...model.plays.documents import settings_json
from ...model.plays.line import line_of
from ...model.plays.moves import (
    NoSuchMove,
    actor,
    describe_move,
    edge_of,
    move_from,
    move_json,
    node_of,
)
from ...model.plays.plays import by_json, record
from ...model.run.evaluate import execute
from ...model.run.interp import EndlessRules, Interpreter
from ...model.run.shape import Execution
from ...model.solver.solving import SolverLimit
from ...model.solver.symbolic import SymbolicMachine
from ..bench.workbench import Instance, Workbench
from ..packed.flags import FILTERED
from ..search.perft import levels
from .captions import covers, name_of, status, tags, title, why
from .goals import Goal, Showing
from .illegal_moves import illegal
from .probes import NOT_TO_BE_MADE
from .replays import FORMAT, check_position, outcome
from .under_way import since_begun

LONGEST_CHANCE = 4
"""So many outcomes of chance are scripted after a move, until somebody decides."""
LARGEST_COUNT = 60
"""Plays of length 2 are counted by the interpreter too if there are not more than this."""


class Disagreement(RuntimeError):  # noqa: N818  (it says what happened)
    """The readers of a machine do not agree about a position: an error of ours."""


@dataclass(frozen=True, slots=True)
class ReadingSplit:
    """A reading under which something else comes of a position."""

    point: str
    reading: str
    title: str
    instance: Instance


@dataclass(slots=True)
class Scene:
    """A candidate, played: the states from it on, and the moves and steps between them."""

    instance: Instance
    path: tuple[Move, ...]
    states: list[State]
    moves: list[Move]
    steps: list[Transition]

    @property
    def interp(self) -> Interpreter:
        """The reference interpreter."""
        return self.instance.interpreter


class Cases:
    """Writes positions of one spec."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self._symbolic: dict[str, SymbolicMachine] = {}

    def __reduce__(self) -> Any:  # noqa: ANN401  (as pickle wants it)
        return Cases, (self.bench,)

    def write(
        self, instance: Instance, candidate: Showing, path: tuple[Move, ...],
        splits: Sequence[ReadingSplit], news: set[Goal],
    ) -> dict[str, Any]:
        """Write a position at the end of a path, with the readings that make it another one.

        `news` are those of its goals that make it worth writing.

        Raises:
            Disagreement: if the readers of the machine do not agree about it.

        """
        scene = self._play(instance, candidate, path)
        self._agree(scene)
        made = self._begun(scene, candidate, news)
        _tell_moves(made, scene)
        made["id"] = name_of(made, instance)
        under = [each for split in splits if (each := self._under(scene, split, made)) is not None]
        if under:
            made["expect"]["under"] = under
        self._replay(made, instance, splits)
        return made

    def _begun(self, scene: Scene, candidate: Showing, news: set[Goal]) -> dict[str, Any]:
        """Return the document of a position without its name and the moves from it."""
        instance, state = scene.instance, scene.states[0]
        machine = instance.compiled.machine
        return {
            "format": FORMAT,
            "game": instance.game.id,
            "spec_sha256": instance.game.spec_sha256,
            "settings": settings_json(instance.compiled),
            "id": "",
            "title": title(instance, state, candidate.move),
            "why": why(news or candidate.goals),
            "covers": covers(candidate.goals),
            "tags": tags(instance, scene.states, scene.steps, candidate.goals),
            **status(instance, scene.steps, candidate.goals),
            "node": node_of(machine, state).name,
            "to_move": to_move(instance, state),
            "state": board(instance, state),
            "under_way": since_begun(machine, instance.interpreter.start().state, state),
            "state_sha256": state_hash(machine, state),
            "window": window(instance, state),
            "legal_moves": legal(instance, state),
            "illegal_moves": illegal(instance, state),
            "move": None,
            "chance": [],
            "decisions": [],
            "story": [describe_move(machine, before, move)
                      for before, move in zip(scene.states, scene.moves, strict=False)],
            "expect": expectation(scene),
            "views": {"before": views(instance, state), "after": views(instance, scene.states[-1])},
            "perft": self._perft(instance, state),
            "line": line_of(machine, state, instance.game.settings),
            "reached_by": record(instance.compiled, scene.path),
        }

    # ------------------------------------------------------------------------------ playing

    def _play(self, instance: Instance, candidate: Showing, path: tuple[Move, ...]) -> Scene:
        """Make the candidate's move, and let chance do what is likeliest until somebody decides."""
        scene = Scene(instance, path, [candidate.spot.state], [], [])
        if candidate.move is None:
            return scene
        self._take(scene, candidate.move)
        while len(scene.steps) <= LONGEST_CHANCE:
            chances = scene.interp.chance(scene.states[-1])
            if not chances:
                break
            best = max(share for _, share in chances)
            try:
                self._take(scene, next(move for move, share in chances if share == best))
            except EndlessRules:  # a finding of `verify`; here the position ends before it
                break
        return scene

    def _take(self, scene: Scene, move: Move) -> None:
        step = scene.interp.step(scene.states[-1], move)
        scene.moves.append(move)
        scene.steps.append(step)
        scene.states.append(step.state)

    # ---------------------------------------------------------------------------- agreement

    def _agree(self, scene: Scene) -> None:
        """Insist that generated code and Z3 say the same as the interpreter."""
        instance, program = scene.instance, scene.instance.program
        bounds = program.machine.bounds
        for state in scene.states:
            theirs = [(Move(edge, args), after) for edge, args, after, flags
                      in program.succ(program.pack(state)) if not flags & FILTERED]
            ours: list[tuple[Move, bytes | None]] = []
            for move in scene.interp.moves(state):
                try:
                    step = scene.interp.step(state, move)
                except EndlessRules:
                    ours.append((move, None))
                else:
                    met = bounds.intersection(step.notes)
                    ours.append((move, None if met else program.pack(step.state)))
            if theirs != ours:
                raise Disagreement(f"the compiled code has other moves at {state}")
        symbolic = self._symbolic.get(program.fingerprint)
        if symbolic is None:
            symbolic = SymbolicMachine(instance.compiled.machine)
            self._symbolic[program.fingerprint] = symbolic
        for state, move in zip(scene.states, scene.moves, strict=False):
            edge = edge_of(instance.compiled.machine, state, move)
            run = Execution(list(state.values))
            execute(scene.interp.shape, run, edge.body, scene.interp.names(edge, move.args))
            try:
                there = symbolic.check_step(state, move)
            except SolverLimit:
                continue
            same = there.values == tuple(run.values)
            if not there.enabled or not same or set(there.notes) != set(run.notes):
                raise Disagreement(f"the solver does not follow edge {edge.id} at {state}")

    def _perft(self, instance: Instance, state: State) -> list[int]:
        """Count plays of length 1, 2, 3, the short ones by the interpreter too."""
        program = instance.program
        found = [sum(each.values()) for each in levels(program, program.pack(state), 3)][1:]
        if found[0] <= LARGEST_COUNT and found[1] <= LARGEST_COUNT:
            judge = instance.interpreter
            try:
                first = _resting(judge, state)
                second = sum(len(_resting(judge, each)) for each in first)
            except EndlessRules:
                return found
            if [len(first), second] != found[:2]:
                raise Disagreement(f"plays are counted in two ways at {state}")
        return found

    def _under(
        self, scene: Scene, split: ReadingSplit, made: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        """Say what comes of the same moves under another reading; None if that is the same."""
        instance = split.instance
        try:
            first = instance.interpreter.start().state
            there = Scene(instance, (), [first], [], [])
            self._follow(scene, there, scene.path)
            state = there.states[-1]
            if (board(instance, state) != made["state"]
                    or since_begun(instance.compiled.machine, first, state) != made["under_way"]):
                return None
            if node_of(instance.compiled.machine, state).name != made["node"]:
                return None
            there = Scene(instance, (), [state], [], [])
            self._follow(scene, there, scene.moves, scene.states[0])
        except NOT_TO_BE_MADE:
            return None
        expected = expectation(there)
        mine = made["expect"]
        seen = ("changes", "legal_moves", "result", "to_move")
        if all(expected[key] == mine[key] for key in seen):
            return None
        return {"rulings": {split.point: split.reading}, "title": split.title, "expect": expected}

    def _follow(
        self, scene: Scene, there: Scene, moves: Sequence[Move], state: State | None = None
    ) -> None:
        """Make moves of one machine, by what they are called, in another one."""
        machine, other = scene.instance.compiled.machine, there.instance.compiled.machine
        at = state if state is not None else scene.interp.start().state
        for move in moves:
            told = move_json(machine, at, move)
            if state is not None and by_json(machine, at) != by_json(other, there.states[-1]):
                raise NoSuchMove("another seat is to move")
            self._take(there, move_from(other, there.states[-1], told))
            at = scene.interp.step(at, move).state

    def _replay(
        self, made: Mapping[str, Any], instance: Instance, splits: Sequence[ReadingSplit]
    ) -> None:
        """Replay the document as anybody would."""
        others = {split.instance.game.settings: split.instance.compiled for split in splits}

        def load(settings: Settings) -> Any:  # noqa: ANN401  (compiled, of whichever reading)
            for known, compiled in others.items():
                if dict(known.rulings) == dict(settings.rulings):
                    return compiled
            return instance.compiled

        wrong = check_position({k: v for k, v in made.items() if k != "perft"}, load)
        if wrong:
            raise Disagreement(f"a position does not replay: {'; '.join(wrong)}")


def _resting(judge: Interpreter, state: State) -> list[State]:
    return [judge.step(state, move).state for move in judge.moves(state)]


# --------------------------------------------------------------------------- parts of a document


def _tell_moves(made: dict[str, Any], scene: Scene) -> None:
    """Add the move of a position, and what chance and players decide behind it."""
    machine = scene.instance.compiled.machine
    for place, (before, move) in enumerate(zip(scene.states, scene.moves, strict=False)):
        told = scripted(scene.instance, before, move)
        if place == 0:
            made["move"] = told
        else:
            chance = node_of(machine, before).kind == "chance"
            made["chance" if chance else "decisions"].append(told)


def board(instance: Instance, state: State) -> dict[str, JSON]:
    """Show a state by name: all that the spec declares."""
    machine = instance.compiled.machine
    shown = values_by_name(machine, state)
    return {array.name: shown[array.name] for array in machine.declared}


def to_move(instance: Instance, state: State) -> str:
    """Say who moves: a player by name, `chance`, or `rules` where the book names nobody."""
    seat = actor(instance.compiled.machine, state)
    if seat is None:
        return by_json(instance.compiled.machine, state)
    return instance.compiled.machine.player_names[seat]


def scripted(instance: Instance, state: State, move: Move) -> dict[str, Any]:
    """Write a move with who makes it, and how probable it is if chance does."""
    machine = instance.compiled.machine
    made: dict[str, Any] = {"by": to_move(instance, state), **move_json(machine, state, move)}
    share = dict(instance.interpreter.chance(state)).get(move)
    if share is not None:
        made["probability"] = f"{share.numerator}/{share.denominator}"
    return {**made, "says": describe_move(machine, state, move)}


def legal(instance: Instance, state: State) -> list[dict[str, Any]]:
    """List all legal moves."""
    return [scripted(instance, state, move) for move in instance.interpreter.moves(state)]


def expectation(scene: Scene) -> dict[str, Any]:
    """Say what must be so in the end."""
    instance, machine = scene.instance, scene.instance.compiled.machine
    after = scene.states[-1]
    old, new = board(instance, scene.states[0]), board(instance, after)
    return {
        "changes": {name: {"from": old[name], "to": value} for name, value in new.items()
                    if old[name] != value},
        "node": node_of(machine, after).name,
        "to_move": to_move(instance, after),
        "legal_moves": legal(instance, after),
        **outcome(machine, after, scene.steps),
    }


def views(instance: Instance, state: State) -> dict[str, Any]:
    """Show each seat's view of what not everybody sees; of the rest, `state` is the view."""
    machine = instance.compiled.machine
    hidden = {array.name for array in machine.declared if array.seen_by != "all"}
    return {
        name: {key: value for key, value in view(machine, state, seat).items() if key in hidden}
        for seat, name in enumerate(machine.player_names)
    }


def window(instance: Instance, state: State) -> dict[str, Any]:
    """Say what is open: the step or window, the question, who has still to act, and who has not."""
    machine = instance.compiled.machine
    node = node_of(machine, state)
    owner = instance.game.windows.get(node.step) or instance.game.steps.get(node.step)
    made: dict[str, Any] = {"open": node.step, "kind": node.kind}
    if owner is not None and owner.title:
        made["title"] = owner.title
    if node.ask:
        made["asks"] = node.ask
    for array in machine.arrays:
        if array.of is not None and array.of.role == "pending" and array.of.owner == node.step:
            flags = _row(instance, state, array)
            named = machine.player_names
            made["to_act"] = [name for name, flag in zip(named, flags, strict=True) if flag]
            made["not_to_act"] = [name for name, flag in zip(named, flags, strict=True) if not flag]
    return made


def _row(instance: Instance, state: State, array: Array) -> tuple[int, ...]:
    first = instance.interpreter.shape.offsets[array.name]
    return state.values[first:first + array.size]
