"""What checks observe: what is wrong, where, and what shows it; and what is known of its extent.

A check judges nothing.  What an observation is called, whether it is a finding of its own, how
often it comes up, what would settle it and how much it matters is decided once, when all are known
(`decide`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec import field

from .results import Evidence, Identity, Observable
from .rows import Outcome
from .shares import Frequency
from .values import Json, Value

AS_POSSIBLE, OTHERWISE = "as possible", "otherwise"
"""What is done where something cannot be done, if no ruling says it (`said["then"]`)."""


class Question(Value, frozen=True):
    """An open point, as far as it is judged: its kind, what it asks, its readings (id, title).

    `aspect`: as of `Point`.
    """

    point: str
    kind: str
    asks: str
    adopted: str
    readings: tuple[tuple[str, str], ...]
    aspect: str = ""


class Observation(Value, frozen=True):
    """Something that is wrong, as a check saw it.

    `said` holds what its title and first paragraph are made of beside the clauses (`titles` names
    the keys for each kind).
    """

    identity: Identity
    clauses: tuple[str, ...]
    evidence: Evidence
    observable: Observable
    said: Mapping[str, Json] = field(default_factory=dict)
    question: Question | None = None
    readings: tuple[Outcome, ...] = ()
    often: Frequency | None = None
    """How often it comes up in the mode of the evidence, where that is not the chosen one."""

    @property
    def compared(self) -> tuple[str, ...]:
        """The readings that are told from the adopted one, or may be.

        Where its rows are no readings, as where they say which player is first, those are all.
        """
        if self.question is None:
            return ()
        known, adopted = dict(self.question.readings), self.question.adopted
        rows = {each.id: each.apart for each in self.readings}
        some = rows if not rows or not known.keys().isdisjoint(rows) else dict.fromkeys(known, True)
        return tuple(each for each, apart in some.items() if apart and each != adopted)


@dataclass(frozen=True, slots=True)
class Extent:
    """What the printed game shows of an observation: whether, in words, and how often.

    `found` is None where no play showed it, though one may.
    """

    found: bool | None
    told: str = ""
    frequency: Frequency | None = None
    evidence: Evidence | None = None
    """The evidence in the printed game, in place of that in a scope."""
    mode: str = ""
    """In which mode the printed game was looked at, in words; "" in the chosen one."""
    compared: tuple[Frequency, ...] = ()
    """Of further readings, how often they change something."""
    beside: tuple[Frequency, ...] = ()
    """Of what is more common in that mode: the same of the game as it is chosen."""
