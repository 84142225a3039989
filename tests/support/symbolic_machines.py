"""Small machines for the tests of the solver, made by hand, and random programs for any of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from hypothesis import strategies as st

from ruleproof.model.machine.core import (
    TRUE,
    Binary,
    BinaryOp,
    Cond,
    Const,
    Expr,
    Fill,
    For,
    If,
    Let,
    Load,
    Local,
    Note,
    Pick,
    Reduce,
    ReduceOp,
    Stmt,
    Store,
    Table,
    Unary,
)
from ruleproof.model.machine.machine import (
    Array,
    Condition,
    Domain,
    Edge,
    Limit,
    Machine,
    Node,
    NodeKind,
    Obligation,
    Param,
    Role,
)
from ruleproof.model.machine.state import Arg, State
from ruleproof.model.solver import terms
from ruleproof.model.solver.solving import answered, known
from ruleproof.model.solver.symbolic import SymbolicMachine, args_in


def integers(low: int, high: int) -> Domain:
    """Return a plain range of numbers as a domain."""
    return Domain("int", low, high)


def array(name: str, low: int, high: int, *start: int, dims: tuple[int, ...] = ()) -> Array:
    """Declare an array of plain numbers."""
    return Array(name, dims, low, high, start, integers(low, high))


def cards(kinds: int) -> Domain:
    """Return a family of card kinds as a domain."""
    return Domain("card:any", 0, kinds - 1, tuple(f"kind {kind}" for kind in range(kinds)))


def zone(name: str, high: int, *start: int, rows: int = 0, kinds: int) -> Array:
    """Declare a zone of cards, with a row per player if `rows` is given."""
    dims = (rows, kinds) if rows else (kinds,)
    axes = (Domain("player", 0, rows - 1), cards(kinds)) if rows else (cards(kinds),)
    return Array(name, dims, 0, high, start, integers(0, high), axes=axes, zone="bag")


def op(left: Expr, sign: BinaryOp, right: Expr | int) -> Expr:
    """Write a binary expression in the order in which it is read."""
    return Binary(sign, left, Const(right) if isinstance(right, int) else right)


def load(name: str, *index: Expr | int) -> Load:
    """Read an element."""
    return Load(name, tuple(Const(i) if isinstance(i, int) else i for i in index))


def store(name: str, *index: Expr | int, value: Expr | int) -> Store:
    """Write an element."""
    at = tuple(Const(i) if isinstance(i, int) else i for i in index)
    return Store(name, at, Const(value) if isinstance(value, int) else value)


def clamp(value: Expr, low: int, high: int) -> Expr:
    """Bring a value into a range, as the front end does around every store."""
    return Binary("max", Const(low), Binary("min", Const(high), value))


def condition(test: Expr, *, role: Role = "rule") -> Condition:
    """Make a condition of a clause called `c`."""
    return Condition("c", role, test)


def edge(
    number: int,
    source: int,
    target: int,
    *body: Stmt,
    when: tuple[Expr, ...] = (),
    params: tuple[Param, ...] = (),
    weight: Expr | None = None,
) -> Edge:
    """Make an edge."""
    conditions = tuple(condition(test) for test in when)
    return Edge(number, source, target, f"edge {number}", params, conditions, body, weight=weight)


def node(number: int, kind: NodeKind, *edges: Edge) -> Node:
    """Make a node."""
    by = Const(0) if kind == "decide" else None
    return Node(number, f"node {number}", kind, "step", edges, by)


def machine(
    arrays: tuple[Array, ...],
    *nodes: Node,
    tables: Mapping[str, tuple[int, ...]] = MappingProxyType({}),
    obligations: int = 0,
    limits: tuple[Expr, ...] = (),
) -> Machine:
    """Put a machine together; it starts at its first node."""
    return Machine(
        game="test",
        players=2,
        arrays=arrays,
        tables=tables,
        nodes=nodes,
        start=nodes[0].id,
        obligations=tuple(
            Obligation(number, "c", "no-value", "it failed")
            for number in range(obligations)
        ),
        limits=tuple(Limit("c", test) for test in limits),
        outcome="",
        player_names=("one", "two"),
    )


# --------------------------------------------------------------------------- random programs

ARRAYS = (
    array("x", 0, 5, 2),
    array("flag", 0, 1, 0),
    array("who", -1, 1, -1),
    array("v", -2, 3, 0, 1, 2, dims=(3,)),
    zone("m", 3, 1, 0, 2, 0, 3, 0, rows=2, kinds=3),
)
TABLES = {"cost": (3, 1, 4)}
PARAMS = (
    Param("p", integers(-1, 2), "p", Binary("!=", Local("p"), Load("x"))),
    Param("b", cards(3), "b", TRUE, bag=True, var="k", most=load("m", 1, Local("k"))),
)
DIMS = {one.name: one.dims for one in ARRAYS}
COMPARE: tuple[BinaryOp, ...] = ("==", "!=", "<", "<=", ">", ">=")
COMPUTE: tuple[BinaryOp, ...] = ("+", "-", "*", "//", "%", "min", "max")
FOLDS: tuple[ReduceOp, ...] = ("sum", "any", "all", "min", "max")


@st.composite
def numbers(
    draw: st.DrawFn, names: tuple[str, ...] = (), depth: int = 3, *, bag: bool = False
) -> Expr:
    """Draw an expression that may use the given locals, and the parameters if `bag`."""
    inner = numbers(names, depth - 1, bag=bag)
    kinds = ["const", "load"] + ["local"] * bool(names)
    if depth > 0:
        kinds += ["compute", "compute", "load", "cond", "reduce", "table", "minus", "truth"]
        kinds += ["pick"] * bag
    match draw(st.sampled_from(kinds)):
        case "const":
            return Const(draw(st.integers(-3, 4)))
        case "local":
            return Local(draw(st.sampled_from(names)))
        case "load":
            name = draw(st.sampled_from(sorted(DIMS)))
            index = inner if depth > 0 else st.builds(Const, st.integers(-1, 3))
            return Load(name, tuple(draw(index) for _ in DIMS[name]))
        case "table":
            return Table("cost", draw(inner))
        case "minus":
            return Unary("-", draw(inner))
        case "pick":
            return Pick("b", draw(inner))
        case "cond":
            return Cond(draw(inner), draw(inner), draw(inner))
        case "reduce":
            var = f"r{depth}"
            body = numbers((*names, var), depth - 1, bag=bag)
            fold, size = draw(st.sampled_from(FOLDS)), draw(st.integers(0, 3))
            return Reduce(fold, var, size, draw(body), draw(body), draw(st.integers(-1, 1)))
        case "truth":
            return draw(truths(names, depth - 1, bag=bag))
        case _:
            return Binary(draw(st.sampled_from(COMPUTE)), draw(inner), draw(inner))


@st.composite
def truths(
    draw: st.DrawFn, names: tuple[str, ...] = (), depth: int = 2, *, bag: bool = False
) -> Expr:
    """Draw a condition."""
    kinds = ["compare"] + ["not", "and", "or"] * (depth > 0)
    kind = draw(st.sampled_from(kinds))
    if kind == "compare":
        inner = numbers(names, max(depth, 0), bag=bag)
        return Binary(draw(st.sampled_from(COMPARE)), draw(inner), draw(inner))
    part = truths(names, depth - 1, bag=bag)
    if kind == "not":
        return Unary("not", draw(part))
    return Binary("and" if kind == "and" else "or", draw(part), draw(part))


@st.composite
def bodies(
    draw: st.DrawFn, names: tuple[str, ...] = (), depth: int = 2, *, bag: bool = False
) -> tuple[Stmt, ...]:
    """Draw statements; what they store is clamped, as the front end does it."""
    body: list[Stmt] = []
    for number in range(draw(st.integers(0, 3))):
        value, test = numbers(names, 2, bag=bag), truths(names, 1, bag=bag)
        kinds = ["let", "store", "store", "fill", "note"] + ["if", "for"] * (depth > 0)
        match draw(st.sampled_from(kinds)):
            case "let":
                name = f"l{depth}.{number}"
                body.append(Let(name, draw(value)))
                names = (*names, name)
            case "store":
                target = draw(st.sampled_from(ARRAYS))
                at = tuple(draw(numbers(names, 1, bag=bag)) for _ in target.dims)
                stored = clamp(draw(value), target.low, target.high)
                body.append(Store(target.name, at, stored))
            case "fill":
                target = draw(st.sampled_from(ARRAYS[3:]))
                at = tuple(draw(numbers(names, 1, bag=bag)) for _ in target.dims[1:])
                var = f"f{depth}.{number}"
                each = clamp(draw(numbers((*names, var), 2, bag=bag)), target.low, target.high)
                body.append(Fill(target.name, at, var, draw(st.integers(0, 4)), each))
            case "if":
                inner = bodies(names, depth - 1, bag=bag)
                body.append(If(draw(test), draw(inner), draw(inner)))
            case "for":
                var = f"i{depth}.{number}"
                inner = bodies((*names, var), depth - 1, bag=bag)
                body.append(For(var, draw(st.integers(0, 3)), draw(inner)))
            case _:
                body.append(Note(draw(st.integers(0, 2))))
    return tuple(body)


@st.composite
def programs(draw: st.DrawFn) -> Machine:
    """Draw a machine with one edge that has both kinds of parameters."""
    when = (draw(truths(("p",), 2, bag=True)),) if draw(st.booleans()) else ()
    body = draw(bodies(("p",), 2, bag=True))
    only = edge(7, 0, 1, *body, when=when, params=PARAMS)
    return machine(ARRAYS, node(0, "decide", only), node(1, "final"), tables=TABLES, obligations=3)


@st.composite
def vectors(draw: st.DrawFn, arrays: tuple[Array, ...] = ARRAYS) -> tuple[int, ...]:
    """Draw values for all elements."""
    return tuple(draw(st.integers(one.low, one.high)) for one in arrays for _ in range(one.size))


@st.composite
def states(draw: st.DrawFn) -> State:
    """Draw a state at the first node."""
    return State(0, draw(vectors()))


def arguments() -> st.SearchStrategy[tuple[Arg, ...]]:
    """Draw arguments for the one edge of a random program, in or out of their ranges."""
    return st.tuples(st.integers(-1, 2), st.tuples(*[st.integers(0, 3)] * 3))


# --------------------------------------------------------------------------- a card game


def card_game(
    kinds: int = 3, copies: int = 2, players: int = 2, phases: int = 1, *, most: int = 5
) -> Machine:
    """Make a card game: draw, play, discard, reshuffle; hands of at most `most`, life up to 10.

    Each phase of a turn is a node; `phases` repeats the middle of the turn to make it larger.
    Obligation 0 fails when somebody draws although no card is left, obligation 1 when `lead` is
    used while it is nobody.
    """
    everything = kinds * copies
    arrays = (
        zone("deck", copies, *[copies] * kinds, kinds=kinds),
        zone("heap", copies, *[0] * kinds, kinds=kinds),
        zone("hand", copies, *[0] * kinds * players, rows=players, kinds=kinds),
        zone("table", copies, *[0] * kinds * players, rows=players, kinds=kinds),
        array("life", 0, 10, *[10] * players, dims=(players,)),
        Array("turn", (), 0, players - 1, (0,), Domain("player", 0, players - 1)),
        Array("lead", (), -1, players - 1, (-1,), Domain("player?", -1, players - 1)),
        array("left", 0, everything, 0),
    )
    turn, k = load("turn"), Local("k")

    def size(name: str, *row: Expr) -> Expr:
        return Reduce("sum", "s", kinds, TRUE, load(name, *row, Local("s")))

    def move(
        source: str, source_row: tuple[Expr, ...], target: str, row: tuple[Expr, ...]
    ) -> tuple[Stmt, ...]:
        """Move one card of kind k."""
        return tuple(
            store(name, *at, k, value=clamp(op(load(name, *at, k), "+", by), 0, copies))
            for name, at, by in ((source, source_row, -1), (target, row, 1))
        )

    chosen = Param("k", cards(kinds), "k", TRUE)
    some = Param(
        "b", cards(kinds), "b", TRUE, bag=True, var="q", most=load("hand", turn, Local("q"))
    )
    nodes: list[Node] = [
        node(0, "rules", edge(0, 0, 1, store("lead", value=0), store("left", value=2)))
    ]
    number = 1
    for phase in range(phases):
        first = 1 + 4 * phase
        draw, act, drop, check = range(first, first + 4)
        after = first + 4 if phase < phases - 1 else 4 * phases + 1
        empty = op(size("deck"), "==", 0)
        refill = (
            Fill("deck", (), "f", kinds, load("heap", Local("f"))),
            Fill("heap", (), "f", kinds, Const(0)),
        )
        full = op(size("hand", turn), ">=", most)
        nodes += [
            node(
                draw,
                "chance",
                edge(
                    number,
                    draw,
                    act,
                    *move("deck", (), "hand", (turn,)),
                    when=(Unary("not", full), Unary("not", empty)),
                    params=(chosen,),
                    weight=load("deck", k),
                ),
                edge(
                    number + 1,
                    draw,
                    act,
                    *refill,
                    If(op(size("deck"), "==", 0), (Note(0),)),
                    when=(empty,),
                ),
                edge(number + 2, draw, act, when=(full, Unary("not", empty))),
            ),
            node(
                act,
                "decide",
                edge(
                    number + 3,
                    act,
                    act,
                    *move("hand", (turn,), "table", (turn,)),
                    store("lead", value=turn),
                    when=(op(load("hand", turn, k), ">", 0),),
                    params=(chosen,),
                ),
                edge(
                    number + 4,
                    act,
                    act,
                    *move("table", (turn,), "heap", ()),
                    store(
                        "life",
                        load("lead"),
                        value=clamp(op(load("life", load("lead")), "-", 1), 0, 10),
                    ),
                    If(op(load("lead"), "==", -1), (Note(1),)),
                    when=(op(load("table", turn, k), ">", 0),),
                    params=(chosen,),
                ),
                edge(number + 5, act, drop),
            ),
            node(
                drop,
                "decide",
                edge(
                    number + 6,
                    drop,
                    check,
                    For(
                        "d",
                        kinds,
                        (
                            store(
                                "heap",
                                Local("d"),
                                value=clamp(
                                    op(load("heap", Local("d")), "+", Pick("b", Local("d"))),
                                    0,
                                    copies,
                                ),
                            ),
                            store(
                                "hand",
                                turn,
                                Local("d"),
                                value=clamp(
                                    op(load("hand", turn, Local("d")), "-", Pick("b", Local("d"))),
                                    0,
                                    copies,
                                ),
                            ),
                        ),
                    ),
                    params=(some,),
                ),
            ),
            node(
                check,
                "rules",
                edge(number + 7, check, 4 * phases + 2, when=(op(load("life", turn), "==", 0),)),
                edge(number + 8, check, after),
            ),
        ]
        number += 9
    next_turn = op(op(turn, "+", 1), "%", players)
    last = 4 * phases + 1
    nodes += [
        node(last, "rules", edge(number, last, 1, store("turn", value=next_turn))),
        node(last + 1, "final"),
    ]
    return machine(arrays, *nodes, obligations=2)


def find_args(
    symbolic: SymbolicMachine, state: State, edge: Edge, values: tuple[int, ...]
) -> tuple[Arg, ...] | None:
    """Find parameters, if any, with which an edge leads from a state to these values."""
    relation = symbolic.edge_relation(edge)
    solver = symbolic.at(state, relation)
    for new, wanted in zip(relation.post, values, strict=True):
        solver.add(terms.formula(terms.equal(new, wanted), symbolic.context))
    found = edge.source == state.node and answered(solver)
    return args_in(solver.model(), relation) if found else None


def enabled_args(symbolic: SymbolicMachine, state: State, edge: Edge) -> Iterator[tuple[Arg, ...]]:
    """Find all parameters with which an edge is enabled in a state, in no particular order."""
    relation = symbolic.edge_relation(edge)
    solver = symbolic.at(state, relation)
    flat = [one for param in relation.params for one in param]
    while edge.source == state.node and answered(solver):
        model = solver.model()
        yield args_in(model, relation)
        others = (terms.negation(terms.equal(one, known(model, one))) for one in flat)
        solver.add(terms.formula(terms.either(*others), symbolic.context))
