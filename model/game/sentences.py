"""Builds clauses: the sentences of the rulebook, with their texts parsed."""

from __future__ import annotations

from collections.abc import Iterable

from ..source import fields
from ..source.errors import Reporter, quote
from ..source.tree import SpecNode, to_plain
from . import syntax as sx
from .entries import Context
from .game import Claim, Clause, Example, Given
from .texts import Texts

FORMS = ("claim", "maximum", "minimum", "never", "reachable")
EXPRESSIONS = (
    "when", "ensure", "always", "whenever", "value", "such_that", "equals", "by", "who", "from",
    *FORMS,
)
BODIES = ("do", "otherwise")
_NEEDS = {
    "option": ("on",), "with": ("option",), "must": ("on",), "ensure": ("on",),
    "after": ("on", "whenever"), "before": ("on", "whenever"), "do": ("on", "whenever"),
    "otherwise": ("do",), "whenever": ("do",), "timing": ("whenever",), "fires": ("whenever",),
    "define": ("value",), "value": ("define",),
    "params": ("define",), "given": FORMS, "such_that": FORMS, "players": FORMS,
    "equals": ("maximum", "minimum"), "maximum": ("equals",), "minimum": ("equals",),
    "on": ("do", "option", "when", "must", "ensure"),
}
"""Fields of a clause that mean nothing without one of others."""
_CONTRIBUTES = ("do", "option", "must", "ensure", "always", "define", "example", *FORMS)


def check_texts(node: SpecNode, texts: Texts, report: Reporter) -> None:
    """Parse all rule texts of a change list, so that errors are found under any setting."""
    for clause in (*fields.items(node, "add"), *fields.entries(node, "changes").values(),
                   *fields.entries(node, "windows").values()):
        for key in EXPRESSIONS:
            texts.expression(fields.field(clause, key), report)
        for key in BODIES:
            texts.body(fields.field(clause, key), report)
        for domain in fields.entries(clause, "with").values():
            texts.domain(domain, report)
        texts.expectation(fields.field(fields.field(clause, "example"), "expect"), report)


def clauses(ctx: Context, chosen: Iterable[str]) -> tuple[Clause, ...]:
    """Build all clauses, for the chosen variants."""
    modes = frozenset(chosen)
    return tuple(_known(ctx, node, modes) for node in fields.items(ctx.root, "clauses"))


def _known(ctx: Context, node: SpecNode, modes: frozenset[str]) -> Clause:
    """Build a clause, once for all settings if it names no types, which settings may change."""
    key = node, played(node, modes)
    known = ctx.texts.clauses.get(key)
    if known is None:
        known = _clause(ctx, node, modes)
        if not ctx.report.failed and not {"params", "given"} & fields.entries(node).keys():
            ctx.texts.clauses[key] = known
    return known


def _clause(ctx: Context, node: SpecNode, modes: frozenset[str]) -> Clause:
    def expr(key: str) -> sx.Expr | None:
        return ctx.texts.expression(fields.field(node, key), ctx.report)

    _check_fields(ctx, node)
    do, otherwise = (ctx.texts.body(fields.field(node, key), ctx.report) for key in BODIES)
    return Clause(
        id=fields.text(node, "id"), kind=fields.text(node, "kind"), says=fields.text(node, "says"),
        lines=lines_of(node), sentences=tuple(sorted(set(fields.numbers(node, "sentences")))),
        place=fields.place_of(node, "id"), on=fields.text(node, "on"),
        option=fields.text(node, "option"), must=fields.text(node, "must"),
        params=_domains(ctx, node), when=_when(expr("when"), expr("by")), do=do,
        otherwise=otherwise, after=fields.texts(node, "after"),
        before=fields.texts(node, "before"), overrides=fields.texts(node, "overrides"),
        restates=fields.texts(node, "restates"),
        ensure=expr("ensure"), always=expr("always"), whenever=expr("whenever"),
        timing=fields.text(node, "timing"), fires=fields.text(node, "fires"),
        define=fields.text(node, "define"),
        define_params=tuple(ctx.types(node, "params").items()), value=expr("value"),
        claim=_claim(ctx, node), example=_example(ctx, node), why=fields.text(node, "why"),
        missing=fields.text(node, "missing"), draft=fields.text(node, "draft"),
        uses=fields.texts(node, "uses"),
        loop_order=fields.text(node, "loop_order"),
        in_force=played(node, modes), stated=_stated(node),
        settled=tuple((name, str(each.value))
                      for name, each in fields.entries(node, "settled").items()),
        assumed=fields.texts(node, "assumed"), asked=fields.texts(node, "asked"),
        internal=("*",) if fields.truth(node, "internal") else tuple(
            each for each in fields.texts(node, "internal") if each != "False"),
    )


def _stated(node: SpecNode) -> tuple[tuple[str, str | tuple[int, int]], ...]:
    """Return the words that decide an aspect: as text, or the first and last of their numbers."""
    made: list[tuple[str, str | tuple[int, int]]] = []
    for name, each in fields.entries(node, "stated").items():
        match fields.items(each):
            case (first, last) if type(first.value) is int and type(last.value) is int:
                made.append((name, (first.value, last.value)))
            case _:
                made.append((name, fields.text(fields.mapping({"": each}, each.place), "")))
    return tuple(made)


def played(node: SpecNode, modes: Iterable[str]) -> bool:
    """Return whether a clause is in force in a game with these variants."""
    only, without = fields.texts(node, "only_in"), fields.texts(node, "not_in")
    chosen = set(modes)
    return (not only or bool(chosen & set(only))) and not chosen & set(without)


def lines_of(node: SpecNode) -> tuple[int, int] | None:
    """Return the first and the last line that a clause cites."""
    match fields.numbers(node, "lines"):
        case (line,):
            return line, line
        case (first, last):
            return first, last
        case _:
            return None


def _when(when: sx.Expr | None, by: sx.Expr | None) -> sx.Expr | None:
    """Add to a condition who it is that may act (of actions with a player of their own)."""
    if by is None:
        return when
    acts = sx.Compare("==", sx.Name("actor", by.at), by, by.at)
    return acts if when is None else sx.Infix("and", acts, when, when.at)


def _domains(ctx: Context, node: SpecNode) -> tuple[tuple[str, sx.Expr], ...]:
    made = (
        (name, ctx.texts.domain(each, ctx.report))
        for name, each in fields.entries(node, "with").items()
    )
    return tuple((name, tree) for name, tree in made if tree is not None)


def _claim(ctx: Context, node: SpecNode) -> Claim | None:
    forms = [form for form in FORMS if fields.field(node, form) is not None]
    if not forms:
        return None
    if len(forms) > 1:
        ctx.report.error("RP241", f"`{forms[0]}` and `{forms[1]}` exclude each other in one clause",
                         node.keys.get(forms[1], node.place), help="write two clauses")
    test = ctx.texts.expression(fields.field(node, forms[0]), ctx.report)
    given: list[Given] = []
    for name, each in fields.entries(node, "given").items():
        ty = ctx.values.type(fields.entries(each)["type"])
        if ty is not None:
            given.append(Given(name, ty, fields.text(each, "per") == "player"))
    if test is None:
        return None
    such_that, equals = (
        ctx.texts.expression(fields.field(node, key), ctx.report)
        for key in ("such_that", "equals")
    )
    return Claim(forms[0], test, tuple(given), such_that, equals, fields.numbers(node, "players"))


def _example(ctx: Context, node: SpecNode) -> Example | None:
    inner = fields.field(node, "example")
    if inner is None:
        return None
    state = fields.field(inner, "state")
    plain = to_plain(state) if state is not None else {}
    moves = tuple(to_plain(each) for each in fields.items(inner, "moves"))
    return Example(
        fields.text(inner, "scope", "printed"), fields.number(inner, "players", 0) or None,
        fields.text(inner, "at"), plain if isinstance(plain, dict) else {}, moves,
        ctx.texts.expectation(fields.field(inner, "expect"), ctx.report), inner.place,
    )


def _check_fields(ctx: Context, node: SpecNode) -> None:
    """Refuse fields that mean nothing together, and clauses that contribute nothing."""
    given = {key for key, each in fields.entries(node).items() if each.value is not None}
    kind = fields.text(node, "kind")
    for key, needed in _NEEDS.items():
        if key in given and not given & set(needed) and (key, kind) != ("on", "forbid"):
            words = " or ".join(quote(each) for each in needed[:3])
            ctx.report.error("RP241", f"`{key}` needs {words}", node.keys.get(key, node.place))
    if {"on", "whenever"} <= given:
        ctx.report.error("RP241", "`on` and `whenever` exclude each other",
                         node.keys.get("whenever", node.place))
    place = fields.place_of(node, "kind")
    contributes = {*_CONTRIBUTES, *(("on",) if kind == "forbid" else ())}
    if kind == "flavour":
        if "why" not in given:
            ctx.report.error("RP121", "a clause of kind `flavour` needs `why`", place,
                             help="say why there is no rule in the sentence")
    elif kind not in ("define", "variant") and not given & contributes:
        such = "`must` or `ensure`" if kind == "require" else "`do`, `value` or `always`"
        ctx.report.error("RP121", f"a clause of kind {quote(kind)} needs a field that says "
                         "what it contributes", place,
                         help=f"such as {such}; without any, the kind is "
                         "`define` (an entry that names the clause models it) or `flavour`")
