"""`ruleproof lint PATH…`: every mistake in spec files, and what looks forgotten."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from ... import __version__
from ...checker.engine.cache import kept_as, program
from ...model.loading.load import bundled, load_game, read_sections
from ...model.source import inputs
from ...model.source.errors import MAX_EXCERPT, Reporter, UsageError
from ...model.views.lint import Lint
from ...model.views.lint import lint as look
from ...model.views.words import MissingWord, missing_words
from ...reports.formats.document import json_text
from ...reports.formats.lints import lint_blocks, lint_json, lint_summary
from ...reports.formats.silences import silence_lines, silences_json
from .. import answers
from .. import exit as status
from .. import options as opt
from ..files.books import read_book
from ..groups import Told, grouped
from ..output import excerpt_room, use_color

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...model.game.game import Game
    from ...reports.blocks.paper import Paper

PATHS = typer.Argument(
    metavar="PATH...",
    help="Folders that hold a game.yaml (or folders of such), files in them, or bundled names.",
    show_default=False)
STRICT = typer.Option("--strict", help="Let warnings fail too.")
SILENT = typer.Option(
    "--silent", help="List what each clause decides, and whether its sentence says so.")
RULEBOOK = opt.option(
    "--rulebook", metavar="FILE",
    help="With --silent: the rulebook's text, to be shown beside. With --words: it is looked at.")
WORDS = typer.Option(
    "--words", help="List the words of the --rulebook that nothing in the spec says.")


@grouped
def lint(
    *,
    paths: Annotated[list[str], PATHS],
    strict: Annotated[bool, STRICT] = False,
    silent: Annotated[bool, SILENT] = False,
    words: Annotated[bool, WORDS] = False,
    rulebook: Annotated[Path | None, RULEBOOK] = None,
    form: Annotated[str, opt.format_option("text", "json", "sarif")] = "text",
    told: Told,
) -> int:
    """Check spec files: syntax, types, references, citations.

    What looks forgotten (clauses, terms, variables that nothing uses) is a warning, and a worked
    example that names what the game has not.
    """
    if words:
        if rulebook is None:
            raise UsageError("`--words` needs `--rulebook FILE`, the text of the book")
        text = read_book(rulebook).decode("utf-8", "replace")
        found_words = [_missing(name, text) for path in paths for name in games_in(path)]
        told.write(_words_text(found_words, form, told.paper))
        answers.lasts()
        return status.OK
    if silent:
        book = "" if rulebook is None else read_book(rulebook).decode("utf-8", "replace")
        games = [load_game(name) for path in paths for name in games_in(path)]
        told.write(_silences(games, book.split("\n") if book else [], form, told.paper))
        answers.lasts()
        return status.OK
    found = [_looked(name) for name in dict.fromkeys(n for path in paths for n in games_in(path))]
    errors = [each for one in found for each in one.errors]
    warnings = [each for one in found for each in one.warnings]
    if form == "sarif":
        base = "spec/games/" if all(path in bundled() for path in paths) else ""
        from ...reports.formats.sarif import sarif_lint  # noqa: PLC0415  (loads reports of findings)

        told.write(sarif_lint(__version__, errors, warnings, base=base))
    elif form == "json":
        told.write(json_text(lint_json(found)))
    else:
        color = told.output is None and use_color(sys.stdout, no_color=told.no_color)
        room = MAX_EXCERPT if told.output is not None else excerpt_room(sys.stdout)
        blocks = [block for one in found for block in lint_blocks(one, color=color, room=room)]
        if blocks:
            told.write("\n\n".join(blocks))
        for one in found:
            told.say(lint_summary(one))
    if errors:
        return status.USAGE
    answers.lasts()
    return status.FINDINGS if warnings and strict else status.OK


def _looked(name: str) -> Lint:
    """Look a spec over, or return what was found in the same files before."""
    sections = read_sections(name, Reporter())
    if sections.wrong:
        return look(name, sections=sections)
    from ...checker.examples.unset import unset_scenes  # noqa: PLC0415  (loads what plays games)

    known = f"{sections.sha256} {bool(sections.book)} {sections.unread}"
    about = hashlib.sha256(f"lint {program()} {name} {known}".encode()).hexdigest()
    found = kept_as(about, lambda: msgspec.msgpack.encode(
        look(name, sections=sections, beside=unset_scenes)))
    return msgspec.msgpack.decode(found, type=Lint)


def _missing(name: str, book: str) -> tuple[str, tuple[MissingWord, ...]]:
    """List the words of a book that a spec never says."""
    report = Reporter()
    sections = read_sections(name, report)
    return sections.name, missing_words(load_game(name), sections.root, book)


def _words_text(
    found: Sequence[tuple[str, tuple[MissingWord, ...]]], form: str, paper: Paper
) -> str:
    """Write them, a line each, with the lines of the book that have them."""
    if form == "json":
        return json_text([{"game": name, "words": [
            {"word": each.word, "times": each.times, "lines": each.lines} for each in words]}
            for name, words in found])
    out = list[str]()
    for name, words in found:
        out.append(f"{name}: {len(words)} words of the book that nothing in the spec says")
        for each in words:
            lines = ", ".join(map(str, each.lines[:8])) + (", …" if len(each.lines) > 8 else "")
            out += paper.wrap(f"{each.word} ({each.times}): line {lines}", "  ", "    ")
    return "\n".join(out)


def _silences(games: Sequence[Game], book: Sequence[str], form: str, paper: Paper) -> str:
    """Write what the clauses of games decide."""
    if form == "json":
        return json_text([silences_json(game, book) for game in games])
    return "\n\n".join("\n".join(silence_lines(game, book, paper)) for game in games)


def games_in(path: str) -> list[str]:
    """Find the games that a path means: itself, the one that a file belongs to, those below it."""
    if path in bundled():
        return [path]
    here = Path(path)
    if here.is_file():
        return [str(here.parent)]
    if here.is_dir() and not (here / "game.yaml").is_file():
        inputs.note_names(here, "*/game.yaml")
        below = sorted(each.parent for each in here.glob("*/game.yaml"))
        return [str(each) for each in below] or [path]
    return [path]
