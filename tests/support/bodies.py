"""Random bodies with loops, records, sets and locals, as text and as plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

SEATS, CAPACITY, MOST = 3, 7, 997

HEAD = f"""
game: body
title: A body
players: {{count: {SEATS}}}
state:
  tot: {{type: int 0..{MOST - 1}}}
  l: {{type: int 0..4, per: player, start: 2}}
  active: {{type: player, start: 1}}
pools: {{army: {{per: player, capacity: {CAPACITY}, fields: {{d: int 0..4}}}}}}
"""


class Abandoned(Exception):  # noqa: N818  (nothing is wrong with the test)
    """A body needed something that was not there."""


@dataclass(eq=False)
class Dog:
    """A record."""

    d: int
    there: bool = True


@dataclass
class World:
    """What a body changes, and the answers to what it asks."""

    answers: Iterator[int]
    tot: int = 0
    l: list[int] = field(default_factory=lambda: [2] * SEATS)  # noqa: E741
    armies: list[list[Dog]] = field(default_factory=lambda: [[] for _ in range(SEATS)])
    active: int = 0
    names: dict[str, object] = field(default_factory=dict)

    def number(self, name: str) -> int:
        """Return a local number."""
        value = self.names.get(name)
        if not isinstance(value, int):
            raise Abandoned
        return value

    def known(self, name: str) -> Dog:
        """Return the record that a name was given, there or not."""
        dog = self.names.get(name)
        if not isinstance(dog, Dog):
            raise Abandoned
        return dog

    def dog(self, name: str) -> Dog:
        """Return a record that is there."""
        dog = self.known(name)
        if not dog.there:
            raise Abandoned
        return dog

    def mix(self, value: int) -> None:
        """Make the total depend on a value, and on when it came."""
        self.tot = (self.tot * 3 + value + 1) % MOST

    @property
    def army(self) -> list[Dog]:
        """Return the records of the active player."""
        return self.armies[self.active]

    def new(self, name: str, d: int) -> None:
        """Make a record."""
        if len(self.army) == CAPACITY:
            raise Abandoned
        self.names[name] = Dog(d)
        self.army.append(self.names[name])  # type: ignore[arg-type]

    def remove(self, dog: Dog) -> None:
        """Remove a record."""
        dog.there = False
        self.armies = [[each for each in army if each is not dog] for army in self.armies]

    def choose(self, name: str) -> None:
        """Choose a record."""
        if not self.army:
            raise Abandoned
        self.names[name] = self.army[next(self.answers)]

    def pass_on(self) -> None:
        """Let it be the next player's turn."""
        self.active = (self.active + 1) % SEATS


Code = Callable[[World], None]
Maker = Callable[[list[str], int], tuple[list[str], Code]]


class Writer:
    """Writes statements of both kinds side by side."""

    def __init__(self, random: Random, *, asks: bool) -> None:
        self.random, self.asks = random, asks
        self.count = 0

    def block(self, known: list[str], depth: int) -> tuple[list[str], list[Code]]:
        """Write some statements; names that they make are added to those known."""
        lines: list[str] = []
        codes: list[Code] = []
        for _ in range(self.random.randint(1, 3)):
            text, code = self.statement(known, depth)
            lines += text
            codes.append(code)
        return lines, codes

    def name(self, kind: str) -> str:
        """Make a new name."""
        self.count += 1
        return f"{kind}{self.count}"

    def statement(self, known: list[str], depth: int) -> tuple[list[str], Code]:
        """Write a statement."""
        numbers = [name for name in known if name[0] in "ni"]
        dogs = [name for name in known if name[0] in "xr"]
        seats = [name for name in known if name[0] == "p"]
        makers: list[Maker] = [self.set_number, self.new, self.pass_on]
        if self.asks:
            makers += [self.ask, self.choose]
        if numbers:
            makers.append(self.mix_number)
        if dogs:
            makers += [self.use, self.change, self.remove, self.remove]
        if seats:
            makers += [self.lose, self.give]
        if depth:
            makers += [self.branch, self.over_dogs, self.over_dogs, self.over_seats,
                       self.over_range]
        maker = self.random.choice(makers)
        if maker in (self.use, self.change, self.remove) and self.random.random() < 0.7:
            return self.guarded(maker, dogs)
        return maker(known, depth)

    def guarded(self, maker: Maker, dogs: list[str]) -> tuple[list[str], Code]:
        """Write that something is done with a record if it is there."""
        name = self.random.choice(dogs)
        lines, code = maker([name], 0)

        def run(w: World) -> None:
            if w.known(name).there:
                code(w)

        return [f"if {name} != none:", *indented(lines)], run

    def pick(self, known: list[str], kinds: str) -> str:
        """Pick a name that is known."""
        return self.random.choice([name for name in known if name[0] in kinds])

    def set_number(self, known: list[str], _: int) -> tuple[list[str], Code]:
        """Write `n = 3`, of a new or a known name."""
        old = [name for name in known if name[0] == "n"]
        name = self.random.choice(old) if old and self.random.random() < 0.6 else self.name("n")
        value = self.random.randint(0, 9)
        if name not in known:
            known.append(name)
        return [f"{name} = {value}"], lambda w: w.names.update({name: value})

    def ask(self, known: list[str], _: int) -> tuple[list[str], Code]:
        """Write a question."""
        name = self.name("n")
        known.append(name)
        return ([f'{name} = choose(range(0, 2), by=active, ask="?")'],
                lambda w: w.names.update({name: next(w.answers)}))

    def choose(self, known: list[str], _: int) -> tuple[list[str], Code]:
        """Write that a record is chosen."""
        name = self.name("x")
        known.append(name)
        return ([f'{name} = choose(army[active], by=active, ask="?")'],
                lambda w: w.choose(name))

    def pass_on(self, known: list[str], _: int) -> tuple[list[str], Code]:
        """Write that the turn passes on."""
        del known
        return ["active = next_player(active)"], lambda w: w.pass_on()

    def mix_number(self, known: list[str], _: int) -> tuple[list[str], Code]:
        """Write that a number is used."""
        name = self.pick(known, "ni")
        return [f"tot = (tot * 3 + {name} + 1) % {MOST}"], lambda w: w.mix(w.number(name))

    def new(self, known: list[str], _: int) -> tuple[list[str], Code]:
        """Write that a record is made."""
        name, d = self.name("x"), self.random.randint(0, 4)
        known.append(name)
        return [f"{name} = new(army[active], d={d})"], lambda w: w.new(name, d)

    def use(self, known: list[str], _: int) -> tuple[list[str], Code]:
        """Write that a field is used."""
        name = self.pick(known, "xr")
        return [f"tot = (tot * 3 + {name}.d + 1) % {MOST}"], lambda w: w.mix(w.dog(name).d)

    def change(self, known: list[str], _: int) -> tuple[list[str], Code]:
        """Write that a field is changed."""
        name, d = self.pick(known, "xr"), self.random.randint(0, 4)
        return [f"{name}.d = {d}"], lambda w: setattr(w.dog(name), "d", d)

    def remove(self, known: list[str], _: int) -> tuple[list[str], Code]:
        """Write that a record is removed."""
        name = self.pick(known, "xr")
        return [f"remove({name})"], lambda w: w.remove(w.dog(name))

    def lose(self, known: list[str], _: int) -> tuple[list[str], Code]:
        """Write that a player loses one."""
        p = self.pick(known, "p")

        def run(w: World) -> None:
            seat = w.number(p)
            w.l[seat] = max(0, w.l[seat] - 1)

        return [f"l[{p}] = max(0, l[{p}] - 1)"], run

    def give(self, known: list[str], _: int) -> tuple[list[str], Code]:
        """Write that the next player gets one, and that it matters when."""
        p = self.pick(known, "p")

        def run(w: World) -> None:
            seat = (w.number(p) + 1) % SEATS
            w.l[seat] = min(4, w.l[seat] + 1)
            w.mix(w.l[seat])

        return [f"l[next_player({p})] = min(4, l[next_player({p})] + 1)",
                f"tot = (tot * 3 + l[next_player({p})] + 1) % {MOST}"], run

    def branch(self, known: list[str], depth: int) -> tuple[list[str], Code]:
        """Write an `if`; what its branches name may be set after it."""
        test, holds = self.test(known)
        mine, theirs = [*known], [*known]
        then, do = self.block(mine, depth - 1)
        other, else_do = self.block(theirs, depth - 1)
        known += [name for name in (*mine, *theirs) if name not in known]

        def run(w: World) -> None:
            for code in do if holds(w) else else_do:
                code(w)

        return [f"if {test}:", *indented(then), "else:", *indented(other)], run

    def test(self, known: list[str]) -> tuple[str, Callable[[World], bool]]:
        """Write a condition."""
        dogs = [name for name in known if name[0] in "xr"]
        if dogs and self.random.random() < 0.6:
            name = self.random.choice(dogs)
            if self.random.random() < 0.5:
                return f"{name}.d >= 2", lambda w: w.dog(name).d >= 2

            return f"{name} == none", lambda w: not w.known(name).there
        return "tot % 2 == 0", lambda w: w.tot % 2 == 0

    def loop(self, head: str, var: str, known: list[str], depth: int,
             turns: Callable[[World], Iterator[object]]) -> tuple[list[str], Code]:
        """Write a loop; what its body names is new at each turn."""
        inner = [*known, var]
        lines, codes = self.block(inner, depth - 1)
        own = [name for name in inner if name not in known]

        def run(w: World) -> None:
            for value in turns(w):
                for name in own:
                    w.names.pop(name, None)
                w.names[var] = value
                for code in codes:
                    code(w)

        return [f"for {var} in {head}:", *indented(lines)], run

    def over_dogs(self, known: list[str], depth: int) -> tuple[list[str], Code]:
        """Write a loop over the records that are there when it begins."""
        def turns(w: World) -> Iterator[object]:
            return (dog for dog in [*w.army] if dog.there)

        return self.loop("army[active]", self.name("r"), known, depth, turns)

    def over_seats(self, known: list[str], depth: int) -> tuple[list[str], Code]:
        """Write a loop over the players of whom something holds when it begins."""
        least = self.random.randint(1, 3)
        text = f"{{q for q in players if l[q] >= {least}}}"
        if self.random.random() < 0.3:
            text = "argmin(l[q] for q in players)"

        def turns(w: World) -> Iterator[object]:
            low = min(w.l)
            member = [n == low if "argmin" in text else n >= least for n in w.l]
            round_ = [(w.active + more) % SEATS for more in range(SEATS)]
            return iter([seat for seat in round_ if member[seat]])

        return self.loop(f"clockwise(active, {text})", self.name("p"), known, depth, turns)

    def over_range(self, known: list[str], depth: int) -> tuple[list[str], Code]:
        """Write a loop over a range whose ends the body may change."""
        return self.loop("range(l[active], 4)", self.name("i"), known, depth,
                         lambda w: iter(range(w.l[w.active], 4)))


def indented(lines: list[str]) -> list[str]:
    """Move lines to the right."""
    return ["  " + line for line in lines]


def body(seed: int, *, asks: bool = False) -> tuple[list[str], Callable[[World], None]]:
    """Write a body: its lines, and what runs it; it raises Abandoned as the body is abandoned."""
    writer = Writer(Random(seed), asks=asks)  # noqa: S311  (no secrets here)
    lines, codes = [], []
    for d in range(3):
        text, code = [f"new(army[active], d={d + 1})"], lambda w, d=d: w.new("unused", d + 1)
        lines += text
        codes.append(code)
    more, others = writer.block([], 2)
    last, ends = writer.block([], 2)

    def run(w: World) -> None:
        w.names = {}
        for code in (*codes, *others, *ends):
            code(w)

    return [*lines, *more, *last], run
