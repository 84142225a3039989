"""What a change of the text does at the table: two machines in lock-step, at the printed size.

Each change is tried alone: the first edition with this one change, or where that makes no sense
(it may speak of what that edition does not have), the second one without it.  The two games then
make the same moves until they differ: breadth first as far as so many situations reach, and then
in random plays, whose moves are left out as long as the rest still shows a difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import structs

from ...model.game.game import PRINTED, Game
from ...model.plays.moves import describe_move
from ...model.run.interp import EndlessRules, UncoveredRules
from ...model.source.errors import SpecErrors, UsageError, first_line
from ..bench.workbench import Instance, Workbench
from ..comparison.equivalence import apart_in_play
from ..comparison.lockstep import SideBySide
from ..comparison.product import Split, diverge, followers
from ..findings.evidence import moves_of, play_of
from ..findings.outcomes import outcomes
from ..findings.results import LEVELS
from ..packed.flags import HIDDEN
from ..search.labels import Label, same_arrays
from ..search.playouts import plays_for
from ..search.shorten import fewer
from .results import Parted, TextChange
from .texts import Entries

PAIRS = 20_000
"""Pairs of situations that are compared breadth first."""
ALONE = ("clauses", "windows", "constants")
"""Sections whose entries can be changed alone."""
SILENT = "what is declared is compared with all changes together only"
SAME = "the turn machine is the same"
IDLE = "this change is of a mode that is not played"
SMALL = 3
"""In so many scopes a change is tried that the printed game does not show, the smallest ones."""
TRIES = 2_000
"""So many shorter plays are tried for one difference."""

Base = Literal["a", "b"]
BASES: tuple[Base, Base] = ("a", "b")


def alone(change: TextChange, benches: tuple[Workbench, Workbench],
          editions: tuple[Instance, Instance],
          texts: tuple[Mapping[str, Entries], Mapping[str, Entries]], seed: int
          ) -> Parted | str:
    """Show what one change does; where nothing shows, say what was looked at."""
    if change.section not in ALONE:
        return "" if change.section == "vocabulary" else SILENT
    for number, base in enumerate(BASES):
        first = ""
        bench, edition, new = benches[number], editions[number], texts[1 - number]
        how = change.how if base == "a" else {"added": "dropped", "dropped": "added"}.get(
            change.how, change.how)
        changes = [_as_list(change, how, new)]
        for name in _scopes(edition.game):
            try:
                changed = Instance(bench.game(name, changes=changes))
                _ = changed.compiled
                same = name == edition.game.settings.scope
                alike = edition if same else Instance(bench.game(name))
                found = IDLE if _is_idle(change, changed.game) else parted(
                    alike, changed, base, seed)
            except (SpecErrors, UsageError) as error:
                found = f"this change alone makes no sense: {first_line(error)}"
            if isinstance(found, Parted):
                return found if same else structs.replace(found, scope=name)
            first = first or found
            if found == SAME or found.startswith("this change"):
                break
        if not first.startswith("this change"):
            break
    return first


def _is_idle(change: TextChange, game: Game) -> bool:
    """Return whether a game has a changed clause that is not in force in the modes played."""
    return change.section == "clauses" and any(
        clause.id == change.id and not clause.in_force for clause in game.clauses)


def _scopes(game: Game) -> tuple[str, ...]:
    """Name where a change is tried: as asked for, and of the printed game in small scopes, too."""
    chosen = game.settings.scope
    small = [name for name, scope in game.scopes.items() if scope.scaled]
    return (chosen, *(small[:SMALL] if chosen == PRINTED else ()))


def _as_list(change: TextChange, how: str, new: Mapping[str, Entries]) -> dict[str, Any]:
    """Write one change as a change list."""
    entry = new.get(change.section, {}).get(change.id, {})
    if change.section == "constants":
        return {"constants": {change.id: entry.get("value", 0)}}
    name = f"window:{change.id}" if change.section == "windows" else change.id
    if how == "dropped":
        return {"drop": [change.id]}
    if how == "added":
        return {"add": [entry]}
    return {"changes": {name: {field: entry.get(field) for field in change.fields}}}


def parted(one: Instance, two: Instance, base: Base, seed: int) -> Parted | str:
    """Find the shortest play to where two games differ.

    `one` is the edition `base`, and `two` has something of the other one.
    """
    found = first_difference(one, two, seed)
    try:
        return found if isinstance(found, str) else _told(one, two, base, *found)
    except (EndlessRules, UncoveredRules) as error:
        return first_line(error)


def first_difference(one: Instance, two: Instance, seed: int) -> tuple[Split, str] | str:
    """Return the shortest play found to where two games differ, and how it was found.

    Where none was found, what was looked at.
    """
    if why := unlike(one.game, two.game) or (
            "" if same_arrays(one.compiled.machine, two.compiled.machine)
            else "they have different variables or zones, or one of these can hold more in one"):
        return f"the two games cannot be played side by side: {why}"
    if one.program.rules == two.program.rules:
        return SAME
    programs = one.program.whole, two.program.whole
    try:
        found = diverge(*programs, limit=PAIRS, stop_at=HIDDEN)
        split, how = found.first, f"breadth first, {found.pairs:,} situations"
        if split is None and found.complete:
            return f"no difference in any of {found.pairs:,} situations (exhaustive)"
        if split is None:
            plays = plays_for(programs[0], seed=seed)
            play = apart_in_play(*programs, seed=seed, plays=plays)
            if play is None:
                within = f", as far as a bound of the model ({', '.join(found.bounds)})" * bool(
                    found.bounds)
                return (f"no difference in {found.pairs:,} situations from the start{within}, "
                        f"nor in {plays} (sampled)")
            how = f"in {plays.many:,} random plays, then shortened"
            split = _shorter(*programs, play)
    except (EndlessRules, UncoveredRules) as error:
        return first_line(error)
    return split, how


def unlike(a: Game, b: Game) -> str:
    """Say why moves of one game mean nothing in another; nothing if they do."""
    if a.players != b.players:
        return f"{a.players} players and {b.players}"
    for word, mine, theirs in (
        ("cards", {n: [c.id for c in f.cards] for n, f in a.families.items()},
         {n: [c.id for c in f.cards] for n, f in b.families.items()}),
        ("enums", dict(a.enums), dict(b.enums)),
    ):
        if mine != theirs:
            names = [name for name in dict.fromkeys((*mine, *theirs))
                     if mine.get(name) != theirs.get(name)]
            return f"they have different {word} ({', '.join(names[:3])})"
    return ""


def _shorter(first: Any, second: Any, play: tuple[Label, ...]) -> Split:  # noqa: ANN401
    """Leave out moves of a play that shows a difference."""
    both = SideBySide(first, second)
    follow = followers(both)

    def levels(trial: tuple[Label, ...]) -> frozenset[int] | None:
        s, t = (each(trial) for each in follow)
        return None if s is None or t is None else both.levels((s, t))

    def shows(trial: tuple[Label, ...]) -> bool | None:
        found = levels(trial)
        return None if found is None else bool(found)

    short = fewer(play, shows, TRIES)
    return Split(min(levels(short) or {HIDDEN}), short, "")


def _told(one: Instance, two: Instance, base: Base, split: Split, how: str) -> Parted:
    mine, theirs = moves_of(one, split.play), moves_of(two, split.play)
    machine = one.compiled.machine
    told = outcomes(((one, mine), (two, theirs)), split.level)
    moves, state = list[str](), one.interpreter.start().state
    for move in mine:
        moves.append(describe_move(machine, state, move))
        state = one.interpreter.step(state, move).state
    a, b = told if base == "a" else reversed(told)
    return Parted(base, LEVELS[split.level].name, tuple(moves), a, b, how, play_of(one, mine))
