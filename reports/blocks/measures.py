"""How often a finding comes up in random plays of the printed game, and what hangs on it there.

Two things are told apart.  A question *comes up* in games that go differently under two answers.
Its *effect on who wins* is what is left if luck is taken out (`comparison.twins`); it is only told
where it is there beyond all luck, and else it is said how far that was looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...checker.findings.results import DECIDES, NOBODY, UNENDED, WHAT_THEN
from ...model.plays.wording import many
from .classes import HEADS

if TYPE_CHECKING:
    from ...checker.findings.results import Finding, Frequency, Wins

COUNTS = ("“Comes up in” is the share of printed games played at random that show it, or go "
          "differently under two answers. “Changes who wins in”: in at least so many games "
          "somebody else wins because of the answer, and not by luck; where nothing stands, "
          "players who choose at random, and pass seldom, show no difference, and others may.")
"""What the two columns of shares count."""


def comes_up(finding: Finding) -> str:
    """Return the share of printed games in which a finding comes up, as an interval.

    It is "" if that is not known; of what only a mode shows it is a share of the games in the mode.
    What changes how chance sets the game up comes up there.
    """
    often = finding.frequency
    if often is not None and often.set_up > often.seen:
        return "the set-up"
    return "" if often is None else between(often.ci95) + _own(finding)


def changes(finding: Finding) -> str:
    """Say in which share of games a finding is measured to change who wins, at least."""
    often = finding.frequency
    if often is None or often.decides is None:
        return ""
    if not often.effect:
        return "single games" if often.decides else ""
    return f"at least {between((often.effect, often.effect))}{_own(finding)}"


def matters(finding: Finding) -> str:
    """Say what hangs on a finding, and in which share of printed games it comes up."""
    part = comes_up(finding)
    return HEADS[finding.level] + f" (comes up in {part})" * bool(part)


def _own(finding: Finding) -> str:
    """Name the mode of the games of which a share is, if that is of its own."""
    mode = "" if finding.frequency is None else finding.frequency.mode
    return f" of games {mode}" if mode else ""


def between(interval: tuple[float, float]) -> str:
    """Write an interval of shares in percent, with a figure more where it is small or narrow."""
    narrow = 0 < interval[1] - interval[0] < 0.01
    low, high = (f"{100 * part:.{(1 + (part > 0.9995)) * (narrow and part < 1)}f}" if part >= 0.01
                 else f"{100 * part:.1g}" for part in interval)
    return f"{low} %" if low == high else f"{low} to {high} %"


def how_often(finding: Finding) -> tuple[str, ...]:
    """Say how often a finding comes up, and for each two answers compared what hangs on them."""
    made = [_occurs("It", finding)] if _counted(finding.frequency) else []
    asked = [each for each in finding.consequences if _counted(each.frequency)
             and finding.readings and each.follows == WHAT_THEN]
    if asked:
        most = max(asked, key=lambda each: each.frequency.seen if each.frequency else 0)
        made.append(_occurs("The case that is asked about", most)
                    + " The answers need not differ each time.")
    titles = {each.id: each.title for each in finding.readings}
    made += [" ".join(_compared(each, titles))
             for each in (finding.frequency, *finding.compared)
             if each is not None and each.decides is not None]
    often = finding.frequency
    if often is not None and often.effect > max(0.0, (often.decides_ci95 or (0.0,))[0], *(
            one.least for one in often.told)):
        games = changes(finding) + " of the games" * (not _own(finding))
        made.append(f"In all, somebody else wins because of the answer in {games}.")
    return tuple(made)


def _counted(often: Frequency | None) -> bool:
    return often is not None and often.decides is None


def _occurs(what: str, finding: Finding) -> str:
    often = finding.frequency
    assert often is not None
    return (f"{what} came up in {often.seen:,} of {_games(often)} "
            f"({between(often.ci95)}).")


def _games(often: Frequency) -> str:
    return many(often.plays, "printed game") + f" {often.mode}" * bool(often.mode) + (
        " played at random")


def _compared(often: Frequency, titles: dict[str, str]) -> Iterator[str]:
    """Yield what was measured of two answers, in sentences."""
    adopted = titles.get(often.adopted, "as it is played here")
    other = titles.get(often.reading, often.reading)
    both = f"Under “{adopted}” and “{other}”, with the same decisions as far as possible, "
    yield (f"{both}{often.seen:,} of {_games(often)} went differently "
           f"({between(often.ci95)}).")
    if often.set_up:
        yield (f"In {often.set_up:,} chance sets the game up otherwise before anybody decides; "
               "what comes of two set-ups is not compared.")
    if not often.seen:
        return
    if often.ending is not None and often.ending < often.plays:
        yield f"Who wins is compared in the {often.ending:,} that came to an end under both."
    if often.decides and often.decides_ci95 is not None:
        yield (f"In {often.decides:,} of all games the same moves gave another winner "
               f"({between(often.decides_ci95)}).")
    rows = [one for one in (*often.asked, *often.wins) if one.seat != UNENDED]
    if rows and not any(one.apart for one in rows):
        most = max(max(map(abs, one.more)) for one in rows)
        who = " or ".join(["no seat"] * bool(often.wins[:-2]) + ["nobody who decides"] * bool(
            often.asked)) or "nobody"
        yield (f"{who.capitalize()} wins more often under one of them, as far as so many games can "
               f"show (a difference below {between((most, most))} would not show).")
    for better in (False, True):
        told = [one for one in often.told if (one.more[0] > 0) == better]
        if told:
            yield f"Under “{(adopted, other)[better]}” {_gains(told, often)}."


def _gains(told: list[Wins], often: Frequency) -> str:
    """Say who wins more often under an answer, and in which share of the games."""
    games = "of the games" + " that end" * (often.ending is not None)
    asked = [share for one in told if one in often.asked for share in map(abs, one.more)]
    wins = [f"{DECIDES} wins {between((min(asked), max(asked)))}"] if asked else []
    ends: list[str] = []
    for one in told:
        low, high = sorted(map(abs, one.more))
        share = between((low, high))
        if one in often.asked:
            continue
        if one.seat == UNENDED:
            limit = many(often.longest, "move") if often.longest else "the most that are played"
            ends.append(f"{share} more of the games had not ended after {limit}")
        elif one.seat == NOBODY:
            ends.append(f"{share} more {games} end without a winner")
        else:
            wins.append(f"{one.seat} wins {share}")
    several = f"{', '.join(wins[:-1])} and {wins[-1]}" if len(wins) > 1 else "".join(wins)
    return "; ".join([f"{several} more {games}"] * bool(wins) + ends)
