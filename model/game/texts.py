"""Parses the rule texts of a spec, each once, and walks their trees.

The same sentence is built under many settings; its tree is kept. A tree that is deeper than what
comes after can walk is refused here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import cast, get_args

from ..source.errors import Place, Reporter
from ..source.tree import SpecNode
from . import parser
from . import syntax as sx
from .game import Body, Clause

MAX_TREE = 120

Tree = sx.Expr | sx.Stmt
_KINDS = frozenset[type](get_args(Tree))


@dataclass(frozen=True, slots=True)
class Texts:
    """The trees of the texts that were parsed so far, by node; the clauses, by mode too."""

    expressions: dict[SpecNode, sx.Expr] = field(default_factory=dict[SpecNode, sx.Expr])
    bodies: dict[SpecNode, Body] = field(default_factory=dict[SpecNode, Body])
    clauses: dict[tuple[SpecNode, bool], Clause] = field(
        default_factory=dict[tuple[SpecNode, bool], "Clause"])
    turns: dict[tuple[SpecNode, tuple[str, ...]], Mapping[str, int]] = field(
        default_factory=dict[tuple[SpecNode, tuple[str, ...]], "Mapping[str, int]"])
    """The places of clauses that act together, by mode; see `rules.ordering`."""
    _dotted: dict[int, tuple[Tree, frozenset[tuple[str, str]]]] = field(
        default_factory=dict[int, "tuple[Tree, frozenset[tuple[str, str]]]"])

    def dotted(self, tree: Tree) -> frozenset[tuple[str, str]]:
        """Return the names before and behind the dots of a tree: `(a, b)` for `a.b`."""
        known = self._dotted.get(id(tree))
        if known is None:
            known = tree, frozenset(
                (one.value.name, one.name) for one in walk(tree)
                if isinstance(one, sx.Attr) and isinstance(one.value, sx.Name))
            if not isinstance(tree, sx.Num | sx.Truth):  # which are made anew each time
                self._dotted[id(tree)] = known
        return known[1]

    def expression(self, node: SpecNode | None, report: Reporter) -> sx.Expr | None:
        """Parse an expression."""
        return self._expression(node, report, parser.parse_expression)

    def expectation(self, node: SpecNode | None, report: Reporter) -> sx.Expr | None:
        """Parse what a worked example expects."""
        return self._expression(node, report, parser.parse_expectation)

    def domain(self, node: SpecNode | None, report: Reporter) -> sx.Expr | None:
        """Parse the domain of a parameter: an expression or a bare generator."""
        return self._expression(node, report, parser.parse_generator)

    def body(self, node: SpecNode | None, report: Reporter) -> Body | None:
        """Parse the statements of a body."""
        if node is None or not isinstance(node.value, str):
            return None
        known = self.bodies.get(node)
        if known is not None:
            return known
        try:
            made = parser.parse_body(node.value, node.text_place, report)
            _check_depth(made or ())
        except (RecursionError, IndexError) as error:
            _unreadable(node, report, error)
            return None
        if made is None:
            return None
        body = self.bodies[node] = Body(made, node.value.strip(), node.place)
        return body

    def _expression(
        self, node: SpecNode | None, report: Reporter,
        parse: Callable[[str, Callable[[int, int], Place], Reporter], sx.Expr | None],
    ) -> sx.Expr | None:
        match node:
            case SpecNode(value=bool() as truth, place=place):
                return sx.Truth(truth, place)
            case SpecNode(value=int() as number, place=place):
                return sx.Num(number, place)
            case SpecNode(value=str() as text):
                pass
            case _:
                return None
        known = self.expressions.get(node)
        if known is not None:
            return known
        try:
            made = parse(text, node.text_place, report)
            _check_depth(() if made is None else (made,))
        except (RecursionError, IndexError) as error:
            _unreadable(node, report, error)
            return None
        if made is not None:
            self.expressions[node] = made
        return made


def _unreadable(node: SpecNode, report: Reporter, error: Exception) -> None:
    """Report a tree that is too deep for the parser, or of a kind that it has no words for."""
    if isinstance(error, RecursionError):
        report.error("RP203", "rule text has too many operators in a row", node.place,
                     help=f"at most {MAX_TREE} levels; use derived terms")
    else:
        report.error("RP202", "the language has no such expression", node.place)


def children(tree: Tree) -> Iterator[Tree]:
    """Yield the trees right below one."""
    kind: type = type(tree)
    for name in _holding(kind):
        value = getattr(tree, name)
        if type(value) in _KINDS:
            yield value
        elif type(value) is tuple:
            yield from _trees(value)


@cache
def _holding(kind: type) -> tuple[str, ...]:
    """Name the fields of a kind of tree that may hold others."""
    return tuple(each.name for each in fields(kind)
                 if each.type not in ("Place", "str", "int", "bool"))


def below(tree: Tree) -> Iterator[tuple[tuple[str | int, ...], Tree]]:
    """Yield the trees right below one, with the way to each: fields, and places in tuples."""
    kind: type = type(tree)
    for name in _holding(kind):
        todo: list[tuple[tuple[str | int, ...], object]] = [((name,), getattr(tree, name))]
        while todo:
            path, value = todo.pop(0)
            if isinstance(value, Tree):
                yield path, value
            elif isinstance(value, tuple):
                several = cast("tuple[object, ...]", value)
                todo[:0] = [((*path, i), one) for i, one in enumerate(several)]


def _trees(several: tuple[object, ...]) -> Iterator[Tree]:
    for each in several:
        if type(each) in _KINDS:
            yield cast("Tree", each)
        elif isinstance(each, tuple):
            yield from _trees(cast("tuple[object, ...]", each))


def walk(tree: Tree) -> Iterator[Tree]:
    """Yield a tree and all below it, without recursion."""
    todo = [tree]
    while todo:
        one = todo.pop()
        yield one
        todo.extend(children(one))


def _check_depth(trees: tuple[Tree, ...]) -> None:
    """Raise RecursionError for trees on which recursive functions would."""
    todo = [(tree, 1) for tree in trees]
    while todo:
        tree, depth = todo.pop()
        if depth > MAX_TREE:
            raise RecursionError
        todo.extend((child, depth + 1) for child in children(tree))
