"""What comparing two editions comes to: `ruleproof/diff-1`, as values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from ..findings.values import Json, Value

How = Literal["added", "dropped", "changed", "reworded", "renamed"]


class EditionHeader(Value, frozen=True):
    """One of the two."""

    game: str
    title: str
    spec_sha256: str
    settings: Json


class Parted(Value, frozen=True):
    """The shortest play found after which two games differ.

    `scope` is named if it is one smaller than the game that was asked about, which shows nothing.
    `base` is the edition that the play belongs to (the other game is this one with one change, or
    with all); `play` is a play of it.  `a` and `b` say what is so then in each.
    """

    base: Literal["a", "b"]
    level: str
    moves: tuple[str, ...]
    a: str
    b: str
    how: str
    play: Json
    scope: str = ""


class TextChange(Value, frozen=True):
    """An entry of a spec that only one edition has, or that differs.

    `fields` gives the values of those that differ, in both (null: not there).  `parted` shows what
    the change alone does at the table; where there is none, `why` says what was looked at.
    """

    section: str
    id: str
    how: How
    says: str
    fields: Mapping[str, tuple[Json, Json]] = {}
    parted: Parted | None = None
    why: str = ""


class Noticed(Value, frozen=True):
    """A finding that one edition has, or both."""

    id: str
    cls: str
    title: str


class FindingsCompared(Value, frozen=True):
    """The findings of both: those that the second mended, those that it brought, and the rest."""

    mended: tuple[Noticed, ...]
    brought: tuple[Noticed, ...]
    kept: int


class EditionDiff(Struct, frozen=True):
    """The whole document."""

    format: Literal["ruleproof/diff-1"]
    version: str
    a: EditionHeader
    b: EditionHeader
    changes: tuple[TextChange, ...]
    same: int
    """So many clauses are the same in both."""
    together: Parted | None
    together_why: str
    findings: FindingsCompared | None
    not_compared: tuple[str, ...]
