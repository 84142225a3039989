"""A game as its spec declares it, for one setting: names resolved, texts parsed, nothing lowered.

`load` makes these of the sections of a spec; `compile` turns them into a `Machine`.  All frozen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ..machine.machine import Configuration, Visibility
from ..machine.titles import NONE, Titles
from ..sealed import sealed
from ..source.errors import Place
from .rulebook import Rulebook, VocabularyTerm
from .syntax import Expr, Stmt

TypeKind = Literal["int", "bool", "player", "players", "card", "enum", "bag", "record", "none"]


@sealed
class Ty:
    """The type of a value: its kind, the enum, family or pool it belongs to, and whether `none`."""

    kind: TypeKind
    name: str = ""
    optional: bool = False
    low: int = 0
    high: int = 0

    def __str__(self) -> str:
        text = {"int": f"int {self.low}..{self.high}", "card": f"card {self.name}",
                "enum": self.name}.get(self.kind, self.kind)
        return text + ("?" if self.optional else "")


@dataclass(frozen=True, slots=True)
class Constant:
    """A number of the book."""

    name: str
    value: int
    clause: str
    place: Place


@dataclass(frozen=True, slots=True)
class Card:
    """A kind of card.  `attributes` are encoded as in the core (none is -1)."""

    id: str
    name: str
    copies: int
    attributes: Mapping[str, int]
    abilities: Mapping[str, Body]
    assumed: tuple[str, ...]
    clause: str
    place: Place


@dataclass(frozen=True, slots=True)
class Family:
    """Kinds of cards that share zones; a card's number is its place in `cards`.

    `abilities` names those of all declared cards, of which a scope may leave some out.
    """

    name: str
    attributes: Mapping[str, Ty]
    cards: tuple[Card, ...]
    abilities: frozenset[str]
    place: Place


@dataclass(frozen=True, slots=True)
class Zone:
    """A place for cards."""

    name: str
    family: str
    kind: str
    per: str
    seen_by: Visibility
    starts: str
    known: int
    capacity: int
    clause: str
    place: Place
    internal: bool = False
    """Bookkeeping of the encoding, which is not compared between readings; also of what follows."""

    @property
    def per_player(self) -> bool:
        """Whether each player has one."""
        return self.per == "player"


@dataclass(frozen=True, slots=True)
class Variable:
    """A declared state variable; `start` is encoded as in the core (for `players`: a bit each)."""

    name: str
    type: Ty
    per: str
    start: int
    seen_by: Visibility
    clause: str
    place: Place
    internal: bool = False


@dataclass(frozen=True, slots=True)
class Pool:
    """Records with identity: bounded arrays of fields."""

    name: str
    per_player: bool
    capacity: int
    fields: Mapping[str, Ty]
    seen_by: Visibility
    clause: str
    place: Place
    internal: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the turn machine."""

    name: str
    title: str
    params: Mapping[str, Ty]
    depth: int
    clause: str
    place: Place


@dataclass(frozen=True, slots=True)
class Window:
    """A point where players may act; `feature` as of a clause."""

    name: str
    title: str
    by: Expr | None
    who: Expr | None
    order: str
    start: Expr | None
    each: str
    repeat: bool
    forced: bool
    done: str
    depth: int
    clause: str
    place: Place
    feature: int = -1

    @property
    def id(self) -> str:
        """What it is called among clauses."""
        return f"window:{self.name}"


@dataclass(frozen=True, slots=True)
class Body:
    """The statements of a clause, an ability or an action, with their text for people."""

    statements: tuple[Stmt, ...]
    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Given:
    """A variable of a claim; `per_player` makes it one for each player."""

    name: str
    type: Ty
    per_player: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the book to be tested; `form`: claim, maximum, minimum, never or reachable."""

    form: str
    test: Expr
    given: tuple[Given, ...]
    such_that: Expr | None
    equals: Expr | None
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example of the book, as data (checked by `checker.examples`)."""

    scope: str
    players: int | None
    at: str
    state: Mapping[str, object]
    moves: tuple[object, ...]
    expect: Expr | None
    place: Place


@dataclass(frozen=True, slots=True)
class Clause:
    """One normative sentence.  Which fields are set says what it contributes (see LANGUAGE.md)."""

    id: str
    kind: str
    says: str
    lines: tuple[int, int] | None
    sentences: tuple[int, ...]
    place: Place
    on: str = ""
    option: str = ""
    must: str = ""
    params: tuple[tuple[str, Expr], ...] = ()
    when: Expr | None = None
    do: Body | None = None
    otherwise: Body | None = None
    after: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    overrides: tuple[str, ...] = ()
    ensure: Expr | None = None
    always: Expr | None = None
    whenever: Expr | None = None
    timing: str = ""
    fires: str = ""
    define: str = ""
    define_params: tuple[tuple[str, Ty], ...] = ()
    value: Expr | None = None
    claim: Claim | None = None
    example: Example | None = None
    why: str = ""
    missing: str = ""
    """What of the sentence the print has lost: no finding rests on it."""
    draft: str = ""
    """What the book could print in its place, for what is found of it and asks no question."""
    uses: tuple[str, ...] = ()
    restates: tuple[str, ...] = ()
    """The clauses that it says again: a reminder, an overview, or the passage to one."""
    loop_order: str = ""
    """How loops over players in no stated order run: clockwise (default) or counterclockwise."""
    in_force: bool = True
    """False if a mode that is not chosen holds it, or a chosen one excludes it."""
    stated: tuple[tuple[str, str | tuple[int, int]], ...] = ()
    """Aspects that words of the sentence decide: those of `says`, or their numbers in the book."""
    settled: tuple[tuple[str, str], ...] = ()
    """Aspects that another clause decides."""
    assumed: tuple[str, ...] = ()
    """Aspects that rest on component data which the book does not print."""
    asked: tuple[str, ...] = ()
    """Aspects that an open point of the spec asks about, in its own words."""
    internal: tuple[str, ...] = ()
    """Aspects that are bookkeeping of the encoding; `*` for all of the clause."""
    feature: int = -1
    """Of a version in a game that stands for many, the feature by which it is on."""

    def reminds(self, other: Clause) -> bool:
        """Return whether one of two clauses says the other one again, or both say a third again."""
        return not {self.id, *self.restates}.isdisjoint({other.id, *other.restates})


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer to an open point; it alone has what it `adds`, the book could print its `draft`."""

    id: str
    title: str
    adds: tuple[str, ...] = ()
    draft: str = ""


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """Something that the rulebook leaves undecided, or by other clauses decides (`settled`).

    `hinted` are clauses that speak for the first reading without deciding, `on_cards` such as leave
    it to what a card says; `defect` is a finding's class; `where` holds in situations asked about.
    """

    id: str
    clauses: tuple[str, ...]
    asks: str
    readings: tuple[Reading, ...]
    settled: tuple[str, ...] = ()
    hinted: tuple[str, ...] = ()
    on_cards: tuple[str, ...] = ()
    defect: str = "ambiguity"
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """The reading that this spec adopts."""

    point: str
    reading: str
    why: str


@dataclass(frozen=True, slots=True)
class Variant:
    """A mode of play that the book offers."""

    id: str
    title: str
    clause: str
    needs: tuple[str, ...]
    excludes: tuple[str, ...]
    players: int = 0  # how many play it if nothing else is chosen; 0: as many as without it
    when: Expr | None = None  # what must hold of the numbers of the game; None: nothing must
    binding: bool = False  # whether each game for which that holds is played so
    constants: Mapping[str, int] = field(default_factory=dict[str, int])  # that are others in it


PRINTED = "printed"
"""The name of the scope that is the printed game."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A small instance, for exhaustive checking."""

    name: str
    players: int | None
    about: str
    scaled: bool = False
    """True if it sets players, numbers, cards or the start: an instance to be explored."""
    sets: Mapping[str, Any] = field(default_factory=dict)
    """What it sets, as the spec writes it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is chosen among the games that a spec describes.  All of it is part of every result."""

    players: int | None = None
    scope: str = "printed"
    variants: tuple[str, ...] = ()
    rulings: tuple[tuple[str, str], ...] = ()
    cards: str | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game for one setting."""

    id: str
    title: str
    about: str
    settings: Settings
    players: int
    players_range: tuple[int, int]
    player_word: str
    rulebook: Rulebook | None
    start: str
    constants: Mapping[str, Constant]
    enums: Mapping[str, tuple[str, ...]]
    families: Mapping[str, Family]
    zones: Mapping[str, Zone]
    variables: Mapping[str, Variable]
    pools: Mapping[str, Pool]
    steps: Mapping[str, Step]
    windows: Mapping[str, Window]
    clauses: tuple[Clause, ...]
    open_points: tuple[OpenPoint, ...]
    rulings: tuple[Ruling, ...]
    variants: Mapping[str, Variant]
    scopes: Mapping[str, Scope]
    vocabulary: Mapping[str, VocabularyTerm]
    spec_sha256: str
    score: Expr | None = None
    named_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Clause id → what entries of the spec cite it (`constants.hand_limit`, `zones.hand`, …)."""
    turns: Mapping[str, int] = field(default_factory=dict)
    """The places of clauses in the orders in which they act together, as the spec is written."""
    as_written: Game | None = None
    """The game before readings of its silences were taken up, if any were."""
    features: tuple[str, ...] = ()
    """Of a game that stands for many (`lowering.united`), the ids of its versions."""
    configuration: Configuration = ()
    """Which of them are on at first; `apart`: which two are never on together."""
    apart: frozenset[frozenset[str]] = frozenset()
    titles: Titles = NONE
    """What names are called for people."""

    def clause(self, name: str) -> Clause | None:
        """Return the clause of a name, if there is one."""
        return next((each for each in self.clauses if each.id == name), None)

    @property
    def added(self) -> dict[str, tuple[str, str]]:
        """The clauses that only a reading in force has, with its point and its title."""
        taken = {ruling.point: ruling.reading for ruling in self.rulings}
        return {name: (point.id, each.title) for point in self.open_points
                for each in point.readings if taken.get(point.id) == each.id for name in each.adds}
