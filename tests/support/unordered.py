"""Little random games in which something has no stated order, and all that can be seen of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.engine.program import Program
from ruleproof.checker.packed.flags import FILTERED
from ruleproof.checker.search.explore import Exploration
from ruleproof.checker.search.labels import Labels
from ruleproof.model.game.game import Settings
from ruleproof.model.rules.elaborate import Elaborator
from ruleproof.model.rules.meanings import Names
from ruleproof.model.run.interp import EndlessRules
from ruleproof.model.source.errors import Reporter, SpecErrors

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from ruleproof.checker.bench.workbench import Instance

STATES = 3_000

DEEDS = (
    "a[{p}] = 1", "a[{p}] = min(2, a[{p}] + 1)", "a[{p}] += 1", "b[{p}] = a[{p}]",
    "b[{p}] = 2 - b[{p}]", "n = min(3, n + 1)", "n += 1", "b[{p}] = min(2, n)",
    "x = choose(range(0, 2), by={p})\na[{p}] = x", "t = t + 1\nb[{p}] = min(2, t)", "last = {p}",
    "if may(by={p}):\n  a[{p}] = 2", "x = choose(range(0, b[{p}]), by={p})\nb[{p}] = x",
    "crown = {p}", "a[{p}] = max(b[q] for q in players)", "mark({p})", "ask()",
    "b[next_player({p})] = a[{p}]", "if a[{p}] == 1:\n  b[{p}] = 1", "win({{{p}}})",
    "while a[{p}] == 1:\n  b[{p}] = 1", "x = random(range(0, 2))\nb[{p}] = x",
    "for q in clockwise({p}):\n  a[q] = 1", "if a[{p}] + n > 2:\n  b[{p}] = 0",
)
MARKS = ("a[who] = 2 - a[who]", "z = who\nb[z] = 1", "x = choose(range(0, 2), by=who)\nb[who] = x",
         "n = min(3, n + b[who])")
TESTS = ("n < 2", "a[active] == 0", "sum(a[p] for p in players) < 2", "a[active] <= b[active]",
         "any(b[p] > 0 for p in players)", "n == 0", "crown == none")


@dataclass(frozen=True, slots=True)
class Little:
    """A game as data, and the open point in it whose order is asked for."""

    kind: str
    point: str
    spec: dict[str, Any]

    def write(self, folder: Path) -> str:
        """Write it, and give the folder."""
        (folder / "game.yaml").write_text(json.dumps(self.spec), "utf-8")
        return str(folder)


def _indented(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.splitlines())


def _deeds(random: Random, who: str, most: int = 2) -> str:
    return "\n".join(random.choice(DEEDS).format(p=who) for _ in range(random.randint(1, most)))


def little(seed: int) -> Little:
    """Make up a game: a loop over players, two clauses on one step, or a window of all."""
    random = Random(seed)  # noqa: S311
    kind = random.choice(("loop", "clauses", "window", "window"))
    clauses: list[dict[str, Any]] = []

    def say(name: str, **fields: object) -> None:
        clauses.append({"id": name, "kind": "effect", "says": f"{name} is done", **fields})

    window: dict[str, Any] = {"by": "active", "done": "pass"}
    order = {"clauses": "order/one/two", "window": "order/acting", "loop": "order/one"}[kind]
    loop = "t = 0\nlast = active\nfor p in players:\n" + _indented(_deeds(random, "p"))
    loop += random.choice(("", "", "crown = last", "n = min(3, t)"))
    otherwise = {"otherwise": "n = 1"} if random.random() < 0.2 else {}
    if kind == "loop":
        place = random.choice(("step", "option", "trigger"))
        go = {"step": "pass", "option": "acting()", "trigger": "n = 3"}[place]
        say("go", on="game", do=go)
        if place == "step":
            say("one", on="game", after=["go"], do=loop, **otherwise)
        elif place == "option":
            say("one", on="acting", option="do it", do=loop, kind="permit", **otherwise)
        else:
            say("one", whenever="n == 3", timing="after the step", do="n = 0\n" + loop)
    elif kind == "clauses":
        when = random.choice(({}, {}, {"when": random.choice(TESTS)}))
        say("one", on="game", do="t = 0\nlast = active\n" + _deeds(random, "active"), **otherwise)
        say("two", on="game", do="t = 0\nlast = active\n" + _deeds(random, "active"), **when)
    else:
        window = {"who": random.choice(("players", "{p for p in players if a[p] < 2}")),
                  "order": "unstated", "each": random.choice(("once", "until_pass", "rounds"))}
        window |= random.choice(({"done": "pass"}, {"done": "pass"}, {"forced": True}))
        if window.get("forced"):
            window["each"] = "once"
        say("go", on="game", do="acting()")
        when = random.choice(({}, {"when": random.choice((*TESTS, "actor == active"))}))
        body = "t = 0\nlast = actor\n" + _deeds(random, "actor", 1)
        say("one", on="acting", option="do it", do=body, kind="permit", **when)
        if random.random() < 0.4:
            say("two", on="acting", option="or that", do="b[actor] = min(2, b[actor] + 1)",
                kind="permit", when="b[actor] < 2")
    say("then", on="game", after=[c["id"] for c in clauses if c.get("on") == "game"], do="end()")
    say("fin", on="end", do="if may(by=active):\n  n = 0\nwin(argmax(a[p] for p in players))")
    for name, fields in (("limit", {"kind": "limit", "always": random.choice(TESTS)}),
                         ("claim", {"kind": "claim", "never": random.choice(TESTS)})):
        if random.random() < 0.25:
            say(name, **fields)
    say("marking", on="mark", do=random.choice(MARKS))
    say("yes", on="asking", option="yes", kind="permit", do="b[active] = 1")
    spec = {
        "game": "little", "title": "A little game", "players": {"count": random.choice((2, 3))},
        "state": {"a": {"type": "int 0..2", "per": "player", "start": random.choice((0, 1))},
                  "b": {"type": "int 0..2", "per": "player", "start": 0},
                  "n": {"type": "int 0..3", "start": random.choice((0, 2))},
                  "crown": {"type": "player?"}, "active": {"type": "player", "start": 1}},
        "steps": {"game": {}, "end": {}, "mark": {"params": {"who": "player"}}},
        "windows": {"acting": window, "asking": {"by": "active", "done": "no"}},
        "start": "game", "clauses": clauses,
    }
    text = json.dumps(spec).replace("ask()", "asking()")
    return Little(kind, order, json.loads(text))


def instance(source: str, rulings: Mapping[str, str] | None = None) -> Instance | None:
    """Compile a game under some readings; None if its text makes no sense or it never begins."""
    try:
        made = Workbench(source, Settings(), reduce=False).instance("printed", rulings=rulings)
        made.program.start()
    except (SpecErrors, EndlessRules):
        return None
    return made


@dataclass(frozen=True, slots=True)
class Sight:
    """All that can be seen of a game, whatever the order: each a set."""

    states: frozenset[tuple[str, bytes]]
    """What is declared at the rests that are looked at."""
    notes: frozenset[tuple[str, str]]
    broken: frozenset[str]
    claims: frozenset[str]
    clauses: frozenset[str]
    stuck: bool
    endless: bool


def sight(
    one: Instance, windows: frozenset[str] = frozenset(), *, rests: frozenset[str]
) -> Sight | None:
    """Explore a game; None if it is too large.  `rests` name the nodes whose states are looked at.

    Args:
        one: the game.
        windows: those whose players are asked in the order of the seats only.
        rests: names of nodes, without what stands behind a `:`.

    """
    machine = one.compiled.machine
    program = Program(machine, one_order=windows)
    run = Exploration(program, cover=True)
    result = run.run(max_states=STATES)
    if not result.complete:
        return None
    labels = Labels(program)
    duties = {duty.id: (duty.clause, duty.prompt) for duty in machine.obligations}
    elab = Elaborator(one.game, Reporter())
    claims = {c.id: program.predicate(elab.guard(c.claim.test, Names({})))
              for c in one.game.clauses if c.claim is not None}
    assert result.coverage is not None
    names = {node.id: node.name for node in machine.nodes}
    return Sight(
        frozenset((name, labels.declared(s)) for s in run.order
                  if (name := names[program.layout.rests[program.rank(s)]]) in rests),
        frozenset(duties[number] for number in result.notes),
        frozenset(machine.limits[number].clause for number in result.broken),
        frozenset(name for name, holds in claims.items() if any(map(holds, run.order))),
        frozenset(name for name in result.coverage.clauses if ":" not in name),
        bool(result.stuck_states), bool(result.endless))


def legal(program: Program, state: bytes) -> Iterator[bytes]:
    """Return the states that the legal moves of a state lead to."""
    return (move[2] for move in program.succ(state)
            if move[2] is not None and not move[3] & FILTERED)
