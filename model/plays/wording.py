"""Words for moves and their parts, whatever the game: verbs, numbers of things, values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence

from ..machine.machine import Edge, Node
from ..machine.titles import BLANK, NONE, Titles
from .board import JSON

NAMED = ("card", "player")
"""What choices are called that have names of the book; the others have names of the spec."""

HISSES = ("s", "x", "z", "ch", "sh")
"""Words that end in these get `es`."""


IRREGULAR = {"be": "is", "have": "has"}
"""Verbs that have a third person of their own."""


def many(number: int, one: str, several: str = "") -> str:
    """Write a number of things: `1 move`, `2 moves`."""
    return f"{number:,} {one if number == 1 else several or with_s(one)}"


def plain_name(node: str) -> str:
    """Strip the number that tells nodes of the same name apart."""
    return re.sub(r" #\d+$", "", node)


def winners_text(winners: Sequence[str]) -> str:
    """Say who has won."""
    if not winners:
        return "nobody wins"
    return f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}"


def with_s(word: str) -> str:
    """Put a noun into the plural, or a verb into the third person: `Bosses`, `allies`, `days`."""
    if word.endswith(HISSES):
        return word + "es"
    if word.endswith("y") and word[-2:-1].lower() not in (*"aeiou", ""):
        return f"{word[:-1]}ies"
    return word + "s"


def numbers(some: Iterable[int]) -> str:
    """Write numbers, of three that follow each other the first and the last: `2 and 4 to 11`."""
    runs: list[list[int]] = []
    for number in sorted(set(some)):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    told = [part for run in runs for part in (
        [f"{run[0]} to {run[-1]}"] if run[2:] else map(str, run))]
    return " and ".join(filter(None, (", ".join(told[:-1]), *told[-1:])))


def players_told(some: Iterable[int]) -> str:
    """Write numbers of players: `1 player`, `2 and 4 players`."""
    told = sorted(set(some))
    return many(told[0], "player") if len(told) == 1 else f"{numbers(told)} players"


def say_value(value: JSON, titles: Titles = NONE) -> str:
    """Say one value of a choice: `Snark 3 and Blog 1`."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case {"cards": dict() as cards}:
            each = [f"{n} × {card}" if n != 1 else card for card, n in cards.items()]
            return ", ".join(each[:-1]) + (" and " if len(each) > 1 else "") + "".join(each[-1:])
        case {"record": str() as pool, "fields": dict() as fields, **more}:
            parts = [say_value(v) for k, v in fields.items() if k == "card"]
            parts += [say_field(titles.names.get(k, k), v, titles)
                      for k, v in fields.items() if k != "card" and v]
            owner, number = more.get("of"), more.get("nth")
            of = f" of {owner}" if owner else ""
            nth = f" (number {number} of these)" if number else ""
            return f"{with_rest(parts) or titles.names.get(pool, pool)}{of}{nth}"
        case dict():
            return " ".join(
                titles.values.get(part) or part.replace("_", " ")
                if isinstance(part, str) and kind not in NAMED else say_value(part)
                for kind, part in value.items())
        case str():
            return titles.values.get(value, value)
        case _:
            return str(value)


def with_rest(parts: Sequence[str]) -> str:
    """Say a record by its first part, and the others in brackets: `Snowbird (health 3)`."""
    return "".join(parts[:1]) + f" ({', '.join(parts[1:])})" * (len(parts) > 1)


def say_records(
    size: int, columns: Mapping[str, JSON], titles: Titles = NONE, *, counted: Container[str]
) -> str:
    """Say the records of a pool, of which each field is a column: what is not so is left out.

    A number that is 0 is told of the fields in `counted`.  Records that only have what is so or
    not are counted: `3 (1 tired, 1 tired and sick)`.
    """
    lists = {name: titles.within(col) for name, col in columns.items() if isinstance(col, list)}
    records = [{name: col[i] for name, col in lists.items() if i < len(col) and (
        col[i] not in (None, 0, False) or (name in counted and col[i] is not None))}
        for i in range(size)]
    told = [[say_value(value) if name == "card" else say_field(titles.of(name), value)
             for name, value in record.items()] for record in records]
    if all(any(value is not True for value in record.values()) for record in records):
        return ", ".join(map(with_rest, told))
    alike = Counter(" and ".join(parts) for parts in told)
    said = [f"{n} {text}" for text, n in alike.items() if text]
    if len(alike) == 1:
        said = [f"{'all ' * (size > 1)}{text}" for text in alike if text]
    return f"{size}" + f" ({', '.join(said)})" * bool(said)


def counted_in(columns: Iterable[Mapping[str, JSON]]) -> frozenset[str]:
    """Name the fields that are a number other than 0 in a record of some owner's columns."""
    return frozenset(
        name for each in columns for name, col in each.items() if isinstance(col, list)
        and any(isinstance(value, int) and value and value is not True for value in col))


def say_field(title: str, value: JSON, titles: Titles = NONE) -> str:
    """Say a field of a record: `health 5`; `has attacked` if it is so, else `has attacked: no`."""
    return title if value is True else (
        f"{title}{':' * (value is False)} {say_value(value, titles)}")


def deed(node: Node, edge: Edge, shown: Mapping[str, str], titles: Titles = NONE) -> str:
    """Say what a player does, without saying who: `lays Snark 3 and Blog 1`.

    `shown` are, by what they are called, the texts of what is chosen; without them it is said what
    kind of move it is.
    """
    ask = f" ({node.ask})" if node.ask else ""
    if is_choice(edge):
        return f"chooses {next(iter(shown.values()), 'one') or 'nothing'}{ask}"
    if edge.label in ("yes", "no"):
        return f"says {edge.label}{ask}"
    if edge.label == "decline":
        return f"declines{ask}"
    return option_words(edge.label, shown, titles, third=True)


def option_words(
    option: str, shown: Mapping[str, str], titles: Titles, *, third: bool = False
) -> str:
    """Say an option with what is chosen: in the blanks of its title, and else behind it.

    A title of a single word takes what is chosen without a colon.  `third`: in the third person.
    """
    title = titles.told(option)
    blanks = {*BLANK.findall(title)}
    words = BLANK.sub(lambda blank: shown.get(blank[1], "…") or "nothing",
                      third_person(title) if third else title)
    rest = entitled({name: value for name, value in shown.items() if name not in blanks}, titles)
    if not rest:
        return words
    if len(rest) == 1:
        (value,) = rest.values()
        return f"{words}{':' * (' ' in title)} {value or 'nothing'}"
    parts = (value if label == "card" else f"{label} {value}" for label, value in rest.items())
    return f"{words}: {', '.join(parts)}"


def is_choice(edge: Edge) -> bool:
    """Return whether an edge is a `choose`: its event is called like its one parameter."""
    return len(edge.params) == 1 and edge.params[0].label == edge.label


def words_of(name: str) -> str:
    """Write a name of the spec as words: `lay_swag` is `lay swag`, `hand[active]` is `hand`."""
    return NONE.of(name)


def the(title: str) -> str:
    """Put the article before what something is called, if it is not there."""
    return title if title.startswith("the ") else f"the {title}"


def entitled(shown: Mapping[str, str], titles: Titles) -> dict[str, str]:
    """Return what is shown of a choice under what its parameters are called."""
    made: dict[str, str] = {}
    for label, value in shown.items():
        title = titles.names.get(label, label)
        made[label if title in made else title] = value
    return made


def third_person(words: str) -> str:
    """Put the verb that a phrase begins with into the third person: `lays no more SWAG`."""
    verb, space, rest = words.partition(" ")
    if verb.lower() in IRREGULAR:
        return f"{IRREGULAR[verb.lower()]}{space}{rest}"
    if verb.lower() in ("done", "ready", "out"):
        return f"is {words}"
    return f"{verb + 'es' if verb.endswith('o') else with_s(verb)}{space}{rest}"


def chance_words(node: Node, edge: Edge, shown: Mapping[str, str], titles: Titles) -> str:
    """Say what chance has done."""
    values = ", ".join(shown.values())
    if edge.label == "draw" and " from " in node.name:
        zone = plain_name(node.name).rpartition(" from ")[2]
        return f"{values} is drawn from {the(titles.of(zone))}"
    if len(edge.label) == 1 and titles.of(edge.label) == words_of(edge.label) and values:
        return f"{values} comes up"
    return f"{titles.of(edge.label)}: {values}" if values else titles.of(edge.label)


def next_words(edge: Edge, shown: Mapping[str, str]) -> str:
    """Say who or what comes next where nobody decides."""
    if edge.label == "next" and len(shown) == 1:
        return f"{next(iter(shown.values()))} is next"
    parts = [f"{label} {value}" for label, value in shown.items()]
    return words_of(edge.label) + (f": {', '.join(parts)}" if parts else "")
