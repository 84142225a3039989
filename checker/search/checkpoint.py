"""Checkpoints: an exploration as a file, from which it goes on as if it had never stopped.

The file is a line with the format's name, a line of JSON (all numbers and first findings), the
packed states in the order in which they were found, the number of the parent of each as four bytes
(little end first), and the SHA-256 of all that.  It is written beside its place and then moved
there, so a crash or a full disk leaves the file before it untouched.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ...model.source.errors import UsageError

FORMAT = b"ruleproof/exploration-2\n"
DIGEST = hashlib.sha256().digest_size
AT_ONCE = 1 << 16


class CheckpointError(UsageError):
    """A checkpoint could not be written or read; the text says why."""


@dataclass(slots=True)
class Saved:
    """What a checkpoint holds: numbers and findings as JSON, states, and their parents."""

    head: dict[str, object]
    states: list[bytes]
    parents: array[int]


def save(path: Path, head: dict[str, object], states: Sequence[bytes], parents: array[int]) -> None:
    """Write a checkpoint, all of it or none."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            digest = hashlib.sha256()
            for part in _parts(head, states, parents):
                digest.update(part)
                file.write(part)
            file.write(digest.digest())
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        why = error.strerror or str(error)
        raise CheckpointError(f"cannot write the checkpoint `{path}`: {why}") from error


def _parts(
    head: dict[str, object], states: Sequence[bytes], parents: array[int]
) -> Iterator[bytes]:
    """Yield the file in parts."""
    yield FORMAT
    yield json.dumps(head | {"count": len(states)}, sort_keys=True).encode() + b"\n"
    for first in range(0, len(states), AT_ONCE):
        yield b"".join(states[first : first + AT_ONCE])
    yield _swapped(parents).tobytes()


def load(path: Path) -> Saved:
    """Read a checkpoint, if it is whole."""
    try:
        data = path.read_bytes()
    except OSError as error:
        why = error.strerror or str(error)
        raise CheckpointError(f"cannot read the checkpoint `{path}`: {why}") from error
    if not data.startswith(FORMAT):
        raise CheckpointError(f"`{path}` is no checkpoint of this version")
    body = memoryview(data)[:-DIGEST]
    if hashlib.sha256(body).digest() != data[-DIGEST:]:
        raise CheckpointError(f"the checkpoint `{path}` is damaged")
    end = data.index(b"\n", len(FORMAT)) + 1
    head = json.loads(data[len(FORMAT) : end])
    count, length = head["count"], head["length"]
    split = end + count * length
    states = [data[place : place + length] for place in range(end, split, length)]
    parents = array("I")
    parents.frombytes(body[split:])
    return Saved(head, states, _swapped(parents))


def _swapped(parents: array[int]) -> array[int]:
    """Turn numbers from or to little end first."""
    if sys.byteorder == "little":
        return parents
    swapped = parents[:]
    swapped.byteswap()
    return swapped
