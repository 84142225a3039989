"""Answers that are kept, so that nothing is asked twice: in a file, or in the cache folder.

In a file a long run goes on where it was interrupted.  The first line says what the answers are
about; each further line is one answer.  A line begins with a hash of itself and of all lines before
it.  Answers are data and nothing else; they are appended when they are known, so a run that is cut
off loses at most the line that it was writing.

In the cache folder each answer is a file of its own, named by all that it depends on; so a run of a
spec that was changed meets again those that still hold.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

from ...model.lowering.compile import Compiled
from ...model.plays.documents import settings_json
from ..engine import cache
from ..search.checkpoint import CheckpointError

FORMAT = "ruleproof/answers-2"
ITSELF = "spec" * 16
"""Stands in kept answers for the hash of the spec, which plays and positions tell."""


class Answers:
    """The answers in a file, which is made if it is not there.

    They depend on what they are `about`; those to something else are refused.  `spec` is the hash
    of the spec, which may have been another one when an answer was kept.

    Raises:
        CheckpointError: if the file cannot be read or written, is damaged, or is about other
            things.

    """

    def __init__(self, path: Path, about: Mapping[str, object], spec: str = ITSELF) -> None:
        self.path = path
        self._spec = spec
        self.unsaved = ""
        """Why answers are no longer kept, if that has become impossible."""
        self._known: dict[str, str] = {}
        self._hash = ""
        self._size = 0
        head = json.loads(_text({"format": FORMAT, **about}))
        try:
            found = self._read(path.read_bytes() if path.exists() else b"")
            if not found:
                self._append(head)
        except OSError as error:
            raise CheckpointError(f"the checkpoint `{path}`: {error.strerror}") from error
        if found and found[0] != head:
            differs = next(key for key in (*head, *found[0]) if found[0].get(key) != head.get(key))
            raise CheckpointError(f"the checkpoint `{path}` is of another run: {differs} differs")
        self._known.update((key, _text(answer)) for key, answer in found[1:])

    def _read(self, data: bytes) -> list[Any]:
        """Read the lines that are whole; what was cut off behind them is removed."""
        whole, end, rest = data.rpartition(b"\n")
        found: list[Any] = []
        for line in whole.split(b"\n") if end else ():
            mark, _, text = line.partition(b" ")
            self._hash = _hash(self._hash, text)
            if mark.decode("latin-1") != self._hash:
                raise CheckpointError(f"the checkpoint `{self.path}` is damaged" if found
                                      else f"`{self.path}` is no checkpoint of this version")
            found.append(json.loads(text))
        self._size = len(data) - len(rest)
        if rest and not found and not re.match(rb"[0-9a-f]{0,32}( \{|$)", rest):
            raise CheckpointError(f"`{self.path}` is no checkpoint")
        if rest:
            os.truncate(self.path, self._size)
        return found

    def _append(self, value: object) -> None:
        text = _text(value).encode()
        mark = _hash(self._hash, text)
        line = f"{mark} ".encode() + text + b"\n"
        with self.path.open("ab") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        self._hash, self._size = mark, self._size + len(line)

    def get(self, key: str) -> Any:  # noqa: ANN401  (JSON)
        """Return an answer as data; None if it is not known."""
        return _filled(self._known.get(key, "null"), self._spec)

    def keep(self, key: str, answer: object) -> Any:  # noqa: ANN401  (JSON)
        """Keep an answer, and give it as data; if the file cannot be written, say so and go on."""
        self._known[key] = _text(answer).replace(self._spec, ITSELF)
        if not self.unsaved:
            try:
                self._append([key, json.loads(self._known[key])])
            except OSError as error:
                self.unsaved = error.strerror or str(error)
                with suppress(OSError):
                    os.truncate(self.path, self._size)
        return self.get(key)


class Remembered:
    """Answers in the cache folder, if there is one.

    They depend on what they are `about`, beside their questions, and on the program itself.
    """

    def __init__(self, about: Mapping[str, object], spec: str) -> None:
        self._spec = spec
        self._about = _text({"format": FORMAT, "code": cache.code(), **installed(), **about})

    def _name(self, key: str) -> str:
        return hashlib.sha256(f"kept {self._about} {key}".encode()).hexdigest()

    def get(self, key: str) -> Any:  # noqa: ANN401  (JSON)
        """Return an answer as data; None if it is not known."""
        return _filled((cache.find(self._name(key)) or b"null").decode(), self._spec)

    def keep(self, key: str, answer: object) -> Any:  # noqa: ANN401  (JSON)
        """Keep an answer, and give it as data."""
        text = _text(answer).replace(self._spec, ITSELF)
        cache.store(self._name(key), text.encode())
        return _filled(text, self._spec)


Kept = Answers | Remembered


def about(printed: Compiled, command: str, *, spec: str = "", **more: object) -> dict[str, object]:
    """Say what the answers to questions about a game depend on.

    `spec` names the spec, if they depend on less of it than all.
    """
    cards = printed.game.settings.cards
    read = "" if cards is None else hashlib.sha256(Path(cards).read_bytes()).hexdigest()
    return {"command": command, "game": printed.game.id, "version": version_of(),
            "settings": settings_json(printed), "card data": read,
            "spec": spec or printed.game.spec_sha256, **more}


@lru_cache(maxsize=1)
def installed() -> dict[str, str]:
    """Return the versions of what answers depend on, our own code by its hash, too."""
    return {"ruleproof": f"{version_of()} ({cache.code()[:8]})",
            "Python": ".".join(platform.python_version_tuple()[:2]),
            "z3-solver": version("z3-solver")}


def version_of() -> str:
    """Return the version of this program, as it is installed."""
    try:
        return version("ruleproof")
    except PackageNotFoundError:
        return "0"


def _text(value: object) -> str:
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False)


def _filled(text: str, spec: str) -> Any:  # noqa: ANN401  (JSON)
    """Read an answer that was kept, as one about this spec."""
    return json.loads(text.replace(ITSELF, spec))


def _hash(before: str, text: bytes) -> str:
    return hashlib.sha256(before.encode() + text).hexdigest()[:32]


def digest(*values: object, spec: str = ITSELF) -> str:
    """Return a short name to what questions are asked about, whichever the hash of the spec is."""
    return hashlib.sha256(_text(values).replace(spec, ITSELF).encode()).hexdigest()[:32]
