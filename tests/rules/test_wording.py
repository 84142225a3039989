"""Expressions as text: of the rules language (it parses back) and of the core (for people)."""

from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from ruleproof.model.game import syntax as sx
from ruleproof.model.game.game import Game
from ruleproof.model.game.parser import parse_expression
from ruleproof.model.game.unparse import encoding, unparse
from ruleproof.model.game.uses import trees_of
from ruleproof.model.loading.load import bundled
from ruleproof.model.machine import core as c
from ruleproof.model.source.errors import Place, Reporter
from ruleproof.model.views.wording import names_of, wording
from ruleproof.tests.support.games import compiled as compiled_game
from ruleproof.tests.support.games import loaded, often
from ruleproof.tests.support.machines import draws
from ruleproof.tests.support.places import ROOT

TEMPLATE = str(ROOT / "spec" / "template")
EXPRESSIONS = (
    "a and (b or c) and not d",
    "not (a and b)",
    "-(a + b) * c - (d - e) // 2 % 3",
    "(x if a else y) if b else (z if c else w)",
    'f(x, by=y, ask="who\'s there?")',
    "any(c.style == s for c in hand[p] if c.type == x if y)",
    "{p for p in players if size(hand[p]) > 0} | {a, b} & {c} - d",
    "p in others(q) and p not in {a}",
    "(a == b) == (c < d)",
    "count(c for c in hand[(a if b else c)])",
    "x == none or y == True or z == -1",
    "min(a, b) <= c",
)


def parsed(text: str) -> sx.Expr:
    """Parse an expression."""
    report = Reporter()
    made = parse_expression(text, lambda _row, _column: Place.start_of("x"), report)
    report.raise_if_any()
    assert made is not None
    return made


def bare(tree: Any) -> object:  # noqa: ANN401
    """Return a tree without its places."""
    if isinstance(tree, tuple):
        several: tuple[Any, ...] = tree  # pyright: ignore[reportUnknownVariableType]
        return tuple(bare(each) for each in several)
    if is_dataclass(tree) and not isinstance(tree, Place):
        named = [(f.name, bare(getattr(tree, f.name))) for f in fields(tree) if f.name != "at"]
        return (type(tree).__name__, *named)
    return tree


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions_parse_back(text: str) -> None:
    """What is written of a tree parses back to it."""
    tree = parsed(text)

    assert bare(parsed(unparse(tree))) == bare(tree)


@pytest.mark.parametrize("name", often("edition-wars", of=[*bundled(), TEMPLATE]))
def test_expressions_of_games_parse_back(name: str) -> None:
    """The same holds for every expression of the games that come along."""
    for clause in loaded(name).clauses:
        for tree in trees_of(clause):
            if isinstance(tree, sx.Expr) and not isinstance(tree, sx.Generator):
                assert bare(parsed(unparse(tree))) == bare(tree), clause.id


@pytest.mark.parametrize("name", [*bundled(), TEMPLATE])
def test_every_rule_has_an_encoding(name: str) -> None:
    """Of each clause that the engine reads something is shown beside its sentence."""
    game: Game = loaded(name)

    for clause in game.clauses:
        assert bool(encoding(clause)) == any(
            (clause.do, clause.define, clause.option, clause.must, clause.claim, clause.example,
             clause.ensure, clause.always, clause.when, clause.overrides, clause.on)
        ), clause.id  # fmt: skip


def test_core_expressions_speak_the_games_words() -> None:
    """Numbers are shown by the names that they have where they stand."""
    machine = draws((2, 1), players=2)
    me = c.Load("active")
    shown = {
        wording(machine, c.Binary("==", me, c.Const(1))),
        wording(machine, c.Load("hand", (c.Const(0), c.Const(1)))),
        wording(machine, c.Binary("==", c.Load("last"), c.Const(-1))),
        wording(machine, c.Reduce("sum", "k$4", 2, c.TRUE, c.Load("hand", (me, c.Local("k$4"))))),
    }

    assert shown == {
        "active == Bob",
        "hand[Ann, k1]",
        "last == none",
        "sum(hand[active, k] for k in card)",
    }


@pytest.mark.parametrize(
    ("expr", "shown"),
    [
        (c.Pick("cards$2", c.Const(1)), "cards[1]"),
        (c.Unary("-", c.Binary("+", c.Const(1), c.Const(-2))), "-(1 + -2)"),
        (c.Binary("min", c.Const(1), c.Const(2)), "min(1, 2)"),
        (c.Binary("*", c.Binary("-", c.Const(3), c.Const(2)), c.Const(4)), "(3 - 2) * 4"),
        (c.Unary("not", c.Binary("and", c.TRUE, c.FALSE)), "not (1 and 0)"),
        (c.Binary("==", c.Table("mood", c.Const(0)), c.Const(-1)), "mood[0] == none"),
        (c.Binary("!=", c.Table("mood", c.Const(0)), c.Const(1)), "mood[0] != wild"),
        (c.Binary("<", c.Table("mood", c.Const(0)), c.Const(5)), "mood[0] < 5"),
        (c.Cond(c.TRUE, c.Load("active"), c.Const(0)), "active if 1 else 0"),
        (c.Binary("==", c.Cond(c.TRUE, c.Load("active"), c.Const(0)), c.Const(1)),
         "(active if 1 else 0) == Bob"),
        (c.Reduce("sum", "i", 3, c.Binary(">", c.Local("i"), c.Const(1)), c.TRUE),
         "count(i in range(3) if i > 1)"),
    ],
)  # fmt: skip
def test_every_kind_of_expression_is_worded(expr: c.Expr, shown: str) -> None:
    """Brackets stand where they are needed; tables have names if they are given."""
    assert wording(draws((2, 1), players=2), expr, {"mood": ("calm", "wild")}) == shown


def test_nested_variables_keep_apart() -> None:
    """Two loops over variables of the same stem are shown with different names."""
    inner = c.Binary("<", c.Local("p$1"), c.Local("p$2"))
    expr = c.Reduce("any", "p$1", 2, c.TRUE, c.Reduce("all", "p$2", 2, c.TRUE, inner))

    assert wording(draws((1,)), expr) == "any(all(p < p2 for p2 in range(2)) for p in range(2))"


@pytest.mark.parametrize("name", often("rumble-in-rlyeh", of=[*bundled(), TEMPLATE]))
def test_conditions_of_games_show_no_bare_numbers_of_locals(name: str) -> None:
    """No generated name of a local reaches what people read."""
    compiled = compiled_game(name)
    names = names_of(compiled.game)
    for node in compiled.machine.nodes:
        for edge in node.edges:
            for test in edge.conditions:
                assert "$" not in wording(compiled.machine, test.test, names)
