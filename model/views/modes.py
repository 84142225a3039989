"""Which modes a spec has that nobody can ever choose, and what is chosen with a mode."""

from __future__ import annotations

from ..game.game import PRINTED, Settings
from ..loading.load import with_settings
from ..loading.sections import Sections
from ..loading.settings import apart
from ..source import fields
from ..source.errors import Reporter, SpecErrors, UnfitModeError, UsageError, first_line, quote
from ..source.tree import SpecNode


def with_needed(root: SpecNode, name: str) -> tuple[str, ...]:
    """Return a mode and those that it needs, and these need, in the order of the spec."""
    known = fields.entries(root, "variants")
    found, waiting = set[str](), [name]
    while waiting:
        one = waiting.pop()
        if one in known and one not in found:
            found.add(one)
            waiting += fields.texts(known[one], "needs")
    return tuple(each for each in known if each in found)


def never_chosen(sections: Sections) -> dict[str, str]:
    """Return the modes that cannot be chosen in any way, each with why not.

    A mode is judged by the cards and constants of the spec and of its scopes; where the spec is
    wrong nothing is said of it.
    """
    root = sections.root
    found: dict[str, str] = {}
    for name in fields.entries(root, "variants"):
        why = _clash(root, name) or _unfit(sections, name)
        if why:
            found[name] = why
    return found


def _clash(root: SpecNode, name: str) -> str:
    """Say why what a mode needs does not go together; nothing if it does."""
    known = fields.entries(root, "variants")
    chosen = with_needed(root, name)
    if any(other not in known for each in chosen for other in fields.texts(known[each], "needs")):
        return ""
    wrong = [why for each in chosen for why in apart(each, known[each], chosen)]
    others = [quote(each) for each in chosen if each != name]
    needs = f"{quote(name)} needs {' and '.join(others)}, and " if others else ""
    return f"{needs}{wrong[0]}" if wrong else ""


def _unfit(sections: Sections, name: str) -> str:
    """Say why no number of players and no scope fits what a mode is for; nothing if one does."""
    root = sections.root
    chosen = with_needed(root, name)
    variants = fields.entries(root, "variants")
    if all(fields.field(variants[each], "when") is None for each in chosen):
        return ""
    node = fields.field(root, "players")
    low = fields.number(node, "count", fields.number(node, "min", 1))
    high = fields.number(node, "count", fields.number(node, "max", low))
    scopes = [each for each in fields.entries(root, "scopes") if each != PRINTED]
    asked = [*(Settings(many, variants=chosen) for many in range(low, high + 1)),
             *(Settings(scope=scope, variants=chosen) for scope in scopes)]
    first = ""
    for settings in asked:
        try:
            with_settings(sections, settings, Reporter())
        except UnfitModeError as error:
            first = first or first_line(error)
        except (UsageError, SpecErrors):
            return ""
        else:
            return ""
    return first
