"""What is put on the screen: sentences, the board, the moves, how the game has ended."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import typer

from ...model.machine.state import Move
from ...model.plays.board import JSON
from ...model.plays.moves import describe_option
from ...model.plays.plays import Taken
from ...model.plays.wording import winners_text, words_of
from ...reports.blocks.boards import board_of
from ...reports.blocks.paper import Paper, cells, draw
from ...reports.blocks.subject import Subject
from ..output import terminal_width
from . import reasons
from .announcements import board_for, changes, told
from .table import GameTable

MANY = 24
"""So many moves are listed by themselves; of more, this many and how to see the rest."""


@dataclass(slots=True)
class Screen:
    """Shows a table."""

    table: GameTable
    paper: Paper
    _repeated: tuple[str, int] = ("", 0)
    """A line that is held back, since the next one may be the same, and how often it came."""
    _noted: set[int] = field(default_factory=set[int])
    """The obligations whose failure has been told in full."""

    @property
    def subject(self) -> Subject:
        """The game, for looking up clauses."""
        return Subject(self.table.compiled)

    def fit(self) -> None:
        """Write as wide as the terminal is by now."""
        self.paper = replace(self.paper, width=terminal_width(sys.stdout))

    def say(self, text: str, indent: str = "", style: str = "") -> None:
        """Write a sentence, wrapped, what stands before it once."""
        self.flush()
        for line in self.paper.wrap(text, indent, " " * (cells(indent) + 2 * (not indent.strip()))):
            typer.echo(self.paper.style(line, style) if style else line, color=self.paper.color)

    def hold(self, text: str) -> None:
        """Say something that may come again at once; then it is said once, with how often."""
        if text != self._repeated[0]:
            self.flush()
        self._repeated = (text, self._repeated[1] + 1)

    def flush(self) -> None:
        """Write what is held back."""
        (text, times), self._repeated = self._repeated, ("", 0)
        if times:
            self.say(text if times == 1 else f"{text} ({times} times)")

    def _gap(self) -> None:
        self.flush()
        typer.echo("")

    def menu(self, *, hint: bool) -> None:
        """Say who is to decide what, and list the moves."""
        table = self.table
        seat = table.seat or 0
        who, what = table.machine.player_names[seat], self._question()
        self._gap()
        self.say(f"{who}: {what}", style="bold")
        self.list_moves(range(len(table.options())), MANY)
        if hint and len(table.options()) == 1:
            self.say("(Enter does it)", "      ", "dim")

    def _question(self) -> str:
        """Say what is to be decided."""
        node, game = self.table.node, self.table.compiled.game
        if node.ask:
            return node.ask
        window = game.windows.get(node.step)
        step = game.steps.get(node.step)
        title = window.title if window is not None else step.title if step is not None else ""
        return title or words_of(node.step)

    def list_moves(self, which: Sequence[int], most: int) -> None:
        """List some moves with their numbers."""
        names = self.names(self.table.options())
        for i in which[:most]:
            self.say(names[i], f"{i + 1:>4}  ")
        if len(which) > most:
            more = len(which) - most
            self.say(f"… and {more} more: name the cards, or `moves` lists all", "      ")

    def board(self) -> None:
        """Draw the board as the seat that decides sees it."""
        table = self.table
        position: dict[str, JSON] = {"state": board_for(table, table.seat or 0), "node": ""}
        rows = draw(board_of(position, table.compiled), self.paper)
        self._gap()
        for row in rows:
            typer.echo(row.text, color=self.paper.color)

    def tell(self, taken: Taken, viewer: int | None) -> None:
        """Tell a seat of a move, and of what it sees to have changed."""
        machine = self.table.machine
        self.hold(told(machine, taken, viewer))
        if taken.step is not None:
            seen = changes(machine, taken.before, taken.step.state, viewer)
            if seen:
                self.say("; ".join(seen), "    ", "dim")
        self.failures(taken)

    def failures(self, taken: Taken) -> None:
        """Say where the rules were silent or broken on the way."""
        if taken.step is None:
            return
        self.notes(taken.step.notes)
        for number in taken.step.broken:
            limit = self.table.machine.limits[number].clause
            self.say(
                f"a limit is broken by force: {reasons.clause_line(self.subject, limit)}",
                "  ", "yellow",
            )  # fmt: skip

    def notes(self, notes: Sequence[int]) -> None:
        """Say which obligations have failed, and how the game goes on all the same."""
        known = {each.id: each for each in self.table.machine.obligations}
        for number in dict.fromkeys(notes):
            duty = known[number]
            if number in self._noted:
                again = f"again the rules do not say what happens here ({duty.clause})"
                self.say(again, "  ", "yellow")
                continue
            self._noted.add(number)
            for line in reasons.silence(self.table, self.subject, duty):
                self.say(line, "  ", "yellow")

    def farewell(self) -> None:
        """Say how the game has ended, and why."""
        table = self.table
        ended = table.ended()
        if ended == "endless":
            cycle = " -> ".join(table.taken[-1].endless)
            self.say(f"the rules never come to rest: {cycle}", style="yellow")
            return
        if ended == "stuck":
            for line in reasons.stuck(table, self.subject):
                self.say(line.lstrip(), " " * (len(line) - len(line.lstrip())), "yellow")
            return
        names = [table.machine.player_names[seat] for seat in table.interp.winners(table.state)]
        self.say(f"the game is over: {winners_text(names)}", style="bold")
        last = table.taken[-1].step if table.taken else table.start
        cites = [] if last is None else [c for c in last.cites if self.subject.clause(c)]
        if cites:
            self.say(f"by {reasons.clause_line(self.subject, cites[-1])}", "  ")

    def names(self, options: Sequence[Move]) -> list[str]:
        """Write moves as they are listed."""
        table = self.table
        return [describe_option(table.machine, table.state, move) for move in options]
