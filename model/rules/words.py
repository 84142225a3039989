"""The words of the rules language: one table of what a text may use besides the names of a spec.

A function or a statement is a row here and a function in the file that `home` names; how many
arguments it takes, and which by name, is read off its form.  `tests/loading/test_language_page.py`
holds the table against the language page, and each row against its file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Sort = Literal["name", "type", "function", "statement", "maker"]
SEVERAL = 8
"""How many arguments a word takes at most where its form has `[…]`."""


@dataclass(frozen=True)
class Word:
    """A word of the language.

    `sort` says where it stands: a name or a type by itself, a function in an expression, a
    statement on a line of its own, a maker where its result is given to a local name.  In `form`
    square brackets hold what may be left out.  `seats` marks what depends on the number of players.
    """

    name: str
    sort: Sort
    form: str
    means: str
    home: str
    seats: bool = False

    @cached_property
    def named(self) -> tuple[str, ...]:
        """The arguments that are given by name."""
        return tuple(re.findall(r"(\w+)=", self.form))

    @cached_property
    def takes(self) -> tuple[int, int]:
        """The least and the most arguments without a name."""
        inside = self.form.partition("(")[2].removesuffix(")")
        each = [part.strip() for part in inside.split(",") if part.strip() and "=" not in part]
        free = sum("]" in part for part in each)
        return len(each) - free, SEVERAL if "[…]" in each else len(each)


def _words(sort: Sort, home: str, forms: dict[str, str], *, seats: bool = False) -> Iterator[Word]:
    """Make rows of the table that differ in their form and meaning only."""
    for form, means in forms.items():
        yield Word(re.split(r"\W", form)[0], sort, form, means, home, seats)


TABLE = (
    *_words("name", "game.syntax", {"none": "no value"}),
    *_words("name", "planning.opening", {"actor": "who acts in a window"}),
    *_words("name", "rules.elaborate", {"winners": "who has won"}),
    *_words("name", "rules.elaborate", {
        "player_count": "how many play",
        "players": "all who play",
    }, seats=True),
    *_words("type", "game.values", {
        "bool": "yes or no",
        "card FAMILY": "a kind of card",
        "int LO..HI": "a number",
        "player": "one who plays",
    }),
    *_words("function", "rules.functions", {
        "abs(n)": "n without its sign",
        "all(c for x in DOMAIN)": "c holds for each x",
        "any(c for x in DOMAIN)": "c holds for an x",
        "count(DOMAIN, [card])": "how many",
        "implies(a, b)": "b holds where a does",
        "max(n, […])": "the greatest number",
        "min(n, […])": "the least number",
        'outside("…")': "a quantity that nothing holds",
        "range([a], b)": "the numbers from a (or 0) to b - 1",
        "size(DOMAIN)": "how many",
        "sum(n for x in DOMAIN)": "all n together",
        "variant(NAME)": "whether a mode is played",
    }),
    *_words("function", "rules.functions", {
        "argmax(n for p in SET)": "who has most",
        "argmin(n for p in SET)": "who has least",
        "only(SET)": "the one member",
    }),
    *_words("function", "rules.functions", {
        "clockwise(p, [SET])": "all, from p on",
        "clockwise_after(p, [SET])": "all but p, from the left of p on",
        "counterclockwise(p, [SET])": "all, from p on, to the right",
        "next_player(p)": "who sits to the left of p",
        "others(p)": "all but p",
        "previous_player(p)": "who sits to the right of p",
        "simultaneously(SET)": "all at the same time: each reads the state before",
    }, seats=True),
    *_words("statement", "planning.drawing", {"draw([n], DECK, TARGET)": "cards by chance"}),
    *_words("statement", "planning.ending", {
        "end_game()": "the game ends",
        "win(SET)": "the game ends, won by these",
    }),
    *_words("statement", "planning.moving", {
        "add(card, LEDGER)": "counts a card",
        "clear(LEDGER)": "counts from 0 again",
        "move(card, SOURCE, TARGET)": "one card",
        "move_all(CARDS, [SOURCE], TARGET)": "all cards",
        "put_on_bottom(card, SOURCE, DECK)": "the lowest place",
        "put_on_top(card, SOURCE, DECK)": "the highest place",
        "shuffle(DECK)": "forgets all order",
        "shuffle_into(ZONE, DECK)": "all cards, without an order",
    }),
    *_words("statement", "planning.recording", {
        "new(POOL, FIELD=…)": "makes a record",
        "remove(RECORD)": "takes a record away",
    }),
    *_words("maker", "planning.drawing", {
        "random(DOMAIN)": "chance takes one",
        "roll([a], b)": "a number from a (or 1) to b by chance",
    }),
    *_words("maker", "planning.choosing", {
        'choose(DOMAIN, by=p, ask="…", optional=True)': "a player takes one",
        'choose_cards(ZONE, by=p, at_least=m, at_most=n, exactly=n, ask="…")':
            "a player takes some cards",
        'may(by=p, ask="…")': "a player says yes or no",
    }),
    *_words("maker", "planning.drawing", {"draw(DECK, TARGET)": "a card by chance"}),
    *_words("maker", "planning.recording", {"new(POOL, FIELD=…)": "makes a record"}),
)

FUNCTIONS, STATEMENTS, MAKERS = (
    {word.name: word for word in TABLE if word.sort == sort}
    for sort in ("function", "statement", "maker"))
NAMES = tuple(word.name for word in TABLE if word.sort == "name")
TYPES = frozenset(word.name for word in TABLE if word.sort == "type")
WORDS = frozenset(word.name for word in TABLE) - TYPES
"""What nothing in a spec may be called; a type's word only no enum and no family."""
OF_SEATS = frozenset(word.name for word in TABLE if word.seats)
