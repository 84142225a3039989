"""Plays as numbered sentences, from their documents: who does what, and what fails on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...model.machine.core import TRUE
from ...model.machine.machine import Domain, Edge, Node, Param
from ...model.plays.moves import deed, say_value, words_of
from .subject import Subject, plain_name

Json = Any


@dataclass(frozen=True, slots=True)
class PlayLine:
    """Some moves of a play in one sentence; `first` and `last` are their numbers, 0 for none.

    `fault`: it tells of something that went wrong.
    """

    first: int
    last: int
    text: str
    fault: bool = False

    @property
    def number(self) -> str:
        """Write the numbers: `3` or `1-3`, nothing for what is no move."""
        if not self.first:
            return ""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


def play_lines(play: Mapping[str, Json], subject: Subject) -> tuple[PlayLine, ...]:
    """Tell a play; chance moves of the same kind that follow each other are told together.

    That no rule gives an order is told where that first leaves something open.
    """
    out: list[PlayLine] = _faults(play.get("setup", {}))
    steps: Sequence[Mapping[str, Json]] = play.get("steps", ())
    unstated = next((i for i, step in enumerate(steps)
                     if _is_next(steps, i) and not step.get("only")), -1)
    number = 0
    while number < len(steps):
        last = number + 1
        while _same_chance(steps, number, last):
            last += 1
        passes = _passes(steps, number)
        if passes > 1 or (passes == 1 and _is_next(steps, number)):
            last = number + _length(steps, number, passes)
            text = _passing(steps[number:last], subject)
        elif _is_next(steps, number):
            last = number + 2
            text = _sentence(steps[number + 1 : last], subject)
        else:
            text = _sentence(steps[number:last], subject)
        text += _known(steps[number:last])
        if number <= unstated < last:
            text += " (in an order that no rule gives, here and later)"
        out.append(PlayLine(number + 1, last, text))
        out += _faults(steps[last - 1])
        number = last
    if "loop_from" in play:
        after = play["loop_from"]
        where = f"after move {after}" if after else "at the start"
        text = f"now everything is as it was {where}: this can go on for ever"
        out.append(PlayLine(0, 0, text, fault=True))
    result = play.get("result", {})
    if result.get("over"):
        out.append(PlayLine(0, 0, f"the game is over: {winners_text(result.get('winners', ()))}"))
    return tuple(out)


def _known(steps: Sequence[Mapping[str, Json]]) -> str:
    """Tell which cards are taken whose place was known, of which no move of chance tells."""
    return "".join(f"; from the top of the {words_of(deck)}, as was known: {', '.join(cards)}"
                   for step in steps for deck, cards in step.get("off_the_top", {}).items())


def _is_next(steps: Sequence[Mapping[str, Json]], at: int) -> bool:
    """Return whether this only names the player who makes the move after it."""
    if at + 1 >= len(steps) or steps[at].get("by") != "rules" or steps[at].get("event") != "next":
        return False
    return not _faults(steps[at]) and str(steps[at + 1].get("by", "")).startswith("player ")


def _passes(steps: Sequence[Mapping[str, Json]], at: int) -> int:
    """Count the players who do the same from here on, one after the other, with no choice in it."""
    count, here, event = 0, at, None
    while here < len(steps):
        move = here + 1 if _is_next(steps, here) else here
        step = steps[move]
        plain = str(step.get("by", "")).startswith("player ") and not step.get("choice")
        if not plain or event not in (None, step.get("event")) or step.get("event") in _ANSWERS:
            break
        count, event, here = count + 1, step.get("event"), move + 1
        if _faults(step):
            break
    return count


_ANSWERS = ("yes", "no", "decline")


def _length(steps: Sequence[Mapping[str, Json]], at: int, passes: int) -> int:
    """Count the steps that so many passes take."""
    here = at
    for _ in range(passes):
        here += 2 if _is_next(steps, here) else 1
    return here - at


def _passing(steps: Sequence[Mapping[str, Json]], subject: Subject) -> str:
    """Tell that several players do the same."""
    moves = [step for step in steps if step.get("by") != "rules"]
    names = list(dict.fromkeys(subject.player(str(step.get("by"))) for step in moves))
    if len(names) == 1:
        return _sentence(moves[:1], subject)
    who = f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{who}: {words_of(str(moves[0].get('event', '')))}"


def winners_text(winners: Sequence[str]) -> str:
    """Say who has won."""
    if not winners:
        return "nobody wins"
    return f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}"


def common(plays: Sequence[Mapping[str, Json]]) -> int:
    """Count the moves that plays have in common at their beginning."""
    rows = [[_key(step) for step in play.get("steps", ())] for play in plays]
    count = 0
    while all(len(row) > count for row in rows) and len({row[count] for row in rows}) == 1:
        count += 1
    return count


def _key(step: Mapping[str, Json]) -> str:
    return repr(
        (plain_name(step.get("node", "")), step.get("by"), step.get("event"), step.get("choice"))
    )


def _same_chance(steps: Sequence[Mapping[str, Json]], first: int, last: int) -> bool:
    """Return whether a move can be told together with the ones before it."""
    if last >= len(steps) or steps[first].get("by") != "chance" or _faults(steps[last - 1]):
        return False
    one, other = steps[first], steps[last]
    return all(one.get(key) == other.get(key) for key in ("node", "by", "event")) and bool(
        one.get("choice")
    )


def _sentence(steps: Sequence[Mapping[str, Json]], subject: Subject) -> str:
    step = steps[0]
    event, by = str(step.get("event", "")), str(step.get("by", ""))
    shown = {name: say_value(value) for name, value in step.get("choice", {}).items()}
    if by == "chance":
        values = [", ".join(say_value(v) for v in one.get("choice", {}).values()) for one in steps]
        return _chance(str(step.get("node", "")), event, values)
    if by == "rules":
        if event == "next" and len(shown) == 1:
            return f"{next(iter(shown.values()))} is next, which no rule says"
        told = ", ".join(f"{name} {value}" for name, value in shown.items())
        return words_of(event) + (f": {told}" if told else "")
    return f"{subject.player(by)} {_deed(step, shown)}"


def _deed(step: Mapping[str, Json], shown: Mapping[str, str]) -> str:
    """Say what a player does, with the words that the game uses while it is played."""
    event = str(step.get("event", ""))
    params = tuple(Param(label, Domain("int", 0, 0), label, TRUE) for label in shown)
    node = Node(0, str(step.get("node", "")), "decide", "", (), ask=str(step.get("asks", "")))
    return deed(node, Edge(0, 0, 0, event, params, (), ()), shown)


def _chance(node: str, event: str, values: Sequence[str]) -> str:
    counted: dict[str, int] = {}
    for value in values:
        counted[value] = counted.get(value, 0) + 1
    each = [f"{n} × {value}" if n > 1 else value for value, n in counted.items() if value]
    several = " and ".join([", ".join(each[:-1]), each[-1]] if len(each) > 1 else each)
    if event == "draw" and " from " in node:
        zone = words_of(plain_name(node).rpartition(" from ")[2])
        return f"{several} {'is' if len(values) == 1 else 'are'} drawn from the {zone}"
    return f"chance, {words_of(event)}: {several}" if several else f"chance: {words_of(event)}"


def _faults(outcome: Mapping[str, Json]) -> list[PlayLine]:
    """Tell what failed, was broken, or never ends after a move."""
    told = [
        f"here {failed.get('what', '')} ({failed.get('clause', '')})"
        for failed in outcome.get("failed", ())
    ]
    told += [f"here the limit {clause} is broken" for clause in outcome.get("broken", ())]
    if outcome.get("endless"):
        told.append(f"the rules go round for ever: {' -> '.join(outcome['endless'])}")
    return [PlayLine(0, 0, text, fault=True) for text in told]
