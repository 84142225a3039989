"""The quick look at a file's shape says what the schema's library says."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ruleproof.model.source.errors import Place, Reporter
from ruleproof.model.source.fitting import fits
from ruleproof.model.source.shape import _rules, _validator
from ruleproof.model.source.tree import SpecNode, to_plain
from ruleproof.model.source.yaml_file import read_yaml

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("spec/games/*/*.yaml"), *ROOT.glob("tests/specs/**/*.yaml")])
STRANGE: tuple[object, ...] = (
    None, True, -1, 10**9, 0.5, "", "a\n", "Z z", "x" * 5_000, (), {}, "lone")


def nodes(node: SpecNode) -> Iterator[SpecNode]:
    """Yield a tree and all below it."""
    yield node
    inner = node.value.values() if isinstance(node.value, dict) else (
        node.value if isinstance(node.value, tuple) else ())
    for each in inner:
        yield from nodes(each)


def changed(node: SpecNode, at: SpecNode, to: SpecNode) -> SpecNode:
    """Put something else in one place of a tree."""
    if node is at:
        return to
    if isinstance(node.value, dict):
        return replace(node, value={k: changed(v, at, to) for k, v in node.value.items()})
    if isinstance(node.value, tuple):
        return replace(node, value=tuple(changed(each, at, to) for each in node.value))
    return node


def same(node: SpecNode) -> bool:
    """Return whether both say the same of a file."""
    rules = _rules("")
    valid: bool = _validator("").is_valid(to_plain(node))
    return fits(node, rules, rules["$defs"]) == valid


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_both_say_the_same_of_a_file(path: Path) -> None:
    """Of right files and wrong ones."""
    node = read_yaml(path, Reporter())

    assert node is None or same(node)


def test_both_say_the_same_of_a_file_with_something_strange_in_it() -> None:
    """Any value in any place of a file that has one of everything, and keys that nothing knows."""
    rng = random.Random(1)  # noqa: S311
    node = read_yaml(ROOT / "tests" / "specs" / "shelf.yaml", Reporter())
    assert node is not None
    places = list(nodes(node))
    for _ in range(250):
        at = rng.choice(places)
        value = rng.choice(STRANGE)
        more = {**at.value, "x y": at} if value == "lone" and isinstance(at.value, dict) else value
        made = changed(node, at, SpecNode(more, at.place))  # type: ignore[arg-type]

        assert same(made), (at.place, value)


def test_a_keyword_that_is_not_known_is_left_to_the_library() -> None:
    """A schema that asks for more than is understood here is never found to fit."""
    node = SpecNode("text", Place.start_of("game.yaml"))

    assert fits(node, {"type": "string"}, {})
    assert not fits(node, {"type": "string", "format": "date"}, {})
