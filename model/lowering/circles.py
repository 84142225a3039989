"""Steps and windows that can run inside themselves, by way of others and of rules of any time.

What runs what is read off the plans.  A rule interrupts neither itself nor what it runs, so where
it is at work whatever way play takes (it dominates what runs, in the sense of Lengauer and Tarjan),
it is no way back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import networkx as nx

from ..game.game import Clause, Game
from ..game.uses import may_run
from ..planning.planner import Planner
from ..rules.context import own
from ..rules.elaborate import Elaborator
from ..rules.plan import Plan, Run, Target, inside
from ..source.errors import Reporter, quote
from .called import plans_of

RULES = "rules of any time"
"""What stands for all of them where nothing is planned; nothing in a spec is called so."""


def find_circles(game: Game, planner: Planner, report: Reporter) -> None:
    """Tell the planner what can run inside itself; report those to which no depth is given."""
    may = who_may_run_what(game)
    round_about = frozenset[str]().union(*(
        group for group in nx.strongly_connected_components(may)
        if len(group) > 1 or may.has_edge(*group, *group)))
    if not round_about:
        return
    # A circle without rules is seen by planning what is in it, as no rule can be removed from it.
    runs = who_runs_what(game, None if RULES in round_about else round_about)
    start = Target(game.start)
    if start in runs and RULES in round_about:
        above = nx.immediate_dominators(runs, start)
        for each in above:
            here = each
            while here != start:
                if here.rule and runs.has_edge(each, here):
                    runs.remove_edge(each, here)
                here = above[here]
    for group in sorted(nx.strongly_connected_components(runs), key=_by_words):
        names = sorted(each.name for each in group if not each.rule)
        if not names or (len(group) == 1 and not runs.has_edge(*group, *group)):
            continue
        for name in names:
            planner.circles[name] = frozenset(names)
        if all(planner.depth(name) <= 1 for name in names):
            first = Target(names[0])
            inner = runs.subgraph(group)
            ways = (nx.shortest_path(inner, each, first) for each in inner[first])
            shortest = min(ways, key=lambda way: (len(way), [each.words for each in way]))
            way = " → ".join(map(_shown, (first, *shortest)))
            place = (game.steps.get(first.name) or game.windows[first.name]).place
            report.error("RP231", f"{quote(first.name)} can run inside itself: {way}", place,
                         help="give it a `depth: N` that says how deep that is followed")


def who_may_run_what(game: Game) -> nx.DiGraph[str]:
    """Give who may run whom by the names that bodies call: steps, windows, abilities of cards.

    All rules of any time are one node here, which whatever changes what one of them watches runs:
    as this has all ways that the plans have, and more, only what is in a circle need be planned.
    """
    calls: nx.DiGraph[str] = nx.DiGraph()
    calls.add_node(RULES)
    bodies = [(name, body) for family in game.families.values() for card in family.cards
              for name, body in card.abilities.items()]
    for clause in game.clauses:
        bodies += [(home_of(clause), body)
                   for body in (clause.do, clause.otherwise) if body is not None]
    for name, body in bodies:
        called, sets_off = may_run(game, body.statements)
        calls.add_edges_from((name, each) for each in (*called, *([RULES] if sets_off else [])))
    calls.remove_edges_from([(RULES, RULES)])
    return calls


def home_of(clause: Clause) -> str:
    """Name in what a clause runs, as `who_may_run_what` does."""
    return clause.on.partition(".")[0] if clause.whenever is None else RULES


def who_runs_what(game: Game, names: frozenset[str] | None = None) -> nx.DiGraph[Target]:
    """Give who runs whom, at whatever level, and a rule whatever it acts inside of.

    Without `names` of all of them, else of these steps and windows.
    """
    planner = Planner(Elaborator(game, Reporter()))
    runs: nx.DiGraph[Target] = nx.DiGraph()
    rules = (Target(clause.id, rule=True) for clause in game.clauses
             if clause.whenever is not None and clause.in_force)
    some = (Target(name) for name in (*game.steps, *game.windows)
            if names is None or name in names)
    for each in (*some, *(rules if names is None else ())):
        runs.add_node(_bare(each))
        targets = _targets(plans_of(planner, each))
        runs.add_edges_from((_bare(each), target) for target in targets)
    return runs


def _bare(target: Target) -> Target:
    return Target(own(target.name), rule=target.rule)


def _targets(plans: Iterable[Plan]) -> Iterator[Target]:
    return (_bare(plan.target) for plan in inside(plans) if isinstance(plan, Run))


def _by_words(group: Iterable[Target]) -> list[str]:
    return sorted(each.words for each in group)


def _shown(target: Target) -> str:
    return f"the rule {quote(target.name)}" if target.rule else quote(target.name)
