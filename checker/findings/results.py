"""What checking finds out, as values.  Nothing here knows how it was found or how it is printed.

These types are the document `ruleproof/findings-1` of the contract: `msgspec` writes them, reads
them, and makes its JSON Schema of them, so there is one description of the format.  Its content
depends on the spec and the settings only, never on the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from ...model.machine.duties import Kind as Duty
from .rows import Outcome, Rest
from .shares import Frequency
from .values import Count, Json, Value

Class = Literal[
    "contradiction", "doomed", "overlap", "gap", "dead-clause", "inert-clause",
    "redundant-clause", "order-dependence", "unresolved-tie", "deadlock", "endless-loop",
    "undefined-term", "false-claim", "example-contradicts-rule", "ambiguity", "limit-broken",
    "undefined-operation", "asymmetry",
]
CLASSES: tuple[Class, ...] = Class.__args__  # type: ignore[attr-defined]
COMPARED: tuple[Class, ...] = (
    "ambiguity", "order-dependence", "overlap", "gap", "contradiction")
"""Classes of findings about open points, whose answers are compared."""

LeftTo = Literal["", "readers", "cards", "ruled"]
PARTS = ("", "readers", "cards", "smaller", "ruled")
"""The parts of a report in their order, the main list first; see `Finding.part`."""

Method = Literal["proof", "exhaustive", "bounded", "sampled", "not checked"]

WHAT_THEN = "the question is what to do then"
"""Why what fails goes under a question: that asks what to do where it fails."""
SAME_QUESTION = "it is the same question"
SAME_SENTENCES = "it stands on the same sentences"
"""Why a finding goes under another one for no more than its place (`Finding.follows`)."""
HoldsKind = Literal[
    "", "claim", "example", "limit", "decided", "ruled-out", "ends", "moves", "none", "weak", Duty]
"""What holds: a claim, an example or a limit of the book; what words or an example decide; that
every play ends, that somebody can always move, that a class has no findings; a weakness of the
game, though no sentence is at fault; what never fails; "": what only the encoding has."""
OpenKind = Literal[
    "", "question", "scopes", "claims", "example", "lost", "players", "sample", "bound"]
"""What was not checked: an open point, or those of some scopes; claims; a worked example; what the
print has lost; other numbers of players; the printed game as a whole; what is beyond a bound of the
model; "": anything else."""
LeftOut = Literal["", "point", "claim", "limit", "phrases", "classes"]
"""What was not checked, where `OpenKind` has no name for it: an open point in all its readings; a
claim or a limit of the book; the phrases of a clause; classes of findings."""
Cause = Literal[
    "", "failed", "refused", "unasked", "late", "interrupted", "clash", "unfit", "answered"]
"""Why something was not checked: by a mistake of ours; as it is too much to look at; as the user
has left it out, as the time was up, as it was interrupted; as an answer fits not beside others, as
a mode is not for these players and cards; as the book, the cards or a ruling are taken to answer
it; "": anything else."""
FAILED = "internal error"
"""What a mistake of ours is called."""
UNASKED = "not asked for"
"""Said of what the user has left out."""
CLAIMS = "whether these claims are true: "
"""Said before the clauses of claims."""

Id = Annotated[str, Meta(pattern="^[^/]+/[^/]+/.+$")]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Source(Value, frozen=True):
    """Where a clause stands in the rulebook."""

    clause: str
    file: str
    lines: tuple[int, int]


class Shown(Value, frozen=True):
    """A play under a reading ("": as the rules are played).

    `scope` is named where it is another one than that of the evidence: the same in a smaller game.
    `elsewhere`: it leads to another situation than that of the evidence.
    """

    reading: str
    play: Json
    scope: str = ""
    elsewhere: bool = False


class Evidence(Value, frozen=True):
    """Why a finding is believed.

    kind: `witness` (a play to a position), `split` (one play under two readings), `core` (clauses
    that cannot hold together), `data` (numbers of the spec), `coverage` (all that was explored).
    `position`: a state by name.
    """

    kind: Literal["witness", "split", "core", "data", "coverage"]
    method: Method
    scope: str
    replayed: bool
    at_printed_size: bool | None = None
    mode: str = ""
    """In which mode and by how many the printed game is played that shows it; "": as chosen."""
    lifted: str = ""
    plays: tuple[Shown, ...] = ()
    position: Json = None
    core: tuple[str, ...] = ()
    depth: Count | None = None
    details: Mapping[str, Json] = field(default_factory=dict)


class Observable(Struct, frozen=True):
    """What differs between two readings."""

    level: Annotated[int, Meta(ge=1, le=5)]
    name: Literal["winner", "legal moves", "public state", "hidden state", "nothing"]


WINNER = Observable(1, "winner")
LEGAL = Observable(2, "legal moves")
PUBLIC = Observable(3, "public state")
HIDDEN = Observable(4, "hidden state")
TEXT = Observable(5, "nothing")
"""Only the text is at fault."""

LEVELS = {each.level: each for each in (WINNER, LEGAL, PUBLIC, HIDDEN, TEXT)}


class WayOut(Value, frozen=True):
    """A change that would settle the finding, and what else it changes.

    `removes` are ids of other findings that do not show any more, `adds` what shows then and not
    now, as "class: what".  Of the `situations` of `scope` that the same moves reach with the change
    and without, `flips_positions` are those in which what may be done or the end of the game
    differs (`ways`).  What was not computed is left out.
    """

    text: str
    adopt: Mapping[str, str] = field(default_factory=dict)
    removes: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()
    flips_positions: Count | None = None
    situations: Count | None = None
    scope: str = ""


class Identity(Value, frozen=True, order=True):
    """What makes a finding the one it is, in every scope and run: no number, and no wording.

    `clause` is the one that is at fault ("": the game), of several the first, or all with "+".
    `kind` is what is wrong with it: what fails (`model.machine.duties`), or how a check calls it.
    `place` is where the spec says it (of an obligation), else what else tells two of a kind apart:
    the node, the open point, the word.  `reading` tells two of a place apart: by that answer it is.
    """

    cls: Class = field(name="class")
    clause: str = ""
    kind: str = ""
    place: str = ""
    reading: str = ""


class Finding(Value, frozen=True):
    """A defect of the rulebook (or of its encoding), with evidence."""

    id: Id
    cls: Class = field(name="class")
    title: str
    clauses: tuple[str, ...]
    sources: tuple[Source, ...]
    evidence: Evidence
    observable: Observable
    explanation: str = ""
    open_point: str = ""
    readings: tuple[Outcome, ...] = ()
    frequency: Frequency | None = None
    ways_out: tuple[WayOut, ...] = ()
    identity: Identity | None = None
    """What it is, in every run; only files of older versions have none."""
    root: str = ""
    """Of a consequence, the id of the finding that it follows from."""
    follows: str = ""
    """Of a consequence, why it is one, in words."""
    consequences: tuple[Finding, ...] = ()
    """What follows from it, and is no finding of its own; these have none."""
    table: tuple[tuple[str, ...], ...] = ()
    """Where it is about several like things: a row for each, under a row of heads."""
    only_smaller: bool = False
    """Whether a smaller game has it, and it was neither seen nor proved in the printed one."""
    compared: tuple[Frequency, ...] = ()
    """Of further readings, each compared with the adopted one as `frequency` says."""
    rests: tuple[Rest, ...] = ()
    """The other questions whose answers it rests on what is shown."""
    left_to: LeftTo = ""
    """Who is likely to answer what the book leaves open, if not its author alone: `readers`, alike,
    as words of it lean to one answer; or `cards`, to which the book leaves it; `ruled`: the user
    has."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """Where `readings` are none (they say which player is first): the readings of the open point,
    and what they are called."""
    aspect: str = ""
    """Which kind of silence it asks about; "" if it does not."""

    @property
    def titles(self) -> dict[str, str]:
        """What its readings are called."""
        return {**self.answers, **{each.id: each.title for each in self.readings}}

    @property
    def part(self) -> str:
        """The part of the report that it stands in, one of `PARTS`."""
        smaller = self.only_smaller and self.left_to != "ruled"
        return "smaller" if smaller else self.left_to

    @property
    def level(self) -> int:
        """The level of what differs, 1 being the worst."""
        return self.observable.level

    @property
    def ends_only(self) -> bool:
        """Whether it decides if a game ends, and nothing shows that it decides who wins.

        A play is shown of each answer, of which some end and nobody wins any; or it is about what
        never ends.
        """
        if self.observable != WINNER or any(
                often is not None and (often.decides or often.effect)
                for often in (self.frequency, *self.compared)):
            return False
        ended = [each.play.get("result", {}) for each in self.evidence.plays]
        return self.cls == "endless-loop" or (
            {each.id for each in self.readings} == {each.reading for each in self.evidence.plays}
            and not any(each.get("winners") for each in ended)
            and len({each.get("over", False) for each in ended}) > 1)

    @property
    def whole(self) -> tuple[Finding, ...]:
        """The finding and its consequences."""
        return (self, *self.consequences)

    @property
    def assumes(self) -> tuple[str, ...]:
        """Names of cards of which its plays, and those of consequences, assume something."""
        return tuple(dict.fromkeys(str(name) for one in self.whole for shown in one.evidence.plays
                                   for name in shown.play.get("assumes", ())))


class Harmless(Value, frozen=True):
    """An open point that makes no observable difference."""

    open_point: str
    why: str
    method: Method
    scopes: tuple[str, ...] = ()
    """Where it was looked at, the printed game among them; of a `proof` none need be named."""
    players: tuple[int, ...] = ()
    """The numbers of players that `why` names."""


class Holds(Value, frozen=True):
    """Something that was checked and is true."""

    clause: str
    what: str
    method: Method
    scope: str
    kind: HoldsKind = ""
    open_point: str = ""
    """The open point that is decided, of what is `decided`."""
    idle: bool = False
    """Whether a clause does nothing by itself, as another one does the same, or an option is
    offered only where it leaves that."""
    classes: tuple[Class, ...] = ()
    """The classes of which there are `none`."""
    mode: str = ""
    """In which modes, or with how many players, what the book says was decided, as `scope` has it
    behind the game."""


class NotChecked(Value, frozen=True):
    """Something that was not checked, and why."""

    what: str
    why: str
    kind: OpenKind = ""
    cause: Cause = ""
    left: LeftOut = ""
    point: str = ""
    """The open point that it is about, and its reading."""
    reading: str = ""
    asks: str = ""
    """What the point asks, where `why` begins with that and a colon."""
    mode: str = ""
    """In which mode, or with how many players, in words."""
    modes: tuple[str, ...] = ()
    """The modes that are not for this game, of what is `unfit`."""
    clauses: tuple[str, ...] = ()
    """The claims, the example, the limit, or what else of the book was not checked."""
    scopes: tuple[str, ...] = ()
    """In which scopes it was not checked; none: in no particular ones."""
    lines: tuple[int, int] | None = None
    """Where the print has lost something."""
    classes: tuple[Class, ...] = ()
    check: str = ""
    """The check that is left out."""

    @property
    def because(self) -> str:
        """Why, without what is asked."""
        return self.why[len(self.asks) + 2:] if self.asks else self.why

    @property
    def failed(self) -> bool:
        """Whether a mistake of ours is why."""
        return self.cause == "failed"

    @property
    def unasked(self) -> bool:
        """Whether the user has left it out."""
        return self.cause == "unasked"

    @property
    def late(self) -> bool:
        """Whether the time was up."""
        return self.cause == "late"

    @property
    def cut_short(self) -> bool:
        """Whether the run was stopped before it."""
        return self.cause in ("late", "interrupted")

    @property
    def of_point(self) -> bool:
        """Whether it is said of a point, or a reading of it, wherever it comes up."""
        return bool(self.point) and not (self.scopes or self.mode or self.clauses)


STOPS = {"states": "the limit of states", "time": "the limit of time",
         "memory": "the limit of memory", "interrupted": "an interrupt"}
"""What stops an exploration, in words."""


class Explored(Value, frozen=True):
    """The size of an exploration."""

    scope: str
    states: Count
    transitions: Count
    depth: Count
    final: Count
    complete: bool
    stopped_by: str = ""
    bounds: tuple[str, ...] = ()
    """The bounds of the model that plays met, in words."""

    @property
    def stop(self) -> str:
        """What stopped it, in words."""
        return STOPS.get(self.stopped_by, self.stopped_by)


class Coverage(Value, frozen=True):
    """How much of the rulebook, the clauses and the machine was exercised."""

    sentences: Count
    traced: Count
    clauses: Count
    exercised: Count
    nodes: Count
    nodes_reached: Count
    edges: Count
    edges_taken: Count
    silences: Count = 0
    """What clauses decide that could be read otherwise, but for what is internal."""
    marked: Count = 0
    """How much of that words of the sentence or another clause decide."""
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What was not covered, by name: `clauses`, `nodes`, `edges`; `silences` nothing decides."""


class AssumedCard(Value, frozen=True):
    """A card of which the book does not print all, and what is assumed of it, by field.

    `invented`: the book does not even print its name.  The texts of abilities are in words.
    """

    card: str
    values: Mapping[str, Json]
    invented: bool = False


class Report(Value, frozen=True, tag_field="format", tag="ruleproof/findings-1"):
    """All that `verify` found out about a game."""

    game: str
    title: str
    spec_sha256: Sha256
    version: str
    settings: Mapping[str, Json]
    explored: tuple[Explored, ...]
    findings: tuple[Finding, ...]
    harmless: tuple[Harmless, ...]
    holds: tuple[Holds, ...]
    not_checked: tuple[NotChecked, ...]
    coverage: Coverage
    questions: tuple[Json, ...] = ()
    assumed: tuple[AssumedCard, ...] = ()
    """The cards that the lists `assumes` of the plays name, and all that are invented."""

    @property
    def counting(self) -> tuple[Finding, ...]:
        """The findings that the printed game has and nobody has answered."""
        return tuple(one for one in self.findings if one.part not in ("smaller", "ruled"))

    @property
    def rated(self) -> tuple[Finding, ...]:
        """The findings of which it is told in which share of printed games they come up."""
        return tuple(one for one in self.findings if one.part != "smaller")

    @property
    def interrupted(self) -> bool:
        """Whether the user has interrupted the run."""
        return any(one.stopped_by == "interrupted" for one in self.explored) or any(
            one.cause == "interrupted" for one in self.not_checked)

    @property
    def cut_short(self) -> bool:
        """Whether the run was stopped before its end: something may be missing in it."""
        return any(one.stopped_by in ("time", "interrupted") for one in self.explored) or any(
            one.cut_short for one in self.not_checked)

    @property
    def lost(self) -> bool:
        """Whether something is left to do for another run, or for us."""
        return any(one.stopped_by == "time" for one in self.explored) or any(
            one.late or one.failed for one in self.not_checked)

    @property
    def everything(self) -> tuple[Finding, ...]:
        """The findings, each followed by its consequences."""
        return tuple(each for finding in self.findings for each in finding.whole)
