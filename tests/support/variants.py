"""The games of a scope as one family, held against each of them compiled alone."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ruleproof.checker.bench.workbench import Instance, Workbench
from ruleproof.checker.clauses.deletion import acts
from ruleproof.checker.comparison.equivalence import same_everywhere
from ruleproof.checker.engine.program import Program
from ruleproof.checker.points.points import points_of as derived_of
from ruleproof.checker.points.silences import silences_of
from ruleproof.model.loading.settings import points_of
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.run.interp import EndlessRules
from ruleproof.model.source.errors import SpecErrors, UsageError


def related(bench: Workbench, scope: str) -> Iterator[dict[str, str]]:
    """Yield the readings of what is derived, and relate those of a kind, as the checks do."""
    instance = bench.instance(scope)
    points = [*derived_of(instance.compiled), *silences_of(instance.game)]
    for kind in ("rules", "firing", "timing", "silence", "clauses", "loop"):
        some = [{point.id: reading} for point in points if point.kind == kind
                for reading, _ in point.readings if reading != point.adopted]
        bench.relate(some)
        yield from some


def variants(
    bench: Workbench, scope: str, runs: int, *, derived: bool
) -> Iterator[tuple[str, Instance]]:
    """Yield a scope as it is, without clauses, under each reading, and some with both changes.

    Of the readings that are derived only if that is asked for.

    Left out are each clause, and each two, three, … clauses that follow each other, up to `runs`.
    """
    game = bench.game(scope)
    names = [c.id for c in game.clauses if c.in_force and acts(c)]
    drops = [{"drop": names[at : at + size]} for size in range(1, runs + 1)
             for at in range(len(names) - size + 1)]
    readings = [{point: reading} for point, those in points_of(bench.sections.root).declared.items()
                for reading in those]
    asked: list[dict[str, Any]] = [{}, *({"changes": (each,)} for each in drops),
                                   *({"rulings": each} for each in readings)]
    asked += [{"rulings": one, "changes": (two,)}
              for one, two in zip(readings, drops, strict=False)]
    if derived:
        asked += [{"rulings": each} for each in related(bench, scope)]
    for each in asked:
        with suppress(SpecErrors, UsageError):
            yield repr(each), bench.instance(scope, **each)


def told_apart(
    bench: Workbench, scope: str, *, most: int, runs: int = 1, derived: bool = False
) -> tuple[list[str], int, int]:
    """Compare each game of a family with that game compiled alone, in up to so many situations.

    Give the names of those that differ, how many were compared, and how many are in no family.
    """
    differ: list[str] = []
    compared = alone = 0
    base = bench.game(scope)
    for name, instance in variants(bench, scope, runs, derived=derived):
        if instance.member is None:
            alone += 1
            continue
        # A clause may be the only one that names a card of which there is none.
        game = replace(instance.game, families=base.families)
        program = Program(compile_game(game).machine)
        compared += 1
        if _ends(program) != _ends(instance.member):
            differ.append(f"{name}: the setup")
        elif _ends(program) and same_everywhere(
            program, instance.member, duties=True, limit=most
        ) is False:
            differ.append(name)
    return differ, compared, alone


def _ends(program: Program) -> bool:
    try:
        program.start()
    except EndlessRules:
        return False
    return True
