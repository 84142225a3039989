"""From small scopes to the printed size: does it come up there, and how often?

Random plays at the printed size show which findings can happen there and give each a frequency with
a confidence interval.  What no play shows may still be possible; then the finding says so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .generator import FLAGS
from .playouts import interval, sample
from .results import Frequency, NotChecked

if TYPE_CHECKING:
    from .audit import Audit
    from .playouts import Sample
    from .results import Finding

PLAYS = 60
LONGEST = 400


def run(audit: Audit) -> None:
    """Sample plays at the printed size and put what they show into the findings."""
    if all(scope.name == "printed" for scope in audit.scopes):
        return
    audit.say("playing at the printed size")
    program = audit.printed.program
    drawn = sample(program, plays=PLAYS, longest=LONGEST, seed=audit.seed,
                   progress=lambda n: audit.say(f"played {n} of {PLAYS} games at the printed size"))
    audit.findings = [_lifted(audit, finding, drawn) for finding in audit.findings]
    audit.not_checked.append(NotChecked(
        "the printed size beyond a sample",
        f"{PLAYS} random plays of at most {LONGEST} moves, seed {audit.seed}; "
        f"{drawn.finished} of them ended"))


def _lifted(audit: Audit, finding: Finding, drawn: Sample) -> Finding:
    bits = _bits(audit, finding)
    if not bits:
        return finding
    seen = max(drawn.flags.get(bit, 0) for bit in bits)
    evidence = replace(
        finding.evidence, at_printed_size=True if seen else None,
        lifted=f"seen in {seen} of {drawn.plays} random plays at the printed size" if seen
        else f"not seen in {drawn.plays} random plays at the printed size")
    return replace(finding, evidence=evidence,
                   frequency=Frequency(drawn.plays, seen, 0, interval(seen, drawn.plays)))


def _bits(audit: Audit, finding: Finding) -> list[int]:
    """Give the flags of the printed machine that stand for a finding."""
    machine = audit.printed.compiled.machine
    if finding.cls == "limit-broken":
        return [FLAGS + i for i, limit in enumerate(machine.limits)
                if limit.clause in finding.clauses[:1]]
    first = FLAGS + len(machine.limits)
    prompt = finding.evidence.details.get("failed", "")
    return [first + i for i, duty in enumerate(machine.obligations)
            if duty.defect == finding.cls and duty.prompt == prompt
            and (duty.clause in finding.clauses or not finding.clauses)]
