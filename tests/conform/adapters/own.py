"""An implementation that must be all green: our reference interpreter, behind the protocol.

    python own.py GAME [one-order] [POINT=READING ...]

With readings it plays by these, whatever it is asked to play by.  With `one-order` it asks the
players in an order of its own where the rules leave open who is next.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from ruleproof.checker.positions.under_way import idle
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.machine.state import State
from ruleproof.model.plays.board import from_values, values_by_name, view
from ruleproof.model.plays.documents import header
from ruleproof.model.plays.moves import actor, move_from, move_json, node_of
from ruleproof.model.plays.plays import by_json, result_json
from ruleproof.model.run.interp import Interpreter


class Own:
    """The game that is asked about, and where it stands."""

    interp: Interpreter
    state: State

    def __init__(self, path: str, rulings: list[str]) -> None:
        self.path = path
        self.one_order = "one-order" in rulings
        self.rulings = dict(each.split("=") for each in rulings if "=" in each)

    def game(self, request: dict[str, Any]) -> dict[str, Any]:
        """Begin a game."""
        _, chosen = header(request, "the request")
        settings = Settings(
            players=chosen.players, scope=chosen.scope, variants=chosen.variants,
            rulings=tuple(sorted({**dict(chosen.rulings), **self.rulings}.items())))
        self.interp = Interpreter(compile_game(load_game(self.path, settings)).machine)
        self.state = self.interp.start().state
        return {"ok": True}

    def set(self, request: dict[str, Any]) -> dict[str, Any]:
        """Set a situation."""
        machine = self.interp.machine
        values = {**idle(machine), **request["state"],
                  **{each["name"]: each["value"] for each in request["under_way"]}}
        self.state = from_values(machine, request["node"], values)
        return {"ok": True}

    def moves(self, _: dict[str, Any]) -> dict[str, Any]:
        """List the legal moves."""
        odds = dict(self.interp.chance(self.state))
        found = [move_json(self.interp.machine, self.state, move)
                 for move in self.interp.moves(self.state)]
        for each, move in zip(found, self.interp.moves(self.state), strict=True):
            if move in odds:
                each["probability"] = f"{odds[move].numerator}/{odds[move].denominator}"
        is_open = node_of(self.interp.machine, self.state).kind == "open"
        return {"moves": found[-1:] if is_open and self.one_order else found}

    def move(self, request: dict[str, Any]) -> dict[str, Any]:
        """Make a move."""
        move = move_from(self.interp.machine, self.state, request["move"])
        is_open = node_of(self.interp.machine, self.state).kind == "open"
        if is_open and self.one_order and move != self.interp.moves(self.state)[-1]:
            raise ValueError("somebody else is next")
        self.state = self.interp.step(self.state, move).state
        return {"ok": True}

    def state_(self, request: dict[str, Any]) -> dict[str, Any]:
        """Say how things stand, or what a seat sees of it."""
        machine = self.interp.machine
        declared = {each.name for each in machine.arrays if each.declared}
        if "seat" in request:
            seat = machine.player_names.index(request["seat"])
            shown = view(machine, self.state, seat)
            return {"state": {name: shown[name] for name in shown if name in declared}}
        by = actor(machine, self.state)
        mover = by_json(machine, self.state) if by is None else machine.player_names[by]
        shown = values_by_name(machine, self.state)
        return {"state": {name: shown[name] for name in shown if name in declared},
                "to_move": mover, "result": result_json(machine, self.state)}


def main() -> None:
    """Answer each line."""
    own = Own(sys.argv[1], sys.argv[2:])
    for line in sys.stdin:
        request = json.loads(line)
        work = own.state_ if request["do"] == "state" else getattr(own, request["do"])
        try:
            answer = work(request)
        except ValueError as error:
            answer = {"error": str(error)}
        print(json.dumps({"id": request["id"], **answer}), flush=True)


main()
