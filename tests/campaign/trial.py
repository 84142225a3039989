"""A game under trial: its spec on disk, what is said of it, and what brute force shows."""

from __future__ import annotations

import json
import shutil
import tempfile
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.verify import scope_names, verify
from ruleproof.model.game.game import Settings
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.run.interp import EndlessRules, SetUpBeyondError
from ruleproof.tests.campaign.brute import Explored, TooLarge

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ruleproof.checker.findings.results import Report
    from ruleproof.model.game.game import Game

Change = dict[str, Any]


class Trial:
    """One game; everything about it is computed once.

    Args:
        folder: holds its `game.yaml`.

    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bench = Workbench(str(folder), Settings())
        self._explored: dict[str, Explored | None] = {}

    def seldom(self, many: int) -> bool:
        """Return whether to leave a slow law out: yes, but for one game in so many."""
        return int(self.bench.sections.sha256[:8], 16) % many != 0

    @cached_property
    def report(self) -> Report:
        """What `verify` says."""
        return verify(str(self.folder), Settings())

    @cached_property
    def every_order(self) -> Report:
        """What `verify --every-order` says."""
        windows = self.game("printed").windows.values()
        if all(window.who is None for window in windows):
            return self.report  # there is nothing to leave out
        return verify(str(self.folder), Settings(), reduce=False)

    @cached_property
    def scopes(self) -> tuple[str, ...]:
        """The scopes that are explored."""
        return scope_names(self.bench.instance("printed"), Settings())

    def game(self, scope: str, *, rulings: Mapping[str, str] | None = None,
             changes: Sequence[Change] = (), variants: tuple[str, ...] | None = None) -> Game:
        """Build the game under some changes."""
        return self.bench.game(scope, rulings=rulings, changes=changes, variants=variants)

    def beyond(self, scope: str) -> bool:
        """Return whether the set-up of a scope meets a bound of the model."""
        try:
            Explored(compile_game(self.game(scope)))
        except SetUpBeyondError:
            return True
        except (EndlessRules, TooLarge):
            pass
        return False

    def brute(self, scope: str, *, rulings: Mapping[str, str] | None = None,
              changes: Sequence[Change] = (), pauses: frozenset[str] = frozenset(),
              variants: tuple[str, ...] | None = None) -> Explored | None:
        """Explore the game under some changes; None if its setup never comes to a rest.

        Raises:
            SpecErrors: if it makes no sense.
            TooLarge: if there are too many states.

        """
        key = repr((scope, sorted((rulings or {}).items()), changes, sorted(pauses), variants))
        if key not in self._explored:
            game = self.game(scope, rulings=rulings, changes=changes, variants=variants)
            self._explored[key] = explored(game, pauses)
        return self._explored[key]


def explored(game: Game, pauses: frozenset[str] = frozenset()) -> Explored | None:
    """Explore a game; None if its setup never comes to a rest."""
    try:
        return Explored(compile_game(game, pauses=pauses))
    except EndlessRules:
        return None


@contextmanager
def on_disk(spec: Change) -> Iterator[Trial]:
    """Write a spec to a folder and put it on trial."""
    folder = Path(tempfile.mkdtemp(prefix="game-"))
    try:
        (folder / "game.yaml").write_text(json.dumps(spec, indent=1), "utf-8")
        yield Trial(folder)
    finally:
        shutil.rmtree(folder)
