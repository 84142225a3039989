"""A compiled machine for a page: the module as text, and how a script reads and words its states.

The module is the one that checks run, but for their record of coverage; `templates/play.js` of the
reports makes its moves.
"""

from __future__ import annotations

import gzip
from base64 import b64encode
from typing import Any

from ...model.lowering.compile import Compiled
from ...model.machine.core import Load
from ...model.machine.machine import Domain, Edge, Machine, Node
from ...model.plays.moves import labels
from ...model.plays.wording import is_choice, words_of
from ...model.views.wording import names_of, wording
from ..drivers.compile import compile_machine
from ..emitter.unit import UnsupportedError
from ..packed.flags import FLAGS
from ..packed.packing import Layout, layout_of

Json = dict[str, Any]


def for_browser(compiled: Compiled) -> Json | None:
    """Return a machine as data that a script can play; None if it cannot be compiled."""
    machine = compiled.machine
    layout = layout_of(machine)
    try:
        made = compile_machine(machine, layout, None)
    except UnsupportedError:
        return None
    nodes = {node.id: node for node in machine.nodes}
    edges = {edge.id: edge for node in machine.nodes for edge in node.edges}
    return {
        "code": b64encode(gzip.compress(made.code, mtime=0)).decode(),
        "state": made.state, "records": made.records, "record": dict(made.record),
        "words": made.words, "length": layout.length, "head": layout.head,
        "configuration": [made.configuration, [int(on) for on in machine.configuration]],
        "arrays": [
            {"name": slot.array.name, "at": slot.start, "width": slot.width, "low": slot.array.low,
             "dims": slot.array.dims, "zone": slot.array.zone,
             "domain": _domain(machine, slot.array.domain),
             "axes": [_domain(machine, axis) for axis in slot.array.axes]}
            for slot in layout.slots.values() if slot.array.declared],
        "nodes": [_node(compiled, nodes[node], layout) for node in layout.rests],
        "players": machine.player_names,
        "edges": [_edge(machine, edges[number], places) for number, places in made.edges],
        "first": FLAGS, "notes": [*(limit.clause for limit in machine.limits),
                                  *(duty.prompt for duty in machine.obligations)],
    }


def _domain(machine: Machine, domain: Domain) -> Json:
    names = domain.names or (machine.player_names if domain.kind == "player" else ())
    if not domain.kind.startswith("card"):
        names = tuple(machine.titles.values.get(name, name) for name in names)
    return {"kind": domain.kind, "low": domain.low, "names": names}


def _node(compiled: Compiled, node: Node, layout: Layout) -> Json:
    """Describe a rest; `by` is who decides: where their number is kept, or else in words."""
    by: Json | str = ""
    match node.by:
        case None:
            pass
        case Load(array=name, index=()):
            slot = layout.slots[name]
            by = {"at": slot.start, "width": slot.width, "low": slot.array.low}
        case other:
            by = wording(compiled.machine, other, names_of(compiled.game))
    step = compiled.game.steps.get(node.step)
    return {"kind": node.kind, "ask": node.ask, "by": by,
            "title": "" if step is None else step.title or words_of(step.name)}


def _edge(machine: Machine, edge: Edge, places: tuple[tuple[int, int], ...]) -> Json:
    return {
        "label": machine.titles.told(edge.label), "choice": is_choice(edge),
        "params": [{"name": label, "label": machine.titles.of(label), "at": at, "counts": counts,
                    "domain": _domain(machine, param.domain)}
                   for label, param, (at, counts) in zip(
                       labels(edge), edge.params, places, strict=True)]}
