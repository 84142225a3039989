"""What a verification has at hand, and what it has found so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from ...model.game.game import PRINTED
from ...model.machine.state import Move
from ...model.plays.wording import many
from ...model.stop import Stop
from ..bench.answers import Kept
from ..bench.workbench import Instance, Workbench
from ..findings.evidence import Shows
from ..findings.observations import Extent, Observation
from ..findings.results import (
    Cause,
    Class,
    Harmless,
    Holds,
    Identity,
    LeftOut,
    Method,
    NotChecked,
    OpenKind,
)
from ..findings.rows import Rest
from ..findings.shares import Frequency
from ..findings.titles import title
from ..findings.words import Words
from ..search.labels import Label
from ..search.lifting import Showings
from ..search.playouts import Plays, Sample
from .listener import Listener
from .scoped import Scoped, method_of

if TYPE_CHECKING:
    from ..bench.cluster import Cluster

FEW_NAMED = 3
"""So many scopes are named one by one."""

CLAIMED = 200
"""Random plays of the printed game in which it is sought what is said never to be."""

SMALL = 30_000
"""States of the largest scope in which readings are compared and clauses taken out."""


@dataclass(frozen=True, slots=True)
class Worked:
    """How an example goes as the game is played.

    Nothing is at work in one that does not hold.  `paused` says that it ends where somebody has a
    choice before its step or window rests again, `inside` that all of it lies within those.
    """

    at_work: frozenset[str] = frozenset()
    paused: bool = False
    inside: bool = True


@dataclass(frozen=True, slots=True)
class Played:
    """What random plays of two games show: the moves after which these differ, if any do."""

    play: tuple[Label, ...] | None = None


@dataclass(frozen=True, slots=True)
class Meeting:
    """Where the conditions of two rules hold at once as one of them is set off.

    `often` is how many random plays of the printed game come to it, None if the printed game is a
    scope; `play` are the moves to the situation before the first of these.
    """

    scopes: tuple[str, ...] = ()
    often: Frequency | None = None
    play: tuple[Label, ...] | None = None

    @property
    def seen(self) -> bool:
        """Whether it ever happens."""
        return bool(self.scopes) or bool(self.often and self.often.seen) or (self.play is not None)


class Absence(TypedDict, total=False):
    """The data of what was not checked; see `NotChecked`."""

    cause: Cause
    left: LeftOut
    point: str
    clauses: tuple[str, ...]
    scopes: tuple[str, ...]
    mode: str
    lines: tuple[int, int] | None
    classes: tuple[Class, ...]
    check: str


@dataclass(slots=True)
class Audit:
    """One verification; every check adds to it."""

    bench: Workbench
    printed: Instance
    scopes: list[Scoped]
    max_states: int
    seed: int
    listener: Listener
    wanted: Callable[[str], bool]
    words: Words = field(init=False)
    """How the game calls its things."""
    observed: list[Observation] = field(default_factory=list)
    harmless: list[Harmless] = field(default_factory=list)
    holds: list[Holds] = field(default_factory=list)
    told: set[Identity] = field(default_factory=set)
    """What the listener knows of already."""
    not_checked: list[NotChecked] = field(default_factory=list)
    stop: Stop = field(default_factory=Stop)
    """Asked before each question: whether to ask no more."""
    left_out: bool = False
    """Whether a scope was not explored at all, for want of time."""
    kept: Kept | None = None
    """Answers of earlier runs, and of this one."""
    cluster: Cluster | None = None
    """Who else may be asked."""
    certify: Callable[[str], None] | None = None
    """Takes the proofs as SMT-LIB text, if they are wanted."""
    plays: Plays = field(default_factory=Plays)
    """How the printed game is compared with others in random plays."""
    known: tuple[Observation, ...] = ()
    """What was observed before the question that is being asked."""
    drawn: Sample = field(default_factory=Sample)
    at_size: Showings = field(default_factory=Showings)
    """Random plays of the printed game, and what a search of it shows; empty if it was not searched
    beside scopes."""
    shown: dict[str, frozenset[Identity]] = field(default_factory=dict)
    """Scope → what its exploration shows (`ways.shown_in` fills it)."""
    extents: dict[Identity, Extent] = field(default_factory=dict)
    """What is known of observations at the printed size (`sampling` fills it)."""
    met: dict[str, Meeting] = field(default_factory=dict)
    """Where rules of any time meet, by the point that asks which is first (`rules` fills it)."""
    played: dict[tuple[str, str], Played] = field(default_factory=dict)
    """What random plays of the printed game show, by point and reading (`played` fills it)."""
    worked: dict[str, Worked] = field(default_factory=dict)
    """How an example goes as the game is played (`refuted` fills it)."""
    rests: dict[Identity, tuple[Rest, ...]] = field(default_factory=dict)
    """On which answers to other questions what is shown of one rests (`resting` fills it)."""
    impossible: frozenset[Identity] = frozenset()
    """What is proved never to fail in the printed game (`proofs` fills it)."""

    def __post_init__(self) -> None:
        self.words = Words(self.printed.game)

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """Leave behind what is of this process: files, the terminal, connections."""
        here: dict[str, Any] = {
            "kept": None, "certify": None, "listener": Listener(), "cluster": None}
        return None, {name: here.get(name, getattr(self, name)) for name in self.__slots__}

    @property
    def say(self) -> Callable[[str], None]:
        """What takes a line of text about what is being done."""
        return self.listener.say

    def shows(self, moves: tuple[Move, ...]) -> Shows:
        """Return a play of the printed game, as one that shows something."""
        return Shows(self.printed, PRINTED, "sampled", moves)

    def comparable(self) -> list[Scoped]:
        """Give the scopes that are small enough to be explored again and again, smallest first."""
        small = [s for s in self.scopes if s.finished and s.explored.states <= SMALL]
        if not small and self.scopes:
            small = [min(self.scopes, key=lambda s: s.explored.states)]
        return sorted(small, key=lambda s: (s.explored.states, s.name))

    @property
    def of_printed(self) -> bool:
        """Whether the printed game is asked about, and not one scope alone."""
        return self.bench.settings.scope == PRINTED

    @property
    def explored_printed(self) -> Scoped | None:
        """The printed game, if it was explored as a scope is; comparable it need not be."""
        return next((scope for scope in self.scopes if scope.name == PRINTED), None)

    @property
    def by_so_many(self) -> str:
        """How many play the printed game as it is chosen, if there may be more or fewer."""
        low, high = self.printed.game.players_range
        return f"with {many(self.printed.game.players, 'player')}" if low < high else ""

    @property
    def as_chosen(self) -> str:
        """The printed game, with as many players as are chosen."""
        return f"{PRINTED} {self.by_so_many}".rstrip()

    def ran(self) -> frozenset[str]:
        """Name the clauses whose bodies ran in some scope."""
        return frozenset[str]().union(*(scope.covered.clauses for scope in self.scopes))

    def beside(self) -> Showings:
        """Return what the printed game shows beside the scopes, unless a scope was asked for."""
        return self.at_size if self.of_printed else Showings()

    def named(self, scopes: Iterable[Scoped]) -> str:
        """List the names of scopes; of the printed game for how many players it is."""
        return ", ".join(
            self.as_chosen if scope.name == PRINTED else scope.name for scope in scopes)

    def within(self, scopes: Sequence[Scoped]) -> str:
        """Say in which scopes something was looked for: all that can be compared, or which."""
        names, every = self.named(scopes), self.comparable()
        if len(every) > FEW_NAMED and {each.name for each in scopes} == {
                each.name for each in every}:
            return f"all {len(every)} scopes of at most {SMALL:,} states"
        return f"{'scope' if len(scopes) == 1 else 'the scopes'} {names}"

    def passed_over(self, what: str, kind: OpenKind = "") -> None:
        """List the scopes that are not among the comparable ones as not checked for something."""
        over = [scope for scope in self.scopes if scope not in self.comparable()]
        for finished, why in ((True, f"more than {SMALL:,} states"),
                              (False, "not all states were explored")):
            some = [scope for scope in over if scope.finished == finished]
            if some:
                self.unchecked(f"{what} in {self.within(some)}", why, kind,
                               scopes=tuple(scope.name for scope in some))

    def unchecked(
        self, what: str, why: str, kind: OpenKind = "", **data: Unpack[Absence]
    ) -> None:
        """List something as not checked."""
        self.not_checked.append(NotChecked(what, why, kind, **data))

    def reach(self) -> Method:
        """Return how far what is true of all comparable scopes was looked at."""
        return "bounded" if self.left_out else method_of(self.comparable())

    def observe(self, observation: Observation) -> None:
        """Add an observation, unless it is known already.

        Also of a class that is not wanted: other checks may build on it.
        """
        if all(one.identity != observation.identity for one in self.observed):
            self.observed.append(observation)
            if self.wanted(observation.identity.cls) and observation.identity not in self.told:
                self.told.add(observation.identity)
                self.listener.seen(title(self.words, observation))

    def asked(self) -> list[Observation]:
        """List the observations of classes that are wanted."""
        return [one for one in self.observed if self.wanted(one.identity.cls)]
