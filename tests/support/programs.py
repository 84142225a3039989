"""Random machines: every kind of expression and statement, small enough to be run to some depth."""

from dataclasses import dataclass, field, replace
from random import Random

from ruleproof.model.machine.core import (
    TRUE,
    Binary,
    BinaryOp,
    Cite,
    Cond,
    Const,
    Expr,
    Feature,
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
from ruleproof.model.machine.machine import Array, Machine, Param
from ruleproof.tests.support.machines import Builder, bag, cards, clamp, ints, param

BINARY: tuple[BinaryOp, ...] = (
    *("+", "-", "*", "//", "%", "min", "max"),
    *("==", "!=", "<", "<=", ">", ">=", "and", "or"),
)
REDUCE: tuple[ReduceOp, ...] = ("sum", "any", "all", "min", "max")
ARRAYS = (
    ((), 0, 1),
    ((), -1, 3),
    ((), 0, 300),
    ((), -70_000, 70_000),
    ((3,), 0, 2),
    ((5,), 0, 4),
    ((2, 4), 0, 3),
    ((2, 5), -1, 2),
    ((2,), -3, 400),
    ((2, 2, 2), 0, 1),
    ((1,), 2, 2),
)
TABLES = {"one": (3,), "odd": (0, -2, 5, 0), "long": tuple(i * i % 7 for i in range(9))}
FEATURES = ("fog", "frost", "flood")
REACHED = {
    "rules": ("first", "second", "luck", "rule", "loop", "first", "second", "end"),
    "decide": ("start", "first", "second", "luck", "rule", "loop", "loop", "end"),
    "open": ("start", "first", "second", "luck", "rule", "loop", "loop", "end"),
    "chance": ("start", "first", "second", "luck", "rule", "loop", "loop", "end"),
}
"""Where edges lead: mostly on, lest most games end at once or never rest."""


@dataclass
class Writer:
    """Writes random core code.  Locals are numbered, so that names are unique."""

    random: Random
    arrays: list[Array] = field(default_factory=list)
    count: int = 0

    def name(self) -> str:
        """Make up a name."""
        self.count += 1
        return f"n{self.count}"

    def expr(self, names: tuple[str, ...], bags: tuple[str, ...], depth: int) -> Expr:
        """Write an expression over some locals."""
        pick = self.random.randrange(11 if depth > 0 else 3)
        match pick:
            case 0:
                return Const(self.random.randint(-2, 4))
            case 1 if names:
                return Local(self.random.choice(names))
            case 2 | 3 | 1:
                return self.load(names, bags, depth - 1)
            case 4 if bags:
                return Pick(self.random.choice(bags), self.expr(names, bags, depth - 2))
            case 5:
                table = self.random.choice(list(TABLES))
                return Table(table, self.expr(names, bags, depth - 1))
            case 6:
                return Unary(
                    "not" if self.random.random() < 0.5 else "-", self.expr(names, bags, depth - 1)
                )
            case 7:
                return Cond(
                    self.expr(names, bags, depth - 1),
                    self.expr(names, bags, depth - 1),
                    self.expr(names, bags, depth - 1),
                )
            case 8:
                return self.reduce(names, bags, depth)
            case 9:
                return Feature(self.random.randrange(len(FEATURES)))
            case _:
                return Binary(
                    self.random.choice(BINARY),
                    self.expr(names, bags, depth - 1),
                    self.expr(names, bags, depth - 1),
                )

    def load(self, names: tuple[str, ...], bags: tuple[str, ...], depth: int) -> Expr:
        """Read an element, mostly inside its array."""
        array = self.random.choice(self.arrays)
        return Load(array.name, self.index(array.dims, names, bags, depth))

    def index(
        self, dims: tuple[int, ...], names: tuple[str, ...], bags: tuple[str, ...], depth: int
    ) -> tuple[Expr, ...]:
        """Write indices: numbers, or expressions that may lie outside."""
        return tuple(
            Const(self.random.randrange(size))
            if depth <= 0 or self.random.random() < 0.5
            else self.expr(names, bags, depth)
            for size in dims
        )

    def reduce(self, names: tuple[str, ...], bags: tuple[str, ...], depth: int) -> Expr:
        """Write a fold: over a row, over a bag, or over anything."""
        var, size = self.name(), self.random.choice((0, 1, 2, 4, 5))
        where = TRUE if self.random.random() < 0.5 else self.expr((*names, var), bags, depth - 2)
        body: Expr = Pick(bags[0], Local(var)) if bags else Local(var)
        rows = [array for array in self.arrays if array.dims]
        if rows and self.random.random() < 0.5:
            array = self.random.choice(rows)
            prefix = self.index(array.dims[:-1], names, bags, depth - 2)
            body, size = Load(array.name, (*prefix, Local(var))), array.dims[-1]
        elif self.random.random() < 0.7:
            body = self.expr((*names, var), bags, depth - 1)
        empty = self.random.randint(-1, 3)
        return Reduce(self.random.choice(REDUCE), var, size, where, body, empty)

    def body(self, names: tuple[str, ...], bags: tuple[str, ...], depth: int) -> tuple[Stmt, ...]:
        """Write statements."""
        found: list[Stmt] = []
        for _ in range(self.random.randint(0, 3)):
            match self.random.randrange(7 if depth > 0 else 5):
                case 0:
                    new = self.name()
                    found.append(Let(new, self.expr(names, bags, 2)))
                    names = (*names, new)
                case 1 | 2:
                    array = self.random.choice(self.arrays)
                    value = clamp(self.expr(names, bags, 3), array.low, array.high)
                    index = self.index(array.dims, names, bags, 2)
                    found.append(Store(array.name, index, value))
                case 3:
                    found.append(self.fill(names, bags))
                case 4:
                    number = self.random.randrange(2)
                    found.append(Note(number) if number else Cite(f"cited.{number}"))
                case 5:
                    test = self.expr(names, bags, 2)
                    then, other = (self.body(names, bags, depth - 1) for _ in range(2))
                    found.append(If(test, then, other))
                case _:
                    var = self.name()
                    inner = self.body((*names, var), bags, depth - 1)
                    found.append(For(var, self.random.randint(0, 4), inner))
        return tuple(found)

    def fill(self, names: tuple[str, ...], bags: tuple[str, ...]) -> Stmt:
        """Write a row, now and then one longer than the array."""
        array = self.random.choice([array for array in self.arrays if array.dims])
        var = self.name()
        value = clamp(self.expr((*names, var), bags, 2), array.low, array.high)
        size = array.dims[-1] + self.random.choice((-1, 0, 0, 0, 1))
        prefix = self.index(array.dims[:-1], names, bags, 2)
        return Fill(array.name, prefix, var, size, value)


def restriction(writer: Writer, name: str, names: tuple[str, ...]) -> Expr:
    """Restrict a bag, mostly by how many cards there are in all."""
    var = writer.name()
    total = Reduce("sum", var, 3, TRUE, Pick(name, Local(var)))
    count = writer.expr(names, (), 1)
    choice = writer.random.randrange(6)
    if choice == 0:
        return TRUE
    if choice == 1:
        return writer.expr(names, (name,), 2)
    compare: BinaryOp = writer.random.choice(("<=", "==", ">=", "<", ">"))
    bound = Binary(compare, total, count)
    if choice == 2:
        bound = Binary(compare, Binary("+", count, Const(1)), Binary("*", Const(2), total))
    if choice == 3:
        return Binary("and", writer.expr(names, (name,), 1), bound)
    return bound


def params(writer: Writer) -> tuple[Param, ...]:
    """Write the parameters of an edge."""
    found: list[Param] = []
    names: tuple[str, ...] = ()
    for _ in range(writer.random.choice((0, 1, 1, 2))):
        name = writer.name()
        if writer.random.random() < 0.4:
            most = clamp(
                writer.expr(("kind",), (), 2), -1 if writer.random.random() < 0.1 else 0, 2
            )
            found.append(bag(name, cards("a", "b", "c"), most, restriction(writer, name, names)))
            continue
        low = writer.random.randint(-1, 1)
        where = writer.expr((*names, name), (), 2) if writer.random.random() < 0.6 else TRUE
        found.append(param(name, ints(low, low + writer.random.randint(0, 3)), where))
        names = (*names, name)
    return tuple(found)


def random_machine(random: Random) -> Machine:
    """Make a machine with two decisions, chance, three rules nodes, an end, and limits."""
    game = Builder("random")
    writer = Writer(random)
    for i, (dims, low, high) in enumerate(random.sample(ARRAYS, random.randint(3, 6))):
        size = 1
        for dim in dims:
            size *= dim
        start = [random.randint(low, min(high, low + 5)) for _ in range(size)]
        game.array(f"a{i}", dims, low=low, high=high, start=start)
    if not any(array.dims for array in game.arrays):
        game.array("row", (4,), high=3)
    writer.arrays = game.arrays
    kinds = {"start": "rules", "first": "decide", "second": "open", "luck": "chance"}
    kinds |= {"rule": "rules", "loop": "rules", "end": "final"}
    for name, kind in kinds.items():
        game.node(name, kind)  # type: ignore[arg-type]  # a plain dictionary of node kinds
    for source, kind in kinds.items():
        if kind == "final":
            continue
        for last in [False] * random.randint(0, 2) + [True]:
            chosen = () if kind == "rules" else params(writer)
            plain = tuple(p.name for p in chosen if not p.bag)
            bags = tuple(p.name for p in chosen if p.bag)
            tests = [writer.expr(plain, bags, 3) for _ in range(random.choice((0, 0, 1, 2)))]
            game.edge(
                source,
                random.choice(REACHED[kind]),
                params=chosen,
                when=[] if last and kind == "rules" else tests,
                do=writer.body(plain, bags, 2),
                weight=writer.expr(plain, bags, 2) if kind == "chance" else None,
                clauses=[f"edge.{source}"],
            )
    limits = [writer.expr((), (), 2) for _ in range(random.randint(0, 2))]
    made = game.machine(tables=TABLES, limits=limits, obligations=2)
    on = tuple(random.randrange(2) for _ in FEATURES)
    return replace(made, features=FEATURES, configuration=on)
