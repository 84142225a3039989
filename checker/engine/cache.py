"""What is kept in files, so that it is made once for all runs: machine code, and answers.

A file is named by the hash of all that its content depends on, and begins with the hash of what
follows.  It is written beside its place and then moved there, so processes do
not disturb each other.  Machine code is run as it is, so only a folder that nobody else can write
is trusted.  The environment variable RULEPROOF_CACHE names another folder, or is `off`.  Without a
folder the last ones are kept in memory.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

MOST_BYTES = 1 << 30
"""When there is more, code that was used longest ago goes, and then answers, until half is left."""

SMALL = 1 << 16
"""So many bytes and fewer are kept longer: answers take minutes to find, and code is made anew in a
second, but is so much larger that one long run would drop all answers for it."""

MOST_IN_MEMORY = 100
"""How many things are kept in memory."""

PARTS = ("model", "checker", "reports", "cli", "spec")
"""The folders that hold what answers depend on."""

PACKAGES = ("jinja2", "jsonschema", "msgspec", "networkx", "rich", "typer", "wasmtime", "yaml",
            "z3")
"""What they use of others."""

_MEMORY: dict[str, bytes] = {}
_SPARE: dict[Path, int] = {}
"""How much may be written before it is looked whether there is too much."""

DIGEST = hashlib.sha256().digest_size


def kept(code: bytes, about: str, make: Callable[[], bytes]) -> bytes:
    """Return the machine code of a module, from its file or from memory, else what `make` gives.

    Beside wasmtime and the processor it depends on what it is `about`.
    """
    return kept_as(hashlib.sha256(f"{_here()} {about}".encode() + b"\0" + code).hexdigest(), make)


def kept_as(name: str, make: Callable[[], bytes]) -> bytes:
    """Return what a file of this name holds, or memory; it is made if neither does.

    The name is a hash of all that the content depends on.
    """
    folder = place()
    if folder is None:
        found = _MEMORY.pop(name, None) or make()
        _MEMORY[name] = found
        for old in [*_MEMORY][:-MOST_IN_MEMORY]:
            _MEMORY.pop(old, None)
        return found
    made = find(name)
    if made is None:
        made = make()
        store(name, made)
    return made


def find(name: str) -> bytes | None:
    """Return what the file of this name holds; None if there is none that is whole."""
    folder = place()
    if folder is None:
        return None
    path = folder / name
    with suppress(OSError):
        data = path.read_bytes()
        if hashlib.sha256(data[DIGEST:]).digest() == data[:DIGEST]:
            os.utime(path)
            return data[DIGEST:]
    return None


def store(name: str, made: bytes) -> None:
    """Keep something in the file of this name, if there is a folder for it."""
    folder = place()
    if folder is None:
        return
    path = folder / name
    with suppress(OSError):
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        part.write_bytes(hashlib.sha256(made).digest() + made)
        part.replace(path)
        _SPARE[folder] = _SPARE.get(folder, 0) - len(made)
        if _SPARE[folder] < 0:
            _thin(folder)


def place() -> Path | None:
    """Return the folder, made if need be; None if there is none, or none that can be trusted."""
    named = os.environ.get("RULEPROOF_CACHE", "")
    if named == "off":
        return None
    try:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(named) if named else Path(base) / "ruleproof"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        about = folder.stat()
    except (OSError, RuntimeError):
        return None
    if hasattr(os, "getuid") and (
            about.st_uid != os.getuid() or about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)):
        return None
    return folder


@cache
def code() -> str:
    """Return a hash of our own code, as far as answers depend on it."""
    root, digest = Path(__file__).resolve().parents[2], hashlib.sha256()
    for path in sorted((*root.glob("model/**/*.py"), *root.glob("checker/**/*.py"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def program() -> str:
    """Name what gives answers: our files, and the packages that they use, as they lie here.

    A file is known by its path, size and time, as Python knows what it has compiled.
    """
    root = Path(__file__).resolve().parents[2]
    there: list[object] = [sys.version, root]
    todo = [root / name for name in PARTS]
    while todo:
        with os.scandir(todo.pop()) as entries:
            for each in sorted(entries, key=lambda each: each.name):
                if not each.is_dir():
                    about = each.stat()
                    there += [each.path, about.st_size, about.st_mtime_ns]
                elif each.name != "__pycache__":
                    todo.append(Path(each.path))
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            package = Path(spec.origin).parent
            there += [package, *(path.stat().st_mtime_ns for path in (
                Path(spec.origin), package.parent))]  # packages come and go in the parent
    return hashlib.sha256(repr(there).encode("utf-8", "surrogateescape")).hexdigest()


@cache
def _here() -> str:
    """Name what makes machine code here."""
    import platform  # noqa: PLC0415  (no answer that is kept needs it)
    from importlib.metadata import version  # noqa: PLC0415  (30 ms, same)

    return f"{version('wasmtime')} {platform.platform()} {platform.processor()}"


def _thin(folder: Path) -> None:
    """Delete what is large and was used longest ago, if there is too much; then what is small."""
    files = [(path, path.stat()) for path in folder.iterdir() if path.is_file()]
    total = sum(about.st_size for _, about in files)
    _SPARE[folder] = (MOST_BYTES - total) // 8  # others write, too
    if total <= MOST_BYTES:
        return
    for path, about in sorted(
            files, key=lambda each: (each[1].st_size <= SMALL, each[1].st_mtime)):
        path.unlink(missing_ok=True)
        total -= about.st_size
        if total <= MOST_BYTES // 2:
            return
