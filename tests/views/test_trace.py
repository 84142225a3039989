"""From sentences to the machine and back; and whether a rulebook is the one of the spec."""

import hashlib
import json
from pathlib import Path

import pytest

from ruleproof.cli.app import run
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import bundled, load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.model.source.outline import outline_of
from ruleproof.model.views.trace import compare, text_of, trace
from ruleproof.tests.support.games import compiled
from ruleproof.tests.support.places import ROOT

TEMPLATE = ROOT / "spec" / "template"


def of(name: str, **chosen: object) -> Compiled:
    """Compile a game."""
    if not chosen:
        return compiled(name)
    return compile_game(load_game(name, Settings(**chosen)))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [*bundled(), str(TEMPLATE)])
def test_every_sentence_is_covered(name: str) -> None:
    """No sentence of a bundled rulebook is left over, and no citation points beside it."""
    found = trace(of(name))

    assert found.sentences
    assert found.uncovered == ()
    assert found.problems == ()


@pytest.mark.parametrize("name", [*bundled(), str(TEMPLATE)])
def test_something_comes_of_every_rule(name: str) -> None:
    """No clause with a rule in it is without consequence."""
    assert [one.id for one in trace(of(name)).idle] == []


@pytest.mark.parametrize("name", [*bundled(), str(TEMPLATE)])
def test_the_engine_adds_no_rule_of_its_own(name: str) -> None:
    """Every edge that changes something, or that somebody chooses, rests on a clause."""
    assert trace(of(name)).unexplained == ()


def test_sentences_are_those_of_the_outline() -> None:
    """One entry for each sentence that the outline counts, in order."""
    compiled = of(str(TEMPLATE))
    book = compiled.game.rulebook
    assert book is not None

    places = [(one.line, one.place) for one in trace(compiled).sentences]

    assert places == [(line, n) for line in sorted(book.outline)
                      for n in range(1, book.outline[line] + 1)]  # fmt: skip


def test_a_clause_is_followed_into_the_machine() -> None:
    """A rule has edges, a definition users, a claim a check, a mode not chosen is known as such."""
    found = {one.id: one for one in trace(of(str(TEMPLATE))).clauses}

    assert found["turn.draw"].edges
    assert found["end.points"].used_by == ("end.most", "example.pair")
    assert found["cards.number"].checks == ("claim: true for every value",)
    assert found["example.pair"].checks == ("example: replayed",)
    assert "constants.deal_size" in found["setup.deal"].entries


def test_the_template_comes_with_its_rulebook() -> None:
    """The rulebook of the template is the one that its spec describes."""
    book = (TEMPLATE / "rulebook.md").read_bytes()

    assert compare(of(str(TEMPLATE)).game, book) == ()
    assert text_of(book, 15, 1) == "Draw a card."


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"Chance", b"Luck", "SHA-256"),
        (b"victory.\n", b"victory.\n\nMore.\n", "has 21 lines, the spec says 19"),
        (b"Draw a card. ", b"", "line 15 has 2 sentences, the outline says 3"),
        (b"Draw", b"\xff", "not text in UTF-8"),
    ],
)
def test_another_rulebook_is_noticed(old: bytes, new: bytes, said: str) -> None:
    """What differs is said: the hash, the number of lines, the sentences of a line."""
    book = (TEMPLATE / "rulebook.md").read_bytes().replace(old, new)

    assert any(said in line for line in compare(of(str(TEMPLATE)).game, book))


def holed(folder: Path) -> Path:
    """Copy the template, with a citation that points beside its sentence."""
    folder.mkdir()
    for each in TEMPLATE.iterdir():
        text = each.read_text("utf-8")
        if each.name == "clauses.yaml":
            text = text.replace("lines: [13, 13]", "lines: [12, 12]")
        (folder / each.name).write_text(text, "utf-8")
    return folder


def test_what_is_not_covered_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the rulebook at hand, the beginning of each sentence left over is shown; status 1."""
    folder = holed(tmp_path / "holed")
    code = run(["trace", str(folder), "--rulebook", str(folder / "rulebook.md")])
    out = capsys.readouterr().out

    assert code == 1
    assert "13.1  no clause covers this: Your turn" in out
    assert "15 of 16 sentences are covered" in out
    assert "`turn.heading` cites line 12, where the outline has no sentence" in out


def test_the_trace_is_a_document_too(capsys: pytest.CaptureFixture[str]) -> None:
    """As JSON it holds every sentence and clause."""
    assert run(["trace", str(TEMPLATE), "--format", "json"]) == 0
    doc = json.loads(capsys.readouterr().out)

    assert doc["format"] == "ruleproof/trace-1"
    assert len(doc["sentences"]) == 16
    assert all(sentence["clauses"] for sentence in doc["sentences"])
    assert doc["unexplained_edges"] == doc["problems"] == []


def test_a_missing_rulebook_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there is told in one line, with status 2."""
    assert run(["trace", str(TEMPLATE), "--rulebook", "nowhere.txt"]) == 2
    assert "the rulebook `nowhere.txt`: no such file" in capsys.readouterr().err


def test_outlines_hold_no_words() -> None:
    """An outline can be published: it consists of numbers."""
    book = (TEMPLATE / "rulebook.md").read_text("utf-8")

    assert all(type(each) is int for pair in outline_of(book).items() for each in pair)
    assert hashlib.sha256(book.encode()).hexdigest() == load_game(str(TEMPLATE)).rulebook.sha256  # type: ignore[union-attr]
