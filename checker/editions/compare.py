"""Two editions compared: their text, what each change does at the table, and their findings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

from msgspec import structs

from ...model.game.game import Settings
from ...model.loading.load import chosen_text
from ...model.plays.documents import settings_json
from ...model.plays.wording import many, numbers
from ...model.source.errors import Reporter
from ...model.source.tree import SpecNode
from ...model.stop import deadline_in, stoppable
from ..audit.parallel import guarded
from ..bench.workbench import Instance, Workbench
from ..findings.results import Report
from .behaviour import alone, parted
from .results import EditionDiff, EditionHeader, FindingsCompared, Noticed, Parted, TextChange
from .texts import Entries, apart, compared, entries_of, unplayed_of

PLAYED = ("added", "dropped", "changed")
"""The kinds of changes that may do something at the table."""
MAIN = "clauses"
"""The section that is told, and tried, first."""


@dataclass(frozen=True)
class Edition:
    """One of the two: where its spec is, what is chosen of it, and its findings if known."""

    source: str
    settings: Settings
    report: Report | None = None

    @cached_property
    def bench(self) -> Workbench:
        """Its games."""
        return Workbench(self.source, self.settings, reduce=False)

    @cached_property
    def instance(self) -> Instance:
        """The game that was asked for."""
        return Instance(self.bench.game(self.settings.scope))


def compare(
    a: Edition, b: Edition, *, version: str, seed: int = 0, play: bool = True,
    max_time: float | None = None, progress: Callable[[str], None] | None = None,
) -> EditionDiff:
    """Compare two editions, the older one first; if `play`, for `max_time` seconds in play, too.

    `version` is ours.  `progress` gets a line of text now and then.

    Raises:
        UsageError: if there is no such game, or settings do not fit it.
        SpecErrors: if one does not load.

    """
    say = progress or (lambda _: None)
    benches, both = (a.bench, b.bench), (a.instance, b.instance)
    texts = _texts(benches[0], a.settings), _texts(benches[1], b.settings)
    changes, same = compared(*texts)
    together: Parted | None = None
    why, missing = "", list[str]()
    if play:
        with stoppable(deadline_in(max_time)) as stop:
            say("both editions in play")
            answer = guarded(stop, partial(parted, *both, "a", seed))
            together = answer.value if isinstance(answer.value, Parted) else None
            why = answer.value if isinstance(answer.value, str) else answer.why
            shown = list[TextChange]()
            left = dict[str, int]()
            for number, each in enumerate(sorted(changes, key=lambda one: one.section != MAIN), 1):
                say(f"change {number} of {len(changes)}: {each.id}")
                told = guarded(stop, partial(alone, each, benches, both, texts, seed)
                               if each.how in PLAYED else str)
                shown.append(structs.replace(each, parted=told.value) if isinstance(
                    told.value, Parted) else structs.replace(each, why=told.value or told.why))
                if told.why:
                    left[told.why] = left.get(told.why, 0) + 1
            changes = tuple(shown)
            missing += [f"{many(number, 'change')} alone: {reason}"
                        for reason, number in left.items()]
            stop.heed()
    else:
        missing.append("play: it was not asked for")
    missing += _unplayed(a, b)
    if play and any(each.how in PLAYED for each in changes):
        missing += _other_numbers(*both)
    missing += _no_findings(a.report, b.report)
    return EditionDiff(
        "ruleproof/diff-1", version, _header(both[0]), _header(both[1]), changes, same, together,
        why, _findings(a.report, b.report), tuple(missing))


def _texts(bench: Workbench, settings: Settings) -> dict[str, Entries]:
    return entries_of(*_chosen(bench, settings))


def _chosen(bench: Workbench, settings: Settings) -> tuple[SpecNode, tuple[str, ...]]:
    report = Reporter()
    root, chosen = chosen_text(bench.sections, settings, report, [])
    report.raise_if_any()
    return root, chosen.variants


def _unplayed(a: Edition, b: Edition) -> list[str]:
    """Name what differs in modes that are not played."""
    names = apart(*(unplayed_of(*_chosen(each.bench, each.settings)) for each in (a, b)))
    return [f"modes that are not played: they differ in {', '.join(names)}"] if names else []


def _other_numbers(one: Instance, two: Instance) -> list[str]:
    """Say with how many other players both can be played, which was not compared."""
    (low, high), (least, most) = one.game.players_range, two.game.players_range
    others = {*range(low, high + 1)} & {*range(least, most + 1)} - {one.game.players}
    return [f"play with {numbers(sorted(others))} players (`--players`)"] if others else []


def _header(instance: Instance) -> EditionHeader:
    game = instance.game
    return EditionHeader(game.id, game.title, game.spec_sha256, settings_json(instance.compiled))


def _no_findings(a: Report | None, b: Report | None) -> list[str]:
    """Say why findings are not compared: what was not found must have been looked for."""
    if a is None or b is None:
        return ["findings: no findings of both editions are at hand"]
    return [f"findings: the verification of {name} "
            f"{'was cut short' if each.cut_short else 'failed in a part'}, so what it did not "
            "find may be there"
            for name, each in (("A", a), ("B", b)) if each.cut_short or each.lost]


def _findings(a: Report | None, b: Report | None) -> FindingsCompared | None:
    """Compare findings by what they are called, without the game's name."""
    if a is None or b is None or _no_findings(a, b):
        return None
    mine, theirs = ({each.id.partition("/")[2]: Noticed(each.id, each.cls, each.title)
                     for each in report.everything} for report in (a, b))
    return FindingsCompared(
        tuple(each for name, each in mine.items() if name not in theirs),
        tuple(each for name, each in theirs.items() if name not in mine),
        len(mine.keys() & theirs.keys()))
