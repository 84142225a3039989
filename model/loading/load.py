"""Loads games: reads a spec's folder, applies settings, and builds the `Game`, or says why not.

    game = load_game("my-game", Settings(players=3))

Every mistake of every file is found in one run; `SpecErrors` holds them all. To build a game under
many settings, read it once (`read_sections`) and call `with_settings` for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from ..game import entries
from ..game.game import PRINTED, Game, Ruling, Settings
from ..silences.aspects import is_silence
from ..silences.questions import ruled
from ..source import fields
from ..source.errors import Place, Reporter, UnfitModeError, UsageError, quote
from ..source.shape import check, prune
from ..source.tree import SpecNode
from ..source.yaml_file import read_yaml
from . import settings as choosing
from .build import build
from .card_table import COLUMNS, SUFFIXES, read_table
from .folder import bundled, read_sections
from .modes import bound, unfit
from .sections import Sections


def load_game(
    name_or_path: str,
    settings: Settings = Settings(),  # noqa: B008  (frozen)
) -> Game:
    """Load a bundled game, or the one in a folder that holds a `game.yaml`.

    Raises:
        SpecErrors: the spec is wrong; holds every reason.
        UsageError: there is no such game, or the settings do not fit it (`UnfitModeError`: a mode
            that is chosen is for games with other cards, or other numbers of players).

    """
    report = Reporter()
    sections = read_sections(name_or_path, report)
    return with_settings(sections, settings, report)


def with_settings(
    sections: Sections, settings: Settings, report: Reporter, *,
    changes: Iterable[Mapping[str, object]] = (),
) -> Game:
    """Build the game for some settings; raises as `load_game` does.

    `changes` are change lists that are applied last, as data.  What is wrong goes to `report`, on
    top of what reading the sections found. A report that holds errors already raises them again:
    use a fresh one for each game.
    """
    for file, lines in sections.sources.items():
        report.add_source(file, lines)
    for each in sections.wrong:
        report.error(each.code, each.message, each.place, help=each.help, notes=each.notes)
    wrong: list[str] = []
    modes: list[str] = []
    root, chosen = chosen_text(sections, settings, report, wrong, changes=changes)
    game = build(root, sections, chosen, settings, report)
    report.raise_if_any()
    for name, why in unfit(game, report).items():
        if name in settings.variants:
            wrong, modes = [*wrong, why], [*modes, name]
        else:
            own = fields.entries(fields.field(root, "scopes"))[chosen.scope]
            report.error("RP242", why, fields.place_of(own, "variants"))
    report.raise_if_any()
    if not wrong and settings.scope == PRINTED and (more := bound(game)):
        return with_settings(
            sections, replace(settings, players=game.players,
                              variants=(*game.settings.variants, *more)),
            Reporter(), changes=changes)
    game = ruled(game, [each for each in chosen.rulings if is_silence(each.point)], wrong)
    if wrong:
        why = "\n".join(wrong)
        raise UnfitModeError(why, tuple(modes)) if modes else UsageError(why)
    return game


def parted(settings: Settings) -> tuple[Settings, tuple[tuple[str, str], ...]]:
    """Part settings into those of the sections and the rulings of silences."""
    silent = tuple(each for each in settings.rulings if is_silence(each[0]))
    spoken = tuple(each for each in settings.rulings if each not in silent)
    return replace(settings, rulings=spoken), silent


def under_silences(game: Game, settings: Settings, silent: Iterable[tuple[str, str]]) -> Game:
    """Take up readings of silences in a game that was built without (`parted`).

    Raises:
        UsageError: if the game has no such silence or reading.

    """
    found = {each.point: each for each in game.rulings}
    found |= {point: Ruling(point, reading, "chosen") for point, reading in silent}
    declared = {point.id for point in game.open_points}
    kept = [*(each for point, each in found.items() if point in declared),
            *(found[point] for point in sorted(found.keys() - declared)
              if found[point].reading not in choosing.LITERAL)]
    wrong: list[str] = []
    made = ruled(game.as_written or game, [each for each in kept if is_silence(each.point)], wrong)
    if wrong:
        raise UsageError("\n".join(wrong))
    return replace(made, rulings=tuple(kept),
                   settings=replace(game.settings, rulings=settings.rulings))


def chosen_text(
    sections: Sections, settings: Settings, report: Reporter, wrong: list[str], *,
    changes: Iterable[Mapping[str, object]] = (),
) -> tuple[SpecNode, choosing.Chosen]:
    """Return the sections as settings leave them, readings of silences apart; and the choice.

    What is wrong with the settings is added to `wrong`, and then nothing is applied.
    """
    root = with_cards(sections, settings.cards, report).root
    chosen = choosing.choose(root, settings, entries.players_range(root, report), wrong)
    more = tuple(_change_list(each, report) for each in changes)
    return root if wrong else choosing.apply(root, chosen, more, report), chosen


def with_cards(sections: Sections, path: str | None, report: Reporter) -> Sections:
    """Lay a file of real cards over sections, if there is one; it is read once for all games."""
    if path is None or path == sections.cards:
        return sections
    root = choosing.overlaid(sections.root, _overlay(path, sections.root, report))
    return replace(sections, root=root, cards=path, sources={**sections.sources, **report.sources})


def _overlay(path: str, root: SpecNode, report: Reporter) -> SpecNode:
    """Read a file of real cards."""
    try:
        found = Path(path).is_file()
    except ValueError:
        found = False
    if not found:
        raise UsageError(f"no file of cards {quote(path)}")
    if Path(path).suffix.lower() in SUFFIXES:
        families = fields.entries(root, "families")
        columns = {name for each in families.values()
                   for name in fields.entries(each, "attributes")}
        table = read_table(Path(path), families, (*columns, *COLUMNS), report)
        return prune(table, check(table, report))[0]
    node = read_yaml(Path(path), report, display_name=Path(path).as_posix())
    if node is None or node.value is None:
        return fields.mapping({}, Place.start_of(path))
    node, _ = prune(node, check(node, report))
    for name in fields.entries(node):
        if name != "cards":
            report.error("RP120", f"a file of cards has no section {quote(name)}",
                         fields.key_place(node, name) or node.place, help="only `cards`")
    return node


def _change_list(changes: Mapping[str, object], report: Reporter) -> SpecNode:
    node = fields.from_plain(dict(changes), choosing.MADE)
    wrong = check(node, report, definition="change_list")
    return node if not wrong else fields.mapping({}, node.place)


__all__ = ["Sections", "bundled", "chosen_text", "load_game", "read_sections", "with_cards",
           "with_settings"]
