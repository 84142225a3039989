"""The program: one file a command, put together here; and how it ends, whatever happens.

`run` turns every way of ending into an exit status and at most a few lines on standard error.  A
traceback is shown only if RULEPROOF_DEBUG=1.
"""

from __future__ import annotations

import errno
import os
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Annotated, TextIO

import typer

from .. import __version__
from ..model.source.errors import (
    SpecErrors,
    TooMuchError,
    UsageError,
    did_you_mean,
    printable,
    quote,
)
from ..model.stop import Stop, stoppable
from . import exit as status
from .output import excerpt_room, fitting, is_terminal, use_color

COMMANDS: Mapping[str, str] = {
    "games": "List the bundled games, their scopes and variants.",
    "lint": "Check spec files: syntax, types, references, citations.",
    "watch": "Lint a game, and look at its first states, again at each save.",
    "verify": "Check all that can be checked; rank what is found.",
    "explore": "Explore all states, and count them; nothing is checked.",
    "perft": "Count the distinct plays of each length.",
    "scopes": "Propose small instances in which rules act that act in none.",
    "positions": "Write edge-case positions as test files.",
    "ask": "Ask the fewest questions that settle the open points.",
    "conform": "Hold somebody else's implementation of a game against the rules.",
    "diff": "Compare two editions, rulings, variants or versions.",
    "play": "Play a game, with each move checked against the rules.",
    "replay": "Run plays, witnesses of findings, and positions again.",
    "trace": "Follow every sentence of the rulebook into the machine.",
    "graph": "Show the turn machine as a graph.",
    "explain": "Explain anything of a game in plain words.",
    "outline": "List the sentences of a rulebook by line, as a spec cites them.",
    "schema": "Print a JSON Schema, for editors and programs.",
    "new": "Make a folder with a small whole game.",
}
"""What each command does, in the order in which the help lists them."""

_CLICK_ERROR = next(e for e in typer.BadParameter.__mro__ if e.__name__ == "ClickException")
"""The base of all errors of the command line; where it comes from depends on typer's version."""


def build(name: str | None = None) -> typer.Typer:
    """Put the program together: one command, or without a name all of them, to be listed only.

    Only the command that is asked for is imported; the others take most of a second.
    """
    app = typer.Typer(
        name="ruleproof",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        pretty_exceptions_show_locals=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(_program)
    if name is not None:
        app.command(name)(getattr(import_module(f".commands.{name}", __package__), name))
        return app
    for each, summary in COMMANDS.items():
        app.command(each, help=summary)(_listed)
    return app


def _listed() -> None:
    """Stand for a command in the list of all of them."""


def _version(value: bool) -> None:  # noqa: FBT001  (typer calls it)
    if value:
        typer.echo(f"ruleproof {__version__}")
        raise typer.Exit(status.OK)


def _program(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Write a card game's rules as data, and have them proved.

    Exit status: 0 nothing found, 1 findings, 2 wrong usage or a spec that does not load, 3 nothing
    found, but a limit stopped the search or something inside failed, 130 interrupted.
    """
    del version


def run(args: Sequence[str]) -> int:
    """Run one command line, and give its exit status; never raises."""
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        # What the terminal cannot show is shown as an escape, rather than being an error.
        with suppress(AttributeError, ValueError, OSError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = _run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon(sys.stdout)
        return status.PIPE
    except OSError as error:
        _abandon(sys.stdout)
        _complain(_os_error(error))
        return status.USAGE
    return code


def _open_what_is_closed() -> None:
    """Give the streams that whoever started us has closed something to read and to write."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115  (to the end)
            setattr(sys, name, nowhere)


def _run(args: Sequence[str]) -> int:
    color = use_color(sys.stderr, no_color="--no-color" in args)
    try:
        first = next((arg for arg in args if arg != "--"), "")
        app = build(first if first in COMMANDS else None)
        with stoppable() as stop:
            result = _invoke(app, args, stop)
    except UsageError as error:
        for line in str(error).splitlines() or ["wrong usage"]:
            _complain(line, color=color)
        return status.USAGE
    except SpecErrors as error:
        typer.echo(error.render(color=color, room=excerpt_room(sys.stderr)), err=True)
        return status.USAGE
    except typer.Exit as error:
        return int(error.exit_code)
    except status.Interrupted as error:
        return _interrupted(error.resume)
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted("nothing was kept: the same command begins anew")
    except OSError:
        raise
    except TooMuchError as error:
        _complain(f"{error}; a smaller `--scope` may help", color=color)
        return status.LIMIT
    except MemoryError:
        _complain("out of memory; a smaller `--scope` or `--max-states` may help", color=color)
        return status.INTERNAL
    except Exception as error:  # noqa: BLE001  (nothing may end in a traceback)
        if isinstance(error, _CLICK_ERROR):
            return _wrong_usage(error, color=color)
        return _internal(error, color=color)
    return result if isinstance(result, int) else status.OK


def _invoke(app: typer.Typer, args: Sequence[str], stop: Stop) -> object:
    """Parse and run, without what typer's own `main` makes of interrupts and closed pipes.

    An interrupt that comes out as an exception of the library that it hit is an interrupt, and so
    is one that something heeded that then came to its end.
    """
    command = typer.main.get_command(app)
    try:
        with command.make_context("ruleproof", list(args)) as context:
            result = command.invoke(context)
    except Exception as error:
        if stop.heed() and not isinstance(error, status.Interrupted):
            raise KeyboardInterrupt from error
        raise
    if stop.heed():
        raise status.Interrupted("what was found until then is told")
    return result


def _interrupted(resume: str) -> int:
    """Return how to go on; the cursor stands behind `^C`, or a prompt, or a bar."""
    with suppress(OSError, ValueError):
        typer.echo(f"{chr(10) if is_terminal(sys.stderr) else ''}interrupted; {resume}", err=True)
    return status.INTERRUPTED


_OF_NUMBERS = tuple((re.compile(f"Input should be {theirs}.*"), plain) for theirs, plain in (
    ("a valid integer", "a whole number is needed"), ("a valid number", "a number is needed"),
    (r"greater than or equal to (-?\d+)", r"it must be at least \1"),
    (r"less than or equal to (-?\d+)", r"it must be at most \1")))
"""What the command line says of numbers, and what we say."""


def _wrong_usage(error: Exception, *, color: bool) -> int:
    """Say in one line what is wrong with the command line, and where help is."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "ruleproof"
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(str(error), err=True)
        return status.USAGE
    tell = getattr(error, "format_message", error.__str__)
    text = str(tell())
    text = " ".join(text.split()).rstrip(".")
    for theirs, plain in _OF_NUMBERS:
        text = theirs.sub(plain, text)
    if text.startswith("No such command") and context is not None:
        name = text.split("'")[1] if "'" in text else ""
        text = f"no such command {quote(name)}"
        text += f"; {hint}" if (hint := did_you_mean(name, COMMANDS)) else ""
    if text.startswith("No such option") and (name := getattr(error, "option_name", "")):
        text = f"no such option {quote(name)}"
        known = [each for one in context.command.params for each in one.opts] if context else ()
        text += f"; {hint}" if (hint := did_you_mean(name, known)) else ""
    _complain(text[:1].lower() + text[1:], color=color)
    typer.echo(f"see `{path} --help`", err=True)
    return status.USAGE


def _internal(error: Exception, *, color: bool) -> int:
    """Own up to a bug, in one line."""
    if os.environ.get("RULEPROOF_DEBUG") == "1":
        traceback.print_exception(error)
    words = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    _complain(
        f"internal error: {words}; please report this (RULEPROOF_DEBUG=1 shows where)",
        color=color,
    )
    return status.INTERNAL


def _os_error(error: OSError) -> str:
    """Say in one line what the system refused."""
    reason = (error.strerror or str(error) or type(error).__name__).lower()
    if error.errno == errno.ENOSPC:
        reason = "no space left on the device"
    name = error.filename2 if error.filename2 is not None else error.filename
    return f"{quote(os.fsdecode(name))}: {reason}" if isinstance(name, str | bytes) else reason


def _complain(text: str, *, color: bool = False) -> None:
    label = "\x1b[1;31merror\x1b[0m" if color else "error"
    with suppress(OSError, ValueError):
        told = fitting(f"error: {printable(text)}")
        typer.echo(told.replace("error", label, 1), err=True)


def _abandon(stream: TextIO | None) -> None:
    """Point a stream that nobody can read at nothing, so that Python's own flush does not fail."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]
        os.close(nowhere)
