"""The conversation at the table: what is shown, what is asked, and what the answers do.

Somebody at a terminal gets a board and a prompt at each decision; a pipe gets the bare lists.  With
several people at one keyboard the screen is cleared and handed over when the seat changes, and each
is told what has happened since from where they sit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import typer

from ...model.machine.state import Move
from ...model.plays.plays import Taken
from ...model.source.errors import SpecErrors, UsageError, quote
from ..files.shapes import read_document
from ..matching import find, folded
from . import reasons, saves
from .announcements import told
from .keyboard import InputLine, Keyboard
from .screen import Screen
from .table import GameTable

Answer = Literal["again", "moved", "quit"]

HELP = (
    ("NUMBER", "make the move with this number"),
    ("TEXT", "make the move that begins like this, as in `lay game`; cards by name"),
    ("moves [TEXT]", "list all moves, or those that begin like this"),
    ("why [MOVE]", "why this move is not possible, and which clause says so; why these are"),
    ("rules [CLAUSE]", "the clauses in force here, or what one of them says"),
    ("board", "draw the board again"),
    ("history", "what has happened so far"),
    ("hint", "what a computer player would do in your place"),
    ("undo", "take back your last move, as long as you have learned nothing since"),
    ("undo!", "take it back all the same; a saved play says so"),
    ("save FILE", "write the play to a file"),
    ("load FILE", "go on with another play of this game"),
    ("quit", "leave"),
)


@dataclass(slots=True)
class Talk:
    """A conversation about one game."""

    screen: Screen
    keyboard: Keyboard
    quiet: bool = False
    longest: int = 5_000
    _shown: dict[int, int] = field(default_factory=dict[int, int])
    """Seat → the number of steps that somebody there has been told of."""
    _last: int | None = None
    """The seat that sat at the keyboard last."""
    _studied: bool = False

    @property
    def table(self) -> GameTable:
        """The game in progress."""
        return self.screen.table

    # ------------------------------------------------------------------------- the game

    def run(self) -> bool:
        """Play until the game ends, somebody leaves, or the limit; False at the limit."""
        self._welcome()
        while not (ended := self.table.ended()) or (ended == "stuck" and self.table.humans):
            if ended:
                if self._stuck() == "quit":
                    return True
                continue
            if self.table.human:
                if self._turn() == "quit":
                    return True
                continue
            if not self.table.humans and len(self.table.taken) >= self.longest:
                self.screen.say(f"stopped after {self.longest} moves, as `--max-moves` says")
                return False
            self._study()
            self._tell_now(self.table.take(self.table.choose()))
        self._farewell()
        return True

    def _farewell(self) -> None:
        """Tell all what they have not been told, and how the game has ended."""
        for taken in self.table.taken[min(self._shown.values(), default=len(self.table.taken)) :]:
            self.screen.tell(taken, None)
        self._shown = dict.fromkeys(self._shown, len(self.table.taken))
        self.screen.farewell()
        self.screen.flush()

    def _stuck(self) -> Answer:
        """Say why nothing can be done, and answer what is asked of it, or go back."""
        self._farewell()
        if self.keyboard.interactive:
            self.screen.say("`why` and `rules` say more, `undo` goes back, `quit` leaves")
        while (line := self.keyboard.read("> ")) is not None:
            if (answer := self._obey(line)) != "again":
                return answer
        return "quit"

    def _study(self) -> None:
        """Say why it takes a while when the computer players begin."""
        seat = self.table.seat
        greedy = seat is not None and self.table.kinds[seat] == "greedy"
        if greedy and not self._studied and len(self.table.options()) > 1:
            self._studied = True
            if self.keyboard.interactive:
                self.screen.say("(the computer players study the rules)", style="dim")

    def _turn(self) -> Answer:
        """Let somebody decide once."""
        seat = self.table.seat or 0
        self.screen.fit()
        if self._last is not None and self._last != seat and self.keyboard.interactive:
            self._hand_over(seat)
        self._last = seat
        self._catch_up(seat)
        if self.keyboard.interactive:
            self.screen.board()
        self.screen.menu(hint=self.keyboard.interactive)
        while True:
            name = self.table.machine.player_names[seat]
            line = self.keyboard.read(f"{self.screen.paper.clean(name)}> ")
            if line is None:
                self.screen.say("end of input")
                return "quit"
            answer = self._obey(line)
            if answer != "again":
                return answer

    def _obey(self, line: InputLine) -> Answer:
        """Do what a line says; a wrong line of a file ends the game."""
        try:
            return self._command(line.text)
        except (UsageError, SpecErrors) as error:
            if line.place:
                raise UsageError(f"{line.place}: {error}") from None
            for each in str(error).splitlines():
                self.screen.say(each)
            return "again"

    def _command(self, text: str) -> Answer:
        if not text:
            if len(self.table.options()) == 1:
                return self._make(self.table.options()[0])
            return "again"
        word, _, rest = text.partition(" ")
        doing = self._commands().get(word.lower())
        options = self.table.options()
        names = self.screen.names(options)
        exact = [i for i, name in enumerate(names) if folded(name) == folded(text) != ""]
        if doing is not None and not exact:
            return doing(rest.strip())
        return self._make(self._meant(text, options, names))

    def _commands(self) -> dict[str, Callable[[str], Answer]]:
        return {
            "help": self._help, "h": self._help, "?": self._help,
            "moves": self._moves, "m": self._moves,
            "why": lambda text: self._lines(reasons.why(self.table, self.screen.subject, text)),
            "rules": lambda text: self._lines(reasons.rules(self.table, self.screen.subject, text)),
            "board": self._draw, "b": self._draw,
            "history": self._history, "hint": self._hint,
            "undo": lambda _: self._back(anyway=False),
            "undo!": lambda _: self._back(anyway=True),
            "save": self._save, "load": self._load,
            "quit": self._quit, "q": self._quit, "exit": self._quit,
        }  # fmt: skip

    # ------------------------------------------------------------------------- moves

    def _meant(self, text: str, options: Sequence[Move], names: Sequence[str]) -> Move:
        """Find the move that is meant."""
        if text.isdecimal():
            if len(text) < 9 and 1 <= int(text) <= len(options):
                return options[int(text) - 1]
            last = f"1 to {len(options)}" if len(options) > 1 else "only 1" if options else "none"
            raise UsageError(f"there is no move {text[:20]}; there is {last}")
        found = find(text, names)
        if len(found) == 1:
            return options[found[0]]
        if not found:
            raise UsageError(
                f"no move {quote(text)} here; `why {text[:40]}` says why, `help` helps"
            )
        which = ", ".join(f"{i + 1} {names[i]}" for i in found[:5])
        raise UsageError(f"{quote(text)} may mean {which}{' …' if len(found) > 5 else ''}")

    def _make(self, move: Move) -> Answer:
        seat = self.table.seat or 0
        taken = self.table.take(move)
        self._tell_now(taken)
        if self._shown.get(seat, 0) < len(self.table.taken):
            self.screen.tell(taken, seat)
            self._shown[seat] = len(self.table.taken)
        return "moved"

    # ------------------------------------------------------------------------- showing

    def _welcome(self) -> None:
        if self.quiet:
            return
        table = self.table
        game = table.compiled.game
        sit = ", ".join(
            f"{name} {kind}"
            for name, kind in zip(table.machine.player_names, table.kinds, strict=True)
        )
        scope = "" if game.settings.scope == "printed" else f", scope {game.settings.scope}"
        self.screen.say(f"{game.title}{scope}; {sit}; seed {table.seed}", style="bold")
        if self.keyboard.interactive:
            self.screen.say("`help` lists what you can type")
        if not table.taken:
            self.screen.notes(table.start.notes)
        for seat in table.humans:
            self._shown[seat] = len(table.taken)

    def _tell_now(self, taken: Taken) -> None:
        """Tell of a move, if not several people at the keyboard are to be told by themselves."""
        humans = self.table.humans
        if self.quiet:
            self.screen.failures(taken)
        elif len(humans) <= 1:
            self.screen.tell(taken, humans[0] if humans else None)
        else:
            return
        for seat in humans:
            self._shown[seat] = len(self.table.taken)

    def _catch_up(self, seat: int) -> None:
        """Tell somebody what has happened since they last looked."""
        first = self._shown.get(seat, 0)
        for taken in self.table.taken[first:]:
            self.screen.tell(taken, seat)
        self._shown[seat] = len(self.table.taken)

    def _hand_over(self, seat: int) -> None:
        """Hide the screen from the next player until they say that they are there."""
        self.screen.flush()
        typer.echo("\x1b[2J\x1b[3J\x1b[H", nl=False, color=True)
        name = self.screen.paper.clean(self.table.machine.player_names[seat])
        self.keyboard.read(f"{name} is to move: pass the keyboard, then press Enter ")
        typer.echo("\x1b[2J\x1b[3J\x1b[H", nl=False, color=True)

    # ------------------------------------------------------------------------- commands

    def _help(self, _: str) -> Answer:
        width = max(len(name) for name, _ in HELP)
        for name, text in HELP:
            self.screen.say(text, f"  {name:<{width}}  ")
        return "again"

    def _moves(self, text: str) -> Answer:
        options = self.table.options()
        which = find(text, self.screen.names(options)) if text else range(len(options))
        if not which:
            self.screen.say(f"no move {quote(text)} here" if text else "nothing can be done here")
        self.screen.list_moves(which, len(options))
        return "again"

    def _lines(self, lines: Sequence[str]) -> Answer:
        for line in lines:
            text = line.lstrip(" ")
            self.screen.say(text, " " * (len(line) - len(text)))
        return "again"

    def _draw(self, _: str) -> Answer:
        self.screen.board()
        return "again"

    def _history(self, _: str) -> Answer:
        for number, taken in enumerate(self.table.taken, 1):
            self.screen.say(told(self.table.machine, taken, self.table.seat), f"{number:>4}  ")
        return "again"

    def _hint(self, _: str) -> Answer:
        table = self.table
        if not table.options():
            raise UsageError("nothing can be done here")
        move = table.advice(table.seat or 0, "greedy")
        self.screen.say(f"a greedy player would: {self.screen.names([move])[0]}")
        return "again"

    def _back(self, *, anyway: bool) -> Answer:
        table = self.table
        number = table.last_decision()
        if number is None:
            raise UsageError("there is nothing to take back")
        learned = table.learned(number)
        if learned and not anyway:
            raise UsageError(
                f"{learned} since, so this would take back knowledge; `undo!` does it all the"
                " same, and a saved play says so"
            )
        table.undo(number, learned)
        for seat, shown in self._shown.items():
            self._shown[seat] = min(shown, number)
        self.screen.say("taken back")
        return "moved"

    def _save(self, name: str) -> Answer:
        if not name:
            raise UsageError("say where: `save FILE`")
        try:
            saves.save(self.table, Path(name))
        except OSError as error:
            raise UsageError(f"{quote(name)}: {(error.strerror or str(error)).lower()}") from None
        self.screen.say(f"saved: {name}")
        return "again"

    def _load(self, name: str) -> Answer:
        if not name:
            raise UsageError("say from where: `load FILE`")
        self.screen.table = saves.resumed(read_document(Path(name)), Path(name), self.table)
        self._shown.clear()
        self._welcome()
        return "moved"

    def _quit(self, _: str) -> Answer:
        return "quit"
