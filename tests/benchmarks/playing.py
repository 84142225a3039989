"""Random games side by side with OpenSpiel (PyPI, `open_spiel`): Leduc poker, in both."""

from __future__ import annotations

import random

from ruleproof.checker.engine.program import Program
from ruleproof.checker.search.playouts import Plays, sample
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.tests.benchmarks.timing import AbsentError, Table, in_turns, rate, times
from ruleproof.tests.support.places import TESTS

PLAYS = {"ruleproof": 200_000, "OpenSpiel, played from Python": 2_000,
         "OpenSpiel, whole games in C++": 5_000}


def leduc() -> Table:
    """Measure whole games of Leduc poker.

    Raises:
        AbsentError: if OpenSpiel is not installed.

    """
    try:
        import pyspiel  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415  (an extra)
    except ImportError:
        raise AbsentError("`open_spiel` is not installed (pip install --group bench)") from None
    folder = TESTS / "specs" / "known" / "leduc-poker"
    program = Program(compile_game(load_game(str(folder))).machine)
    program.start()
    game, draws = pyspiel.load_game("leduc_poker"), random.Random(1)  # noqa: S311

    def from_python() -> None:
        for _ in range(PLAYS["OpenSpiel, played from Python"]):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(draws.choices(actions, weights)[0])
                else:
                    state.apply_action(draws.choice(state.legal_actions()))

    bots = [pyspiel.make_uniform_random_bot(seat, 1) for seat in range(2)]

    def inside() -> None:
        for number in range(PLAYS["OpenSpiel, whole games in C++"]):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number)

    seconds = in_turns({
        "ruleproof": lambda: sample(program, plays=Plays(PLAYS["ruleproof"], 100), seed=1),
        "OpenSpiel, played from Python": from_python,
        "OpenSpiel, whole games in C++": inside})
    rates = {name: PLAYS[name] / each for name, each in seconds.items()}
    rows = [(name, rate(PLAYS[name], seconds[name]), times(rates["ruleproof"] / each))
            for name, each in rates.items()]
    return Table("Random games against OpenSpiel",
                 "Leduc poker, played to the end, one thread. Ours is the specification in "
                 "`tests/specs/known/leduc-poker`; the games in C++ are played by "
                 "OpenSpiel's random bots, with one call from Python for each.",
                 ("what plays", "games/s", "ours is × as fast"), rows)


TABLES = (leduc,)
