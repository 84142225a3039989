"""What is said of an open point, or of a reading of it, that was not compared."""

from __future__ import annotations

from ...model.source.errors import SpecErrors, TooMuchError, UnfitModeError, first_line
from ..findings.results import Cause, NotChecked
from .points import Point


def left_open(
    point: Point, because: str, reading: str = "", *, scope: str = "", clause: str = ""
) -> NotChecked:
    """Say why a point was not compared; or a reading, in one scope, or beside one clause."""
    about = f": whether the example {clause} rules it out" if clause else (
        f" in scope {scope}" if scope else "")
    return NotChecked(
        _called(point, reading) + about, f"{point.asks}: {because}", "question", point=point.id,
        reading=reading, asks=point.asks, scopes=(scope,) * bool(scope),
        clauses=(clause,) * bool(clause))


def unplayable(
    point: Point, error: Exception, reading: str = "", *, where: str = "", scope: str = "",
    mode: str = "",
) -> NotChecked:
    """Say that the game cannot be played under a reading in a scope or a mode (`where`, in words).

    The error is one of those of `model.run.interp.UNPLAYABLE`.
    """
    cause: Cause = "clash" if isinstance(error, SpecErrors) else (
        "unfit" if isinstance(error, UnfitModeError) else
        "refused" if isinstance(error, TooMuchError) else "")
    return NotChecked(
        f"{_called(point, reading)} {where or mode or f'in scope {scope}'}", first_line(error),
        "question", cause, point=point.id, reading=reading, mode=mode,
        modes=error.modes if isinstance(error, UnfitModeError) else (),
        scopes=(scope,) * bool(scope))


def _called(point: Point, reading: str) -> str:
    return f"{point.id} = {reading}" if reading else point.id
