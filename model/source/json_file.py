"""Reads JSON files (card data, plays, positions) within hard limits; see `source`."""

import json
import math
import re
from dataclasses import dataclass
from pathlib import Path

from .errors import Place, Reporter, quote, split_lines
from .text_file import FORBIDDEN, Unreadable, load_text
from .tree import Json
from .yaml_file import MAX_DEPTH, MAX_DIGITS

MAX_JSON_BYTES = 16 << 20
MAX_JSON_NODES = 2_000_000

_JSON_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{},]', re.DOTALL)


def read_json(path: Path, reporter: Reporter) -> Json:
    """Read a JSON file; None if that was not possible, and the reporter knows why."""
    file = str(path)
    try:
        text, _ = load_text(path, MAX_JSON_BYTES, reporter, file)
        _check_json_size(text, reporter, file)
        return _parse_json(text, reporter, file)
    except Unreadable:
        return None


def _check_json_size(text: str, reporter: Reporter, file: str) -> None:
    """Refuse what is nested too deep, before a recursive parser sees it."""
    depth = nodes = 0
    for match in _JSON_TOKEN.finditer(text):
        char = match[0][0]
        depth += (char in "[{") - (char in "]}")
        nodes += char in "[{,"
        if depth > MAX_DEPTH:
            place = _place_in(text, match.start(), file)
            reporter.error("RP107", f"nested more than {MAX_DEPTH} levels deep", place)
            raise Unreadable
        if nodes > MAX_JSON_NODES:
            place = _place_in(text, match.start(), file)
            reporter.error("RP108", f"more than {MAX_JSON_NODES} values", place)
            raise Unreadable


def _parse_json(text: str, reporter: Reporter, file: str) -> Json:
    """Parse JSON of bounded depth, more strictly than the library does by itself."""
    reader = _JsonReader(text, reporter, file)
    try:
        data: Json = json.loads(
            text,
            object_pairs_hook=reader.mapping,
            parse_int=reader.integer,
            parse_float=reader.decimal,
            parse_constant=reader.constant,
        )
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:]
        place = _place_in(text, error.pos, file)
        reporter.error("RP115", f"not valid JSON: {reason}", place)
        raise Unreadable from None
    _check_strings(data, reporter, file)
    if reader.wrong:
        raise Unreadable
    return data


@dataclass(slots=True)
class _JsonReader:
    """What the JSON library calls back; it does not say where it is, so we search."""

    text: str
    reporter: Reporter
    file: str
    wrong: bool = False

    def mapping(self, pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        entries: dict[str, Json] = {}
        for name, value in pairs:
            if name in entries:
                self._error("RP110", f"the key {quote(name)} is given twice", json.dumps(name))
            entries.setdefault(name, value)
        return entries

    def integer(self, raw: str) -> int:
        if len(raw.lstrip("-")) <= MAX_DIGITS:
            return int(raw)
        self._error("RP114", f"the number {quote(raw)} is too large", raw)
        return 0

    def decimal(self, raw: str) -> float:
        value = float(raw)
        if not math.isfinite(value):
            self._error("RP114", f"the number {quote(raw)} is too large", raw)
        return value

    def constant(self, raw: str) -> float:
        self._error("RP115", f"not valid JSON: {quote(raw)} is no number", raw)
        return 0.0

    def _error(self, code: str, message: str, needle: str) -> None:
        self.wrong = True
        place = _place_in(self.text, max(self.text.find(needle), 0), self.file)
        self.reporter.error(code, message, place)


def _check_strings(data: Json, reporter: Reporter, file: str) -> None:
    """Refuse in texts what escapes can smuggle in (NUL, lone surrogates)."""
    todo: list[Json] = [data]
    wrong = False
    while todo:
        match todo.pop():
            case str() as text:
                if match := FORBIDDEN.search(text):
                    message = f"the character U+{ord(match[0]):04X} is not allowed"
                    reporter.error("RP105", message, Place.start_of(file))
                    wrong = True
            case list() as items:
                todo += items
            case dict() as entries:
                todo += entries
                todo += entries.values()
            case _:
                pass
    if wrong:
        raise Unreadable


def _place_in(text: str, offset: int, file: str) -> Place:
    """Turn an offset into a place."""
    before = split_lines(text[:offset])
    column = len(before[-1]) + 1
    return Place(file, len(before), column, column + 1)
