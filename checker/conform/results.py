"""What holding an implementation against the rules comes to: `ruleproof/conform-1`, as values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from ..findings.values import Json, Value

Verdict = Literal["holds", "differs", "not checked"]


class Difference(Value, frozen=True):
    """Something that the rules and an implementation say differently.

    `what` is the kind: `legal moves`, `state`, `view of SEAT`, `to move`, `result`, `answer`.
    `rules` and `theirs` are what only one of them says, a line each.
    """

    what: str
    where: str
    rules: tuple[str, ...] = ()
    theirs: tuple[str, ...] = ()


class Tried(Value, frozen=True):
    """A position, as the implementation plays it.

    `readings` are those of open points under which it holds, where it depends on them.
    """

    id: str
    title: str
    verdict: Verdict
    why: str = ""
    differences: tuple[Difference, ...] = ()
    readings: Mapping[str, tuple[str, ...]] = {}


class Reads(Value, frozen=True):
    """Under which reading of an open point an implementation plays: "" where no one fits all.

    `fits` counts for each reading the positions that hold under it, of `positions`.
    """

    point: str
    adopted: str
    plays: str
    fits: Mapping[str, int]
    positions: int


class Apart(Value, frozen=True):
    """The shortest play found to a difference; `play` is a play, and `position` its last situation.

    `from_position` if the difference also shows when that situation is set.
    """

    difference: Difference
    moves: tuple[str, ...]
    play: Json
    position: Json
    from_position: bool = False


class Length(Value, frozen=True):
    """How many plays of a length there are."""

    length: int
    rules: int
    theirs: int


class Counted(Value, frozen=True):
    """Plays of each length, counted side by side."""

    lengths: tuple[Length, ...]
    situations: int
    apart: Apart | None = None
    stopped: str = ""


class Walked(Value, frozen=True):
    """Random plays in lock-step."""

    plays: int
    moves: int
    seed: int
    apart: Apart | None = None
    stopped: str = ""


class Conformance(Struct, frozen=True):
    """The whole document."""

    format: Literal["ruleproof/conform-1"]
    game: str
    spec_sha256: str
    version: str
    settings: Json
    command: tuple[str, ...]
    positions: tuple[Tried, ...]
    readings: tuple[Reads, ...]
    perft: Counted | None
    lockstep: Walked | None
    not_compared: tuple[str, ...]
    not_checked: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Return whether anything does."""
        walks = (self.perft, self.lockstep)
        return any(each.verdict == "differs" for each in self.positions) or any(
            each is not None and each.apart is not None for each in walks)
