"""`ruleproof ask GAME`: the fewest questions that settle the open points, and the answers."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ...checker.bench.workbench import Workbench
from ...checker.points.points import Point
from ...checker.questions.ground import open_points
from ...checker.questions.plan import Plan
from ...checker.questions.results import Answered, RulingsFile
from ...checker.questions.search import QuestionSearch, compared
from ...model.lowering.compile import Compiled
from ...model.source.errors import UsageError, did_you_mean, quote
from ...model.stop import deadline_in, interrupted, stoppable
from ...reports.blocks.subject import Subject
from ...reports.formats.document import json_text
from ...reports.formats.questions import question_lines
from .. import exit as status
from .. import options as opt
from ..files.games import compiled_game
from ..files.latest import latest
from ..groups import Chosen
from ..output import progress, say, write_result
from ..sheet import paper_for
from ..table.keyboard import Keyboard, prepare

POINTS = opt.option("--point", metavar="POINT", help="Ask about this open point only (repeatable).")
RULINGS_FILE = opt.option(
    "--output", "-o", metavar="FILE", callback=opt.writable,
    help="Where the rulings go (`-`: standard output); if it is there, it is gone on with. With "
    "`--format json`: where the questions go.")
FOUND = ("an earlier `verify` of the same has compared orders, and what it found of them is used "
         "(RULEPROOF_CACHE=off asks without it)")
HOW = "a number, `?` to leave it open, or nothing more to stop"


def ask(
    *,
    game: opt.GameName,
    point: Annotated[list[str] | None, POINTS] = None,
    players: opt.Players = None,
    scope: opt.ScopeName = None,
    variant: opt.Variants = None,
    ruling: opt.Rulings = None,
    cards: opt.CardData = None,
    seed: opt.Seed = None,
    max_time: opt.MaxTime = None,
    form: Annotated[str, opt.format_option("text", "json")] = "text",
    output: Annotated[Path | None, RULINGS_FILE] = None,
    quiet: opt.Quiet = False,
    no_color: opt.NoColor = False,
) -> int:
    """Ask the fewest questions that settle the open points, and keep the answers as rulings.

    Each question is a situation with two or three ways on. Answers are read one a line, from a
    terminal or a pipe; `--format json` lists the questions and reads none. The rulings file is for
    `--rulings FILE` of `verify`, `play`, `positions` and others, and `ruleproof replay` runs the
    positions in it. Example: `ruleproof ask my-game -o rulings.json`
    What an earlier `verify` of the same spec and settings found of orders is used, if it is kept
    (RULEPROOF_CACHE), so that fewer may be asked after it.
    Exit status 1 if questions are left open.
    """
    prepare()
    known = _answers_in(output, form) if output is not None and output.is_file() else None
    settings = Chosen(
        players=players, scope=scope, variant=variant, ruling=ruling,
        rulings=output if known is not None else None, cards=cards).settings(game)
    compiled = compiled_game(game, settings)
    points = _points(compiled, point or [], dict(settings.rulings))
    with (
        progress(f"open points of {game}", quiet=quiet, no_color=no_color) as tick,
        stoppable(deadline_in(max_time)) as stop,
    ):
        plan = _plan(compiled, points, QuestionSearch(
            Workbench(game, settings, reduce=False), stop, seed or 0,
            lambda words: tick(0, None, words)), alone=bool(point), quiet=quiet)
        stop.heed()
    if interrupted():
        raise status.Interrupted("nothing was asked yet: the same command begins anew")
    if form == "json":
        found = plan.questionnaire()
        write_result(json_text(found), output)
        return _status(plan, open_ones=bool(found.questions))
    answers = _converse(plan, compiled, max_time, quiet=quiet, no_color=no_color)
    for each in plan.search.not_asked:
        say(f"not asked: {each.point}={', '.join(each.readings)}: {each.why}", quiet=quiet)
    for name, reading in plan.rulings().items():
        if draft := Subject(compiled).draft(name, reading):
            say(f"to print for {name}={reading}: “{draft}”", quiet=quiet)
    if answers or known is not None:
        game_id, sha256 = compiled.game.id, compiled.game.spec_sha256
        before = known or RulingsFile("ruleproof/rulings-1", game_id, {})
        write_result(json_text(RulingsFile(
            "ruleproof/rulings-1", game_id, {**before.rulings, **plan.rulings()}, sha256,
            (*before.answers, *answers))), output)
    if interrupted():
        raise status.Interrupted("what was answered until then is kept")
    return _status(plan, open_ones=bool(plan.passed or plan.search.clashing or plan.next()))


def _answers_in(output: Path, form: str) -> RulingsFile | None:
    """Return the answers that a file holds, to be gone on with; None where questions go there.

    Raises:
        UsageError: if it holds none, or some that a list of questions would replace.

    """
    if form != "json":
        return opt.read_rulings(output)
    try:
        opt.read_rulings(output)
    except UsageError:
        return None
    raise UsageError(f"{quote(str(output))} holds answers, which the questions that "
                     "`--format json` lists would replace; name another file")


def _plan(
    compiled: Compiled, points: dict[str, Point], search: QuestionSearch, *,
    alone: bool, quiet: bool
) -> Plan:
    """Look for questions about points, but for those that are proved to make no difference.

    Points that only an answer brings are asked about, too, unless these are to be asked `alone`.
    """
    search.compared = compared(latest(compiled), points.values())
    if search.compared:
        say(FOUND, quiet=quiet)
    gone = search.leave(compiled, points)
    asked = {name: point for name, point in points.items() if name not in gone}
    search.look(tuple(asked.values()))
    return Plan(search, asked, proved=gone,
                known=None if alone else frozenset(open_points(compiled)))


def _status(plan: Plan, *, open_ones: bool) -> int:
    """Choose the exit status: a point that was not looked at is no settled one."""
    if open_ones:
        return status.FINDINGS
    late = any(each.late for each in plan.search.not_asked)
    return status.LIMIT if late else status.OK


def _points(compiled: Compiled, wanted: list[str], settled: dict[str, str]) -> dict[str, Point]:
    """Return the points to ask about: those that nothing decides, and no answer has.

    Raises:
        UsageError: if there is no such point.

    """
    points = open_points(compiled)
    for name in wanted:
        if name not in points:
            hint = did_you_mean(name, points) or f"there are {', '.join(points) or 'none'}"
            raise UsageError(f"no open point {quote(name)}; {hint}")
    return {name: each for name, each in points.items()
            if name not in settled and (name in wanted if wanted else not each.decided)}


def _converse(
    plan: Plan, compiled: Compiled, max_time: float | None, *, quiet: bool, no_color: bool
) -> list[Answered]:
    """Ask one question after the other, as the answers leave them; at the end of input, stop.

    What an answer leaves is looked for anew, and has its time; how long somebody thinks is none.
    """
    keyboard, paper = Keyboard(), paper_for(no_color=no_color)
    answers = list[Answered]()
    tell = partial(typer.echo, err=True)
    while (each := plan.next()) is not None:
        question, candidate = each
        if not quiet or keyboard.interactive:
            tell(f"\nQuestion {len(answers) + len(plan.passed) + 1}")
            tell("\n".join(question_lines(question, compiled, paper)))
        chosen = _chosen(keyboard, len(question.continuations))
        if chosen is None:
            break
        if chosen < 0:
            plan.passed.add(question.id)
        else:
            with stoppable(deadline_in(max_time)) as stop:
                plan.search.stop = stop
                answers.append(plan.answer(question, candidate, chosen))
                stop.heed()
    return answers


def _chosen(keyboard: Keyboard, ways: int) -> int | None:
    """Read an answer: the place of a way on, -1 to leave it open; None at the end of input.

    Raises:
        UsageError: for anything else, unless somebody sits there and can be asked again.

    """
    while (line := keyboard.read("  > ")) is not None:
        text = line.text
        if text == "?":
            return -1
        if text.isdecimal() and 1 <= int(text) <= ways:
            return int(text) - 1
        wrong = f"{quote(text)} is no answer; it is 1 to {ways}: {HOW}"
        if not keyboard.interactive:
            raise UsageError(wrong)
        typer.echo(f"  {wrong}", err=True)
    return None
