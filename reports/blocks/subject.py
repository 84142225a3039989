"""The game that a report is about: its clauses, questions and players, looked up by name.

A report can be written without it (from a findings file alone); then paraphrases and encodings are
left out; the book's own words are there only if its text is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ...checker.findings.results import AssumedCard, Finding
from ...model.game.game import Card, Clause, Game
from ...model.game.unparse import encoding
from ...model.game.uses import names_in, trees_of
from ...model.lowering.compile import Compiled
from ...model.machine.titles import NONE, Titles
from ...model.source.outline import lines_of, sentences, spans
from ...model.source.outline import lines_text as lines_text  # noqa: PLC0414  (`finding` takes it here)
from ...model.views.deeds import deeds

MARK = "†"
"""Stands behind the name of a card that is invented."""


@dataclass(frozen=True)
class Subject:
    """A compiled game, or nothing; and the book's own text, if it is at hand.

    `assumed` are the cards of a report of which the book does not print all: plays of the printed
    game show some that a small one has not.  `findings` are those of the report, in its order.
    """

    compiled: Compiled | None = None
    book: str = ""
    assumed: tuple[AssumedCard, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def game(self) -> Game | None:
        """The game, without what it was compiled to."""
        return None if self.compiled is None else self.compiled.game

    @cached_property
    def invented(self) -> frozenset[str]:
        """The cards of which the book does not even print the name."""
        return frozenset((*(card.name for card in self._cards if "name" in card.assumed),
                          *(each.card for each in self.assumed if each.invented)))

    def marked(self, text: str) -> str:
        """Put a dagger behind each invented card that a text names."""
        return text if not self.invented else self._names.sub(
            lambda name: name[0] + MARK * (name[0] in self.invented), text)

    @cached_property
    def _cards(self) -> tuple[Card, ...]:
        families = {} if self.game is None else self.game.families
        return tuple(card for family in families.values() for card in family.cards)

    @cached_property
    def _names(self) -> re.Pattern[str]:
        """Match the name of a card that no dagger stands behind yet; a longer one first."""
        names = sorted({*(card.name for card in self._cards), *self.invented},
                       key=lambda name: (-len(name), name))
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?![\w{MARK}])")

    @property
    def titles(self) -> Titles:
        """What names of the spec are called."""
        return NONE if self.game is None else self.game.titles

    @cached_property
    def asking(self) -> Mapping[str, tuple[int, tuple[str, ...]]]:
        """The number, and the answers, of the finding under which an open point is asked."""
        return {each.open_point: (number, tuple(row.id for row in each.readings))
                for number, root in reversed([*enumerate(self.findings, 1)])
                for each in reversed(root.whole) if each.open_point}

    @cached_property
    def _homes(self) -> Mapping[str, list[int]]:
        """The numbers of the findings whose answers belong at one place of the book."""
        found: dict[str, list[int]] = {}
        for number, finding in enumerate(self.findings, 1):
            found.setdefault(self.home(finding), []).append(number)
        return found

    def home(self, finding: Finding) -> str:
        """Say where an answer belongs, at the first sentence of a question; "" if nowhere.

        What the spec drafts in place of a sentence belongs where that stands.
        """
        return next((cited for name in finding.clauses if (
            finding.readings or self.instead(name)) and (cited := self.cited(name))), "")

    def beside(self, finding: Finding) -> list[int]:
        """Return the numbers of the other findings whose answers belong at the same place."""
        home = self.home(finding)
        return [number for number in self._homes.get(home, ())
                if home and self.findings[number - 1].id != finding.id]

    def answers(self, point: str) -> Mapping[str, str]:
        """Return what the answers to an open point are called."""
        points = () if self.game is None else self.game.open_points
        return {each.id: each.title for one in points if one.id == point for each in one.readings}

    def draft(self, point: str, reading: str) -> str:
        """Return what the book could print to give an answer; "" if the spec drafts nothing."""
        points = () if self.game is None else self.game.open_points
        return next((each.draft for one in points if one.id == point
                     for each in one.readings if each.id == reading), "")

    def clause(self, name: str) -> Clause | None:
        """Find a clause."""
        return None if self.game is None else self.game.clause(name)

    def instead(self, name: str) -> str:
        """Return what the book could print in place of a clause; "" if the spec drafts nothing."""
        clause = self.clause(name)
        return "" if clause is None else clause.draft

    def says(self, name: str) -> str:
        """Return our paraphrase of a clause; of a card's text, whose it is and what it does."""
        clause = self.clause(name)
        return clause.says if clause is not None else self._texts.get(name, "")

    def opening(self, window: str) -> tuple[str, ...]:
        """Name the clauses that open a window; none if there is no such window."""
        game = self.game
        return () if game is None or window not in game.windows else tuple(
            clause.id for clause in game.clauses
            if clause.in_force and window in names_in(trees_of(clause)))

    @cached_property
    def _texts(self) -> dict[str, str]:
        """What the texts of cards, and windows, are called, by how plays cite them."""
        game = self.game
        return {} if game is None else {
            f"window:{name}": f"“{self.titles.of(name)}”" for name in game.windows
        } | {
            f"card:{family.name}.{card.id}.{ability}":
                f"what {card.name} says ({deeds(body.statements, game)})"
            for family in game.families.values() for card in family.cards
            for ability, body in card.abilities.items()}

    def own(self, name: str) -> tuple[str, ...]:
        """Return the sentences of the book that a clause cites, in the book's own words."""
        clause = self.clause(name)
        if clause is None or clause.lines is None or not self.book:
            return ()
        first, last = clause.lines
        cited = [one for line in lines_of(self.book)[first - 1 : last] for one in sentences(line)]
        return tuple(one for place, one in enumerate(cited, 1)
                     if not clause.sentences or place in clause.sentences)

    def sentence(self, line: int, place: int) -> str:
        """Return a sentence of the book, in its own words; "" if its text is not at hand."""
        lines = lines_of(self.book) if self.book else ()
        found = sentences(lines[line - 1]) if line <= len(lines) else ()
        return found[place - 1] if place <= len(found) else ""

    def encoding(self, name: str) -> tuple[str, ...]:
        """Return the encoding of a clause, line by line."""
        clause = self.clause(name)
        return encoding(clause) if clause is not None else ()

    def cited(self, name: str) -> str:
        """Say where a clause stands: `line 53` or `lines 69 to 70, sentence 2`."""
        clause = self.clause(name)
        if clause is None or clause.lines is None:
            return ""
        assert self.game is not None
        book = self.game.rulebook
        inside = spans(book.outline if book else {}, clause.lines)
        cited = [inside[n - 1] for n in clause.sentences if n <= len(inside)]
        return _places(cited, dict(inside)) if cited else lines_text(clause.lines)

    def told(self, name: str) -> str:
        """Write a clause as what it says and where that stands; without the game, by its id.

        A window is written as the clause that it is of.
        """
        windows = {} if self.game is None else self.game.windows
        if name in windows and windows[name].clause:
            return self.told(windows[name].clause)
        says, cited = self.says(name), self.cited(name)
        return f"{says} ({cited})" if says and cited else says or name

    def in_words(self, text: str) -> str:
        """Write the clauses that a text names in the words of the book."""
        def said(name: re.Match[str]) -> str:
            says, cited = self.says(name[1]), self.cited(name[1])
            return (f"{cited} ({says})" if cited else says) or name[0]

        return re.sub(r"`([\w.-]+)`", said, text)

    def player(self, by: str) -> str:
        """Name who moves: `player 2` of a play is `Gamemaster 2` at the table."""
        match = re.fullmatch(r"player (\d+)", by)
        if self.compiled is None or match is None:
            return by
        names, seat = self.compiled.machine.player_names, int(match[1]) - 1
        if seat < len(names):
            return names[seat]
        return f"{self.compiled.game.player_word} {seat + 1}"

    def focus(self, clauses: Iterable[str]) -> frozenset[str]:
        """Collect the zones and variables that some clauses are about."""
        game = self.game
        if game is None:
            return frozenset()
        named: set[str] = set()
        for name in clauses:
            clause = self.clause(name)
            if clause is not None:
                named |= names_in(trees_of(clause))
        return frozenset(name for name in named if name in game.zones or name in game.variables)


def _places(cited: list[tuple[int, int]], last: Mapping[int, int]) -> str:
    """Say where sentences stand, each given as (line, place on that line); `last`: how many it has.

    Those that follow each other over several lines are told by the first and the last one.
    """
    runs: list[list[tuple[int, int]]] = []
    for line, place in sorted(cited):
        if runs and (runs[-1][-1] == (line, place - 1)
                     or (place == 1 and runs[-1][-1] == (line - 1, last.get(line - 1)))):
            runs[-1].append((line, place))
        else:
            runs.append([(line, place)])
    told: list[str] = []
    for run in runs:
        (first, start), (end, stop) = run[0], run[-1]
        whole = start == 1 and stop == last[end]
        if whole or first == end:
            told.append(lines_text((first, end), () if whole else tuple(place for _, place in run)))
        else:
            told.append(f"line {first}" + f", sentence {start}," * (start > 1)
                        + f" to line {end}" + f", sentence {stop}" * (stop < last[end]))
    return "; ".join(told)
