"""Why a move may or may not be made, in the words of the clauses; which clauses are in force.

Everything is read from the guards that the moves themselves are made from: the interpreter judges
each conceivable move, and the conditions that fail carry their clauses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...checker.bench.stuck import why_stuck
from ...model.game.game import Clause
from ...model.machine.core import Binary, Const, Expr, Load
from ...model.machine.machine import Edge, Obligation, Param
from ...model.machine.state import Arg
from ...model.machine.traversal import conjuncts
from ...model.plays.moves import choice_of, describe_option, edge_of, labels
from ...model.plays.wording import is_choice, many, say_value, words_of
from ...model.run.interp import Verdict
from ...model.run.shape import Locals
from ...model.source.errors import did_you_mean, quote
from ...model.views.wording import names_of, wording
from ...reports.blocks.subject import Subject
from ..matching import find, folded
from .table import GameTable

ROLES = {
    "permit": "is not permitted here",
    "forbid": "forbids it",
    "require": "requires something else",
    "rule": "does not hold",
}


def clause_line(subject: Subject, name: str) -> str:
    """Write a clause in one line: its id, where it stands, what it says."""
    clause = subject.clause(name)
    if clause is None:
        return name
    cited = subject.cited(name)
    return f"{name}{f' ({cited})' if cited else ''}: {clause.says}"


# ------------------------------------------------------------------------------------ why


def why(table: GameTable, subject: Subject, text: str) -> list[str]:
    """Say why a move is legal, or which clauses stand against it."""
    if not text:
        return why_these(table, subject)
    verdicts = table.judged()
    named = {v.move: describe_option(table.machine, table.state, v.move) for v in verdicts}
    if text.isdigit():
        options = table.options()
        if not 1 <= int(text) <= len(options):
            is_or_are = "is" if len(options) == 1 else "are"
            return [f"there {is_or_are} only {many(len(options), 'move')} here"]
        text = named[options[int(text) - 1]]
    found = find(text, [named[v.move] for v in verdicts])
    chosen = [verdicts[i] for i in found]
    if not chosen:
        return _inconceivable(table, subject, text)
    lines: list[str] = []
    for verdict in chosen[:3]:
        lines += _why_one(table, subject, verdict, named[verdict.move])
    if len(chosen) > 3:
        lines.append(f"and {len(chosen) - 3} more moves that begin like that")
    return lines


def _why_one(table: GameTable, subject: Subject, verdict: Verdict, name: str) -> list[str]:
    edge = edge_of(table.machine, table.state, verdict.move)
    if verdict.legal:
        lines = [f"{name}: you may do that"]
        return lines + [f"  {clause_line(subject, each)}" for each in _grounds(edge)]
    lines = [f"{name}: you may not do that"]
    for condition in verdict.failing:
        lines.append(f"  {ROLES[condition.role]}: {clause_line(subject, condition.clause)}")
        failing = [
            part
            for part in conjuncts(condition.test)
            if not table.interp.evaluate(
                table.state, part, table.interp.names(edge, verdict.move.args)
            )
        ]
        names = table.interp.names(edge, verdict.move.args)
        lines += [f"    it would take: {_told_test(table, part, names)}" for part in failing[:3]]
    lines += [
        f"  would break the limit: {clause_line(subject, limit.clause)}" for limit in verdict.broken
    ]
    return lines


def _grounds(edge: Edge) -> tuple[str, ...]:
    named = [*edge.clauses, *(c.clause for c in edge.conditions if c.role == "permit")]
    return tuple(dict.fromkeys(named))


def why_these(table: GameTable, subject: Subject) -> list[str]:
    """Say for each thing that one could do here how often it is possible, and by which clauses."""
    lines = [f"at {quote(table.node.ask or words_of(table.node.step))}:"]
    for edge in table.node.edges:
        verdicts = [v for v in table.judged() if v.move.edge == edge.id]
        legal = sum(v.legal for v in verdicts)
        ways = "" if not edge.params else f" ({legal} of {len(verdicts)} ways)"
        allowed = "possible" if legal else "not possible"
        lines.append(f"- {table.machine.titles.of(edge.label)}: {allowed}{ways}")
        lines += [f"    {clause_line(subject, each)}" for each in _grounds(edge)]
        against = dict.fromkeys(
            [c.clause for v in verdicts if not v.legal for c in v.failing]
            + [limit.clause for v in verdicts if not v.legal for limit in v.broken]
        )
        lines += [
            f"    ruled out by {clause_line(subject, each)}"
            for each in against
            if each not in _grounds(edge)
        ]
    return lines


def _inconceivable(table: GameTable, subject: Subject, text: str) -> list[str]:
    """Explain a move that no clause even offers: its card, say, is of the wrong type."""
    guesses = list(_guessed(table, text))
    for edge, args in guesses:
        found = _blamed(table, edge, args)
        if found is None:
            continue
        label, value, tests = found
        lines = [f"{quote(label)} cannot be {quote(value)} here"]
        lines += [f"    it would take: {test}" for test in tests[:3]]
        return lines + [f"  {clause_line(subject, each)}" for each in _grounds(edge)]
    lines = _nothing_to(table, subject, text) or _elsewhere(table, subject, text)
    if lines:
        return lines
    known = [table.machine.titles.of(edge.label) for edge in table.node.edges]
    return [
        f"nothing like {quote(text)} can be done here; {did_you_mean(text, known) or _list(known)}"
    ]


def _nothing_to(table: GameTable, subject: Subject, text: str) -> list[str]:
    """Say of something that is done here that there is nothing to do it with, or not that."""
    wanted = folded(text)
    here = [edge for edge in table.node.edges
            if folded(edge.label) and f"{wanted} ".startswith(f"{folded(edge.label)} ")]
    if not here:
        return []
    edge = max(here, key=lambda each: len(each.label))
    what = table.machine.titles.of(edge.label)
    rest = wanted.removeprefix(folded(edge.label)).strip()
    if rest and not edge.params:
        lines = [f"{quote(what)} is done here without anything further, as {quote(rest)}"]
    elif rest and any(each.move.edge == edge.id for each in table.judged()):
        lines = [f"nothing that one could choose for {quote(what)} here is called {quote(rest)}"]
    else:
        lines = [f"there is nothing here with which {quote(what)} could be done"]
    return lines + [f"  {clause_line(subject, each)}" for each in _grounds(edge)]


def _elsewhere(table: GameTable, subject: Subject, text: str) -> list[str]:
    """Say where else in the game something can be done."""
    wanted = folded(text)
    found: dict[str, Edge] = {}
    for node in table.machine.nodes:
        for edge in node.edges:
            name = folded(edge.label)
            if node.kind == "decide" and name and f"{wanted} ".startswith(f"{name} "):
                found.setdefault(words_of(node.step), edge)
    lines: list[str] = []
    for step, edge in found.items():
        here = words_of(table.node.step)
        what = table.machine.titles.of(edge.label)
        lines.append(f"{what}: that is done at `{step}`; this is `{here}`")
        lines += [f"  {clause_line(subject, each)}" for each in _grounds(edge)]
    return lines


def _list(known: Sequence[str]) -> str:
    return "there is " + ", ".join(quote(each) for each in dict.fromkeys(known))


def _guessed(table: GameTable, text: str) -> Iterator[tuple[Edge, tuple[Arg, ...]]]:
    """Guess which move somebody means: the words of an event, and names of values."""
    wanted = folded(text)
    for edge in table.node.edges:
        event = folded(edge.label)
        rest = wanted.removeprefix(event).strip() if wanted.startswith(event) else ""
        if is_choice(edge) and not rest:
            rest = wanted
        if not rest or not edge.params or any(param.bag for param in edge.params):
            continue
        args: list[Arg] = []
        for param in edge.params:
            value = _named(table, param, rest)
            if value is None:
                break
            args.append(value)
        else:
            yield edge, tuple(args)


def _named(table: GameTable, param: Param, text: str) -> int | None:
    names = param.domain.names or (
        table.machine.player_names if param.domain.kind == "player" else ()
    )
    best: tuple[int, int] | None = None
    for value, name in enumerate(names, param.domain.low):
        if folded(name) and folded(name) in text and (best is None or len(name) > best[0]):
            best = (len(name), value)
    return None if best is None else best[1]


def _blamed(
    table: GameTable, edge: Edge, args: tuple[Arg, ...]
) -> tuple[str, str, list[str]] | None:
    """Find the first parameter that cannot have its value, and what of its condition fails."""
    names: Locals = {}
    shown = choice_of(table.machine, edge, args, state=table.state)
    for label, param, arg in zip(labels(edge), edge.params, args, strict=True):
        names = {**names, param.name: arg}
        failing = [
            _told_test(table, part, names)
            for part in conjuncts(param.where)
            if not table.interp.evaluate(table.state, part, names)
        ]
        if failing:
            return label, say_value(shown[label]), failing
    return None


def _told_test(table: GameTable, test: Expr, names: Locals) -> str:
    """Write a condition that fails, and for numbers what they are here."""
    zones = {array.name for array in table.machine.arrays if array.zone}
    match test:
        case Binary(op=">", left=Load(array=name), right=Const(value=0)) if name in zones:
            return f"one of these in {quote(table.machine.titles.of(name))}, and there is none"
        case _:
            text = wording(table.machine, test, names_of(table.compiled.game))
    if isinstance(test, Binary) and test.op in ("<", "<=", ">", ">="):
        left, right = (
            table.interp.evaluate(table.state, e, names) for e in (test.left, test.right)
        )
        text += f"; here that would be {left} {test.op} {right}"
    return text


# ------------------------------------------------------------------------------------ rules


def rules(table: GameTable, subject: Subject, text: str) -> list[str]:
    """List the clauses that are in force here, or tell one."""
    if text:
        return _one_clause(table, subject, text)
    names: dict[str, None] = dict.fromkeys(table.node.clauses)
    for edge in table.node.edges:
        names |= dict.fromkeys(edge.clauses)
        names |= dict.fromkeys(c.clause for c in edge.conditions)
    names |= dict.fromkeys(limit.clause for limit in table.machine.limits)
    return [clause_line(subject, name) for name in names if name]


def stuck(table: GameTable, subject: Subject) -> list[str]:
    """Say that nothing can be done: which clauses rule all out, or that no rule says what is next.

    Of several sets of clauses that rule all out, the smallest is told.
    """
    reason = why_stuck(table.interp, table.state)
    told = f"nothing can be done at {quote(reason.node)}"
    if not reason.cores:
        clauses = ", ".join(reason.clauses or table.node.clauses) or "no clause"
        return [f"{told}: the rules do not say how the game goes on ({clauses})"]
    core = reason.cores[0]
    how = "this clause rules" if len(core) == 1 else "these clauses together rule"
    return [f"{told}: {how} out all that one could do",
            *(f"  {clause_line(subject, each)}" for each in core),
            *(f"- {each}" for each in reason.against)]


def _one_clause(table: GameTable, subject: Subject, text: str) -> list[str]:
    game = table.compiled.game
    known = [clause.id for clause in game.clauses]
    found = [name for name in known if name == text] or [n for n in known if n.startswith(text)]
    found = found or [n for n in known if text in n]
    if not found:
        hint = did_you_mean(text, known)
        return [f"no clause {quote(text)}{f'; {hint}' if hint else ''}"]
    if len(found) > 1:
        return [clause_line(subject, name) for name in found[:20]]
    clause = subject.clause(found[0])
    return [] if clause is None else _told(table, subject, clause)


def _told(table: GameTable, subject: Subject, clause: Clause) -> list[str]:
    game = table.compiled.game
    lines = [clause_line(subject, clause.id)]
    book = f", {game.rulebook.file}" if game.rulebook is not None and clause.lines else ""
    lines.append(f"  kind: {clause.kind}{book}{'' if clause.in_force else '; not in this mode'}")
    lines += [f"  {line}" for line in subject.encoding(clause.id)]
    for point in game.open_points:
        if clause.id in point.clauses:
            lines.append(f"  open point {point.id}: {point.asks}")
            lines += [f"    ruled: {each}" for each in ruled(table, point.id)]
    return lines


def ruled(table: GameTable, point: str) -> list[str]:
    """Say how an open point is ruled in this game."""
    game = table.compiled.game
    titles = {r.id: r.title for p in game.open_points if p.id == point for r in p.readings}
    return [
        titles.get(each.reading) or each.reading for each in game.rulings if each.point == point
    ]


def silence(table: GameTable, subject: Subject, duty: Obligation) -> list[str]:
    """Say that the rules leave open what happens, and how the game goes on all the same."""
    lines = [f"the rules do not say what happens here: {duty.prompt}"]
    if subject.clause(duty.clause) is not None:
        lines.append(f"  {clause_line(subject, duty.clause)}")
    found = [
        each
        for point in table.compiled.game.open_points
        if duty.clause in point.clauses
        for each in ruled(table, point.id)
    ]
    if found:
        lines.append(f"  ruled: {'; '.join(found)}")
    elif duty.instead:
        lines.append("  the `otherwise` of the clause is done instead")
    else:
        lines.append("  no ruling: as much as possible is done")
    return lines
