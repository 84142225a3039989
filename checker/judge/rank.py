"""The order of findings: what an editor loses by each, the worst first.

What the printed game has and only the author answers comes first.  In each part of the report:

1. what can decide who wins, or whether the game ends, by the share of games in which it is measured
   to change who wins;
2. sentences that clash, and what the book says that is not so;
3. what changes how play goes on, by the share of games in which it comes up;
4. what changes what lies on the table, by the same;
5. what the book lacks, whatever is played;
6. words.

A share is taken as low as its interval allows; what only a mode has counts a tenth.  What players
can do for as long as they like comes up in all games.
"""

from __future__ import annotations

from ..findings.results import LEGAL, PARTS, TEXT, WINNER, Class, Finding

WRONG: frozenset[Class] = frozenset({"false-claim", "gap", "example-contradicts-rule"})
"""Classes of which a finding that hangs on no play is met by every reader: the text is not true, or
lacks what everybody needs."""
CLASHES: frozenset[Class] = frozenset({"contradiction", "overlap"})
"""Classes of sentences that clash: no reader can follow both."""
AT_WILL = ("free", "alone", "optional")
"""Kinds of what players go round in for as long as they like: how often is up to them."""
MODE = 0.1
"""How much games of a mode weigh beside all games."""
UNKNOWN = 0.5
"""In which share of games what was not counted is taken to come up, if it is shown there."""

Weight = tuple[int, int, float, float, bool, int, int, str]


def weight(finding: Finding) -> Weight:
    """Return how much an editor loses by a finding; the least value weighs most.

    Of what weighs alike sentences that clash come first, then the shorter play, and then the order
    of the book.
    """
    depth = finding.evidence.depth
    line = min((source.lines[0] for source in finding.sources), default=0)
    wins, met = _shares(finding)
    return (PARTS.index(finding.part), _place(finding), -wins, -met, finding.cls not in CLASHES,
            999 if depth is None else depth, line, finding.id)


def _place(finding: Finding) -> int:
    """Return the number of the group (see above) in which a finding stands in its part."""
    missing = finding.cls == "gap"
    if finding.level == WINNER.level:
        return 1
    if finding.cls in CLASHES or (certain(finding) and not missing):
        return 2
    if finding.observable == TEXT or certain(finding):
        return 5 if missing else 6
    return 3 if finding.level <= LEGAL.level else 4


def _shares(finding: Finding) -> tuple[float, float]:
    """Return the shares of games in which it changes who wins, and in which it comes up."""
    often = finding.frequency
    mode = finding.evidence.mode if often is None else often.mode
    endless = finding.identity is not None and finding.identity.kind in AT_WILL
    wins, met = (0.0, 1.0 if endless else UNKNOWN) if often is None else (
        often.effect, often.ci95[0])
    if often is not None and often.decides is None and finding.level == WINNER.level:
        wins = met  # what ends a game is no answer that was compared
    part = MODE if mode else 1.0
    return wins * part, met * part


def certain(finding: Finding) -> bool:
    """Return whether the text is wrong, or lacks something, whatever is played."""
    return (finding.frequency is None and finding.cls in WRONG and not finding.evidence.plays)
