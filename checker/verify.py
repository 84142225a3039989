"""Verification, the main job: every check on one game, and what came of it.

Each check lives in a file of its own and tells what it observes; this file says which run, on which
scopes, in what order, and puts the report together.  Nothing here knows a game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING
from urllib.parse import quote

from ..model.game.game import PRINTED, Settings
from ..model.plays.documents import settings_json
from ..model.solver.solving import until
from ..model.source.errors import TooMuchError, UsageError
from ..model.source.outline import lines_text
from ..model.stop import STOPPED, TIME_UP, TOLD, held, stoppable
from ..model.views.deeds import assumed_values
from .audit.audit import SMALL, Audit
from .audit.listener import Listener
from .audit.parallel import attempt, uncollected
from .audit.scoped import Scoped, explored, method_of, names_of
from .bench.answers import Answers, Remembered, about, version_of
from .bench.meaning import meaning
from .bench.workbench import Instance, Workbench
from .checks import ambiguity as check_ambiguity
from .checks import behaviour as check_behaviour
from .checks import endless as check_endless
from .checks import modes as check_modes
from .checks import proofs as check_proofs
from .checks import rests as check_rests
from .checks import symmetry as check_symmetry
from .checks import text as check_text
from .checks.endless import endless_setup
from .clauses import deletion as check_deletion
from .clauses import phrases as check_phrases
from .coverage import coverage
from .examples import examples as check_examples
from .findings.results import (
    CLASSES,
    COMPARED,
    UNASKED,
    AssumedCard,
    Class,
    Finding,
    Holds,
    Method,
    NotChecked,
    Report,
)
from .judge import decide, sampling
from .judge.consistent import AS_DEFINED, undenied
from .search.explore import Exploration, resume

if TYPE_CHECKING:
    from .bench.cluster import Cluster

MAX_STATES = 60_000
"""How many states of a scope are explored unless the user says otherwise."""
SAVE_EVERY = 60.0
"""Seconds of one exploration after which it is saved."""


@dataclass(frozen=True, slots=True)
class Check:
    """A check, what it looks for in words, and the classes that its findings can have.

    One without classes says more of what others have observed.  One `of_printed` speaks of the
    printed game only, and does not run where a scope was asked for.
    """

    module: ModuleType
    looks_for: str
    classes: tuple[Class, ...]
    of_printed: bool = False

    @property
    def name(self) -> str:
        """What the check is called: as its file."""
        return self.module.__name__.rpartition(".")[2]


BEFORE = (
    Check(check_text, "claims about numbers, and words",
          ("false-claim", "undefined-term", "dead-clause", "gap")),
)
"""What can be said before anything is explored."""

CHECKS = (
    Check(check_behaviour, "what the explored states show", (
        *check_behaviour.CLASSES, "undefined-term", "false-claim")),
    Check(check_modes, "other modes and numbers of players", (
        *check_behaviour.CLASSES, "endless-loop"), of_printed=True),
    Check(check_endless, "plays without an end", check_endless.CLASSES),
    Check(check_examples, "worked examples", ("example-contradicts-rule",)),
    Check(check_ambiguity, "open points", COMPARED),
    Check(check_deletion, "clauses that do nothing", check_deletion.IDLE, of_printed=True),
    Check(check_phrases, "phrases that do nothing", ("inert-clause",), of_printed=True),
    Check(check_symmetry, "seats that are not alike", ("asymmetry",)),
)
"""What is checked once the scopes are explored, in this order."""

AFTER = (
    Check(check_rests, "on which answers to others it rests what is shown", ()),
    Check(sampling, "how often it comes up", (), of_printed=True),
    Check(check_proofs, "what holds at the printed size", check_proofs.OWED, of_printed=True),
)
"""What is asked once all is observed."""


def verify(
    source: str, settings: Settings, *, only: tuple[str, ...] = (), skip: tuple[str, ...] = (),
    max_states: int | None = None, max_time: float | None = None, seed: int = 0,
    reduce: bool = True, certify: Callable[[str], None] | None = None,
    checkpoint: Path | None = None, remember: bool = False, cluster: Cluster | None = None,
    listener: Listener | None = None,
) -> Report:
    """Check a game.

    Args:
        source: a bundled name or a folder.
        settings: players, variants, rulings; with a scope other than `printed`, only that scope.
        only: finding classes to report; all if empty.  A check that can report none of them does
            not run.
        skip: finding classes not to report.
        max_states: states per scope (default `MAX_STATES`).
        max_time: seconds; a quarter of it at most is spent on claims, half of it on exploring, and
            a quarter is kept for what becomes of the findings: whether the printed game has them,
            how often, proofs.  What is not answered by then is listed as not checked.  Makes the
            result depend on the machine it runs on.
        seed: of the sampled plays.
        reduce: explore one order of the players where it is proved that any will do.
        certify: takes the proofs as SMT-LIB text, if they are wanted.
        checkpoint: a file that keeps what is found out, from which a run of the same goes on; what
            was explored is kept beside it.
        remember: without a checkpoint, whether answers are kept in the cache folder, and those are
            taken from there that an earlier run gave and that still hold.
        cluster: is asked what takes long, in place of other processes here; the report is the same.
        listener: is told what is being done and seen.

    Raises:
        UsageError: for unknown classes, scopes, variants, readings; a checkpoint of another run.
        SpecErrors: if the spec does not load.

    """
    for name in (*only, *skip):
        if name not in CLASSES:
            raise UsageError(f"unknown class `{name}`; the classes are {', '.join(CLASSES)}")

    def wanted(cls: str) -> bool:
        return (not only or cls in only) and cls not in skip

    unasked = [cls for cls in CLASSES if not wanted(cls)]
    if len(unasked) == len(CLASSES):
        raise UsageError("`--only` and `--skip` leave no class of findings to look for")
    begun = time.monotonic()
    bench = Workbench(source, settings, reduce=reduce)
    audit = Audit(bench, bench.instance("printed"), [], max_states or MAX_STATES, seed,
                  listener or Listener(), wanted, certify=certify, cluster=cluster)
    if unasked:
        audit.unchecked("findings of " + ", ".join(unasked), UNASKED, cause="unasked",
                        left="classes", classes=tuple(unasked))
    bench.instance(settings.scope)
    if checkpoint is not None or remember:
        depends = about(
            audit.printed.compiled, "verify", seed=seed, reduce=reduce, scope=settings.scope,
            only=only, skip=skip, spec=meaning(bench, audit.printed.game),
            kept=[each.name for each in audit.printed.compiled.machine.arrays if not each.declared])
        spec = audit.printed.game.spec_sha256
        audit.kept = (Remembered(depends, spec) if checkpoint is None
                      else Answers(checkpoint, depends, spec))
    until_then = partial(_moment, begun, max_time)
    with uncollected(), stoppable(until_then(1)) as whole:
        audit.stop = whole
        names = scope_names(audit.printed, settings)
        if PRINTED not in names and audit.of_printed and attempt(
                audit, "whether the printed game can be explored whole", partial(_is_small, audit)):
            names = (PRINTED, *names)
        _before_checks(audit, names, until_then)
        with stoppable(until_then(3 / 4)) as checking:
            audit.stop = checking
            _check(audit, CHECKS, names)
        audit.stop = whole
        _check(audit, AFTER, names)
        return _judged(audit, names)


def _moment(begun: float, max_time: float | None, share: float) -> float | None:
    """Return when a share of the time will be over; None if there is no end to it."""
    return None if max_time is None else begun + max_time * share


def _before_checks(
    audit: Audit, names: tuple[str, ...], until_then: Callable[[float], float | None]
) -> None:
    """Say what can be said at first, explore the scopes, and play the printed game."""
    with until(until_then(1 / 4)):
        _check(audit, BEFORE, names)
    audit.not_checked += [
        NotChecked(f"scope {name}", f"the printed game in a mode of its own; `--scope {name}`")
        for name in audit.printed.game.scopes
        if audit.of_printed and name not in (PRINTED, *names)]
    for place, name in enumerate(names, len(BEFORE)):
        audit.listener.stage(place + 1, _stages(names), f"exploring {name}")
        end = until_then(1 / 2)
        _explore(audit, name, None if end is None else end - time.monotonic())
    if audit.of_printed and audit.scopes:
        audit.listener.stage(len(BEFORE) + len(names) + 1, _stages(names), "playing printed games")
        attempt(audit, "the printed game beside the scopes", partial(_beside_scopes, audit))


def _judged(audit: Audit, names: tuple[str, ...]) -> Report:
    """Judge what was observed, and put the report together."""
    audit.listener.stage(_stages(names), _stages(names), "judging what was seen")
    found = decide.findings(audit)
    audit.harmless, audit.holds, audit.not_checked = undenied(
        found, audit.harmless, audit.holds, audit.not_checked)
    _nothing_found(audit, found)
    _lost(audit)
    with held():
        return _report(audit, found)


def _stages(names: tuple[str, ...]) -> int:
    """Count the stages: checks, scopes, plays of the printed game, and the judgement."""
    return len(BEFORE) + len(names) + 1 + len(CHECKS) + len(AFTER) + 1


def _check(audit: Audit, checks: tuple[Check, ...], names: tuple[str, ...]) -> None:
    """Run the checks that can report something that is wanted; say which did not run."""
    first = {BEFORE: 1, CHECKS: _stages(names) - len(AFTER) - len(CHECKS),
             AFTER: _stages(names) - len(AFTER)}[checks]
    for place, check in enumerate(checks, first):
        audit.listener.stage(place, _stages(names), check.looks_for)
        name = check.name
        if check.classes and not any(map(audit.wanted, check.classes)):
            audit.unchecked(check.looks_for, UNASKED, cause="unasked", check=name)
        elif check.of_printed and not audit.of_printed:
            audit.unchecked(
                check.looks_for, "asked of the printed game, and only a scope was asked for",
                check=name)
        elif checks is not BEFORE and not audit.scopes:
            cause = audit.stop.heed()
            audit.unchecked(check.looks_for, TOLD[cause] or "no scope was explored", cause=cause,
                            check=name)
        else:
            before = {*audit.not_checked}
            attempt(audit, check.looks_for, partial(check.module.run, audit), check=name)
            new = {*audit.not_checked} - before
            for late in STOPPED:
                if any(each.cause == late for each in new):
                    audit.unchecked(check.looks_for, TOLD[late], cause=late, check=name)


def _nothing_found(audit: Audit, findings: tuple[Finding, ...]) -> None:
    """List the classes that were looked for, and of which there is no finding.

    What lies open in the states themselves was looked for in all of them, if all were found; what
    takes comparisons of whole games, as far as its own lines say.
    """
    if any(each.failed or each.cause == "refused" for each in audit.not_checked) or (
            audit.stop.heed() or not audit.scopes):
        return
    missed = {each.check for each in audit.not_checked}
    done = [check for check in (*BEFORE, *CHECKS) if check.name not in missed]
    left = {cls for check in (*BEFORE, *CHECKS) if check not in done for cls in check.classes}
    found = [each for finding in findings for each in finding.whole
             if not (each.cls in AS_DEFINED and each.identity is not None
                     and each.identity.kind == "declared")]  # what the spec says, nobody sought
    some = {each.cls for each in found} | left
    if any(each.open_point and each.cls == "ambiguity" for each in found):
        some |= {"order-dependence", "unresolved-tie"}  # a question may be one of these
    if any(each.identity is not None and each.identity.kind == "trapped" for each in found):
        some |= {"doomed"}  # no limit need break, but nobody who reads that it cannot end asks why
    if any(each.identity is not None and each.identity.kind == "no-move" for each in found):
        some |= {"deadlock"}  # it is one, whatever class says why
    whole = not audit.left_out and method_of(audit.scopes) == "exhaustive"
    none: dict[Method, list[Class]] = {}
    for cls in CLASSES:
        if audit.wanted(cls) and cls not in some:
            exact = whole and ((cls in check_endless.CLASSES and check_endless.searched(audit))
                               or cls in check_behaviour.CLASSES)
            none.setdefault("exhaustive" if exact else "bounded", []).append(cls)
    for method, classes in none.items():
        which = "the class" if len(classes) == 1 else "these classes"
        names = ", ".join(AS_DEFINED.get(cls, cls) for cls in classes)
        audit.holds.append(Holds("", f"no finding of {which}: {names}", method,
                                 names_of(audit.scopes), "none", classes=tuple(classes)))


def _explore(audit: Audit, name: str, left: float | None) -> None:
    """Explore a scope, if there is time."""
    if left is not None and left <= 0:
        audit.unchecked(f"scope {name}", TIME_UP, cause="late", scopes=(name,))
        explored = None
    else:
        explored = attempt(
            audit, f"scope {name}", lambda: _begun(audit, name, left), scopes=(name,))
    if explored is None:
        audit.left_out = True
    else:
        audit.scopes.append(explored)
        check_behaviour.preview(audit, explored)


def _begun(audit: Audit, name: str, left: float | None) -> Scoped | None:
    """Explore a scope; None, and a finding, if its setup never comes to a rest."""
    endless = endless_setup(audit.bench.instance(name))
    if endless is not None:
        audit.observe(endless)
        return None
    return explore_scope(
        audit.bench, name, audit.max_states, left, audit.say,
        saved=beside(audit.kept.path, name) if isinstance(audit.kept, Answers) else None)


def scope_names(printed: Instance, settings: Settings) -> tuple[str, ...]:
    """Choose the scopes to explore: the one that was asked for, else all that set anything.

    That is: players, constants, cards or start values; if none does, the printed game.  Beside them
    that is explored, too, if it is small.
    """
    game = printed.game
    if settings.scope != PRINTED:
        return (settings.scope,)
    return tuple(name for name, scope in game.scopes.items() if scope.scaled) or (PRINTED,)


def _is_small(audit: Audit) -> bool:
    """Return whether the printed game can be explored to its end, as a scope is."""
    try:
        if endless_setup(audit.printed) is not None:
            return False
        return Exploration(audit.printed.program).run(
            max_states=min(audit.max_states, SMALL)).complete
    except TooMuchError:
        return False


def _beside_scopes(audit: Audit) -> None:
    """Look at the printed game, which is too large to be explored."""
    endless = endless_setup(audit.printed)
    if endless is None:
        sampling.look(audit)
    else:
        audit.observe(endless)


def explore_scope(
    bench: Workbench, name: str, max_states: int, max_time: float | None,
    say: Callable[[str], None], *, saved: Path | None = None,
) -> Scoped:
    """Explore one scope, or go on with an exploration that was saved."""
    instance = bench.instance(name)
    exploration = resume(instance.program, saved) if saved is not None and saved.exists() else (
        Exploration(instance.program, cover=True))
    result = exploration.run(
        max_states=max_states, max_time=max_time, checkpoint=saved, save_every=SAVE_EVERY,
        cut_short=True,
        progress=lambda p: say(f"scope {name}: {p.states} states, {p.rate:.0f} a second, "
                               f"depth {p.depth}"))
    return Scoped(name, instance, exploration, explored(name, instance.compiled.machine, result))


def beside(checkpoint: Path, scope: str) -> Path:
    """Name the file that keeps what was explored of a scope."""
    return checkpoint.with_name(f"{checkpoint.name}.{quote(scope, safe='')}")


def forget(checkpoint: Path, scopes: Iterable[str]) -> None:
    """Remove a checkpoint that is no longer needed."""
    for path in (checkpoint, *(beside(checkpoint, scope) for scope in scopes)):
        path.unlink(missing_ok=True)


def _lost(audit: Audit) -> None:
    """List what the print of the book has lost."""
    for clause in audit.printed.game.clauses:
        if clause.missing:
            lines = clause.lines or (0, 0)
            audit.unchecked(
                f"what the print has lost in {lines_text(lines)} of the book: {clause.missing}",
                f"in its place stands here: {clause.says}", "lost", clauses=(clause.id,),
                lines=lines)


def _report(audit: Audit, findings: tuple[Finding, ...]) -> Report:
    game = audit.printed.game
    asked = audit.bench.instance(audit.bench.settings.scope).compiled
    return Report(
        game.id, game.title, game.spec_sha256, version_of(), settings_json(asked),
        tuple(scope.explored for scope in audit.scopes), findings, tuple(audit.harmless),
        tuple(audit.holds), tuple(dict.fromkeys(audit.not_checked)), coverage(audit),
        decide.questionnaire(findings), tuple(
            AssumedCard(card.name, values, "name" in card.assumed)
            for card, values in assumed_values(
                game, {name for each in findings for name in each.assumes}) if findings),
    )
