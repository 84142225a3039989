"""The published reports of the bundled games.

`python -m ruleproof.cli.commands.publish [--check | --pages] [GAME…]` writes them.

For each game `reports/published/GAME.json` (the findings file), `GAME.md` and `GAME.html` (the same
to be read, without the book's own words), and `README.md`, the list of them.  `--check` writes
nothing and says what is stale: a report that was made of another spec or by another version, or by
a run that was cut short or has failed, or a document that is not what its findings file gives.
`--pages` writes these documents anew.  Neither verifies the games again, which takes minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from ... import __version__
from ...checker.engine.browser import for_browser
from ...checker.findings.results import CLASSES, Report
from ...checker.verify import verify
from ...model.game.game import Settings
from ...model.loading.load import bundled, load_game
from ...model.lowering.compile import compile_game
from ...model.source.errors import UsageError
from ...reports.blocks.classes import PARTS
from ...reports.formats.document import dump, load
from ...reports.formats.html import html
from ...reports.formats.markdown import markdown, md, table
from ...reports.formats.text import settings_text
from .. import exit as status
from ..files.latest import published_folder
from ..output import say, stages, write_file

LISTED = [name for name in PARTS if name != "ruled"]
"""The parts that a published report can have: it is made as the spec comes."""


def main(args: Sequence[str]) -> int:
    """Write the reports, or check them."""
    names = [arg for arg in args if not arg.startswith("-")] or list(bundled())
    options = {arg for arg in args if arg.startswith("-")}
    unknown = [name for name in names if name not in bundled()]
    if options - {"--check", "--pages"} or len(options) > 1 or unknown:
        say(__doc__ or "")
        return status.USAGE
    if "--check" in options:
        stale = list(check(names))
        for line in stale:
            say(line)
        return status.FINDINGS if stale else status.OK
    for name in names:
        if options:
            page(name, load(published_folder() / f"{name}.json"))
        elif not publish(name):
            return status.INTERRUPTED
    write_file(published_folder() / "README.md", overview(bundled()))
    return status.OK


def publish(name: str) -> bool:
    """Verify a game and write its report; say whether that was done, and not cut short."""
    settings = Settings()
    with stages(f"verifying {name}") as listener:
        report = verify(name, settings, remember=True, listener=listener)
    if report.interrupted or report.lost:
        say(f"{name}: the run was cut short, or has failed, so its report is left as it was")
        return False
    published_folder().mkdir(exist_ok=True)
    write_file(published_folder() / f"{name}.json", dump(report))
    page(name, report)
    return True


def page(name: str, report: Report) -> None:
    """Write what a findings file gives to read."""
    compiled = compile_game(load_game(name))
    folder = published_folder()
    write_file(folder / f"{name}.md", markdown(report, compiled))
    write_file(folder / f"{name}.html", html(report, compiled, name, game=for_browser(compiled)))


def check(names: Sequence[str]) -> Iterator[str]:
    """Say what is stale."""
    for name in names:
        game = load_game(name)
        try:
            report = replace(load(published_folder() / f"{name}.json"), title=game.title)
        except UsageError as error:
            yield f"{name}: {error}"
            continue
        if report.spec_sha256 != game.spec_sha256:
            yield f"{name}: the report was made of another spec"
        elif report.version != __version__:
            yield f"{name}: the report was made by version {report.version}"
        elif report.interrupted or report.lost:
            yield f"{name}: the report was made by a run that was cut short, or has failed"
        elif _read(published_folder() / f"{name}.md") != markdown(report, compile_game(game)):
            yield f"{name}: {name}.md is not what {name}.json gives"
        elif settings_text(report) not in _read(published_folder() / f"{name}.html"):
            yield f"{name}: {name}.html was made of another report"
    if names and _read(published_folder() / "README.md") != overview(bundled()):
        yield "README.md is not up to date"


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""


def overview(names: Sequence[str]) -> str:
    """Write the list of the published reports."""
    rows: list[list[str]] = []
    for name in names:
        try:
            rows.append(_row(name, load(published_folder() / f"{name}.json")))
        except UsageError:
            continue
    head = ["game", "page", "findings", "decide who wins", "by class",
            *(PARTS[name].title.lower() for name in LISTED), "scopes explored"]
    return "\n".join([
        "# What was found in the bundled games", "",
        "Made by `make reports`. Beside each report lies its findings file.",
        "", *table(head, rows),
    ])  # fmt: skip


def _row(name: str, report: Report) -> list[str]:
    found = [each for each in report.findings if not each.part]
    classes = [f"{n} {cls}" for cls in CLASSES if (n := sum(f.cls == cls for f in found))]
    whole = sum(one.complete for one in report.explored)
    return [
        f"[{md(name)}]({name}.md)",
        f"[HTML]({name}.html)",
        str(len(found)),
        str(sum(f.level == 1 and not f.ends_only for f in found)),
        ", ".join(classes),
        *(str(sum(f.part == name for f in report.findings)) for name in LISTED),
        f"{whole} of {len(report.explored)} completely",
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
