"""Reads YAML files into plain trees that know where they came from, within hard limits.

Spec files come from strangers, so this is the door at which everything is stopped that could hurt:
pipes and devices, huge or deeply nested files, aliases (the "billion laughs"), tags that build
objects, keys given twice, control characters. Whatever is wrong becomes a diagnostic; nothing is
ever raised for bad input.

The tree is built from PyYAML's event stream, not by its composer, for two reasons: depth and size
are checked while the file is read, before any recursion; and scalars follow the core schema of
YAML 1.2, so `on`, `no`, `010` and `12:30` mean what they look like (PyYAML's own rules are those of
1.1, where the key `on` would be the truth value true). The C parser is used where PyYAML has it.
"""

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Protocol, TypeAlias

import yaml
from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from .errors import Place, Reporter, printable, quote, split_lines
from .text_file import FORBIDDEN, Unreadable, load_text
from .tree import ScalarText, SpecNode, Value

MAX_BYTES = 1 << 20
MAX_DEPTH = 64
MAX_NODES = 200_000
MAX_DIGITS = 18

Loader: TypeAlias = "yaml.SafeLoader | yaml.CSafeLoader"

LOADER: type[Loader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG = "tag:yaml.org,2002:"
_NULL = re.compile(r"~|null|Null|NULL|")
_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_INDENTED_BY_TAB = re.compile(r" *\t")
_PROPERTIES = re.compile(r"[ \t]*(?:[!&]\S*(?:[ \t]+|$))*")
_HINTS = (
    ("mapping values are not allowed", "put text that holds `: ` into quotes"),
    ("cannot start any token", "put text that begins with this character into quotes"),
    ("could not find expected ':'", "a key needs a colon and a blank after it"),
    ("end of stream", "is a quote or a bracket left open?"),
    ("did not find expected", "look at the indentation, quotes and brackets of the lines above"),
    ("expected <block end>", "look at the indentation, quotes and brackets of the lines above"),
)


class _Mark(Protocol):
    """What both parsers say about a position: line and column, from 0."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


def _check_tabs(lines: Sequence[str], report: Reporter, file: str) -> None:
    """Refuse tabs in indentations, whose depth nobody can see."""
    wrong = False
    for number, line in enumerate(lines, 1):
        if match := _INDENTED_BY_TAB.match(line):
            place = Place(file, number, match.end(), match.end() + 1)
            report.error(
                "RP116", "the line is indented with a tab", place, help="indent with blanks"
            )
            wrong = True
    if wrong:
        raise Unreadable


def read_yaml(
    path: Path, reporter: Reporter, *, display_name: str | None = None
) -> SpecNode | None:
    """Read one YAML document; None if that was not possible, and the reporter knows why.

    An empty file is a node that holds None. A tree that comes back may have been mended (a key
    given twice is there once): go on checking with it, but ask the reporter before using it.
    """
    file = display_name if display_name is not None else str(path)
    try:
        text, lines = load_text(path, MAX_BYTES, reporter, file)
        _check_tabs(lines, reporter, file)
        return tree_of(file, text) or _Builder(file, lines, reporter).document(text)
    except Unreadable:
        return None


@lru_cache(maxsize=64)
def tree_of(file: str, text: str) -> SpecNode | None:
    """Return the tree of a text, which is read once; None if something is wrong with it."""
    report = Reporter()
    try:
        made = _Builder(file, split_lines(text), report).document(text)
    except Unreadable:
        return None
    return None if report.failed else made


class _Builder:
    """Builds the tree from the events of one file."""

    def __init__(self, file: str, lines: tuple[str, ...], reporter: Reporter) -> None:
        self.file = file
        self.lines = lines
        self.reporter = reporter
        self.nodes = 0
        self.depth = 0
        self.spread: Event | None = None
        """The last text in quotes that goes on in another line."""

    def document(self, text: str) -> SpecNode:
        """Build the only document of a text."""
        events = self._events(text)
        root: SpecNode | None = None
        for event in events:
            if isinstance(event, DocumentStartEvent):
                if root is not None:
                    self.reporter.error(
                        "RP113", "a second document begins here", self._place(event)
                    )
                    raise Unreadable
                root = self._node(next(events), events)
        return root or SpecNode(None, Place.start_of(self.file))

    def _events(self, text: str) -> Iterator[Event]:
        """Parse, and count: nothing below this sees more than the limits allow."""
        try:
            for event in yaml.parse(text, Loader=LOADER):
                self._count(event)
                if isinstance(event, ScalarEvent) and event.style in ("'", '"'):
                    (first, _), (last, _) = self._extent(event)
                    self.spread = event if first < last else self.spread
                yield event
        except yaml.MarkedYAMLError as error:
            self._syntax_error(error)
            raise Unreadable from None
        except (yaml.YAMLError, ValueError, OverflowError):
            # The pure Python parser lets some slip, such as escapes beyond Unicode.
            self.reporter.error("RP106", "not valid YAML", Place.start_of(self.file))
            raise Unreadable from None

    def _count(self, event: Event) -> None:
        if isinstance(event, CollectionStartEvent):
            self.depth += 1
        elif isinstance(event, SequenceEndEvent | MappingEndEvent):
            self.depth -= 1
        self.nodes += isinstance(event, CollectionStartEvent | ScalarEvent | AliasEvent)
        if self.depth > MAX_DEPTH:
            message = f"nested more than {MAX_DEPTH} levels deep"
            self.reporter.error("RP107", message, self._place(event))
            raise Unreadable
        if self.nodes > MAX_NODES:
            self.reporter.error("RP108", f"more than {MAX_NODES} values", self._place(event))
            raise Unreadable

    def _node(self, event: Event, events: Iterator[Event]) -> SpecNode:
        """Build the node that begins with an event; recursion is bounded by MAX_DEPTH."""
        place = self._place(event)
        anchor = str(getattr(event, "anchor", None) or "")
        if isinstance(event, AliasEvent):
            self.reporter.error("RP109", f"the alias {quote('*' + anchor)} is not allowed", place,
                                help=_in_quotes(f"*{anchor}"))
            return SpecNode(f"*{anchor}", place)
        if anchor:
            self.reporter.error("RP109", f"the anchor {quote('&' + anchor)} is not allowed", place,
                                help="a text that begins with `&` stands in quotes")
        if isinstance(event, ScalarEvent):
            return self._scalar(event, place)
        if isinstance(event, SequenceStartEvent):
            self._check_tag(event, "seq", place)
            items = takewhile(lambda one: not isinstance(one, SequenceEndEvent), events)
            return SpecNode(tuple(self._node(one, events) for one in items), place)
        assert isinstance(event, MappingStartEvent)  # no other event begins a node
        self._check_tag(event, "map", place)
        return self._mapping(place, events)

    def _mapping(self, place: Place, events: Iterator[Event]) -> SpecNode:
        entries: dict[str, SpecNode] = {}
        keys: dict[str, Place] = {}
        while not isinstance(event := next(events), MappingEndEvent):
            key = self._node(event, events)
            name = self._key(event, key)
            value = self._node(next(events), events)
            if name is None:
                continue
            if name in entries:
                notes = [f"the first one is at {keys[name]}"]
                message = f"the key {quote(name)} is given twice"
                self.reporter.error("RP110", message, self._place(event), notes=notes)
            else:
                entries[name] = value
                keys[name] = key.place
        return SpecNode(entries, place, keys)

    def _key(self, event: Event, key: SpecNode) -> str | None:
        """Return the text of a key, or complain."""
        if isinstance(event, ScalarEvent):
            if event.value == "<<" and not event.style:
                self.reporter.error("RP109", "merge keys are not allowed", key.place)
                return None
            if isinstance(key.value, str):
                return key.value
            hint = f'write "{printable(event.value)[:40]}"' if event.value else ""
            message = f"a key must be text, but {quote(event.value)} is {key.kind}"
            self.reporter.error("RP111", message, key.place, help=hint)
        elif not isinstance(event, AliasEvent):
            self.reporter.error("RP111", f"a key must be text, not {key.kind}", key.place)
        return None

    def _check_tag(self, event: Event, wanted: str, place: Place) -> None:
        tag = str(getattr(event, "tag", None) or "")
        if tag not in {"", _TAG + wanted}:
            self.reporter.error("RP112", f"the tag {quote(tag)} is not allowed here", place)

    def _scalar(self, event: ScalarEvent, place: Place) -> SpecNode:
        """Return the value of a scalar by the core schema of YAML 1.2."""
        raw: str = event.value
        if match := FORBIDDEN.search(raw):
            self.reporter.error(
                "RP105", f"the character U+{ord(match[0]):04X} is not allowed", place
            )
            raw = FORBIDDEN.sub("\ufffd", raw)
        value: Value = raw if event.style else self._plain(raw, place)
        if event.tag is not None:
            value = self._tagged(event.tag, raw, place)
        if not isinstance(value, str):
            return SpecNode(value, place)
        (line, column), (end_line, end_column) = self._extent(event)
        if event.tag is not None or event.anchor is not None:
            line, column = self._behind_properties(line, column, end_line)
        style = event.style or ""
        text = ScalarText(value, style, line, column, end_line, end_column, self.lines)
        return SpecNode(value, place, {}, text)

    def _behind_properties(self, line: int, column: int, end_line: int) -> tuple[int, int]:
        """Find where a scalar itself begins, behind its tag, maybe lines below."""
        for number in range(line, end_line + 1):
            raw = self.lines[number - 1]
            begin = column - 1 if number == line else 0
            match = _PROPERTIES.match(raw, begin)
            end = match.end() if match else begin
            if end < len(raw) and raw[end] != "#":
                return number, end + 1
        return line, column

    def _tagged(self, tag: str, raw: str, place: Place) -> Value:
        """Return the value that the tag of a scalar asks for."""
        name = tag.removeprefix(_TAG)
        if tag == _TAG + "str":
            return raw
        value = self._plain(raw, place)
        fits = {
            "null": value is None,
            "bool": isinstance(value, bool),
            "int": isinstance(value, int) and not isinstance(value, bool),
            "float": isinstance(value, int | float) and not isinstance(value, bool),
        }
        if not tag.startswith(_TAG) or name not in fits:
            self.reporter.error("RP112", f"the tag {quote(tag)} is not allowed", place)
        elif not fits[name]:
            self.reporter.error("RP112", f"the tag {quote(tag)} does not fit {quote(raw)}", place)
        return value

    def _plain(self, raw: str, place: Place) -> Value:
        """Return the value of an unquoted scalar."""
        if _NULL.fullmatch(raw):
            return None
        if _BOOL.fullmatch(raw):
            return raw.lower() == "true"
        if _INT.fullmatch(raw):
            base = {"0o": 8, "0x": 16}.get(raw[:2], 10)
            digits = raw.lstrip("+-0ox")
            if len(digits) <= MAX_DIGITS:
                value = int(digits or "0", base)
                if value < 10**MAX_DIGITS:
                    return -value if raw[0] == "-" else value
        elif _FLOAT.fullmatch(raw) and len(raw) <= 10 * MAX_DIGITS:
            number = float(raw)
            if math.isfinite(number):
                return number
        elif not (_INFINITE.fullmatch(raw) or _FLOAT.fullmatch(raw)):
            return raw
        self.reporter.error("RP114", f"the number {quote(raw)} is too large", place)
        return 0

    def _place(self, event: Event) -> Place:
        """Return the first line of what an event covers; for collections, where they begin."""
        (line, column), (end_line, end_column) = self._extent(event)
        stop = column + 1
        if isinstance(event, AliasEvent) or (
                isinstance(event, ScalarEvent) and event.style not in ("|", ">")):
            stop = end_column if end_line == line else len(self.lines[line - 1]) + 1
        return Place(self.file, line, column, max(stop, column))

    def _extent(self, event: Event) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return line and column (from 1) of where an event begins and where it ends."""
        return self._position(event.start_mark), self._position(event.end_mark)

    def _position(self, mark: _Mark | None) -> tuple[int, int]:
        """Turn a mark into line and column (from 1), inside of the file even at its end."""
        if mark is None:
            return 1, 1
        if mark.line >= len(self.lines):
            return len(self.lines), len(self.lines[-1]) + 1
        return mark.line + 1, min(mark.column, len(self.lines[mark.line])) + 1

    def _syntax_error(self, error: yaml.MarkedYAMLError) -> None:
        problem = str(error.problem or error.context or "the text ends too early")
        hint = next((hint for text, hint in _HINTS if text in problem), "")
        notes: list[str] = []
        if error.context and error.context_mark:
            begin, _ = self._position(error.context_mark)
            notes.append(f"{error.context}, which begins in line {begin}")
        line, column = self._position(error.problem_mark or error.context_mark)
        if error.context_mark and any(each in str(error.context) for each in _SIGNS):
            begin, at = self._position(error.context_mark)
            hint = _in_quotes(self.lines[begin - 1][at - 1:])
        if "',' or" in problem and self.lines[line - 1][column - 1:column] in set("[]{}"):
            text = self.lines[line - 1][:column - 1].rpartition(": ")[2]
            hint = (f"inside `{{…}}` and `[…]`, a text that holds one of `[ ] {{ }} ,` stands in "
                    f'quotes: "{printable(text)[-40:]}…"')
            problem = "a text without quotes ends here, and something else follows"
        if self.spread is not None and self._position(self.spread.end_mark)[0] == line:
            begin, _ = self._position(self.spread.start_mark)
            hint = f"a text in quotes that begins in line {begin} ends here: is one missing there?"
        place = Place(self.file, line, column, column + 1)
        self.reporter.error("RP106", f"not valid YAML: {problem}", place, help=hint, notes=notes)


_SIGNS = ("scanning an alias", "scanning an anchor", "scanning a tag", "parsing a tag")
"""What the parsers were at where a text begins with a sign of YAML."""


def _in_quotes(text: str) -> str:
    """Advise to put a text into quotes that begins with a sign of YAML."""
    words = printable(re.split(r"[,}\]]|\s#|:\s", text, maxsplit=1)[0].strip())[:40]
    quoted = words.replace('"', "'")
    return f'a text that begins with `{words[:1]}` stands in quotes: "{quoted}"'
