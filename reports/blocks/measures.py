"""How often a finding shows in random plays of the printed game, and what hangs on it there.

Two things are told apart.  A question *shows* in games that go differently under two answers, in a
move or in who wins; that they end with other numbers or cards alone is not counted.  Its
*effect on who wins* is what is left if luck is taken out (`comparison.twins`); it is only told
where it is there beyond all luck, and else it is said how far that was looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from string import ascii_uppercase

from ...checker.findings.results import LEGAL, TEXT, WHAT_THEN, WINNER, Finding, Report
from ...checker.findings.shares import DECIDES, NOBODY, STUCK, UNENDED, Frequency, Wins
from ...model.game.game import PRINTED
from ...model.plays.passes import EAGER
from ...model.plays.wording import many
from .classes import effect

ORDER = ("The order in each list: what can decide who wins{}; sentences that clash or are not "
         "true; what changes how play goes on; what only the text is about. Within these, what "
         "changes who wins in most printed games comes first, then what shows in most; a share of "
         "games in a mode counts for a tenth of it there. ")
"""In which order findings stand (`judge.rank`)."""
OR_ENDS = ", or whether the game ends"
"""What comes first with it, where there is such a finding."""
COUNTS = ("“Shows in”: so many printed games played at random show it, or go differently under "
          "two answers, in a move or in who wins. That only cards or numbers differ is not "
          "counted, nor are games in which the question comes up and both answers come to the "
          "same. Of more than two answers, the two that matter most are told. “Changes who "
          "wins in”: in at least so many games somebody else wins, or nobody, because of the "
          f"answer, and not by luck. Players at random act rather than pass: any other move is "
          f"{EAGER} times as likely.")
"""What the two columns of shares count."""
BELOW = "–"
"""Stands for an effect that was not measured."""
WHY_BELOW = (f" “{BELOW}”: in no random game did the answer alone change who wins. That does not "
             "say that it cannot: skilled players may make a difference.")
"""What it means that no effect was measured."""
WHY_RARE = " “Too rare to show”: no random game showed it, but a play does that was sought."
"""What it means that none was measured of what a play is known to decide."""
NOT_COMPARED = "not compared"
"""Stands for the effect of what can decide who wins and has no answers that were compared."""
WHY_NOT = (f" “{NOT_COMPARED.capitalize()}”: no two answers to it were played against each other, "
           "or no game came to an end under both.")
"""What that means."""
WHY_MODE = (" The share in a mode is told where it is more than in the game named at the head of "
            "this report, after the share of that game if it has any.")


LONG = 24
"""Modes that take more letters to tell have short names in an overview."""
NEARLY = 0.99
"""More games than this share are said to be nearly all."""


def counts(report: Report) -> str:
    """Say in which order findings stand, and what the two columns of shares count."""
    some = report.rated
    below = {_wins(each) for each in some if _bound(each) is not None}
    first = OR_ENDS * any(each.ends_only for each in report.findings)
    return (ORDER.format(first) + COUNTS + WHY_BELOW * (False in below) + WHY_RARE * (True in below)
            + WHY_NOT * any(changes(each) == NOT_COMPARED for each in some)
            + WHY_MODE * any(_chosen(each) is not None for each in some))


def short_modes(findings: Iterable[Finding]) -> dict[str, str]:
    """Name modes of games that take long to tell, by what they are called in full."""
    long = dict.fromkeys(
        each.frequency.mode for each in findings if each.frequency is not None
        and len(each.frequency.mode) > LONG and each.frequency.mode in comes_up(each))
    return {mode: f"in mode {letter}" for mode, letter in zip(long, ascii_uppercase, strict=False)}


def named_modes(findings: Iterable[Finding], short: Mapping[str, str]) -> str:
    """Say what those `short` names of modes stand for that findings use; "" if they use none."""
    used = {each.frequency.mode for each in findings
            if each.frequency is not None and each.frequency.mode in comes_up(each)}
    named = "; ".join(f"{name.removeprefix('in ')}: games {mode}"
                      for mode, name in short.items() if mode in used)
    return f"{named[:1].upper()}{named[1:]}." * bool(named)


def comes_up(
    finding: Finding, *, brief: bool = False, short: Mapping[str, str] | None = None
) -> str:
    """Return about the share of printed games in which a finding comes up.

    It is "" if that is not known, and of the text, that is met whatever is played; of what only a
    mode shows it is a share of the games in the mode, of what is more common in one that of the
    chosen game, and then that of the games in the mode.  What changes how chance sets the game up
    comes up there.  What differs on the table and changed nothing that could be chosen has no
    share, as that counts what is chosen.  In `brief` no mode is named, and one share told; modes in
    `short` have the names that they have there.
    """
    often = finding.frequency
    if often is None or finding.observable == TEXT or _unchosen(finding, often):
        return ""
    if often.set_up > often.seen:
        return "the set-up"
    chosen = _chosen(finding)
    mode = (short or {}).get(often.mode, "")
    if chosen is not None:
        return _about(chosen) + f"; {mode or often.mode} {_about(often)}" * (not brief)
    where = "in a mode" if brief else mode or f"of games {often.mode}"
    return _about(often) + f" {where}" * bool(often.mode)


def changes(finding: Finding) -> str:
    """Say in which share of games a finding is measured to change who wins, at least."""
    often = finding.frequency
    if _wins(finding) and not finding.only_smaller and not any(
            one is not None and one.decides is not None for one in (often, *finding.compared)):
        return NOT_COMPARED
    if often is None or often.decides is None:
        return ""
    if often.ending == 0 and often.seen:
        return NOT_COMPARED
    if not often.effect:
        return "single games" if often.decides else "" if _bound(finding) is None else (
            "too rare to show" if _wins(finding) else BELOW)
    return f"at least {between((often.effect, often.effect))}" + " in a mode" * (
        _chosen(finding) is not None)


def matters(finding: Finding) -> str:
    """Say what hangs on a finding, and in which share of printed games it comes up."""
    part = "" if finding.only_smaller else comes_up(finding)
    return effect(finding) + f" (shows in {part})" * bool(part)


def _wins(finding: Finding) -> bool:
    """Return whether a finding can decide who wins."""
    return finding.level == WINNER.level and not finding.ends_only


def _chosen(finding: Finding) -> Frequency | None:
    """Return what was counted in the game as it is chosen of what is told of a mode."""
    often = finding.frequency
    return None if often is None or not often.mode else next(
        (each for each in finding.compared if not each.mode and each.seen
         and (each.adopted, each.reading) == (often.adopted, often.reading)), None)


def _bound(finding: Finding) -> float | None:
    """Return the share of games below which it would not show that a finding changes who wins.

    None if it is measured to change that, or was not compared.  No more games have another winner
    than go differently.
    """
    often = finding.frequency
    if (often is None or often.decides is None or often.effect or often.decides
            or often.set_up > often.seen or _unchosen(finding, often)):
        return None
    most = _unseen(often)
    return None if most is None else min(most, often.ci95[1])


def _unseen(often: Frequency) -> float | None:
    """Return the greatest difference in who wins that would not show; None if one does.

    Seats of which nothing is told count, too.  None is known where many plays met a bound of the
    model.
    """
    rows = [one for one in (*often.asked, *often.wins) if one.seat != UNENDED]
    if not rows or often.cut or often.ending == 0 or any(one.apart for one in rows):
        return None
    return max(max(map(abs, one.more)) for one in (*rows, *often.hidden))


def _counted(often: Frequency) -> str:
    return between(often.ci95, seen=often.seen > 0 or often.ci95[0] > 0)


def _about(often: Frequency) -> str:
    """Say a share of games as people say one; what is certain of it if many plays were cut off."""
    return _counted(often) if often.cut or not often.seen else _part(often)


def _part(often: Frequency) -> str:
    """Say the share of the games that were counted."""
    share = often.seen / often.plays
    return "nearly all" if share > NEARLY else (
        f"{100 * share:.{'0f' if share >= 0.01 else '1g'}} %")


def _shares(often: Frequency) -> str:
    """Say the share of the games that were counted, and what that says of all games."""
    these = _part(often) + " of these" * often.cut
    return f"{these}; of all games {_counted(often)}" if often.seen else (
        "of all games " * often.cut + _counted(often))


def _left_out(often: Frequency) -> str:
    """Say how many plays are no games, as they met a bound of the model; "" if none did."""
    if not often.beyond:
        return ""
    more, many_more = f"{often.beyond:,} more", often.beyond > 1
    why = ("; the shares of all games allow for whatever they would have shown" * often.cut)
    return (f" {more} {'are' if many_more else 'is'} left out, which met a bound of the model, as "
            f"a step nested deeper than its `depth`: what follows there is not known{why}.")


def never(often: Frequency) -> str:
    """Say in how many games something was not seen."""
    mode = f" {often.mode}" * bool(often.mode)
    return f"in none of {often.plays:,} games{mode} ({_counted(often)})"


def _unchosen(finding: Finding, often: Frequency) -> bool:
    """Return whether what differs lies on the table and was not seen to change what is chosen."""
    return (often.decides is not None and not (often.seen or often.set_up)
            and finding.level > LEGAL.level and not finding.only_smaller)


def between(interval: tuple[float, float], *, seen: bool = True) -> str:
    """Write an interval of shares in percent, with a figure more where it is small or narrow.

    Of what was never `seen` it is a bound.
    """
    if not seen:
        return f"at most {between((interval[1], interval[1]))}"
    narrow = 0 < interval[1] - interval[0] < 0.01
    low, high = (f"{100 * part:.{(1 + (part > 0.9995)) * (narrow and part < 1)}f}" if part >= 0.01
                 else f"{100 * part:.1g}" for part in interval)
    return f"{low} %" if low == high else f"{low} to {high} %"


def how_often(finding: Finding) -> tuple[str, ...]:
    """Say how often a finding comes up, and for each two answers compared what hangs on them.

    What stands in the overview comes first.
    """
    often = finding.frequency
    made = [f"It {_occurs(often)}"] if (
        often is not None and often.decides is None and finding.observable != TEXT) else []
    made += [f"The same is open in another place of the sentence, and there it {_occurs(again)}"
             for again in _again(finding)]
    titles = finding.titles
    pairs = [each for each in (often, *finding.compared)
             if each is not None and each.decides is not None]
    for each in pairs:
        told = " ".join(_compared(each, titles, finding, again=each is not pairs[0]))
        if each is often:
            made.append(told + _gist(often) + _another_game(finding, often))
        elif each is pairs[0]:
            made.append(told)
        else:
            same = (each.adopted, each.reading) in [
                (one.adopted, one.reading) for one in pairs[:pairs.index(each)]]
            where = ", in the game of the head of the report" * bool(
                often and often.mode and not each.mode)
            made.append(f"{'The same' if same else 'Other'} answers{where}: "
                        f"{told[:1].lower()}{told[1:]}")
    asked = [each.frequency for each in finding.consequences
             if each.frequency is not None and each.frequency.decides is None
             and finding.readings and each.follows == WHAT_THEN
             and (not pairs or each.frequency.mode == pairs[0].mode)]
    if asked:
        made.append(f"The case that is asked about was counted by itself, as it is played here: it "
                    f"{_occurs(max(asked, key=lambda each: each.seen))} "
                    "Games may differ before it comes up, and need not differ when it does.")
    return tuple(made)


def _again(finding: Finding) -> Iterator[Frequency]:
    """Yield how often what is asked in the same words comes up in other places of the sentence."""
    for each in finding.consequences:
        often = each.frequency
        if (each.title, each.cls, each.clauses) == (
                finding.title, finding.cls, finding.clauses) and often and often.decides is None:
            yield often


def _occurs(often: Frequency) -> str:
    return (f"came up in {often.seen:,} of {_games(often)} ({_shares(often)})."
            f"{_left_out(often)}")


def _games(often: Frequency) -> str:
    return many(often.plays, "printed game") + f" {often.mode}" * bool(often.mode) + (
        " played at random")


def _gist(often: Frequency) -> str:
    """Say the share of games in which an answer changes who wins, as the overview has it."""
    least = between((often.effect, often.effect))
    same = (often.decides_ci95 or (0.0,))[0]
    gains = max((one.least for one in often.told), default=0.0)
    both = ", both together," if same and gains and often.effect > max(same, gains) else ""
    return (f" So{both} the answer changes who wins in at least {least} of the games."
            if often.effect else "")


def _another_game(finding: Finding, often: Frequency) -> str:
    """Say that the game shown is none of those that were counted, if that is so."""
    shown = finding.evidence
    return (" The game shown is none of these: it is played as the head of the report says."
            if often.mode and shown.plays and shown.scope == PRINTED and not shown.mode else "")


def _compared(
    often: Frequency, titles: dict[str, str], finding: Finding, *, again: bool
) -> Iterator[str]:
    """Yield what was measured of two answers, in sentences; of others `again`, not how."""
    adopted = titles.get(often.adopted, "as it is played here")
    other = titles.get(often.reading, often.reading)
    how = "" if again else "with the same decisions as far as possible, "
    both = f"Under “{adopted}” and “{other}”, {how}"
    why = ("; what differs lies on the table and changed nothing that could be chosen"
           if _unchosen(finding, often) else "")
    if often.seen:
        yield (f"{both}{often.seen:,} of {_games(often)} went differently, in a move or in who "
               f"wins ({_shares(often)}).{_left_out(often)}")
    elif not often.set_up:
        yield (f"{both}none of {_games(often)} had another choice in it or another winner "
               f"({_shares(often)}){why}.{_left_out(often)}")
    if often.set_up:
        where = (f"In {often.set_up:,} others" if often.seen else
                 f"{both}in {often.set_up:,} of {_games(often)}")
        yield (f"{where} chance sets the game up otherwise before anybody decides; what comes of "
               f"two set-ups is not compared.{_left_out(often) * (not often.seen)}")
    if not often.seen:
        return
    if often.ending == 0:
        yield "None of them came to an end under both, so who wins is not compared."
    elif often.ending is not None and often.ending < often.plays and not again:
        yield f"Who wins is compared in the {often.ending:,} that came to an end under both."
    yield from _winners(often)
    for better in (False, True):
        told = [one for one in often.told if (one.more[0] > 0) == better]
        if told:
            answers = {"": adopted, often.reading: other}
            under = (adopted, other)[better]
            yield (f"Under “{under}” "
                   f"{_gains(told, often, under, answers if often.opposed else {})}.")
            if finding.evidence.details.get("adds") == (often.reading, often.adopted)[better] and (
                    any(one in often.asked for one in told)):
                yield (f"“{(other, adopted)[better]}” only allows more where they part, and random "
                       "players do that whether it helps them or not: of others this says little.")


def _winners(often: Frequency) -> Iterator[str]:
    """Yield in how many games the same moves led to another winner, and that nobody gains."""
    same = (f"In {often.decides:,} of {often.plays:,} games the same moves led to another winner, "
            f"or to none ({between(often.decides_ci95)})"
            if often.decides and often.decides_ci95 is not None else "")
    most = _unseen(often)
    if most is not None:
        bound = between((most, most))
        even = f"under neither answer does a player win measurably more often (below {bound})."
        yield f"{same}; {even}" if same else even[:1].upper() + even[1:]
    elif same:
        yield f"{same}."


def _gains(told: list[Wins], often: Frequency, under: str, answers: Mapping[str, str]) -> str:
    """Say who wins more often `under` an answer, and in which share of the games.

    Of two who decide, one under each answer, the one who gains more is told; the `answers` tell
    them apart, where one gains by what the other one loses by.
    """
    games = "of the games" + " that end" * (often.ending is not None)
    asked = max((one for one in told if one in often.asked), key=lambda one: one.least,
                default=None)
    wins: list[str] = []
    ends: list[str] = []
    for one in told:
        low, high = sorted(map(abs, one.more))
        share = between((low, high))
        if one in often.asked:
            where = " under the other answer" * (answers.get(one.seat, under) != under)
            wins += [f"{DECIDES}{where} wins {share}"] * (one is asked)
        elif one.seat == UNENDED:
            limit = many(often.longest, "move") if often.longest else "the most that are played"
            ends.append(f"{share} more of the games had not ended after {limit}")
        elif one.seat == STUCK:
            ends.append(f"{share} more of the games leave somebody without a move")
        elif one.seat == NOBODY:
            ends.append(f"{share} more {games} have no winner")
        else:
            wins.append(f"{one.seat} wins {share}")
    several = f"{', '.join(wins[:-1])} and {wins[-1]}" if len(wins) > 1 else "".join(wins)
    return "; ".join([f"{several} more {games}"] * bool(wins) + ends)
