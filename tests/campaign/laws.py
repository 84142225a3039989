"""The laws: what `ruleproof` says of a game, held against brute force.

Each law gives a line for everything that is wrong.  None of them asks the code that it judges,
except for translating a spec into a machine.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

from ruleproof.checker.checks.proofs import ALIKE
from ruleproof.checker.engine.program import Program
from ruleproof.checker.positions.positions import positions
from ruleproof.checker.positions.replays import check_position
from ruleproof.checker.search.explore import Exploration
from ruleproof.checker.search.perft import perft
from ruleproof.cli.files.rerun import Games, outcomes
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.orders.responders import indifferent
from ruleproof.model.rules.elaborate import condition
from ruleproof.reports.formats.document import dump
from ruleproof.reports.formats.junit import junit
from ruleproof.reports.formats.markdown import markdown
from ruleproof.reports.formats.sarif import sarif
from ruleproof.reports.formats.text import text
from ruleproof.tests.support.variants import told_apart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ruleproof.checker.findings.results import Finding, Report
    from ruleproof.model.lowering.compile import Compiled
    from ruleproof.model.machine.state import State
    from ruleproof.tests.campaign.brute import Explored
    from ruleproof.tests.campaign.trial import Trial

Law = "Callable[[Trial], Iterator[str]]"
SITUATIONS = 200
"""In so many situations of a pair two machines are compared."""
SURE = ("exhaustive", "proof")
DEPTH = 5


def counts(trial: Trial) -> Iterator[str]:
    """Exploration finds the states of brute force, and perft its plays."""
    for scope in trial.scopes:
        brute = trial.brute(scope)
        if brute is None:
            continue
        program = Program(brute.machine)
        found = Exploration(program).run()
        steps = sum(way.step is not None for ways in brute.ways.values() for way in ways)
        finals = sum(map(brute.final, brute.states))
        theirs = (found.states, found.transitions, found.depth, found.final, found.stuck_states)
        ours = (len(brute.depth), steps, max(brute.depth.values()), finals, len(brute.stuck))
        if theirs != ours:
            yield f"{scope}: states, transitions, depth, final, stuck: {theirs}, not {ours}"
        plays = [row.plays for row in perft(program, DEPTH)]
        if plays != brute.plays(DEPTH):
            yield f"{scope}: perft {plays}, not {brute.plays(DEPTH)}"
        told = next(one for one in trial.every_order.explored if one.scope == scope)
        if (told.states, told.transitions, told.final) != (ours[0], ours[1], ours[3]):
            yield f"{scope}: verify --every-order counts {told}, not {ours}"


def family(trial: Trial) -> Iterator[str]:
    """Each game of a family is that game, whether it is compiled with the others or alone."""
    for scope in trial.scopes:
        differ, _, _ = told_apart(trial.bench, scope, most=SITUATIONS)
        yield from (f"{scope}: the family is not the game alone, {name}" for name in differ)


def reduced(trial: Trial) -> Iterator[str]:
    """One order that stands for all reaches no other state, and the same results."""
    for scope in trial.scopes:
        brute = trial.brute(scope)
        if brute is None or not (windows := indifferent(brute.compiled)):
            continue
        program = Program(brute.machine, one_order=windows)
        run = Exploration(program)
        run.run()
        states = {run.state(number) for number in range(len(run.order))}
        if not states <= set(brute.states):
            yield f"{scope}: one order of {sorted(windows)} leads to states that there are not"
        ends = [{brute.shown(s) for s in some if brute.final(s)} for some in (states, brute.states)]
        if ends[0] != ends[1]:
            yield f"{scope}: one order of {sorted(windows)} loses results"


def conservation(trial: Trial) -> Iterator[str]:
    """No card comes or goes."""
    for scope in trial.scopes:
        brute = trial.brute(scope)
        if brute is None:
            continue
        first = None
        for state in brute.states:
            cards = _cards(brute, state)
            first = first or cards
            if cards != first:
                yield f"{scope}: {dict(first)} cards become {dict(cards)}"
                break


def _cards(brute: Explored, state: State) -> Counter[int]:
    found: Counter[int] = Counter()
    at = 0
    for array in brute.machine.arrays:
        part = state.values[at:at + array.size]
        at += array.size
        if not array.declared or array.zone not in ("bag", "deck", "pile"):
            continue
        if array.domain.kind == "card:kind":
            found.update(card for card in part if card >= 0)
        elif array.axes and array.axes[-1].kind == "card:kind":
            for place, many in enumerate(part):
                found[place % array.dims[-1]] += many
    return +found


# ------------------------------------------------------------------- what play meets


def looked_at(report: Report) -> list[Finding]:
    """Return the findings without those that only plays of the printed game in a mode showed."""
    return [one for one in report.everything
            if not one.evidence.mode or any(play.scope for play in one.evidence.plays)]


def duties(trial: Trial) -> Iterator[str]:
    """Each thing that cannot be done is found, and what is found or held is so."""
    report = trial.report
    failed: dict[tuple[str, str], list[str]] = {}
    defects: dict[tuple[str, str], str] = {}
    for scope in trial.scopes:
        brute = trial.brute(scope)
        if brute is None:
            return
        for duty in brute.machine.obligations:
            defects[duty.clause, duty.kind] = duty.defect
        for key in brute.failed:
            failed.setdefault(key, []).append(scope)
    told = {(f.identity.kind, c) for f in report.everything if f.identity is not None
            for c in (*f.clauses, f.identity.clause, "")}
    lifted = {one.what for one in report.holds if one.what.startswith("in scaled scopes only")}
    unchecked = " ".join(one.what for one in report.not_checked)
    for key, scopes in failed.items():
        clause, kind = key
        if defects[key] == "capacity":
            if clause not in unchecked:
                yield f"a bound of the model is met ({key}) and not told"
        elif (kind, clause) not in told and not lifted and (
                not clause.startswith(("card:", "window:")) or (kind, "") not in told):
            yield f"not found: {key} fails in {scopes}"
        for one in report.holds:
            sure = set(one.scope.split(", ")) & set(scopes) and one.method in SURE
            if one.clause == clause and one.kind == ALIKE.get(kind, kind) and sure:
                yield f"said to hold ({one.method}, {one.scope}) though it fails: {key}"
    printed = trial.brute("printed")
    kinds = {kind for _, kind in (*failed, *(() if printed is None else printed.failed))}
    for finding in looked_at(report):
        what = "" if finding.identity is None else finding.identity.kind
        if "failed" in finding.evidence.details and what not in kinds:
            yield f"found, though it never fails: {finding.id}"


def set_up(trial: Trial) -> Iterator[str]:
    """Nothing is told of a scope whose set-up meets a bound of the model, but that it does."""
    for scope in trial.scopes:
        if trial.brute(scope) is None and trial.beyond(scope):
            if f"scope {scope}" not in {one.what for one in trial.report.not_checked}:
                yield f"{scope}: the set-up meets a bound, and that is not told"
            if any(scope in one.scope.split(", ") for one in trial.report.holds):
                yield f"{scope}: the set-up meets a bound, and something holds"


def limits(trial: Trial) -> Iterator[str]:
    """Limits that are broken are found, or said to be so in small games only; the others hold."""
    games = [brute for scope in trial.scopes if (brute := trial.brute(scope)) is not None]
    broken = {clause for brute in games for clause in brute.broken}
    found = {f.identity.clause for f in looked_at(trial.report) if f.identity is not None
             and (f.cls, f.identity.kind) == ("limit-broken", "limit")}
    found |= {one.clause for one in trial.report.holds
              if one.what.startswith("broken in scaled scopes only")}
    held = {one.clause for one in trial.report.holds if one.what == "limit"}
    if found != broken and len(games) == len(trial.scopes):
        yield f"limits that are broken: {sorted(found)}, not {sorted(broken)}"
    if held & broken:
        yield f"limits said to hold though they are broken: {sorted(held & broken)}"


def endings(trial: Trial) -> Iterator[str]:
    """Stuck players and endless plays are found, and only where there are any."""
    report = trial.report
    classes = {f.cls for f in looked_at(report)}
    games = {scope: game for scope in trial.scopes if (game := trial.brute(scope)) is not None
             or not trial.beyond(scope)}
    endless = [scope for scope, game in games.items()
               if game is None or game.cyclic or game.endless]
    agreed = any(one.what.startswith(("the game can go on for ever if", "however all choose"))
                 for one in report.holds)
    if bool(endless) != (agreed or "endless-loop" in classes):
        yield f"plays without an end in {endless}, findings {sorted(classes)}"
    stuck = [scope for scope, game in games.items() if game is not None and game.stuck]
    dead = [f for f in looked_at(report) if f.cls == "deadlock"
            or (f.cls == "contradiction" and "cores" in f.evidence.details)]
    if bool(stuck) != bool(dead):
        yield f"nobody can move in {stuck}, found {[f.id for f in dead]}"
    for one in report.holds:
        for scope in one.scope.split(", "):
            if one.what == "every play comes to an end" and scope in endless:
                yield f"{scope}: said that every play ends"
            if one.what.startswith("somebody can always move") and scope in stuck:
                yield f"{scope}: said that somebody can always move"


def claims(trial: Trial) -> Iterator[str]:
    """Claims that hold are true, and those that are refuted are false."""
    found = {f.clauses[0] for f in looked_at(trial.report) if f.cls == "false-claim"}
    held = {one.clause for one in trial.report.holds if one.what == "claim"
            and one.method in SURE}
    for clause in trial.game("printed").clauses:
        if clause.claim is None or not clause.in_force:
            continue
        true = _about_states(trial, clause.id) if clause.claim.form in (
            "never", "reachable") else _about_numbers(trial, clause.id)
        if true is None:
            continue
        if clause.id in held and not true:
            yield f"the claim {clause.id} is said to hold, and is false"
        if clause.id in found and true:
            yield f"the claim {clause.id} is said to be false, and is true"
        told = (*(one.what for one in trial.report.not_checked),
                *(one.clause for one in trial.report.holds if one.what == "claim"),
                *(name for f in trial.report.everything for name in f.clauses))
        if clause.id not in held and clause.id not in " ".join(told):
            yield f"the claim {clause.id} is in no list"


def _about_states(trial: Trial, name: str) -> bool | None:
    hit = never = False
    for scope in trial.scopes:
        brute = trial.brute(scope)
        if brute is None:
            return None
        game = brute.compiled.game
        clause = next(c for c in game.clauses if c.id == name)
        assert clause.claim is not None
        test = condition(game, clause.claim.test)
        hit = hit or any(brute.interp.evaluate(state, test) for state in brute.states)
        never = clause.claim.form == "never"
    return hit != never


def _about_numbers(trial: Trial, name: str) -> bool | None:
    root = json.loads((trial.folder / "game.yaml").read_text("utf-8"))
    clause = next(c for c in root["clauses"] if c["id"] == name)
    known = {"most": root["constants"]["most"], "max": max}
    ranges = [range(int(each["type"][-1]) + 1) for each in clause["given"].values()]
    cases = [dict(zip(clause["given"], values, strict=True)) for values in product(*ranges)]
    met = [case for case in cases if eval(clause["such_that"], {}, {**known, **case})]  # noqa: S307
    form = next(form for form in ("claim", "maximum", "minimum") if form in clause)
    values = [eval(clause[form], {}, {**known, **case}) for case in met]  # noqa: S307
    if form == "claim":
        return all(values) if values else None
    if not values:
        return None  # such a claim says nothing
    return bool(clause["equals"] == (max if form == "maximum" else min)(values))


def agree(trial: Trial) -> Iterator[str]:
    """Exploration with reductions and without gives the same verdicts."""
    one, two = trial.report, trial.every_order
    kinds: dict[str, Callable[[Report], Counter[object]]] = {
        "findings": lambda r: Counter((f.id, f.level) for f in r.everything),
        "harmless": lambda r: Counter((h.open_point, h.method) for h in r.harmless),
        "holds": lambda r: Counter((h.clause, h.what, h.method, h.scope) for h in r.holds),
        "not checked": lambda r: Counter(n.what for n in r.not_checked)}
    for kind, give in kinds.items():
        mine, theirs = give(one), give(two)
        if mine != theirs:
            yield (f"{kind}: only with reductions {sorted(map(str, mine - theirs))}, "
                   f"only without {sorted(map(str, theirs - mine))}")


# ------------------------------------------------------------------------ documents


def witnesses(trial: Trial) -> Iterator[str]:
    """Every witness replays from its file."""
    path = trial.folder / "findings.json"
    path.write_text(dump(trial.report), "utf-8")
    for one in outcomes(path, Games(str(trial.folder)), steps=False):
        if one.wrong:
            yield f"{one.what}: {one.wrong}"


def suite(trial: Trial) -> Iterator[str]:
    """Every position of the game replays."""
    if trial.seldom(4):
        return

    def load(settings: Settings) -> Compiled:
        return compile_game(load_game(str(trial.folder), settings))

    found = positions(str(trial.folder), Settings(), report=trial.report, max_states=300)
    for document in found.documents:
        wrong = check_position(json.loads(json.dumps(document)), load)
        if wrong:
            yield f"{document['id']}: {wrong}"


def told(trial: Trial) -> Iterator[str]:
    """Write the report in every format; no check has failed inside."""
    report, compiled = trial.report, trial.bench.instance("printed").compiled
    for write in (text, markdown, sarif, junit):
        if not write(report, compiled):
            yield f"{write.__name__} is empty"
    for one in report.not_checked:
        if "internal" in one.why or "internal" in one.what:
            yield f"{one.what}: {one.why}"


def again(trial: Trial) -> Iterator[str]:
    """Two runs on one spec say the same."""
    if trial.seldom(10):
        return
    second = type(trial)(trial.folder).report
    if second != trial.report:
        yield "a second run says something else"
