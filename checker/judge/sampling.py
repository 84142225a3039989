"""From small scopes to the printed size: whether something comes up there, and how often.

Random plays at the printed size show which findings can happen there and give each a frequency with
a confidence interval.  What no play shows may still be possible; then the finding says so.  For an
open point it is counted how often the reading that was compared leads to another winner than the
adopted one, in plays with the same random decisions under both (`twins`).  What a search of
the printed game shows (`lifting`) is shown there, shortened, before the play of the scope.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...model.game.game import PRINTED
from ...model.run.interp import EndlessRules
from ...model.source.errors import SpecErrors, UsageError
from ..packed.flags import FLAGS
from ..points.ambiguity import all_points
from ..search.equivalence import PLAYS as TWINS
from ..search.lifting import LONGEST, Showings, showings
from ..search.playouts import interval, sample
from ..search.stuck import why_stuck
from ..search.twins import twins
from .evidence import identity_of, play_of, position_of, state_after
from .parallel import answers, attempt
from .results import Frequency, NotChecked, Shown

if TYPE_CHECKING:
    from ...model.machine.state import Move
    from ..search.playouts import Sample
    from .audit import Audit
    from .results import Evidence, Finding

PLAYS = 10_000


def run(audit: Audit) -> None:
    """Sample plays at the printed size and put what they show into the findings."""
    if all(scope.name == "printed" for scope in audit.scopes):
        return
    audit.say("playing at the printed size")
    program = audit.printed.program
    drawn = sample(program, plays=PLAYS, longest=LONGEST, seed=audit.seed,
                   progress=lambda n: audit.say(f"played {n} of {PLAYS} games at the printed size"))
    shown = attempt(audit, "what the printed game shows", lambda: showings(
        program, drawn, seed=audit.seed)) or Showings()
    audit.failing = frozenset(identity_of(duty) for duty in audit.printed.compiled.machine.obligations
                              if duty.id in shown.notes)
    audit.findings = [_lifted(audit, finding, drawn, shown) for finding in audit.findings]
    attempt(audit, "how often a reading changes the winner", lambda: _compare(audit))
    audit.not_checked.append(NotChecked(
        "the printed size beyond a sample",
        f"{PLAYS} random plays of at most {LONGEST} moves, seed {audit.seed}; "
        f"{drawn.finished} of them ended"))


def _lifted(audit: Audit, finding: Finding, drawn: Sample, shown: Showings) -> Finding:
    """Show a finding about play in the printed game, if it came up there, and say how often."""
    bits = _bits(audit, finding)
    seen = max((drawn.flags.get(bit, 0) for bit in bits), default=0)
    play = _play(audit, finding, shown)
    if not bits and play is None:
        return finding
    lifted = (f"seen in {seen} of {drawn.plays} random plays at the printed size" if seen
              else f"not seen in {drawn.plays} random plays at the printed size"
              + ("" if play is None else ", but in a search"))
    evidence = replace(finding.evidence, at_printed_size=True if play is not None else None,
                       lifted=lifted if bits else "")
    often = Frequency(drawn.plays, seen, interval(seen, drawn.plays)) if bits else None
    if play is not None and audit.bench.settings.scope == PRINTED != finding.evidence.scope:
        evidence = _at_printed_size(audit, evidence, play)
    return replace(finding, evidence=evidence, frequency=often)


def _at_printed_size(audit: Audit, evidence: Evidence, play: tuple[Move, ...]) -> Evidence:
    """Show the play of the printed game first, and then the one that was found in a scope."""
    printed = audit.printed
    state = state_after(printed, play)
    smaller = tuple(replace(each, scope=evidence.scope) for each in evidence.plays)
    return replace(
        evidence, scope=PRINTED, method="sampled", depth=len(play), replayed=True,
        plays=(Shown("", play_of(printed, play)), *smaller), position=position_of(printed, state))


def _play(audit: Audit, finding: Finding, shown: Showings) -> tuple[Move, ...] | None:
    """Find a play of the printed game that shows a finding."""
    machine = audit.printed.compiled.machine
    plays: list[tuple[Move, ...]] = []
    if finding.identity is not None:
        plays = [shown.notes[duty.id] for duty in machine.obligations
                 if duty.id in shown.notes and identity_of(duty) == finding.identity]
    elif finding.cls == "limit-broken":
        plays = [play for number, play in shown.broken.items()
                 if machine.limits[number].clause in finding.clauses[:1]]
    elif finding.cls in ("deadlock", "contradiction"):
        for play in shown.stuck.values():
            reason = why_stuck(audit.printed, state_after(audit.printed, play))
            if reason.clauses == finding.clauses and finding.evidence.core in ((), *reason.cores):
                plays.append(play)
    return min(plays, key=len, default=None)


def _compare(audit: Audit) -> None:
    """Count, for findings about readings, how often the compared reading changes the winner."""
    adopted = {point.id: point.adopted for point in all_points(audit)}
    questions = [(number, finding.open_point, reading.id)
                 for number, finding in enumerate(audit.findings)
                 if finding.evidence.kind == "split" and finding.open_point in adopted
                 for reading in [r for r in finding.readings
                                 if r.id != adopted[finding.open_point]][:1]]
    if not questions:
        return

    def ask(audit: Audit, question: tuple[int, str, str]) -> Frequency | None:
        _, point, reading = question
        return _twins(audit, point, reading)

    found = answers(audit, ask, questions, lambda each: f"playing {each[1]} both ways",
                    Frequency | None)
    for (number, point, reading), each in zip(questions, found, strict=True):
        audit.findings[number] = replace(audit.findings[number], frequency=each.value)
        if each.why:
            audit.not_checked.append(NotChecked(
                f"how often {point} = {reading} changes the winner", each.why))


def _twins(audit: Audit, point: str, reading: str) -> Frequency | None:
    """Play under another reading; None if the printed game cannot be played under it."""
    try:
        other = audit.bench.instance("printed", rulings={point: reading})
        parted, decided = twins(audit.printed.program, other.program, plays=TWINS,
                                longest=LONGEST, seed=audit.seed)
    except (SpecErrors, UsageError, EndlessRules):
        return None
    return Frequency(TWINS, parted, interval(parted, TWINS), decided, interval(decided, TWINS))


def _bits(audit: Audit, finding: Finding) -> list[int]:
    """Return the flags of the printed machine that stand for a finding."""
    machine = audit.printed.compiled.machine
    if finding.cls == "limit-broken":
        return [FLAGS + i for i, limit in enumerate(machine.limits)
                if limit.clause in finding.clauses[:1]]
    first = FLAGS + len(machine.limits)
    return [first + i for i, duty in enumerate(machine.obligations)
            if finding.identity is not None and identity_of(duty) == finding.identity]
