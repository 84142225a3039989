"""Plays to step through: the moves in words, and what each changes on the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...checker.findings.results import Finding, Shown
from ...model.game.game import PRINTED, Settings
from ...model.loading.load import load_game
from ...model.lowering.compile import Compiled, compile_game
from ...model.machine.state import State
from ...model.plays.board import values_by_name
from ...model.plays.documents import header
from ...model.plays.moves import describe_move
from ...model.plays.plays import replay
from ...model.plays.wording import winners_text
from ...model.source.errors import SpecErrors, UsageError

Json = dict[str, Any]


class Steps:
    """Replays plays with the reference interpreter; each game is compiled once."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._known: dict[Settings, Compiled] = {}

    def play(self, shown: Shown, finding: Finding) -> Json:
        """Return a play: its title, the table at its start, and each move with what it changes.

        One that does not replay (the spec has changed since) has no moves, and is marked so.
        """
        titles = finding.titles
        scope = str(shown.play["settings"].get("scope", PRINTED))
        made: Json = {"title": titles.get(shown.reading, shown.reading), "start": {}, "steps": [],
                      "replayed": False, "end": "",
                      "size": "the printed game" if scope == PRINTED else "a small game"}
        try:
            compiled = self._game(shown.play)
        except (SpecErrors, UsageError):
            return made
        again = replay(shown.play, compiled)
        if again.start is None or again.reason:
            return made
        made["replayed"] = True
        before = made["start"] = table(compiled, again.start.state)
        for taken in again.taken:
            after = before if taken.step is None else table(compiled, taken.step.state)
            made["steps"].append({
                "text": describe_move(compiled.machine, taken.before, taken.move),
                "changes": {name: value for name, value in after.items()
                            if before.get(name) != value}})
            before = after
        result = shown.play.get("result", {})
        if result.get("over"):
            made["end"] = f"The game is over: {winners_text(result.get('winners', ()))}."
        return made

    def _game(self, play: Mapping[str, Any]) -> Compiled:
        _, settings = header(play, "play")
        if settings not in self._known:
            self._known[settings] = compile_game(load_game(self._source, settings))
        return self._known[settings]


def table(compiled: Compiled, state: State) -> Json:
    """Return what lies on the table, by the names of the spec; nothing of bookkeeping.

    The values of enums are called as the spec has it.
    """
    names, titles = set(board_words(compiled)), compiled.game.titles
    values = values_by_name(compiled.machine, state)
    return {name: titles.within(value) for name, value in values.items() if name in names}


def board_words(compiled: Compiled) -> dict[str, Json]:
    """Return what is drawn of a state: its name in words, of what kind, whether each has one."""
    game = compiled.game
    made: dict[str, Json] = {
        zone.name: {"label": game.titles.of(zone.name), "kind": "cards", "each": zone.per_player}
        for zone in game.zones.values() if not zone.internal}
    for pool in game.pools.values():
        for part in ("size", *pool.fields):
            made[f"{pool.name}.{part}"] = {
                "label": game.titles.of(pool.name), "kind": "records", "each": pool.per_player,
                "pool": pool.name, "field": part if part in ("card", "size") else
                game.titles.names.get(part, part)}
    made |= {
        each.name: {
            "label": game.titles.of(each.name), "kind": "value", "each": each.per == "player"}
        for each in game.variables.values() if not each.internal}
    return {**made, "winners": {"label": "winners", "kind": "value", "each": True}}
