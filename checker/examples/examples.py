"""Worked examples of the book: each is set up, played by the rules, and compared with what it says.

The reference interpreter makes the moves.  Between them what decides nothing happens by itself:
chance that can do one thing only, a question that can only be declined, an order that the book does
not state (any order in which the example works will do).  After the last move the same goes on
until the step or window in which the example began rests again or somebody has a choice; there
`expect` must hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import networkx as nx

from ...model.game import syntax as sx
from ...model.game.game import PRINTED, Clause, Example, Game
from ...model.lowering.circles import who_may_run_what
from ...model.machine.machine import Node
from ...model.machine.state import Move, State
from ...model.plays.documents import settings_json
from ...model.plays.moves import NoSuchMove, describe_move, move_from, move_json, node_of
from ...model.plays.plays import why_not
from ...model.plays.wording import deed
from ...model.rules.elaborate import Elaborator
from ...model.rules.expected import describe
from ...model.rules.meanings import Failed, Names, PlayerSet
from ...model.run.evaluate import OutOfRangeError
from ...model.run.interp import UNPLAYABLE, EndlessRules, UncoveredRules
from ...model.source import fields
from ...model.source.errors import Reporter, first_line
from ..audit.audit import Audit
from ..audit.parallel import ask_all
from ..bench.workbench import Instance, Workbench
from ..findings.evidence import position_of
from ..findings.observations import Observation
from ..findings.results import LEVELS, Evidence, Holds, Identity
from ..packed.flags import LEGAL, PUBLIC, WINNER
from . import move_text as hearing
from .move_text import SceneError, plain
from .named import check_moves
from .scenes import begin

MOST_STEPS = 500
"""So many states are looked at for one example, all unstated orders together."""


@dataclass(frozen=True, slots=True)
class ExampleOutcome:
    """How an example went: what is wrong (nothing if it holds), why, and in which position.

    `unclear` says that the example leaves something out, so that nothing follows from it.
    `made` tells the moves that could be made, `number` is that of the move that could not, and
    `barred` is that move, if the machine knows it.
    """

    wrong: str = ""
    clauses: tuple[str, ...] = ()
    state: State | None = None
    made: tuple[str, ...] = ()
    number: int = 0
    level: int = LEGAL
    unclear: bool = False
    barred: Move | None = None
    deed: str = ""
    """The move that is barred, in words."""
    end: bool = False
    """Whether all moves could be made, and it does not end as it says."""
    paused: bool = False
    """Whether it ends where somebody has a choice before its step or window rests again."""
    touched: frozenset[str] = frozenset()
    """If it holds: the clauses that acted, and those of all that could be done on the way."""


def run(audit: Audit) -> None:
    """Replay every example of the spec."""
    examples = [(clause.id, clause.example) for clause in audit.printed.game.clauses
                if clause.example is not None]
    ask_all(audit, judge, examples, lambda each: f"the example {each[0]}", fork=False,
            kind="example", lost=lambda each: {"clauses": (each[0],)})


def judge(audit: Audit, given: tuple[str, Example]) -> None:
    """Replay one example."""
    name, example = given
    try:
        instance = instance_of(audit.bench, name, example)
    except UNPLAYABLE as error:
        audit.unchecked(f"the example {name}", first_line(error), "example", clauses=(name,))
        return
    there = instance.game.clause(name)
    if there is None or there.example is None or not there.in_force:
        audit.unchecked(f"the example {name}", "it belongs to a mode that is not chosen",
                        "example", clauses=(name,))
        return
    _judge(audit, instance, (there, there.example), check_example(instance, there.example))


def instance_of(
    bench: Workbench, clause: str, example: Example, rulings: Mapping[str, str] | None = None
) -> Instance:
    """Compile the game that an example is about, under some readings besides.

    Raises:
        SpecErrors, UsageError: if there is no such game.

    """
    modes = variants_of(bench, clause)
    usual = example.players in (None, bench.game(example.scope, rulings=rulings).players)
    return bench.instance(
        example.scope, rulings=rulings, players=None if usual else example.players,
        variants=None if modes in ((), bench.settings.variants) else modes,
        alone=bool(rulings))


def variants_of(bench: Workbench, clause: str) -> tuple[str, ...]:
    """Return the modes that an example is played with."""
    for node in fields.items(bench.sections.root, "clauses"):
        if fields.text(node, "id") == clause:
            return fields.texts(fields.field(node, "example"), "variants")
    return ()


def check_example(instance: Instance, example: Example) -> ExampleOutcome:
    """Replay an example, in every order that the book leaves open; the first that works counts."""
    try:
        step = begin(instance, example.at, example.state)
        check_moves(instance, example.moves)
    except SceneError as error:
        return ExampleOutcome(str(error), error.clauses, unclear=not error.clauses)
    except EndlessRules as error:
        return ExampleOutcome(str(error))
    return ExampleReplay(instance, example).run(step.state)


class ExampleReplay:
    """One example being replayed."""

    def __init__(self, instance: Instance, example: Example) -> None:
        self.instance = instance
        self.judge = instance.interpreter
        self.machine = instance.compiled.machine
        self.example = example
        self.home = plain(example.at.partition(":")[0])
        self.inner = inside(instance.game, example.at.partition(":")[0].strip())
        self.elab = Elaborator(instance.game, Reporter())
        self.touched: set[str] = set()

    def run(self, first: State) -> ExampleOutcome:
        """Search the orders depth first, in the order of moves."""
        todo: list[tuple[State, int, tuple[str, ...]]] = [(first, 0, ())]
        worst: ExampleOutcome | None = None
        steps = 0
        while todo and steps < MOST_STEPS:
            steps += 1
            state, number, made = todo.pop()
            try:
                found = self._next(state, number, made)
            except EndlessRules as error:
                found = ExampleOutcome(str(error), (), state, made, number + 1)
            except (OutOfRangeError, UncoveredRules) as error:
                found = ExampleOutcome(f"the position cannot come up: {error}", state=state,
                                       made=made, unclear=True)
            if not isinstance(found, ExampleOutcome):
                todo.extend(reversed(found))
                continue
            if not found.wrong:
                return replace(found, touched=frozenset(self.touched))
            if worst is None or (found.unclear, len(found.made)) > (
                worst.unclear, len(worst.made)
            ):
                worst = found
        if worst is None or todo:
            return ExampleOutcome("too many orders are left open to try them all", unclear=True)
        return worst

    def _next(
        self, state: State, number: int, made: tuple[str, ...]
    ) -> ExampleOutcome | list[tuple[State, int, tuple[str, ...]]]:
        """Go one step on, in each way that there is; or say how the example ends here."""
        moves = self.judge.moves(state)
        node = node_of(self.machine, state)
        self.touched.update(node.clauses, *(edge.clauses for edge in node.edges))
        if number < len(self.example.moves):
            try:
                edges, meant = hearing.told(self.instance, state, self.example.moves[number])
            except SceneError as error:
                return ExampleOutcome(str(error), state=state, made=made, unclear=True)
            taken = [self._take(state, move, number + 1, made)
                     for move in [each for each in meant if each in moves][:1]]
            if taken:
                return taken
            if not edges and (free := self._by_itself(state, moves)):
                return [self._take(state, move, number, made) for move in free]
            return self._refused(state, number, made, bool(edges), meant)
        inside = self.goes_on(node)
        if inside and (free := self._by_itself(state, moves)):
            return [self._take(state, move, number, made) for move in free]
        found = self._end(state, made)
        if found.end and inside and node.kind == "chance":
            found = self._untold(state, made, "after its last move")
        return replace(found, paused=inside)

    def goes_on(self, node: Node) -> bool:
        """Return whether a node is no rest of the step or window in which the example began.

        Those are what runs inside it, and what a body of its own asks or leaves to chance.
        """
        return plain(node.step) in self.inner or (
            plain(node.step) == self.home and node.kind != "open" and "/" in node.name)

    def _by_itself(self, state: State, moves: tuple[Move, ...]) -> tuple[Move, ...]:
        """List the moves that nobody has to tell."""
        node = node_of(self.machine, state)
        if node.kind == "open":
            return moves
        if len(moves) == 1 and (node.kind == "chance" or self.judge.edges[moves[0].edge].passes):
            return moves
        return ()

    def _take(
        self, state: State, move: Move, number: int, made: tuple[str, ...]
    ) -> tuple[State, int, tuple[str, ...]]:
        text = describe_move(self.machine, state, move)
        step = self.judge.step(state, move)
        self.touched.update(step.cites)
        return step.state, number, (*made, text)

    def _refused(
        self, state: State, number: int, made: tuple[str, ...], named: bool, meant: list[Move]  # noqa: FBT001
    ) -> ExampleOutcome:
        """Return why a told move cannot be made, and which clauses are in its way."""
        node = node_of(self.machine, state)
        given = _told(self.example.moves[number])
        if node.kind == "final":
            return ExampleOutcome(f"the game is over before the move {given}", (), state, made,
                           number + 1, WINNER)
        if node.kind == "chance" and not named:
            return self._untold(state, made, f"before its move {number + 1}")
        for move in meant:
            reason, clauses = why_not(self.judge, state, move)
            text = describe_move(self.machine, state, move)
            if reason.endswith("cannot be that here"):
                reason = f"that cannot be chosen by {', '.join(f'`{c}`' for c in clauses)}"
            return ExampleOutcome(f"{text}: {reason}", clauses or node.clauses, state, made,
                                  number + 1, barred=move, deed=text)
        here = dict.fromkeys(c for edge in node.edges for c in edge.clauses)
        clauses = tuple(here) or node.clauses
        offered = "; ".join(dict.fromkeys(deed(node, edge, {}) for edge in node.edges))
        why = "there is no such choice there" if named else f"nothing permits that; here: {offered}"
        return ExampleOutcome(f"{given} at {node.name}: {why}", clauses, state, made, number + 1)

    @staticmethod
    def _untold(state: State, made: tuple[str, ...], when: str) -> ExampleOutcome:
        """Return that nothing follows, as chance may go in several ways and no move says how."""
        return ExampleOutcome(f"it does not say what chance does {when}", state=state, made=made,
                              unclear=True)

    def _end(self, state: State, made: tuple[str, ...]) -> ExampleOutcome:
        """Ask whether what the example expects holds."""
        tree = self.example.expect
        if tree is None:
            return ExampleOutcome(state=state, made=made)
        try:
            wrong = [part for part in conjuncts(tree) if not self.holds(part, state)]
        except Failed as error:
            return ExampleOutcome(str(error), unclear=True)
        if not wrong:
            return ExampleOutcome(state=state, made=made)
        texts = [self._values(part, state) for part in wrong]
        level = WINNER if "winners" in describe(tree) else PUBLIC
        text = "; nor that ".join(texts)
        return ExampleOutcome(f"in the end it is not so that {text}", (), state,
                              made, len(self.example.moves), level, end=True)

    def holds(self, tree: sx.Expr, state: State) -> bool:
        """Return whether a condition of the spec holds in a state.

        Raises:
            Failed: if it cannot be understood here.

        """
        return self.judge.evaluate(state, self.elab.guard(tree, Names({}))) != 0

    def _values(self, tree: sx.Expr, state: State) -> str:
        """Write a condition with the values of what it compares."""
        found: list[str] = []
        for part in (tree.left, tree.right) if isinstance(tree, sx.Compare) else ():
            try:
                value = self.elab.value(part, Names({}))
            except Failed:
                continue
            if isinstance(value, PlayerSet) or isinstance(part, sx.Num | sx.Truth | sx.Nothing) or (
                    isinstance(part, sx.Name) and " " in part.name):
                continue
            single = self.elab.single(value, part)
            number = self.judge.evaluate(state, single.expr)
            player = single.ty.kind == "player" and number >= 0
            found.append(f"{describe(part)} is "
                         f"{self.machine.player_names[number] if player else number}")
        return describe(tree) + (f" ({', '.join(found)})" if found else "")


def inside(game: Game, step: str) -> frozenset[str]:
    """Name the steps and windows that run inside one, without it."""
    runs = who_may_run_what(replace(game, clauses=tuple(c for c in game.clauses if c.in_force)))
    found = nx.descendants(runs, step) if step in runs else set[str]()
    return frozenset(map(plain, found & {*game.steps, *game.windows}))


def conjuncts(tree: sx.Expr) -> Iterator[sx.Expr]:
    """Split a condition at its outermost `and`s."""
    if isinstance(tree, sx.Infix) and tree.op == "and":
        yield from conjuncts(tree.left)
        yield from conjuncts(tree.right)
    else:
        yield tree


# ------------------------------------------------------------------------------------ reporting


def _judge(
    audit: Audit, instance: Instance, told: tuple[Clause, Example], found: ExampleOutcome
) -> None:
    clause, example = told
    if not found.wrong:
        audit.holds.append(Holds(clause.id, "example", "exhaustive", example.scope, "example"))
        return
    if found.unclear:
        audit.unchecked(f"the example {clause.id}", found.wrong, "example", clauses=(clause.id,))
        return
    clauses = tuple(dict.fromkeys((clause.id, *(c for c in found.clauses if ":" not in c))))
    position = None if found.state is None else _position(audit, instance, found.state, found)
    audit.observe(Observation(
        Identity("example-contradicts-rule", clause.id, "example"), clauses,
        Evidence("witness", "exhaustive", example.scope, position=position, core=clauses,
                 depth=len(found.made), at_printed_size=example.scope == PRINTED, replayed=True,
                 details={"moves": list(found.made), "step": found.number,
                          "of": len(example.moves), "wrong": found.wrong}),
        LEVELS[found.level], said={"move": found.number, "deed": found.deed, "end": found.end}))


def _position(
    audit: Audit, instance: Instance, state: State, found: ExampleOutcome
) -> dict[str, Any]:
    """Give the position in which it fails, so that it can be replayed with what is barred there."""
    made = position_of(instance, state)
    chosen = settings_json(instance.compiled)
    ours = {**settings_json(audit.printed.compiled), "scope": chosen["scope"]}
    if chosen != ours:
        made["settings"] = chosen
    if found.barred is not None:
        told = move_json(instance.compiled.machine, state, found.barred)
        bare = {"event": told["event"], "choice": told["choice"]}
        with suppress(NoSuchMove):
            if move_from(instance.compiled.machine, state, bare) == found.barred:
                made["illegal_moves"] = [{**bare, "clauses": list(found.clauses)}]
    return made


def _told(given: object) -> str:
    """Write a told move in one line."""
    if isinstance(given, dict):
        return ", ".join(f"{name} {_told(value)}".strip() for name, value in given.items())
    return "nothing" if given is None or given == {} else str(given)

