"""Reads a game's folder: every `*.yaml` in it, merged, on top of the game that it extends.

A folder comes from a stranger. Only files inside of it are read (no links that lead out), and what
it extends must be a bundled game or a folder inside the one that holds it, so that no spec can have
other files read or shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import islice
from pathlib import Path

from ..game.texts import Texts
from ..source import fields, inputs
from ..source.errors import Place, Reporter, UsageError, did_you_mean, printable, quote
from ..source.outline import lines_of
from ..source.shape import check, prune
from ..source.tree import SpecNode
from ..source.yaml_file import MAX_BYTES, read_yaml
from . import actions
from .links import check_sections
from .sections import Sections
from .settings import changed

EVERYTHING = frozenset({
    "game", "players", "start", "actions", "state", "zones", "pools", "constants", "enums",
    "families", "cards", "steps", "windows", "clauses", "open_points", "variants", "scopes",
    "vocabulary"})
"""All sections that a file which cannot be read may have held."""
MAX_FILES = 200
MAX_EXTENDS = 8
MAIN = "game.yaml"
MAX_KEPT, MAX_CLAUSES = 8, 4_000
_RIGHT: dict[tuple[Path, str, str], Sections] = {}
"""What was read and has no mistake, by its folder, how that is shown, and all its texts: so many of
them, with so many clauses that readings have changed."""


@dataclass(frozen=True, slots=True)
class _Layer:
    """One folder: its sections and what identifies its files."""

    root: SpecNode
    broken: frozenset[str]
    digest: bytes


def games_folder() -> Path:
    """Return the folder that holds the bundled games."""
    return Path(str(files("ruleproof.spec"))) / "games"


def bundled() -> tuple[str, ...]:
    """Name the bundled games, by the alphabet."""
    folder = games_folder()
    if not folder.is_dir():
        return ()
    return tuple(sorted(each.name for each in folder.iterdir() if (each / MAIN).is_file()))


def read_sections(name_or_path: str, report: Reporter) -> Sections:
    """Read a bundled game, or the one in a folder.

    Raises:
        UsageError: there is no such game; whatever else is wrong goes to the report.

    """
    known = bundled()
    try:
        if name_or_path in known:
            folder, shown = games_folder() / name_or_path, name_or_path
        else:
            folder, shown = Path(name_or_path), Path(name_or_path).as_posix()
            if folder.name == MAIN and folder.is_file():
                folder = folder.parent
                shown = folder.as_posix()
        found = name_or_path != "" and (folder / MAIN).is_file()
    except (OSError, ValueError):
        found, folder, shown = False, Path(), ""
    if not found:
        raise UsageError(_no_game(name_or_path, known))
    layer = _Reading(report, folder.resolve().parent).game(folder, shown, ())
    book = _book_beside(folder, shown, layer.root)
    inputs.note_names(folder, "*.yml")
    unread = tuple(sorted(f"{shown}/{each.name}" for each in folder.glob("*.yml")))
    key = folder.resolve(), shown, f"{layer.digest.hex()} {bool(book)} {unread}"
    if key in _RIGHT and not report.diagnostics:
        if len(_RIGHT[key].texts.clauses) > MAX_CLAUSES:
            _RIGHT[key] = replace(_RIGHT[key], texts=Texts())
        return _RIGHT[key]
    root, broken = layer.root, layer.broken
    _check_needed(root, broken, report)
    root = actions.as_window(root, report)
    made = Sections(fields.text(root, "game", folder.resolve().name), root, layer.digest.hex(),
                    broken, book=book, unread=unread)
    check_sections(made, report)
    made = replace(made, wrong=report.diagnostics, sources=dict(report.sources))
    if not made.wrong:
        _RIGHT[key] = made
        for old in [*_RIGHT][:-MAX_KEPT]:
            del _RIGHT[old]
    return made


def _no_game(name: str, known: tuple[str, ...]) -> str:
    if other := _other_ending(name):
        return f"no {MAIN} in {quote(name)}; rename {quote(other)}: only files `*.yaml` are read"
    if name and _is_file(name):
        return f"{quote(name)} is a file; a game is a folder that holds a {MAIN}"
    inside = [] if "/" in name else known
    hint = did_you_mean(name.rpartition("/")[2], [*inside, *_beside(name)])
    if name and ("/" in name or "\\" in name or Path(name).is_dir()):
        hint = hint if hint and not Path(name).is_dir() else ""
        around = printable(name.rpartition("/")[0])
        return f"no {MAIN} in {quote(name)}" + (
            f"; {hint.replace('`', f'`{around}/', 1)}" if hint else "")
    hint = hint or f"bundled games: {', '.join(known) or 'none'}; or a folder that holds a {MAIN}"
    return f"no game {quote(name)}; {hint}"


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def _beside(name: str) -> tuple[str, ...]:
    """Name the games in folders beside one that is not there."""
    try:
        found = islice(Path(name).parent.glob(f"*/{MAIN}"), MAX_FILES)
        return tuple(sorted({each.parent.name for each in found}))
    except (OSError, ValueError):
        return ()


def _other_ending(name: str) -> str:
    """Name the file of a folder that would be its main one, but for its ending; "" if none is."""
    try:
        return next((each for each in ("game.yml", "game.YAML", "game.json")
                     if name and (Path(name) / each).is_file()), "")
    except (OSError, ValueError):
        return ""


def _resolved(path: Path) -> Path | None:
    """Follow all links of a path; None if they lead round in a circle."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return None


def _book_beside(folder: Path, shown: str, root: SpecNode) -> tuple[str, ...]:
    """Return the lines of the rulebook, if that text lies in the folder that cites it."""
    node = fields.field(root, "rulebook")
    name = fields.text(node, "file")
    if node is None or not name or node.place.file.rpartition("/")[0] != shown:
        return ()
    try:
        path = folder / name
        real = _resolved(path)
        inside = real is not None and real.parent == folder.resolve() and path.is_file()
        data = path.read_bytes() if inside and path.stat().st_size <= MAX_BYTES else None
        inputs.note_file(path, data)
    except (OSError, ValueError):
        data = None
    if data is None or hashlib.sha256(data).hexdigest() != fields.text(node, "sha256"):
        return ()
    return lines_of(data.decode("utf-8-sig", errors="replace"))


def _check_needed(root: SpecNode, broken: frozenset[str], report: Reporter) -> None:
    for name in ("game", "players"):
        if name not in fields.entries(root) and name not in broken:
            report.error("RP121", f"the game needs {quote(name)}", root.place)
    if not {"start", "actions"} & (fields.entries(root).keys() | broken):
        report.error("RP121", "the game needs `start` (its first step) or `actions`", root.place)


@dataclass(slots=True)
class _Reading:
    """Reads folders; `fence` holds every folder that may be read besides the bundled games."""

    report: Reporter
    fence: Path

    def game(self, folder: Path, shown: str, chain: tuple[Path, ...]) -> _Layer:
        """Read a folder and what it extends."""
        own = self._folder(folder, shown)
        link = fields.field(own.root, "extends")
        if link is None:
            self._check_changes(own.root, own.root, own.broken)
            return own
        base = self._base(link, folder, shown, (*chain, folder.resolve()))
        if base is None:
            return replace(own, broken=own.broken | EVERYTHING)
        digest = hashlib.sha256(own.digest + base.digest).digest()
        self._check_changes(own.root, base.root, own.broken | base.broken)
        return _Layer(_extended(base.root, own.root), own.broken | base.broken, digest)

    def _base(
        self, link: SpecNode, folder: Path, shown: str, chain: tuple[Path, ...]
    ) -> _Layer | None:
        """Find and read the game that one extends."""
        name, known = str(link.value), bundled()
        if name in known:
            target, display = games_folder() / name, name
        else:
            target, display = folder / name, (Path(shown) / name).as_posix()
            inside = not Path(name).is_absolute() and "\\" not in name and "\0" not in name
            fences = {self.fence, games_folder().resolve()}
            real = _resolved(target) if inside else None
            if real is None or fences.isdisjoint(real.parents):
                self.report.error(
                    "RP126", f"{quote(name)} leads out of the folder around the game", link.place,
                    help="a bundled game, or a folder inside or beside this one",
                )
                return None
        if not (target / MAIN).is_file():
            self.report.error("RP220", f"no game {quote(name)} to extend", link.place,
                              help=did_you_mean(name, known))
            return None
        if target.resolve() in chain or len(chain) > MAX_EXTENDS:
            why = "extends itself" if target.resolve() in chain else "extends too many others"
            self.report.error("RP125", f"the game {why}, by way of {quote(name)}", link.place)
            return None
        return self.game(target, display, chain)

    def _check_changes(self, own: SpecNode, base: SpecNode, broken: frozenset[str]) -> None:
        """Report changes of clauses and windows that the extended game does not have."""
        node = fields.field(own, "changes")
        there = {fields.text(each, "id") for each in fields.items(base, "clauses")}
        there |= {f"window:{name}" for name in fields.entries(base, "windows")}
        for name in fields.entries(node):
            if name not in there and f"clauses.{name}" not in broken and "clauses" not in broken:
                self.report.error("RP220", f"{quote(name)} is not in an extended game",
                                  fields.key_place(node, name) or own.place,
                                  help=did_you_mean(name, there))

    def _folder(self, folder: Path, shown: str) -> _Layer:
        """Read and merge the files of one folder."""
        main = Place.start_of(f"{shown}/{MAIN}")
        inputs.note_names(folder, "*.yaml")
        found = sorted((path for path in folder.iterdir() if path.suffix == ".yaml"),
                       key=lambda path: (path.name != MAIN, path.name))
        if len(found) > MAX_FILES:
            self.report.error("RP127", f"{len(found)} files in one game", main,
                              help=f"at most {MAX_FILES}")
        digest = hashlib.sha256()
        merged, broken = SpecNode({}, main), frozenset[str]()
        texts: dict[str, bytes] = {}
        home, empty = folder.resolve(), False
        for path in found[:MAX_FILES]:
            display = f"{shown}/{path.name}"
            real = _resolved(path)
            if real is None or home != real.parent:
                where = "out of the folder" if real is not None else "back to itself"
                self.report.error("RP126", f"the file is a link that leads {where}",
                                  Place.start_of(display))
                continue
            node = read_yaml(path, self.report, display_name=display)
            texts[path.name] = "\n".join(self.report.sources.get(display, ())).encode()
            if node is None:
                broken |= EVERYTHING
                continue
            if node.value is None:
                empty |= path.name == MAIN
                continue
            whole = isinstance(node.value, dict)
            node, bad = prune(node, check(node, self.report))
            broken |= bad | _meant(bad) if whole else EVERYTHING
            merged = self._merged(merged, node)
        if empty and not {"game", "extends"} & fields.entries(merged).keys():
            self.report.error("RP121", f"{MAIN} is empty", main,
                              help="`ruleproof new NAME` makes a folder with a small whole game")
            broken = EVERYTHING
        for name in sorted(texts):
            digest.update(f"{name}\0{len(texts[name])}\0".encode() + texts[name])
        return _Layer(merged, broken, digest.digest())

    def _merged(self, one: SpecNode, two: SpecNode) -> SpecNode:
        """Put the sections of two files together; the same entry twice is an error."""
        sections, keys = dict(fields.entries(one)), dict(one.keys)
        for name, section in fields.entries(two).items():
            before = sections.get(name)
            if before is None:
                sections[name] = section
                keys[name] = two.keys.get(name, section.place)
            else:
                sections[name] = self._joined(name, before, section, two)
        return replace(one, value=sections, keys=keys)

    def _joined(self, name: str, one: SpecNode, two: SpecNode, parent: SpecNode) -> SpecNode:
        match one.value, two.value:
            case tuple() as first, tuple() as second:
                return replace(one, value=(*first, *second))
            case dict() as first, dict() as second if name not in _WHOLE:
                joined, keys = dict(first), {**two.keys, **one.keys}
                for key, entry in second.items():
                    if key not in first:
                        joined[key] = entry
                    elif name == "cards":
                        joined[key] = self._joined(f"cards.{key}", first[key], entry, two)
                    else:
                        self._twice(f"{name}.{key}", first[key].place, two.keys[key])
                return replace(one, value=joined, keys=keys)
            case _:
                self._twice(name, one.place, parent.keys.get(name, two.place))
                return one

    def _twice(self, name: str, first: Place, second: Place) -> None:
        self.report.error("RP124", f"{quote(name)} is given twice", second,
                          notes=[f"the first one is at {first}"])


_WHOLE = frozenset({"rulebook", "players"})
"""Sections that are one entry."""

_LISTS = {"clauses": "id", "open_points": "id", "rulings": "point"}


def _meant(unknown: frozenset[str]) -> frozenset[str]:
    """Name the sections that are not known for their name alone, which is misspelt."""
    known = EVERYTHING - unknown
    return frozenset(name for name in known if any(
        did_you_mean(each, known) == f"did you mean {quote(name)}?" for each in unknown - known))


def _extended(base: SpecNode, own: SpecNode) -> SpecNode:
    """Lay a game over the one it extends: an entry of the same name, or id, takes its place.

    Its `changes` are made before, to single fields of the clauses and windows there.
    """
    base = changed(base, fields.entries(own, "changes"))
    own = replace(own, value={k: v for k, v in fields.entries(own).items() if k != "changes"})
    sections, keys = dict(fields.entries(base)), {**base.keys, **own.keys}
    for name, section in fields.entries(own).items():
        before = sections.get(name)
        match before.value if before else None, section.value:
            case tuple() as old, tuple() as new:
                sections[name] = replace(section, value=_replaced(old, new, _LISTS.get(name, "id")))
            case dict(), dict() if name not in _WHOLE and before is not None:
                sections[name] = _laid(before, section, deep=name == "cards")
            case _:
                sections[name] = section
    return SpecNode(sections, own.place, keys)


def _laid(base: SpecNode, own: SpecNode, *, deep: bool) -> SpecNode:
    entries: Mapping[str, SpecNode] = fields.entries(own)
    old = fields.entries(base)
    if deep:
        entries = {
            key: _laid(old[key], entry, deep=False) if key in old else entry
            for key, entry in entries.items()
        }
    return replace(own, value={**old, **entries}, keys={**base.keys, **own.keys})


def _replaced(
    old: tuple[SpecNode, ...], new: tuple[SpecNode, ...], key: str
) -> tuple[SpecNode, ...]:
    fresh = {fields.text(node, key): node for node in new}
    kept = [fresh.pop(fields.text(node, key), node) for node in old]
    return (*kept, *(node for node in new if fields.text(node, key) in fresh))
