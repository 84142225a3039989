"""What readings of different points are together, where they write the same of a spec.

Each reading is written as if it were the only one.  Where two that are taken write the same field
of a clause or window, or one changes what another drops, the later one would undo the other without
a word; so one of them has to say under `together` what both are, and else that is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations

from ..source import fields
from ..source.errors import Place, Reporter, quote
from ..source.tree import SpecNode

DROPPED = "drop"
"""Stands for the field, of a clause that a change list drops."""

Written = dict[tuple[str, str], "tuple[object, Place]"]
"""Clause or window, and field → the value that is written, and where that stands."""


def together_lists(reading: SpecNode) -> Iterator[SpecNode]:
    """Yield the change lists that a reading has for where others are taken, too."""
    yield from fields.entries(reading, "together").values()


def joint(taken: Mapping[str, SpecNode], report: Reporter) -> Iterator[SpecNode]:
    """Yield what taken readings (by `POINT=READING`) say that they are together.

    An error is reported for each two that write the same and say nothing of it.
    """
    wrote = {name: written(reading) for name, reading in taken.items()}
    for one, other in combinations(taken, 2):
        said = [found for here, there in ((one, other), (other, one))
                if (found := fields.entries(taken[here], "together").get(there)) is not None]
        first, second = wrote[one], wrote[other]
        told = {key for each in said for key in written(each)}
        for key, (_, before) in first.items():
            for twin in _same(key, first, second):
                if said and (key in told or DROPPED in (key[1], twin[1])):
                    continue
                _tell(report, (one, other), twin, (before, second[twin][1]))
        yield from said


def _same(key: tuple[str, str], first: Written, second: Written) -> Iterator[tuple[str, str]]:
    """Yield what the second writes of the same place, if that is not the same as the first."""
    for twin, (value, _) in second.items():
        dropped = (key[1] == DROPPED) != (twin[1] == DROPPED)
        if twin[0] == key[0] and (dropped or (twin == key and value != first[key][0])):
            yield twin


@lru_cache(maxsize=1_000)
def written(changes: SpecNode) -> Written:
    """List what a change list writes."""
    found: Written = {}

    def note(name: str, field: str, node: SpecNode, place: Place | None = None) -> None:
        found[name, field] = fields.plain(node), place or node.place

    for section, prefix in (("changes", ""), ("windows", "window:")):
        for name, change in fields.entries(changes, section).items():
            for field, node in fields.entries(change).items():
                if field.startswith("+"):
                    continue  # it adds to what is there
                note(prefix + name, field, node, fields.key_place(change, field))
    for name, node in fields.entries(changes, "constants").items():
        note(name, "value", node)
    for clause in fields.items(changes, "add"):
        note(fields.text(clause, "id"), "add", clause)
    for dropped in fields.items(changes, "drop"):
        note(str(dropped.value), DROPPED, dropped)
    return found


def _tell(
    report: Reporter, names: tuple[str, str], what: tuple[str, str], places: tuple[Place, Place]
) -> None:
    one, other = names
    clause, field = what
    report.error(
        "RP243", f"{quote(other)} writes `{field}` of {quote(clause)}, and so does {quote(one)}",
        places[1], help=f"say what the two are together: `together: {{{one}: {{changes: …}}}}`",
        notes=[f"the first one is at {places[0]}"])
