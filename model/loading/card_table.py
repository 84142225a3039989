"""Reads real cards from a table, as spreadsheets write it: CSV with commas, semicolons or tabs.

The first row names the columns: `family`, `id` and what is given of each card (`name`, `copies`,
attributes; an ability as `abilities.NAME`).  Without the column `family` all cards are of the one
family that the game has.  A cell that is empty gives nothing; numbers, `True`, `False` and `none`
mean what they mean in a spec.  Byte order marks, CRLF and UTF-16 are read.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from pathlib import Path

from ..source import fields, inputs
from ..source.errors import Place, Reporter, did_you_mean, quote
from ..source.tree import SpecNode

SUFFIXES = (".csv", ".tsv")
COLUMNS = ("family", "id", "name", "copies", "clause")
"""What any card may have beside its attributes and abilities."""
MAX_BYTES = 4 << 20
SEPARATORS = (",", ";", "\t")
TRUTHS = {"true": True, "false": False, "yes": True, "no": False}
_NUMBER = re.compile(r"[-+]?[0-9]{1,18}")


def read_table(path: Path, families: Iterable[str], known: Iterable[str], report: Reporter
               ) -> SpecNode:
    """Return the section `cards` that a table gives, as a spec file would.

    `families` are those of the game, `known` what its cards may have, for suggestions.  What is
    wrong is reported with line and column.
    """
    file = path.as_posix()
    text = _text(path, report, file)
    if text is None:
        return fields.mapping({}, Place.start_of(file))
    report.add_source(file, text.splitlines())
    rows = _rows(text)
    if not rows:
        report.error("RP121", "the table has no rows", Place.start_of(file),
                     help="the first row names the columns: `family,id,copies,…`")
        return fields.mapping({}, Place.start_of(file))
    (_, heads), *body = rows
    named = [each.strip() for each in heads]
    _check_heads(named, tuple(families), tuple(known), report, file)
    found = dict[str, dict[str, SpecNode]]()
    for line, cells in body:
        _card(_Row(file, line, dict(zip(named, cells, strict=False)), cells), tuple(families),
              found, report)
    place = Place.start_of(file)
    return fields.mapping({"cards": fields.mapping(
        {family: fields.mapping(cards, place) for family, cards in found.items()}, place)}, place)


def _text(path: Path, report: Reporter, file: str) -> str | None:
    data = path.read_bytes()
    inputs.note_file(path, data)
    if len(data) > MAX_BYTES:
        report.error("RP103", "the table is larger than 4 MB", Place.start_of(file))
        return None
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        return data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        report.error("RP104", "the table is not text in UTF-8", Place.start_of(file),
                     help="save it as “CSV UTF-8”")
        return None


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Part a table, by the separator that its first row has most of; empty rows are left out."""
    lines = text.splitlines()
    if lines and lines[0].lower().startswith("sep=") and len(lines[0]) == 5:  # as Excel writes it
        separator, first = lines[0][4], 1
    else:
        head = lines[0] if lines else ""
        separator, first = max(SEPARATORS, key=head.count), 0
    body = "\n".join(lines[first:])
    reader = csv.reader(io.StringIO(body), delimiter=separator)
    found, line = list[tuple[int, list[str]]](), first + 1
    for cells in reader:
        if any(cell.strip() for cell in cells):
            found.append((line, cells))
        line = first + reader.line_num + 1
    return found


def _check_heads(heads: list[str], families: tuple[str, ...], known: tuple[str, ...],
                 report: Reporter, file: str) -> None:
    place = Place(file, 1, 1, 2)
    if "id" not in heads:
        hint = did_you_mean("id", heads) or "the first row names the columns: `family,id,copies,…`"
        report.error("RP121", "the table has no column `id`", place, help=hint)
    if "family" not in heads and len(families) != 1:
        report.error("RP121", "the table has no column `family`", place,
                     help=f"the game has {', '.join(map(quote, families)) or 'none'}")
    for name in heads:
        if heads.count(name) > 1 and name:
            report.error("RP110", f"the column {quote(name)} is there twice", place)
        elif name and name not in known and "." not in name:
            report.error("RP120", f"no card has a {quote(name)}", place,
                         help=did_you_mean(name, known))


class _Row:
    """One row: its cells by column, and where they stand."""

    def __init__(self, file: str, line: int, cells: dict[str, str], all_of_it: list[str]) -> None:
        self.cells = {name: cell.strip() for name, cell in cells.items() if name and cell.strip()}
        self.place = Place(file, line, 1, 2)
        self.extra = [cell for cell in all_of_it[len(cells):] if cell.strip()]


def _card(row: _Row, families: tuple[str, ...], found: dict[str, dict[str, SpecNode]],
          report: Reporter) -> None:
    cells = dict(row.cells)
    name = cells.pop("id", "")
    family = cells.pop("family", families[0] if len(families) == 1 else "")
    if row.extra:
        report.error("RP120", f"the row has more cells than there are columns: "
                     f"{quote(row.extra[0])}", row.place, help="put text with separators in quotes")
    if family not in families:
        report.error("RP220", f"no family {quote(family)}", row.place,
                     help=did_you_mean(family, families))
    elif not name:
        report.error("RP121", "a card without `id`", row.place)
    elif name in found.get(family, {}):
        report.error("RP124", f"the card {quote(name)} is there twice", row.place)
    else:
        values = dict[str, SpecNode]()
        abilities = dict[str, SpecNode]()
        for column, cell in cells.items():
            if column.startswith("abilities."):
                abilities[column.partition(".")[2]] = SpecNode(cell, row.place)
            else:
                values[column] = SpecNode(_value(column, cell), row.place)
        if abilities:
            values["abilities"] = fields.mapping(abilities, row.place)
        found.setdefault(family, {})[name] = fields.mapping(values, row.place)


def _value(column: str, cell: str) -> bool | int | str | None:
    if column in ("name", "id"):
        return cell
    if _NUMBER.fullmatch(cell):
        return int(cell)
    return TRUTHS.get(cell.lower(), cell)
