"""Putting games on trial: all laws on one game, and the smallest game that still breaks one."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ruleproof.model.source.errors import SpecErrors, UsageError
from ruleproof.tests.campaign import clauses, laws, points
from ruleproof.tests.campaign.brute import TooLarge
from ruleproof.tests.campaign.trial import on_disk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ruleproof.tests.campaign.trial import Trial

LAWS: tuple[Callable[[Trial], Iterator[str]], ...] = (
    laws.told, laws.counts, laws.family, laws.reduced, laws.conservation, laws.duties, laws.set_up,
    laws.limits, laws.endings, laws.claims, clauses.idle, points.phrases, points.readings,
    points.orders, clauses.missed, clauses.compared, laws.agree, laws.witnesses, laws.suite,
    laws.again)

CRASH = "crash"
"""The law that a game can be compiled, and played by the interpreter."""


@dataclass(slots=True)
class Outcome:
    """What came of a game: its states, which laws it broke and how, or that it was too large."""

    states: int = 0
    broken: dict[str, str] = field(default_factory=dict[str, str])
    too_large: bool = False


def tried(spec: dict[str, Any], only: str = "") -> Outcome:
    """Hold a game against all laws, or one."""
    found = Outcome()
    with on_disk_or_refused(spec, found) as trial:
        if trial is None:
            return found
        try:
            for scope in sorted({"printed", *trial.game("printed").scopes}):
                brute = trial.brute(scope)
                found.states += 0 if brute is None else len(brute.depth)
        except TooLarge:
            found.too_large = True
            return found
        except Exception as error:  # noqa: BLE001  (of any kind, as below)
            found.broken[CRASH] = _crashed(error)
            return found
        for law in LAWS:
            if "told" in found.broken and "crash" in found.broken["told"]:
                break
            if only in ("", law.__name__):
                _hold(law, trial, found)
    return found


def _hold(law: Callable[[Trial], Iterator[str]], trial: Trial, found: Outcome) -> None:
    try:
        wrong = next(law(trial), None)
    except TooLarge:
        return
    except Exception as error:  # noqa: BLE001  (a crash of any kind is what is looked for)
        wrong = _crashed(error)
    if wrong is not None:
        found.broken[law.__name__] = wrong


def _crashed(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{CRASH}: {type(error).__name__}: {error} ({last.filename}:{last.lineno})"


class on_disk_or_refused:  # noqa: N801  (a context manager, read as a phrase)
    """Put a game on trial; a game that does not load breaks the law `loads`."""

    def __init__(self, spec: dict[str, Any], found: Outcome) -> None:
        self._disk, self._found = on_disk(spec), found

    def __enter__(self) -> Trial | None:
        try:
            trial = self._disk.__enter__()
            trial.bench.instance("printed")
        except (SpecErrors, UsageError) as error:
            self._found.broken["loads"] = str(error)
            return None
        except Exception as error:  # noqa: BLE001  (of any kind, as above)
            self._found.broken[CRASH] = _crashed(error)
            return None
        return trial

    def __exit__(self, *error: object) -> None:
        self._disk.__exit__(*error)  # type: ignore[arg-type]  # passed on as it is
