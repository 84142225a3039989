"""Questions as values, `ruleproof/questions-1`, and their answers, `ruleproof/rulings-1`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from ..findings.values import Json, Value


class Continuation(Value, frozen=True):
    """One way in which a situation may go on, and the readings under which it does.

    `adopted`: the spec's rulings lead here; then `readings` has all points of the question.
    """

    text: str
    readings: Mapping[str, tuple[str, ...]]
    adopted: bool = False


class AskedPosition(Value, frozen=True):
    """A situation and two or three ways on; `points` says what each open point asks."""

    id: str
    points: Mapping[str, str]
    move: str
    continuations: tuple[Continuation, ...]
    scope: str
    position: Json


class Unasked(Value, frozen=True):
    """Readings of a point that no question tells apart, and why."""

    point: str
    readings: tuple[str, ...]
    why: str
    late: bool = False
    """Whether some of them were not looked for, as the time was up."""


class Questionnaire(Struct, frozen=True):
    """The questions that settle all that can be settled if the spec's own rulings are confirmed."""

    format: Literal["ruleproof/questions-1"]
    game: str
    spec_sha256: str
    settings: Json
    questions: tuple[AskedPosition, ...]
    not_asked: tuple[Unasked, ...]


class Answered(Value, frozen=True):
    """An answer: the way on that was chosen, and what it says of each point.

    `position` is a test position that holds under the answer.
    """

    question: str
    chosen: str
    says: Mapping[str, tuple[str, ...]]
    position: Json


class RulingsFile(Struct, frozen=True):
    """Rulings for `--rulings`, and the answers that they come from."""

    format: Literal["ruleproof/rulings-1"]
    game: str
    rulings: Mapping[str, str]
    spec_sha256: str = ""
    answers: tuple[Answered, ...] = ()
