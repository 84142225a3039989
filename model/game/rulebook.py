"""The book that a game is written down from: what identifies it, and its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VocabularyTerm:
    """A word of the book; `same_as` says that it is another name for one."""

    name: str
    means: str
    same_as: str
    clause: str


@dataclass(frozen=True, slots=True)
class Rulebook:
    """What identifies the printed text; `outline` gives the number of sentences on each line."""

    file: str
    sha256: str
    lines: int
    outline: Mapping[int, int]
