"""Where results and messages go: standard output, a file (whole or not at all), standard error."""

from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

from ..model.source.errors import MAX_EXCERPT, printable
from ..reports.blocks.paper import Paper, cut
from . import answers

if TYPE_CHECKING:
    from ..checker.audit.listener import Listener
    from ..checker.bench.cluster import Cluster

Tick = Callable[[float, float | None, str], None]
"""Called with what is done, what there is in all (None if nobody knows), and a few words."""


MARGIN = 10
"""Cells beside an excerpt of a spec: the number of the line, a stroke, two dots."""


def use_color(stream: TextIO, *, no_color: bool = False) -> bool:
    """Return whether to write colour: to a terminal that can, unless `--no-color` or NO_COLOR."""
    if no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return is_terminal(stream)


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether somebody sits in front of a stream; a closed one has nobody."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def terminal_width(stream: TextIO) -> int:
    """Give the width to write in: that of the terminal, 100 where there is none."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and 20 <= int(columns) <= 1000:
        return int(columns)
    if is_terminal(stream):
        with suppress(OSError, ValueError):
            return max(20, os.get_terminal_size(stream.fileno()).columns)
    return 100


def excerpt_room(stream: TextIO) -> int:
    """Return how much of a line of a spec fits beside its number and the dots where it is cut."""
    if not is_terminal(stream):
        return MAX_EXCERPT
    return max(10, min(MAX_EXCERPT, terminal_width(stream) - MARGIN))


def fitting(text: str) -> str:
    """Break lines that are told at the width of the terminal; elsewhere they stay as they are."""
    if not is_terminal(sys.stderr):
        return text
    paper, out = Paper(terminal_width(sys.stderr)), list[str]()
    for line in text.split("\n"):
        lead = line[:len(line) - len(line.lstrip())]
        out += paper.wrap(line, lead, f"{lead}  ")
    return "\n".join(out)


def say(text: str, *, quiet: bool = False) -> None:
    """Tell the person at the keyboard something that is no result."""
    if not quiet:
        shown = fitting(text)
        typer.echo(shown, err=True)
        answers.said(f"{shown}\n", result=False)


def say_unanswered(cluster: Cluster | None, *, quiet: bool) -> None:
    """Tell how much a cluster has left to this machine, if anything."""
    if cluster is not None and cluster.unanswered:
        say(f"{cluster.unanswered} questions were asked here, as the cluster had no answer: "
            f"{cluster.why}", quiet=quiet)


def write_result(text: str, output: Path | None) -> None:
    """Write a result to standard output, or to a file."""
    if not text.endswith("\n"):
        text += "\n"
    if output is None or str(output) == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
        answers.said(text, result=True)
    else:
        answers.wrote()
        write_file(output, text)


def try_file(path: Path) -> None:
    """Insist that a file can be written there; nothing is left behind, and what is there stays.

    Raises:
        OSError: if it cannot.

    """
    target, mode = _target(path)
    if mode is None or stat.S_ISREG(mode):
        _beside(target, path).unlink()
    elif stat.S_ISDIR(mode):
        raise OSError(errno.EISDIR, "is a directory", str(path))


def write_file(path: Path, text: str) -> None:
    """Write a file so that it is there as a whole or as it was before.

    A link is followed; what is no ordinary file (a pipe, /dev/null) is written to, not replaced.

    Raises:
        OSError: if that is not possible; nothing is left behind.

    """
    target, mode = _target(path)
    if mode is not None and not stat.S_ISREG(mode):
        with target.open("w", encoding="utf-8") as special:
            special.write(text)
        return
    temporary = _beside(target, path)
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_permissions(mode))
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _target(path: Path) -> tuple[Path, int | None]:
    """Follow links; give the file that is meant, and its mode if it is there."""
    try:
        os.fsencode(path)
        target = Path(os.path.realpath(path))
    except ValueError:
        raise OSError(errno.EINVAL, "not the name of a file", str(path)) from None
    try:
        return target, target.stat().st_mode
    except FileNotFoundError:
        return target, None


def _beside(target: Path, path: Path) -> Path:
    """Make an empty file beside the one that is meant."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    os.close(handle)
    return Path(name)


def _permissions(mode: int | None) -> int:
    """Keep those of the file that is replaced; a new file gets what the umask leaves."""
    if mode is not None:
        return stat.S_IMODE(mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


@contextmanager
def stages(
    title: str, *, quiet: bool = False, no_color: bool = False
) -> Generator[Listener, None, None]:
    """Show what a verification does and sees, on standard error and only if that is a terminal.

    The bar is of the stage: its share that is done, and how long the rest of it is likely to take.
    """
    # Else every command would load all that checks.
    from ..checker.audit.listener import Listener  # noqa: PLC0415

    if quiet or not is_terminal(sys.stderr):
        yield Listener()
        return
    from rich import progress as shown  # noqa: PLC0415  (slow to load, seldom needed)
    from rich.console import Console  # noqa: PLC0415

    console = Console(file=sys.stderr, no_color=not use_color(sys.stderr, no_color=no_color))
    columns = (
        shown.TextColumn("{task.description}", markup=False), shown.BarColumn(bar_width=20),
        shown.TimeRemainingColumn(), shown.TextColumn("left; in all"), shown.TimeElapsedColumn(),
        shown.TextColumn("{task.fields[words]}", markup=False, style="dim"),
    )  # fmt: skip
    with shown.Progress(*columns, console=console, transient=True, expand=False) as bars:
        task = bars.add_task(title, total=None, words="")

        class Bar(Listener):
            """Shows what it is told."""

            eager = True

            def stage(self, number: int, of: int, what: str) -> None:
                begun = bars.tasks[0].start_time
                bars.reset(task, total=None, description=f"{number}/{of} {what}", words="")
                bars.tasks[0].start_time = begun

            def say(self, words: str) -> None:
                bars.update(task, words=cut(printable(words), max(10, console.width - 85)))

            def part(self, share: float) -> None:
                bars.update(task, completed=share, total=1.0)

            def seen(self, title: str) -> None:
                console.print(f"seen: {printable(title)}", markup=False, highlight=False)

        yield Bar()


@contextmanager
def progress(
    title: str, *, quiet: bool = False, no_color: bool = False
) -> Generator[Tick, None, None]:
    """Show how long work goes on, on standard error and only if that is a terminal."""
    if quiet or not is_terminal(sys.stderr):
        yield lambda _done, _total, _words: None
        return
    from rich.console import Console  # noqa: PLC0415  (slow to load, seldom needed)
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    console = Console(file=sys.stderr, no_color=not use_color(sys.stderr, no_color=no_color))
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[words]}", markup=False),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bars:
        task = bars.add_task(title, total=None, words="")

        def tick(done: float, total: float | None, words: str) -> None:
            bars.update(task, completed=done, total=total, words=words)

        yield tick
