"""The smallest game that still breaks a law: parts of the spec are taken out as long as it does."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from ruleproof.tests.campaign.running import tried

if TYPE_CHECKING:
    from collections.abc import Iterator

Spec = dict[str, Any]
Path = tuple[object, ...]


def shrunk(spec: Spec, law: str, *, tries: int = 400) -> Spec:
    """Take parts out of a spec as long as it breaks the law.

    Args:
        spec: a game that breaks it.
        law: its name.
        tries: how many smaller games are tried at most.

    """
    kind = _kind(tried(spec, law).broken.get(law, ""))
    left, going = tries, True
    while going and left > 0:
        going = False
        for smaller in candidates(spec):
            left -= 1
            if left <= 0:
                break
            outcome = tried(smaller, law)
            if "loads" not in outcome.broken or law == "loads":
                broken = outcome.broken.get(law)
                if broken is not None and _kind(broken) == kind:
                    spec, going = smaller, True
                    break
    return spec


def _kind(broken: str) -> str:
    """Tell a crash of one place from one of another, and from a wrong verdict."""
    return broken[broken.rfind("("):] if broken.startswith("crash") else ""


def candidates(spec: Spec) -> Iterator[Spec]:
    """Yield the specs that are a little smaller, the boldest cuts first."""
    paths = sorted(_paths(spec, ()), key=lambda path: (len(path), path[0] != "clauses"))
    for path in paths:
        if path[:1] not in (("game",), ("title",), ("players",)) and path[-1] not in KEPT:
            yield _without(spec, path)
    for path in paths:
        value = _at(spec, path)
        if isinstance(value, str) and path[-1] in ("do", "otherwise", "act"):
            yield from (_with(spec, path, text) for text in _fewer_lines(value))
        elif isinstance(value, str) and path[-1] in ("when", "whenever", "always", "ensure"):
            yield from (_with(spec, path, text) for text in ("True", "flag", "n == 0")
                        if text != value)


KEPT = frozenset({"id", "kind", "says", "type", "holds", "asks", "clauses", "readings", "do"})
"""What cannot be left out where it stands."""


def _paths(node: object, path: Path) -> Iterator[Path]:
    items: list[tuple[object, object]] = []
    if isinstance(node, dict):
        items = list(node.items())
    elif isinstance(node, list):
        items = list(enumerate(node))
    for key, value in items:
        yield (*path, key)
        yield from _paths(value, (*path, key))


def _at(spec: Any, path: Path) -> Any:  # noqa: ANN401
    for key in path:
        spec = spec[key]
    return spec


def _without(spec: Spec, path: Path) -> Spec:
    made = deepcopy(spec)
    del _at(made, path[:-1])[path[-1]]
    return made


def _with(spec: Spec, path: Path, value: str) -> Spec:
    made = deepcopy(spec)
    _at(made, path[:-1])[path[-1]] = value
    return made


def _fewer_lines(text: str) -> Iterator[str]:
    """Take a line out with the block below it, or only its head."""
    lines = text.split("\n")
    depths = [len(line) - len(line.lstrip()) for line in lines]
    for place, depth in enumerate(depths):
        end = next((i for i in range(place + 1, len(lines)) if depths[i] <= depth), len(lines))
        yield "\n".join((*lines[:place], *lines[end:])) or "pass"
        if end > place + 1:
            block = [line[2:] for line in lines[place + 1:end]]
            yield "\n".join((*lines[:place], *block, *lines[end:]))
    if text != "pass":
        yield "pass"
