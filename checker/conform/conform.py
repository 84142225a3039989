"""An implementation held against the rules: positions, then short plays, then random ones.

The plays are under the readings that the positions show it to play by, so that a reading that was
told once is not told again as a difference of plays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from ...model.game.game import Settings
from ...model.plays.documents import settings_json
from ...model.run.interp import EndlessRules
from ...model.source.errors import UsageError, quote
from ...model.stop import TIME_UP, Stop, Stopped, deadline_in, held, stoppable
from ..audit.parallel import guarded
from ..bench.workbench import Instance
from ..points.points import points_of
from .dialogue import Broke
from .implementation import Declined, Implementation, Refused
from .results import Conformance, Counted, Reads, Tried, Walked
from .trials import Load, readings, tried
from .walks import SideWalk, counted, walked

R = TypeVar("R")


def conform(
    command: Sequence[str], name: str, settings: Settings, load: Load,
    positions: Sequence[Mapping[str, Any]], *, version: str, depth: int, plays: int, seed: int,
    patience: float, max_time: float | None = None, progress: Callable[[str], None] | None = None,
) -> Conformance:
    """Hold a program against a game.

    `positions` are what is to hold, `depth` is that of the longest plays that are counted (0 for
    none), `plays` the number of random plays (0 for none).  The program has `patience` seconds for
    each answer, and all of it may take `max_time` seconds.  `progress` gets a line of text now and
    then.

    Raises:
        UsageError: if the program cannot be started, or does not begin to speak the protocol.

    """
    say = progress or (lambda _: None)
    peer = Implementation(command, patience)
    mine = load(name, settings)
    missing, found = list[str](), list[Tried]()
    perft: Counted | None = None
    lockstep: Walked | None = None
    with stoppable(deadline_in(max_time)) as stop:
        try:
            _greet(peer, mine, missing, stop)
            for number, doc in enumerate(positions, 1):
                say(f"position {number} of {len(positions)}")
                answer = guarded(stop, partial(tried, peer, doc, load))
                found.append(answer.value or Tried(
                    str(doc.get("id", "")), str(doc.get("title", "")), "not checked", answer.why))
            adopted = {point.id: point.adopted for point in points_of(mine.compiled)}
            reads = readings(found, adopted)
            walk = SideWalk(peer, _read_so(load, name, settings, reads))
            if depth:
                say("short plays")
                perft = _asked(stop, lambda: counted(walk, depth), "perft", missing)
            if plays:
                say("random plays")
                lockstep = _asked(stop, lambda: walked(walk, plays=plays, seed=seed),
                                  "random plays", missing)
        finally:
            stop.heed()
            with held():
                peer.close(at_once=bool(stop.why))
    game = mine.compiled.game
    return Conformance(
        "ruleproof/conform-1", game.id, game.spec_sha256, version, settings_json(mine.compiled),
        tuple(command), tuple(found), reads, perft, lockstep, tuple(sorted(peer.not_compared)),
        tuple(missing))


def _greet(peer: Implementation, mine: Instance, missing: list[str], stop: Stop) -> None:
    """Start the program, and insist that its first answer is one, unless the time is up."""
    shown = quote(" ".join(peer.command))
    try:
        peer.begin(mine)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"{shown} cannot be started: {reason}") from None
    except Broke as error:
        raise UsageError(f"{shown} does not speak the protocol: {error.reason}; "
                         "`ruleproof conform --help` says where it is described") from None
    except (Declined, Refused) as error:
        missing.append(f"{mine.game.settings.scope}: {error}")
    except Stopped:
        if stop.heed() != "late":
            raise
        missing.append(f"its first answer: {TIME_UP}")
    except ValueError as error:  # a null byte in the command
        raise UsageError(f"{shown} cannot be started: {error}") from None


def _asked(stop: Stop, work: Callable[[], R], what: str, missing: list[str]) -> R | None:
    """Do some work; if nothing comes of it, list why."""
    why = ""

    def tried_to() -> R | None:
        nonlocal why
        try:
            return work()
        except (Declined, EndlessRules) as error:
            why = str(error)
            return None

    answer = guarded(stop, tried_to)
    if why := answer.why or why:
        missing.append(f"{what}: {why}")
    return answer.value


def _read_so(load: Load, name: str, settings: Settings, reads: Sequence[Reads]) -> Instance:
    """Make the game under the readings that an implementation plays by."""
    rulings = {**dict(settings.rulings), **{
        each.point: each.plays for each in reads if each.plays not in ("", each.adopted)}}
    return load(name, replace(settings, rulings=tuple(sorted(rulings.items()))))
