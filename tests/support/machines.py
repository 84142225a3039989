"""A shelf of small machines, made by hand: every engine is tested on the same ones."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ruleproof.model.machine.core import (
    TRUE,
    Binary,
    BinaryOp,
    Cite,
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
    Stmt,
    Store,
    Table,
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
    Visibility,
)

SEATS = ("Ann", "Bob", "Cy", "Dee")


def num(value: int | Expr) -> Expr:
    """Make an expression of a number."""
    return Const(value) if isinstance(value, int) else value


def op(kind: BinaryOp, left: int | Expr, right: int | Expr) -> Expr:
    """Apply an operator."""
    return Binary(kind, num(left), num(right))


def both(*parts: Expr) -> Expr:
    """Join conditions with `and`."""
    result, *rest = parts
    for part in rest:
        result = Binary("and", result, part)
    return result


def clamp(value: Expr, low: int, high: int) -> Expr:
    """Bring a value into a range, as the front end does before it stores."""
    return op("min", op("max", value, low), high)


def load(array: str, *index: int | Expr) -> Expr:
    """Read an element."""
    return Load(array, tuple(num(i) for i in index))


def store(array: str, *index_and_value: int | Expr) -> Stmt:
    """Write an element: the indices, then the value."""
    *index, value = index_and_value
    return Store(array, tuple(num(i) for i in index), num(value))


def add(array: str, *index_and_amount: int | Expr) -> Stmt:
    """Add to an element, without any clamping."""
    *index, amount = index_and_amount
    return store(array, *index, op("+", load(array, *index), amount))


def ints(low: int, high: int) -> Domain:
    """Make the domain of some numbers."""
    return Domain("int", low, high)


def cards(*names: str) -> Domain:
    """Make the domain of a few kinds of card."""
    return Domain("card:card", 0, len(names) - 1, names)


def seats(count: int) -> Domain:
    """Make the domain of the players."""
    return Domain("player", 0, count - 1, SEATS[:count])


@dataclass
class Builder:
    """Collects the parts of a machine and numbers its edges."""

    game: str
    players: int = 2
    arrays: list[Array] = field(default_factory=list)
    nodes: dict[str, Node] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def array(
        self,
        name: str,
        dims: Sequence[int] = (),
        *,
        low: int = 0,
        high: int = 1,
        start: int | Sequence[int] = 0,
        domain: Domain | None = None,
        axes: Sequence[Domain] = (),
        zone: str = "",
        seen_by: Visibility = "all",
    ) -> None:
        """Add an array to the state."""
        size = 1
        for dim in dims:
            size *= dim
        first = (start,) * size if isinstance(start, int) else tuple(start)
        domain = domain or ints(low, high)
        self.arrays.append(
            Array(
                name, tuple(dims), low, high, first, domain, tuple(axes), seen_by=seen_by, zone=zone
            )
        )

    def node(self, name: str, kind: NodeKind, *, by: Expr | None = None) -> None:
        """Add a node; its edges follow."""
        self.nodes[name] = Node(len(self.nodes), name, kind, name, (), by=by)

    def edge(
        self,
        source: str,
        target: str,
        *,
        when: Sequence[Expr] = (),
        do: Sequence[Stmt] = (),
        params: Sequence[Param] = (),
        weight: Expr | None = None,
        label: str = "",
        clauses: Sequence[str] = (),
    ) -> None:
        """Add an edge; its conditions get clause ids of their own."""
        number = len(self.edges)
        conditions = tuple(
            Condition(f"{source}.{number}.{i}", "permit", test) for i, test in enumerate(when)
        )
        self.names.append(target)
        self.edges.append(
            Edge(
                number,
                self.nodes[source].id,
                -1,
                label or f"{source}.{number}",
                tuple(params),
                conditions,
                tuple(do),
                clauses=tuple(clauses),
                weight=weight,
            )
        )

    def machine(
        self,
        *,
        tables: dict[str, tuple[int, ...]] | None = None,
        limits: Sequence[Expr] = (),
        obligations: int = 0,
        outcome: str = "",
    ) -> Machine:
        """Put the machine together; the first node is where it starts."""
        edges = [
            Edge(
                edge.id,
                edge.source,
                self.nodes[target].id,
                edge.label,
                edge.params,
                edge.conditions,
                edge.body,
                clauses=edge.clauses,
                weight=edge.weight,
            )
            for edge, target in zip(self.edges, self.names, strict=True)
        ]
        nodes = tuple(
            Node(
                node.id,
                node.name,
                node.kind,
                node.step,
                tuple(edge for edge in edges if edge.source == node.id),
                by=node.by,
            )
            for node in self.nodes.values()
        )
        return Machine(
            self.game,
            self.players,
            tuple(self.arrays),
            tables or {},
            nodes,
            0,
            tuple(Obligation(i, f"clause.{i}", "no-case", f"duty {i}") for i in range(obligations)),
            tuple(Limit(f"limit.{i}", test) for i, test in enumerate(limits)),
            outcome,
            SEATS[: self.players],
        )


def param(name: str, domain: Domain, where: Expr = TRUE) -> Param:
    """Make a plain parameter."""
    return Param(name, domain, name, where)


def bag(name: str, kinds: Domain, most: Expr, where: Expr = TRUE) -> Param:
    """Make a bag parameter; `most` may use Local("kind")."""
    return Param(name, kinds, name, where, bag=True, var="kind", most=most)


# --------------------------------------------------------------------------------- puzzles


def jugs(big: int = 5, small: int = 3) -> Machine:
    """Two jugs without marks: fill, empty, pour.  With 5 and 3: 16 states."""
    game = Builder("jugs", players=1)
    sizes = {"big": big, "small": small}
    for name, size in sizes.items():
        game.array(name, high=size)
    game.node("table", "open")
    for name, size in sizes.items():
        game.edge("table", "table", do=[store(name, size)], label=f"fill {name}")
        game.edge("table", "table", do=[store(name, 0)], label=f"empty {name}")
    for source, target in (("big", "small"), ("small", "big")):
        room = op("-", sizes[target], load(target))
        game.edge(
            "table",
            "table",
            do=[
                Let("flow", op("min", load(source), room)),
                store(source, op("-", load(source), Local("flow"))),
                store(target, op("+", load(target), Local("flow"))),
            ],
            label=f"pour {source} to {target}",
        )
    return game.machine()


LINES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 3, 6, 1, 4, 7, 2, 5, 8, 0, 4, 8, 2, 4, 6)


def tic_tac_toe() -> Machine:
    """Three in a row: 5,478 positions, 255,168 plays."""
    game = Builder("tic-tac-toe")
    game.array("board", (9,), low=-1, high=1, start=-1)
    game.array("mover", high=1, domain=seats(2))
    game.array("won", (2,), axes=[seats(2)])
    game.node("turn", "decide", by=load("mover"))
    game.node("check", "rules")
    game.node("over", "final")
    free = op("==", load("board", Local("cell")), -1)
    game.edge(
        "turn",
        "check",
        params=[param("cell", ints(0, 8))],
        when=[free],
        do=[store("board", Local("cell"), load("mover")), Cite("place")],
        clauses=["mark"],
    )
    cell = [
        op(
            "==",
            load("board", Table("lines", op("+", op("*", Local("line"), 3), i))),
            load("mover"),
        )
        for i in range(3)
    ]
    three = Reduce("any", "line", 8, TRUE, both(*cell))
    game.edge("check", "over", when=[three], do=[store("won", load("mover"), 1)], clauses=["three"])
    full = Reduce("all", "cell", 9, TRUE, op("!=", load("board", Local("cell")), -1))
    game.edge("check", "over", when=[full], do=[Note(0)], clauses=["draw"])
    game.edge("check", "turn", do=[store("mover", op("-", 1, load("mover")))], clauses=["next"])
    return game.machine(tables={"lines": LINES}, obligations=1, outcome="won")


def nim(*heaps: int) -> Machine:
    """Take from one heap; whoever takes the last one wins."""
    game = Builder("nim")
    most = max(heaps)
    game.array("heap", (len(heaps),), high=most, start=heaps)
    game.array("mover", high=1, domain=seats(2))
    game.array("won", (2,), axes=[seats(2)])
    game.node("turn", "decide", by=load("mover"))
    game.node("next", "rules")
    game.node("over", "final")
    take = [
        param("heap", ints(0, len(heaps) - 1)),
        param("count", ints(1, most), op("<=", Local("count"), load("heap", Local("heap")))),
    ]
    game.edge(
        "turn",
        "next",
        params=take,
        do=[store("heap", Local("heap"), op("-", load("heap", Local("heap")), Local("count")))],
    )
    left = Reduce("sum", "h", len(heaps), TRUE, load("heap", Local("h")))
    game.edge("next", "over", when=[op("==", left, 0)], do=[store("won", load("mover"), 1)])
    game.edge("next", "turn", do=[store("mover", op("-", 1, load("mover")))])
    return game.machine(outcome="won")


# ------------------------------------------------------------------------------ card games


def draws(copies: tuple[int, ...] = (2, 1, 2), *, players: int = 2, hand: int = 2) -> Machine:
    """Draw by chance, play, discard a bag, reshuffle; a hand limit, and notes."""
    kinds = len(copies)
    deck = cards(*(f"k{i}" for i in range(kinds)))
    who, most = seats(players), max(copies)
    game = Builder("draws", players=players)
    game.array("deck", (kinds,), high=most, start=copies, axes=[deck], zone="deck", seen_by="none")
    game.array("heap", (kinds,), high=most, axes=[deck], zone="pile")
    game.array("hand", (players, kinds), high=most, axes=[who, deck], zone="bag", seen_by="owner")
    game.array("score", (players,), high=4, axes=[who])
    game.array("active", high=players - 1, domain=who)
    game.array("last", low=-1, high=kinds - 1, start=-1, domain=deck)
    game.array("won", (players,), axes=[who])
    game.node("draw", "rules")
    game.node("drawing", "chance")
    game.node("turn", "decide", by=load("active"))
    game.node("drop", "decide", by=load("active"))
    game.node("next", "rules")
    game.node("over", "final")
    me, kind = load("active"), Local("k")

    def size(array: str, *index: Expr) -> Expr:
        return Reduce("sum", "j", kinds, TRUE, load(array, *index, Local("j")))

    def picked(name: str) -> Expr:
        return Reduce("sum", "i", kinds, TRUE, Pick(name, Local("i")))

    game.edge("draw", "drawing", when=[op(">", size("deck"), 0)], clauses=["draw.card"])
    game.edge(
        "draw",
        "drawing",
        when=[op(">", size("heap"), 0)],
        do=[
            Cite("reshuffle"),
            Fill("deck", (), "f", kinds, load("heap", Local("f"))),
            Fill("heap", (), "g", kinds, Const(0)),
        ],
    )
    game.edge("draw", "turn", do=[Note(0), store("last", -1)], clauses=["draw.none"])
    game.edge(
        "drawing",
        "turn",
        params=[param("k", deck)],
        weight=load("deck", kind),
        do=[add("deck", kind, -1), add("hand", me, kind, 1), store("last", kind)],
    )
    game.edge(
        "turn",
        "drop",
        params=[param("k", deck, op(">", load("hand", me, kind), 0))],
        do=[
            add("hand", me, kind, -1),
            add("heap", kind, 1),
            store("score", me, clamp(op("+", load("score", me), Table("value", kind)), 0, 4)),
            If(op("==", kind, load("last")), (Note(1),), (Cite("old card"),)),
        ],
        clauses=["play"],
    )
    game.edge("turn", "drop", label="pass", do=[For("p", players, (add_once("p"),))])
    game.edge(
        "drop",
        "next",
        params=[
            bag(
                "cards",
                deck,
                load("hand", me, Local("kind")),
                both(op("<=", picked("cards"), 2), op("!=", Pick("cards", Const(0)), 2)),
            )
        ],
        do=[
            Fill(
                "hand",
                (me,),
                "f",
                kinds,
                op("-", load("hand", me, Local("f")), Pick("cards", Local("f"))),
            ),
            Fill(
                "heap", (), "g", kinds, op("+", load("heap", Local("g")), Pick("cards", Local("g")))
            ),
        ],
    )
    best = Reduce("max", "p", players, TRUE, load("score", Local("p")))
    game.edge(
        "next",
        "over",
        when=[op(">=", best, 3)],
        do=[For("p", players, (store("won", Local("p"), op(">=", load("score", Local("p")), 3)),))],
    )
    game.edge(
        "next", "draw", do=[store("active", op("%", op("+", me, 1), players)), store("last", -1)]
    )
    small = Reduce("all", "p", players, TRUE, op("<=", size("hand", Local("p")), hand))
    return game.machine(
        tables={"value": tuple(range(kinds))}, limits=[small], obligations=2, outcome="won"
    )


def add_once(who: str) -> Stmt:
    """Forget what was drawn last: a statement that only the first round of a loop changes."""
    return If(op("==", Local(who), 0), (store("last", -1),))


def spiral(top: int = 20, *, endless: bool = False) -> Machine:
    """Choose a number and let the rules run it down (halve, or three times plus one) to 1.

    With `endless`, 7 goes round for ever, and fails a duty of its own there.
    """
    game = Builder("spiral", players=1)
    game.array("n", low=-100, high=5000, start=1)
    game.array("steps", low=-3, high=100_000, start=-3)
    game.array("seen", (top + 1,))
    game.node("choose", "decide", by=Const(0))
    game.node("loop", "rules")
    game.node("odd", "rules")
    game.node("stuck", "rules")
    n = load("n")
    game.edge(
        "choose",
        "loop",
        params=[param("m", ints(1, top))],
        when=[op("==", load("seen", Local("m")), 0), op("<", load("steps"), 60)],
        do=[store("n", Local("m")), store("seen", Local("m"), 1)],
    )
    if endless:
        game.edge("loop", "stuck", when=[op("==", n, 7)])
    game.edge("loop", "choose", when=[op("<=", n, 1)])
    game.edge("loop", "odd", when=[op("==", op("%", n, 2), 1)], do=[Note(0)])
    game.edge("loop", "loop", do=[store("n", op("//", n, 2)), add("steps", 1)])
    game.edge("odd", "loop", do=[store("n", op("+", op("*", n, 3), 1)), add("steps", 1)])
    game.edge("stuck", "loop", do=[Note(1)])
    return game.machine(obligations=2)


def all_machines() -> dict[str, Machine]:
    """Return the whole shelf, by name; each can be run to its end by the interpreter."""
    return {
        "jugs": jugs(),
        "tic-tac-toe": tic_tac_toe(),
        "nim": nim(3, 4, 5),
        "draws": draws((2, 1), hand=2),
        "tight draws": draws((1, 1, 1), hand=1),
        "draws for three": draws((1, 1), players=3, hand=1),
        "spiral": spiral(6),
        "endless spiral": spiral(9, endless=True),
    }
