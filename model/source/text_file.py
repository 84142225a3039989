"""Reads text files of strangers: no pipes and devices, nothing huge, no characters that mislead."""

import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path

from . import inputs
from .errors import Place, Reporter, split_lines

# Controls (tab and line breaks aside), surrogates, what reorders text (bidirectional overrides and
# isolates), the other Unicode line breaks, the byte order mark, noncharacters.
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff"
    "\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)


class Unreadable(Exception):  # noqa: N818  (it is no error of ours)
    """The file is not worth reading on; what is wrong has been reported."""


def _read_bytes(path: Path, limit: int, report: Reporter, place: Place) -> bytes:
    """Read a regular file of at most `limit` bytes."""
    try:
        # Looked at twice: opening a device may do something, and the path may change in between.
        _check_regular(path.stat(), report, place)
        with open(path, "rb", opener=_open_without_waiting) as file:
            _check_regular(os.fstat(file.fileno()), report, place)
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the path is not valid"
        report.error("RP101", f"the file cannot be read: {str(reason).lower()}", place)
        raise Unreadable from None
    inputs.note_file(path, data)
    if len(data) > limit:
        report.error("RP103", f"the file is larger than {limit // 1024} KiB", place)
        raise Unreadable
    return data


def _open_without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _check_regular(status: os.stat_result, report: Reporter, place: Place) -> None:
    kinds = {stat.S_IFREG: "", stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe"}
    if kind := kinds.get(stat.S_IFMT(status.st_mode), "a device"):
        report.error("RP102", f"this is {kind}, where a file is wanted", place)
        raise Unreadable


def _decode(data: bytes, report: Reporter, file: str) -> str:
    """Decode UTF-8, with or without a byte order mark."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = split_lines(data[: error.start].decode("utf-8"))
        line, column = len(before), len(before[-1]) + 1
        report.error(
            "RP104",
            f"the byte 0x{data[error.start]:02x} is not UTF-8",
            Place(file, line, column, column + 1),
            help="save the file as UTF-8",
        )
        raise Unreadable from None


def _check_characters(lines: Sequence[str], report: Reporter, file: str) -> None:
    """Refuse characters that hide or reorder what a reader sees."""
    wrong = False
    for number, line in enumerate(lines, 1):
        for match in FORBIDDEN.finditer(line):
            place = Place(file, number, match.start() + 1, match.start() + 2)
            report.error("RP105", f"the character U+{ord(match[0]):04X} is not allowed", place)
            wrong = True
    if wrong:
        raise Unreadable


def load_text(path: Path, limit: int, report: Reporter, file: str) -> tuple[str, tuple[str, ...]]:
    """Read, decode and look over a file."""
    text = _decode(_read_bytes(path, limit, report, Place.start_of(file)), report, file)
    lines = split_lines(text)
    report.add_source(file, lines)
    _check_characters(lines, report, file)
    return text, lines
