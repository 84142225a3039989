"""A play as a trace in the Informal Trace Format, which Apalache and Quint write and read.

Each state is an object of all that the spec declares, and `node`, the step that the game rests in.
Values have one type for each variable: numbers are `#bigint`, what is listed by names is a `#map`,
a list stays one, and a variable that may be `none` is a variant, `Some` or `None`, as Quint has it.
A play that goes round names the state that it goes back to (`loop`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from ..machine.machine import Array, Machine
from ..machine.state import State
from ..plays.board import JSON, NONE, values_by_name
from ..plays.documents import is_list, is_object
from ..plays.moves import actor, describe_move, node_of
from ..plays.plays import Replay

ABOUT = "https://apalache-mc.org/docs/adr/015adr-trace.html"


def itf(machine: Machine, again: Replay, doc: Mapping[str, JSON]) -> str:
    """Write a play that was replayed, as far as it came to rests."""
    assert again.start is not None
    states = [again.start.state, *(each.step.state for each in again.taken if each.step)]
    moves = ["", *(describe_move(machine, each.before, each.move) for each in again.taken)]
    arrays = machine.declared
    found: dict[str, JSON] = {
        "#meta": {
            "format": "ITF", "format-description": ABOUT, "source": str(doc["game"]),
            "status": "violation" if again.taken and again.taken[-1].step is None else "ok",
            "spec_sha256": doc["spec_sha256"], "settings": doc["settings"],
        },
        "params": [],
        "vars": ["node", *(each.name for each in arrays)],
        "states": [{"#meta": _meta(machine, number, moves[number], state),
                    **_state(machine, arrays, state)} for number, state in enumerate(states)],
    }
    if "loop_from" in doc:
        found["loop"] = doc["loop_from"]
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _meta(machine: Machine, number: int, move: str, state: State) -> dict[str, JSON]:
    who = actor(machine, state)
    made: dict[str, JSON] = {"index": number}
    if move:
        made["action"] = move
    if who is not None:
        made["to_move"] = machine.player_names[who]
    return made


def _state(machine: Machine, arrays: Sequence[Array], state: State) -> dict[str, JSON]:
    values = values_by_name(machine, state)
    made: dict[str, JSON] = {"node": node_of(machine, state).name}
    for each in arrays:
        optional = not each.zone and each.low == NONE and (
            each.domain.kind != "int" or each.domain.low > NONE)
        made[each.name] = _value(values[each.name], optional=optional)
    return made


def _value(shown: JSON, *, optional: bool) -> JSON:
    if is_object(shown):
        return {"#map": [[key, _value(each, optional=optional)] for key, each in shown.items()]}
    if is_list(shown):
        return [_value(each, optional=optional) for each in shown]
    if shown is None:
        return {"tag": "None", "value": {"#tup": []}}
    plain: JSON = shown if isinstance(shown, bool | str) else {"#bigint": str(shown)}
    return {"tag": "Some", "value": plain} if optional else plain
