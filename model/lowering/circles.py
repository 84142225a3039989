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
from ..rules.context import TRIGGER, own
from ..rules.elaborate import Elaborator
from ..rules.plan import Plan, Run, inside
from ..source.errors import Reporter, quote
from .called import plans_of


def find_circles(game: Game, planner: Planner, report: Reporter) -> None:
    """Tell the planner what can run inside itself; report those to which no depth is given."""
    may = who_may_run_what(game)
    round_about = frozenset[str]().union(*(
        group for group in nx.strongly_connected_components(may)
        if len(group) > 1 or may.has_edge(*group, *group)))
    if not round_about:
        return
    # A circle without rules is seen by planning what is in it, as no rule can be removed from it.
    runs = who_runs_what(game, None if TRIGGER in round_about else round_about)
    if game.start in runs and TRIGGER in round_about:
        above = nx.immediate_dominators(runs, game.start)
        for name in above:
            here = name
            while here != game.start:
                if here.startswith(TRIGGER) and runs.has_edge(name, here):
                    runs.remove_edge(name, here)
                here = above[here]
    for group in sorted(nx.strongly_connected_components(runs), key=sorted):
        names = sorted(name for name in group if not name.startswith(TRIGGER))
        if not names or (len(group) == 1 and not runs.has_edge(names[0], names[0])):
            continue
        for name in names:
            planner.circles[name] = frozenset(names)
        if all(planner.depth(name) <= 1 for name in names):
            first = names[0]
            inner = runs.subgraph(group)
            ways = (nx.shortest_path(inner, name, first) for name in inner[first])
            way = " → ".join(map(_shown, (first, *min(ways, key=lambda w: (len(w), w)))))
            place = (game.steps.get(first) or game.windows[first]).place
            report.error("RP231", f"{quote(first)} can run inside itself: {way}", place,
                         help="give it a `depth: N` that says how deep that is followed")


def who_may_run_what(game: Game) -> nx.DiGraph[str]:
    """Give who may run whom by the names that bodies call: steps, windows, abilities of cards.

    All rules of any time are one node here, which whatever changes what one of them watches runs:
    as this has all ways that the plans have, and more, only what is in a circle need be planned.
    """
    calls: nx.DiGraph[str] = nx.DiGraph()
    calls.add_node(TRIGGER)
    bodies = [(name, body) for family in game.families.values() for card in family.cards
              for name, body in card.abilities.items()]
    for clause in game.clauses:
        bodies += [(home_of(clause), body)
                   for body in (clause.do, clause.otherwise) if body is not None]
    for name, body in bodies:
        called, sets_off = may_run(game, body.statements)
        calls.add_edges_from((name, each) for each in (*called, *([TRIGGER] if sets_off else [])))
    calls.remove_edges_from([(TRIGGER, TRIGGER)])
    return calls


def home_of(clause: Clause) -> str:
    """Name in what a clause runs, as `who_may_run_what` does."""
    return clause.on.partition(".")[0] if clause.whenever is None else TRIGGER


def who_runs_what(game: Game, names: frozenset[str] | None = None) -> nx.DiGraph[str]:
    """Give who runs whom: steps, windows, and rules of any time with `TRIGGER` before their ids.

    Without `names` of all of them, else of these steps and windows.
    """
    planner = Planner(Elaborator(game, Reporter()))
    runs: nx.DiGraph[str] = nx.DiGraph()
    rules = (f"{TRIGGER}{clause.id}" for clause in game.clauses
             if clause.whenever is not None and clause.in_force)
    some = (name for name in (*game.steps, *game.windows) if names is None or name in names)
    for name in (*some, *(rules if names is None else ())):
        runs.add_node(own(name))
        targets = _targets(plans_of(planner, f"{name}@0"))
        runs.add_edges_from((own(name), target) for target in targets)
    return runs


def _targets(plans: Iterable[Plan]) -> Iterator[str]:
    for plan in inside(plans):
        if isinstance(plan, Run):
            name = own(plan.target.rsplit("@", 1)[0])
            rule = name.removeprefix(TRIGGER).split(" ")[0]
            yield f"{TRIGGER}{rule}" if name.startswith(TRIGGER) else name


def _shown(name: str) -> str:
    if name.startswith(TRIGGER):
        return f"the rule {quote(name.removeprefix(TRIGGER))}"
    return quote(name)
