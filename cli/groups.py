"""The options that several commands share, as one value: which game is meant, where results go.

A command writes `chosen: Chosen` and is marked `@grouped`: its command line then has the fields of
`Chosen` in that place, in their order, each with the name, help and checks that `options` gives it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, get_type_hints

from ..model.game.game import PRINTED, Settings
from ..model.loading.load import load_game
from ..model.source.errors import UsageError, quote
from . import options as opt
from .output import Tick, progress, say, stages, write_result
from .sheet import paper_for

if TYPE_CHECKING:
    from ..checker.audit.listener import Listener
    from ..reports.blocks.paper import Paper


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Which of the games that a spec describes."""

    players: opt.Players = None
    scope: opt.ScopeName = None
    variant: opt.Variants = None
    ruling: opt.Rulings = None
    rulings: opt.RulingsFrom = None
    cards: opt.CardData = None

    def settings(self, game: str) -> Settings:
        """Return what is chosen of a game; a ruling of the command line goes before one of a file.

        Raises:
            UsageError: the file of rulings is none, or is of another game and does not fit.

        """
        held = None if self.rulings is None else opt.read_rulings(self.rulings)
        given = opt.ruled(self.ruling or [])
        made = Settings(
            self.players, self.scope or PRINTED, tuple(dict.fromkeys(self.variant or [])),
            tuple(sorted({**(held.rulings if held else {}), **given}.items())),
            None if self.cards is None else str(self.cards))
        if held is not None and held.game != (wanted := load_game(game).id):
            load_game(game, replace(made, rulings=tuple(sorted(given.items()))))
            try:
                load_game(game, made)
            except UsageError as error:
                raise UsageError(f"{quote(str(self.rulings))} holds rulings of {quote(held.game)}, "
                                 f"not of {quote(wanted)}: {error}") from None
        return made


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Where a result goes, and what is told beside it."""

    output: opt.Output = None
    quiet: opt.Quiet = False
    no_color: opt.NoColor = False

    @property
    def paper(self) -> Paper:
        """The paper for the result."""
        return paper_for(self.output, no_color=self.no_color)

    def write(self, text: str) -> None:
        """Write the result."""
        write_result(text, self.output)

    def say(self, text: str) -> None:
        """Tell something that is no result, unless nothing is wanted."""
        say(text, quiet=self.quiet)

    def progress(self, title: str) -> AbstractContextManager[Tick]:
        """Show how long work goes on."""
        return progress(title, quiet=self.quiet, no_color=self.no_color)

    def stages(self, title: str) -> AbstractContextManager[Listener]:
        """Show what a verification does and sees."""
        return stages(title, quiet=self.quiet, no_color=self.no_color)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Where long work is kept, and who shares it."""

    checkpoint: opt.Checkpoint = None
    cluster: opt.ClusterAddress = None

    @property
    def resume(self) -> str:
        """How to go on after an interrupt."""
        return opt.how_to_go_on(self.checkpoint)


def grouped(command: Callable[..., int]) -> Callable[..., int]:
    """Let a command take values in place of options: its command line has their fields."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}

    @wraps(command)
    def expanded(**given: Any) -> int:  # noqa: ANN401  (what the options say)
        made = {name: group(**{each.name: given.pop(each.name) for each in fields(group)})
                for name, group in groups.items()}
        return command(**given, **made)

    parameters = list[Parameter]()
    for each in signature(command).parameters.values():
        own = groups.get(each.name)
        parameters += [each.replace(annotation=hints[each.name])] if own is None else [
            Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default,
                      annotation=get_type_hints(own, include_extras=True)[field.name])
            for field in fields(own)]
    expanded.__dict__["__signature__"] = Signature(parameters)
    expanded.__annotations__ = {each.name: each.annotation for each in parameters}
    return expanded
