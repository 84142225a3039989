"""What is called proved is never refuted by a play, and what is impossible is no finding."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ruleproof.checker.engine.program import Program
from ruleproof.checker.findings.results import Report
from ruleproof.checker.search.explore import Exploration
from ruleproof.checker.verify import verify
from ruleproof.cli.app import run
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.machine.core import Expr
from ruleproof.model.machine.machine import Machine
from ruleproof.model.proof.candidates import candidates
from ruleproof.model.proof.card_candidates import total_of
from ruleproof.model.proof.proofs import Proofs
from ruleproof.model.source.errors import SpecErrors
from ruleproof.tests.proof.test_invariants import assert_checked
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.games import compiled
from ruleproof.tests.support.machines import all_machines
from ruleproof.tests.support.seeding import BUNDLED, MODE, SPECS, Entry, table, write

STATES = 4_000
GAMES = {
    **{one.parent.name: (str(one.parent), "printed") for one in sorted(SPECS.rglob("game.yaml"))},
    "edition-wars": ("edition-wars", "tiny"),
    "flawed": (str(SPECS.parent / "flawed"), "printed"),
}
SEEDS = [one for one in table("seeds") if one["base"] not in BUNDLED]
EVERY = 144
"""One seed in so many is tried in the suite, the others in the campaign."""
GUESSES = 200
MORE = 400
LARGE = ("edition-wars", "lantern-whist")
"""Games of which a quarter of the guesses is tried."""
FAMILIES = ("arm", "fruit", "play", "gamemaster", "card")


def machine_of(name: str) -> Machine:
    """Compile a game, or take a machine made by hand."""
    if name not in GAMES:
        return all_machines()[name]
    source, scope = GAMES[name]
    return compiled(source, scope).machine


@cache
def proved(name: str) -> tuple[Proofs, list[Expr]]:
    """Prove what can be proved of a game or machine, once; return also the guesses among it."""
    return attempt(machine_of(name), GUESSES // 4 if name in LARGE else GUESSES)


def attempt(machine: Machine, guesses: int = GUESSES) -> tuple[Proofs, list[Expr]]:
    """Prove what can be proved; return also the guesses among it."""
    tests = [one.test for one in candidates(machine)][:guesses]
    return Proofs(machine, tests), tests


def refuted(proofs: Proofs, tests: list[Expr]) -> list[str]:
    """Explore, and list what is proved and yet seen to fail."""
    machine = proofs.machine
    program = Program(machine)
    exploration = Exploration(program)
    result = exploration.run(max_states=STATES)
    wrong = [duty.prompt for duty in machine.obligations
             if duty.id in result.notes and proofs.never_fails(duty.id)]
    kept = set(proofs.conserved())
    totals = [test for name in FAMILIES
              if name in kept and (test := total_of(machine, name)) is not None]
    for test in (*tests, *totals):
        holds = program.predicate(test)
        if not all(map(holds, exploration.order)) and (test in totals or proofs.always(test)):
            wrong.append(repr(test))
    return wrong


@pytest.mark.parametrize("name", one_in(5, [
    name for name in (*all_machines(), *GAMES) if name not in LARGE]))
def test_no_play_refutes_a_proof(name: str) -> None:
    """What is proved never fails in a state that is reached, and no false guess is proved."""
    assert refuted(*proved(name)) == []


@pytest.mark.parametrize(("name", "most"), [
    ("joust", 3), ("stall", 2), pytest.param("edition-wars", 11, marks=pytest.mark.campaign)])
def test_obligations_are_proved(name: str, most: int) -> None:
    """Of what card games owe, no more than this is left unproved."""
    proofs, _ = proved(name)

    left = [duty for duty in proofs.machine.obligations
            if not duty.is_bound and not proofs.never_fails(duty.id)]

    assert len(left) <= most, [(duty.clause, duty.prompt) for duty in left]


@pytest.mark.campaign
@pytest.mark.parametrize("name", [*GAMES, *all_machines()])
def test_no_play_refutes_a_proof_of_many(name: str) -> None:
    """The same with more guesses."""
    assert refuted(*attempt(machine_of(name), MORE)) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [
    pytest.param(one, id=one["id"], marks=[pytest.mark.campaign] * (number % EVERY > 0))
    for number, one in enumerate(SEEDS)
])
def test_no_play_of_a_changed_game_refutes_a_proof(seed: Entry) -> None:
    """A property that a seeded change breaks is not proved any more."""
    with TemporaryDirectory() as place:
        source = write(seed, Path(place) / "game")
        settings = Settings(scope=seed.get("scope", "printed"), variants=(MODE,))
        try:
            machine = compile_game(load_game(source, settings)).machine
        except SpecErrors:
            pytest.skip("does not compile")

        assert refuted(*attempt(machine)) == []


LIVES = """
game: lives
title: Lives
players: {count: 1}
state: {life: {type: int 0..5, start: 5}, hurt: {type: bool}}
steps: {game: {}}
start: game
clauses:
- {id: order, kind: order, says: one step, on: game, do: "hurt = True"}
- {id: pain, kind: effect, says: it hurts, on: game, after: [order], do: "life -= 1"}
- {id: alive, kind: claim, says: nobody dies, never: "life == 0"}
- {id: end, kind: outcome, says: it ends, on: game, after: [pain], do: "end_game()"}
scopes:
  tiny: {about: with no life to lose, state: {life: 0}}
"""


def lives(folder: Path, *, scope: str = "printed", change: tuple[str, str] = ("", "")) -> Report:
    """Verify a game in which only the scaled scope has something that cannot be done."""
    (folder / "game.yaml").write_text(LIVES.replace(*change) if change[0] else LIVES, "utf-8")
    return verify(str(folder), Settings(scope=scope))


def test_what_is_impossible_at_the_printed_size_is_no_finding(tmp_path: Path) -> None:
    """A number that only a scaled scope drives out of its range is told under what holds."""
    report = lives(tmp_path)

    assert "undefined-operation" not in {finding.cls for finding in report.everything}
    assert any("in scaled scopes only (tiny)" in one.what and one.method == "proof"
               for one in report.holds if one.clause == "pain")


def test_a_scope_that_was_asked_for_keeps_its_findings(tmp_path: Path) -> None:
    """Of the printed game, where they are impossible, nothing is asked and nothing said."""
    report = lives(tmp_path, scope="tiny")

    found = next(f for f in report.everything if f.cls == "undefined-operation")
    assert found.evidence.at_printed_size is None
    assert not found.evidence.lifted
    assert any("printed size" in each.what for each in report.not_checked)


def test_what_is_possible_at_the_printed_size_stays_a_finding(tmp_path: Path) -> None:
    """One life more to lose than there are: the finding stays."""
    report = lives(tmp_path, change=("life -= 1", "life -= 6"))

    assert "undefined-operation" in {finding.cls for finding in report.everything}


def test_what_holds_is_listed_with_its_method(tmp_path: Path) -> None:
    """A claim and what a clause owes are listed as proved; that play never sticks as explored."""
    del tmp_path
    report = verify(str(SPECS / "joust"), Settings())

    told = {(one.clause, one.what): (one.method, one.scope) for one in report.holds}
    assert told["j.attack", "every card that is moved is where it is taken from"] == (
        "proof", "printed")
    assert told["", "no card of the family `arm` is lost or gained"] == ("proof", "printed")
    assert told["", "somebody can always move until the game is over"] == (
        "exhaustive", "printed")


def test_proofs_can_be_taken_to_another_solver(tmp_path: Path) -> None:
    """What is proved by invariants is in one text, which checks; the report stays as it is."""
    source = str(SPECS / "joust")
    texts: list[str] = []
    report = verify(source, Settings(), certify=texts.append)
    (certificate,) = texts

    assert_checked(certificate)
    claims = [line for line in certificate.splitlines() if line.startswith("; the claim")]
    assert any("j.wound" in line for line in claims)
    assert any("conserved card:" in line for line in claims)
    assert report == verify(source, Settings())

    text = tmp_path / "nim.smt2"
    nim = str(SPECS / "known" / "nim")
    verify(nim, Settings(), certify=texts.append)
    assert run(["verify", nim, "--proofs", str(text), "--fail-on", "never", "-q"]) == 0
    assert text.read_text("utf-8") == texts[-1]


def test_what_cannot_be_written_costs_no_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file for the proofs that cannot be written is refused before the work; it is named."""
    nowhere = tmp_path / "none" / "joust.smt2"
    assert run(["verify", str(SPECS / "joust"), "--proofs", str(nowhere), "-q"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert str(tmp_path)[:40] in err
