"""What checking finds out, as values.  Nothing here knows how it was found or how it is printed.

`Report.as_json()` is the document `ruleproof/findings-1` of the contract: it depends on the spec
and the settings only, never on the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Class = Literal[
    "contradiction",
    "doomed",
    "overlap",
    "gap",
    "dead-clause",
    "inert-clause",
    "redundant-clause",
    "order-dependence",
    "unresolved-tie",
    "deadlock",
    "endless-loop",
    "undefined-term",
    "false-claim",
    "example-contradicts-rule",
    "ambiguity",
    "limit-broken",
    "undefined-operation",
    "asymmetry",
]
CLASSES: tuple[Class, ...] = Class.__args__  # type: ignore[attr-defined]

Method = Literal["proof", "exhaustive", "bounded", "sampled", "not checked"]

LEVELS = {1: "winner", 2: "legal moves", 3: "public state", 4: "hidden state", 5: "nothing"}
"""What differs between two readings, by level (semantics.md, 6); 5: only the text is at fault."""

FAILED = "internal error"
"""With this begins why something was not checked, where the reason is a mistake of ours."""

Json = Any
"""A JSON document: dict, list, str, int, float, bool or None."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a clause stands in the rulebook."""

    clause: str
    file: str
    lines: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happens under one reading of an open point."""

    id: str
    title: str
    outcome: str = ""
    favours: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a finding is believed.

    kind: `witness` (a play to a position), `split` (one play under two readings), `core` (clauses
    that cannot hold together), `data` (numbers of the spec), `coverage` (a complete exploration).
    `plays` are pairs (reading id or "", play document); `position` is a state by name.
    """

    kind: str
    method: Method
    scope: str
    plays: tuple[tuple[str, Json], ...] = ()
    position: Json = None
    core: tuple[str, ...] = ()
    depth: int | None = None
    at_printed_size: bool | None = None
    lifted: str = ""
    replayed: bool = False
    details: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often it comes up in play at the printed size: of `plays`, `seen` had it.

    For an open point the plays are twins, one under each reading (`twins`): `seen` go differently,
    and `decides` end with another winner.  `ci95` is of `seen`, `decides_ci95` of `decides`; these
    are None where nothing was compared.
    """

    plays: int
    seen: int
    decides: int | None
    ci95: tuple[float, float]
    decides_ci95: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class WayOut:
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
    flips_positions: int | None = None
    situations: int | None = None
    scope: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Identity:
    """What makes a failed obligation the one it is, in every scope: no number, and no wording.

    `kind` is what fails (`model.machine.duties`), `place` where the spec says it.
    """

    cls: str
    clause: str
    kind: str
    place: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A defect of the rulebook (or of its encoding), with evidence."""

    id: str
    cls: Class
    title: str
    clauses: tuple[str, ...]
    sources: tuple[Source, ...]
    evidence: Evidence
    level: int
    explanation: str = ""
    open_point: str = ""
    readings: tuple[Outcome, ...] = ()
    frequency: Frequency | None = None
    ways_out: tuple[WayOut, ...] = ()
    identity: Identity | None = None
    """Of an obligation that fails, what it is."""


@dataclass(frozen=True, slots=True)
class Harmless:
    """An open point that makes no observable difference."""

    open_point: str
    why: str
    method: Method


@dataclass(frozen=True, slots=True)
class Holds:
    """Something that was checked and is true."""

    clause: str
    what: str
    method: Method
    scope: str


@dataclass(frozen=True, slots=True)
class NotChecked:
    """Something that was not checked, and why."""

    what: str
    why: str


STOPS = {"states": "the limit of states", "time": "the limit of time",
         "memory": "the limit of memory", "interrupted": "an interrupt"}
"""What stops an exploration, in words."""


@dataclass(frozen=True, slots=True)
class Explored:
    """The size of an exploration."""

    scope: str
    states: int
    transitions: int
    depth: int
    final: int
    complete: bool
    stopped_by: str = ""
    bounds: tuple[str, ...] = ()
    """The bounds of the model that plays met, in words."""

    @property
    def stop(self) -> str:
        """What stopped it, in words."""
        return STOPS.get(self.stopped_by, self.stopped_by)

    def as_json(self) -> dict[str, Json]:
        """Return the contract's `explored` object."""
        made: dict[str, Json] = {
            "scope": self.scope,
            "states": self.states,
            "transitions": self.transitions,
            "depth": self.depth,
            "final": self.final,
            "complete": self.complete,
        }
        if self.stopped_by:
            made["stopped_by"] = self.stopped_by
        if self.bounds:
            made["bounds"] = list(self.bounds)
        return made


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the rulebook, the clauses and the machine was exercised."""

    sentences: int
    traced: int
    clauses: int
    exercised: int
    nodes: int
    nodes_reached: int
    edges: int
    edges_taken: int


@dataclass(frozen=True, slots=True)
class Report:
    """All that `verify` found out about a game."""

    game: str
    title: str
    spec_sha256: str
    version: str
    settings: Mapping[str, Json]
    explored: tuple[Explored, ...]
    findings: tuple[Finding, ...]
    harmless: tuple[Harmless, ...]
    holds: tuple[Holds, ...]
    not_checked: tuple[NotChecked, ...]
    coverage: Coverage
    questions: tuple[Json, ...] = ()
    certificate: str = ""
    """The proofs as SMT-LIB text, if that was asked for; no part of the document."""

    def as_json(self) -> dict[str, Json]:
        """Return the document `ruleproof/findings-1`."""
        made: dict[str, Json] = {
            "format": "ruleproof/findings-1",
            "game": self.game,
            "spec_sha256": self.spec_sha256,
            "version": self.version,
            "settings": dict(self.settings),
            "explored": [each.as_json() for each in self.explored],
            "findings": [finding_json(each) for each in self.findings],
            "harmless": [
                {"open_point": h.open_point, "why": h.why, "method": h.method}
                for h in self.harmless
            ],
            "holds": [
                {"clause": h.clause, "what": h.what, "method": h.method, "scope": h.scope}
                for h in self.holds
            ],
            "not_checked": [{"what": n.what, "why": n.why} for n in self.not_checked],
            "coverage": {
                name: getattr(self.coverage, name)
                for name in (
                    "sentences",
                    "traced",
                    "clauses",
                    "exercised",
                    "nodes",
                    "nodes_reached",
                    "edges",
                    "edges_taken",
                )
            },
        }
        if self.questions:
            made["questions"] = list(self.questions)
        return made


def finding_json(finding: Finding) -> dict[str, Json]:
    """Return a finding as the contract writes it; what a class has none of is absent."""
    evidence = finding.evidence
    shown: dict[str, Json] = {
        "kind": evidence.kind,
        "method": evidence.method,
        "scope": evidence.scope,
    }
    if evidence.at_printed_size is not None:
        shown["at_printed_size"] = evidence.at_printed_size
    if evidence.lifted:
        shown["lifted"] = evidence.lifted
    if evidence.plays:
        shown["plays"] = [{"reading": reading, "play": play} for reading, play in evidence.plays]
    if evidence.position is not None:
        shown["position"] = evidence.position
    if evidence.core:
        shown["core"] = list(evidence.core)
    if evidence.depth is not None:
        shown["depth"] = evidence.depth
    if evidence.details:
        shown["details"] = dict(evidence.details)
    shown["replayed"] = evidence.replayed
    made: dict[str, Json] = {
        "id": finding.id,
        "class": finding.cls,
        "title": finding.title,
        "clauses": list(finding.clauses),
        "sources": [
            {"clause": s.clause, "file": s.file, "lines": list(s.lines)} for s in finding.sources
        ],
    }
    if finding.explanation:
        made["explanation"] = finding.explanation
    if finding.open_point:
        made["open_point"] = finding.open_point
    if finding.readings:
        made["readings"] = [
            {"id": r.id, "title": r.title, "outcome": r.outcome, "favours": r.favours}
            for r in finding.readings
        ]
    made["observable"] = {"level": finding.level, "name": LEVELS[finding.level]}
    made["evidence"] = shown
    if finding.frequency is not None:
        f = finding.frequency
        made["frequency"] = {"plays": f.plays, "seen": f.seen, "ci95": list(f.ci95)}
        if f.decides is not None:
            made["frequency"]["decides"] = f.decides
        if f.decides_ci95 is not None:
            made["frequency"]["decides_ci95"] = list(f.decides_ci95)
    if finding.ways_out:
        made["ways_out"] = [_way_out(way) for way in finding.ways_out]
    return made


def _way_out(way: WayOut) -> dict[str, Json]:
    made: dict[str, Json] = {"text": way.text}
    if way.adopt:
        made["adopt"] = dict(way.adopt)
    if way.removes:
        made["removes"] = list(way.removes)
    if way.adds:
        made["adds"] = list(way.adds)
    if way.flips_positions is not None:
        made["flips_positions"] = way.flips_positions
    if way.situations is not None:
        made["situations"] = way.situations
    if way.scope:
        made["scope"] = way.scope
    return made
