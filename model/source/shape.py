"""Checks the shape of spec files against the JSON Schema, and says what is wrong in plain words.

The schema's library reports paths and keywords; here they become places, domain words and
suggestions. What is refused is cut out of the tree, so that the rest can still be checked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from .errors import MAX_DIAGNOSTICS, MAX_QUOTED, Place, Reporter, did_you_mean, printable, quote
from .tree import SpecNode, node_at, to_plain

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

Path = tuple["str | int", ...]

_DEPTHS = {"cards": 3, "players": 1, "rulebook": 1}
"""How deep the entries of a section lie that are cut out as a whole; elsewhere it is 2."""

_KINDS = {
    "object": "a mapping", "array": "a list", "string": "text", "integer": "a whole number",
    "boolean": "a truth value", "null": "nothing",
}


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the files of a game."""
    text = files("ruleproof.spec").joinpath("schema.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@cache
def _rules(definition: str) -> dict[str, Any]:
    """Return the schema of a section file, or of a named definition."""
    whole = schema()
    return {"$ref": f"#/$defs/{definition}", "$defs": whole["$defs"]} if definition else whole


@cache
def _validator(definition: str) -> Any:  # noqa: ANN401  (the library's class is made at run time)
    from jsonschema import Draft202012Validator, validators  # noqa: PLC0415  (slow to load)
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415  (only if a file is wrong)

    def whole(_: object, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)

    def pattern(_: object, pattern: str, value: object, __: object) -> Iterator[ValidationError]:
        # `$` is the very end, not a line break before it.
        if isinstance(value, str) and not re.search(pattern.replace("$", r"\Z"), value):
            yield ValidationError(f"{value!r} does not match")

    extend = cast("Any", validators).extend
    kind: Any = extend(
        Draft202012Validator,
        {"pattern": pattern},
        type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", whole),
    )
    return kind(_rules(definition))


def check(node: SpecNode, report: Reporter, *, definition: str = "") -> list[Path]:
    """Report what the schema refuses (a section file, or a named definition), and say where."""
    if not definition and _is_right(node):
        return []
    wrong: list[Path] = []
    errors: Iterator[ValidationError] = _validator(definition).iter_errors(to_plain(node))
    for error in islice(errors, MAX_DIAGNOSTICS):
        path: Path = tuple(error.absolute_path)
        wrong += [(*path, *more) for more in _explain(error, path, node, report)]
    return wrong


@lru_cache(maxsize=256)
def _is_right(node: SpecNode) -> bool:
    """Return whether the schema refuses nothing in a file; one that is read again is the same."""
    right: bool = _validator("").is_valid(to_plain(node))
    return right


def prune(node: SpecNode, wrong: Iterable[Path]) -> tuple[SpecNode, frozenset[str]]:
    """Cut out the entries that hold something wrong; name them as `section.entry`, or `section`."""
    cuts = {path[: _DEPTHS.get(str(path[0]), 2)] if path else path for path in wrong}
    if () in cuts or not isinstance(node.value, dict):
        return SpecNode({}, node.place), frozenset()
    broken: set[str] = set()
    sections: dict[str, SpecNode] = {}
    for name, section in node.value.items():
        if (name,) in cuts:
            broken.add(name)
            continue
        here = {path[1:] for path in cuts if path[0] == name}
        sections[name] = _without(section, here, name, broken)
    return replace(node, value=sections), frozenset(broken)


def _without(node: SpecNode, cuts: set[Path], name: str, broken: set[str]) -> SpecNode:
    if not cuts:
        return node
    match node.value:
        case dict() as entries:
            kept: dict[str, SpecNode] = {}
            for key, entry in entries.items():
                if (key,) in cuts:
                    broken.add(f"{name}.{key}")
                else:
                    deeper = {path[1:] for path in cuts if path[0] == key}
                    kept[key] = _without(entry, deeper, f"{name}.{key}", broken)
            return replace(node, value=kept)
        case tuple() as items:
            for index, item in enumerate(items):
                named = node_at(item, ["id"]).value
                if (index,) in cuts and isinstance(named, str):
                    broken.add(f"{name}.{named}")
            return replace(
                node, value=tuple(it for index, it in enumerate(items) if (index,) not in cuts)
            )
        case _:
            return node


# --- messages ------------------------------------------------------------------------------------


def named(node: SpecNode, path: Sequence[str | int]) -> str:
    """Say in domain words what stands at a path: `state.life`, clause `ew.draw`."""
    words: list[str] = []
    for step in path:
        child = node_at(node, [step])
        if isinstance(step, int):
            known = node_at(child, ["id"]).value
            words[-1:] = [f"{words[-1]}[{step + 1}]" if words else f"[{step + 1}]"]
            if isinstance(known, str):
                words = [known]
        else:
            words.append(step)
        node = child
    return quote(".".join(words)) if words else "the file"


def _explain(error: ValidationError, path: Path, node: SpecNode, report: Reporter) -> list[Path]:
    """Report one error of the schema; give the paths below its own that are to be cut out."""
    what, here = named(node, path), node_at(node, path)
    rule: Any = error.validator_value
    value: Any = error.instance
    place = here.place
    if "propertyNames" in error.absolute_schema_path and isinstance(here.value, dict):
        wanted = _title(error.schema)
        report.error("RP123", f"{quote(str(value))} is not {wanted}",
                     here.keys.get(str(value), place))
        return [(str(value),)]
    match error.validator:
        case "additionalProperties":
            return _unknown_keys(error, what, here, report)
        case "required":
            for key in (key for key in rule if key not in value):
                report.error("RP121", f"{what} needs {quote(key)}", place)
        case "dependentRequired":
            for key, needed in rule.items():
                for each in (each for each in needed if key in value and each not in value):
                    report.error("RP121", f"{what} needs {quote(each)} where it has {quote(key)}",
                                 here.keys.get(key, place))
        case "type":
            kinds: list[str] = [rule] if isinstance(rule, str) else rule
            wanted = " or ".join(_KINDS[kind] for kind in kinds if kind != "null")
            report.error("RP122", f"{what} must be {wanted}, not {here.kind}", place,
                         help=_as_wanted(kinds, _mapping(error.schema), value) or (
                             "" if path else "a file has sections, as in `game: my-game`"))
        case "enum":
            _not_one_of(value, rule, what, place, report)
        case "pattern":
            report.error("RP123", f"{quote(str(value))} is not {_title(error.schema)}", place)
        case _:
            report.error("RP123", f"{what} {_bound(str(error.validator), rule)}", place)
    return [()]


def _unknown_keys(
    error: ValidationError, what: str, here: SpecNode, report: Reporter
) -> list[Path]:
    known = _mapping(error.schema).get("properties", {})
    extra = [key for key in here.keys if key not in known] or [
        key for key in _mapping(error.instance) if key not in known
    ]
    for key in extra:
        hint = did_you_mean(key, known) or (
            "a text with a comma in it needs quotes inside `{…}`" if set("()[]") & set(key)
            else f"known here: {', '.join(sorted(known))}")
        report.error("RP120", f"unknown key {quote(key)} in {what}", here.keys.get(key, here.place),
                     help=hint)
    return [(key,) for key in extra]


def _mapping(value: object) -> Mapping[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _not_one_of(value: object, rule: Sequence[object], what: str, place: Place,
                report: Reporter) -> None:
    known = [str(each) for each in rule if each is not None]
    hint = did_you_mean(str(value), known)
    report.error("RP123", f"{what} cannot be {quote(str(value))}", place,
                 help=hint or f"one of: {', '.join(known)}")


def _as_wanted(kinds: Sequence[str], rules: Mapping[str, object], value: object) -> str:
    """Write a value as a list or a mapping, if it can be told what was meant; else ""."""
    if isinstance(value, str | int) and not isinstance(value, bool):
        shown = printable(str(value))
        if len(shown) > MAX_QUOTED or not shown.strip():
            return ""
        if "array" in kinds:
            return f"write `[{shown}]`"
        keys = ("type",) if isinstance(value, str) else ("count", "value")
        key = next((key for key in keys if key in _mapping(rules.get("properties"))), "")
        return f"write `{{{key}: {shown}}}`" if "object" in kinds and key else ""
    if "object" in kinds and isinstance(value, list) and value and all(
            isinstance(each, str) for each in value) and "additionalProperties" in rules and (
            not rules.get("properties")):
        entries = ", ".join(f"{printable(each)}: {{}}" for each in value[:3])
        return f"write `{{{entries}{', …' * (len(value) > 3)}}}`"
    return ""


def _title(rules: object) -> str:
    return str(_mapping(rules).get("title", "allowed here"))


def _bound(rule: str, limit: object) -> str:
    words = {
        "minimum": f"must be at least {limit}", "maximum": f"must be at most {limit}",
        "minLength": "must not be empty", "maxLength": f"is longer than {limit} characters",
        "minItems": f"needs at least {limit} entries", "maxItems": f"has more than {limit} entries",
        "minProperties": f"needs at least {limit} entry",
    }
    return words.get(rule, f"breaks the rule {quote(rule)} of the schema")
