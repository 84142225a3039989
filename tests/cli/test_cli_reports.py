"""The commands that look at a game: games, verify, explore, perft, explain, and what is around."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from ruleproof import __version__
from ruleproof.checker.findings.results import Cause, Explored, NotChecked, Report
from ruleproof.checker.verify import verify
from ruleproof.cli.app import COMMANDS, run
from ruleproof.cli.commands import publish
from ruleproof.cli.commands.new import template
from ruleproof.cli.commands.verify import outcome
from ruleproof.cli.files.latest import published_folder
from ruleproof.cli.files.shapes import SCHEMAS
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import bundled, load_game
from ruleproof.model.views.lint import lint
from ruleproof.reports.formats.document import dump, load
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.formats import check_junit, check_ours, check_sarif
from ruleproof.tests.support.games import compiled, loaded, often
from ruleproof.tests.support.little import write
from ruleproof.tests.support.places import ROOT
from ruleproof.tests.support.recorded import GOLDEN

FLAWED = str(ROOT / "tests" / "flawed")
TEMPLATE = str(ROOT / "spec" / "template")
FOUND = GOLDEN / "plum-panic.json"

Cli = Callable[..., tuple[int, str, str]]

TIED = """
game: tied
title: Tied
players: {count: 2}
families: {f: {attributes: {value: int 1..2}}}
cards: {f: {one: {value: 1, copies: 2}, two: {value: 2, copies: 2}}}
zones:
  deck: {holds: f, kind: deck, starts: all, seen_by: none}
  hand: {holds: f, kind: bag, per: player}
steps: {game: {}}
start: game
clauses:
- {id: deal, kind: effect, says: everybody is dealt a card, on: game,
   do: "for p in players:\\n  draw(1, deck, hand[p])"}
- {id: wins, kind: effect, says: the highest card wins, on: game, after: [deal],
   do: "win(only(argmax(sum(c.value for c in hand[p]) for p in players)))"}
"""


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command line; give its status and what it wrote."""

    def call(*args: str) -> tuple[int, str, str]:
        code = run(args)
        out, err = capsys.readouterr()
        return code, out, err

    return call


# ----------------------------------------------------------------------- games, schema, new


def test_games_are_listed(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bundled game with its scopes and numbers, for people and for programs."""
    monkeypatch.setattr("ruleproof.cli.commands.games.load_game", loaded)
    code, out, _ = cli("games")
    assert code == 0
    assert all(name in out for name in bundled())
    code, out, _ = cli("games", "--format", "json")
    found = json.loads(out)
    assert [each["game"] for each in found] == list(bundled())
    assert all("printed" in each["scopes"] and each["normative"] for each in found)


@pytest.mark.parametrize("which", SCHEMAS)
def test_schemas_are_schemas(cli: Cli, which: str) -> None:
    """What is printed is a JSON Schema."""
    code, out, _ = cli("schema", which)

    assert code == 0
    Draft202012Validator.check_schema(json.loads(out))


@pytest.mark.parametrize(("line", "said"), [
    ("perft x --depth x", "a whole number is needed"), ("verify x --max-time y", "a number"),
    ("perft x --depth -1", "must be at least 0"),
    ("play x --seed 99999999999999999999", "must be at most")])
def test_a_number_that_is_none_is_told_in_plain_words(cli: Cli, line: str, said: str) -> None:
    """What is wrong with a number of the command line is told as all else is."""
    code, out, err = cli(*line.split())

    assert (code, out) == (2, "")
    assert said in err
    assert "Input should" not in err


def test_an_unknown_schema_is_wrong_usage(cli: Cli) -> None:
    """The nearest name is suggested."""
    code, _, err = cli("schema", "finding")

    assert code == 2
    assert "did you mean `findings`" in err


@pytest.mark.parametrize("name", ["my-game", "no", "007", "a" * 60])
def test_a_new_game_lints_and_is_clean(cli: Cli, tmp_path: Path, name: str) -> None:
    """A new folder has no errors and no warnings, whatever it is called."""
    code, _, err = cli("new", name, "--into", str(tmp_path))
    found = lint(str(tmp_path / name))

    assert code == 0
    assert f"ruleproof verify {tmp_path / name}" in err
    assert (found.game, found.errors, found.warnings) == (name, (), ())


@pytest.mark.parametrize("name", ["", "My Game", "../up", "-x", "a/b", "a" * 61, "été"])
def test_a_bad_name_makes_nothing(cli: Cli, tmp_path: Path, name: str) -> None:
    """Names that are no ids are refused before anything is written."""
    code, _, _ = cli("new", "--into", str(tmp_path / "in"), "--", name)

    assert code == 2
    assert not list(tmp_path.rglob("*"))


def test_nothing_is_overwritten(cli: Cli, tmp_path: Path) -> None:
    """A folder that exists is left alone."""
    (tmp_path / "x").mkdir()

    code, _, err = cli("new", "x", "--into", str(tmp_path))

    assert code == 2
    assert "exists already" in err
    assert not list((tmp_path / "x").iterdir())


def test_the_template_is_shipped_whole() -> None:
    """Every file of the template has an ending that the wheel takes along."""
    assert {Path(name).suffix for name in template()} <= {".yaml", ".md", ".json"}


# ----------------------------------------------------------------------- verify


def test_the_template_verifies_clean(cli: Cli) -> None:
    """Nothing is found in the game that new ones start from, and its scopes are explored wholly."""
    code, out, _ = cli("verify", TEMPLATE, "--format", "json")
    doc = json.loads(out)
    check_ours("findings", doc)

    assert code == 0
    assert doc["findings"] == []
    assert all(each["complete"] for each in doc["explored"])


def test_a_report_of_a_scope_is_headed_by_it(cli: Cli, tmp_path: Path) -> None:
    """Its settings are those of the scope that was asked for, not of the printed game."""
    spec: dict[str, Any] = {
        "game": "deal", "title": "Deal", "players": {"min": 2, "max": 3, "default": 2},
        "state": {"active": {"type": "player", "start": 1}}, "steps": {"game": {}}, "start": "game",
        "scopes": {"three": {"players": 3}},
        "clauses": [{"id": "a", "kind": "order", "says": "it ends", "on": "game",
                     "do": "win(active)"}]}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")

    assert "\n  3 players, scope three; " in cli("verify", str(tmp_path), "--scope", "three")[1]
    assert "\n  2 players; " in cli("verify", str(tmp_path))[1]


def test_a_flawed_game_is_found_out(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Findings make the status 1, in each format; the documents are valid."""
    made: list[Report] = []

    def once(*args: Any, **how: Any) -> Report:  # noqa: ANN401  (what `verify` takes)
        made.extend(() if made else [verify(*args, **how)])
        return made[0]

    monkeypatch.setattr("ruleproof.cli.commands.verify.check", once)
    for form in ("json", "sarif", "junit", "markdown", "text"):
        file = tmp_path / form
        code, out, _ = cli(
            "verify", FLAWED, "--format", form, "-o", str(file), "--max-states", "99"
        )
        assert (code, out) == (1, "")
    doc = json.loads((tmp_path / "json").read_text("utf-8"))
    check_ours("findings", doc)
    classes = {each["class"] for each in doc["findings"]}
    assert {"unresolved-tie", "ambiguity", "false-claim", "undefined-term"} <= classes
    assert len(check_sarif(json.loads((tmp_path / "sarif").read_text("utf-8")))) == len(
        doc["findings"]
    )
    assert check_junit((tmp_path / "junit").read_text("utf-8"))
    assert (tmp_path / "markdown").read_text("utf-8").startswith("# Plum Panic")
    assert (tmp_path / "text").read_text("utf-8").startswith("Plum Panic")


@pytest.mark.parametrize(
    ("fail_on", "status"),
    [("any", 1), ("never", 0), ("ambiguity", 1), ("deadlock", 0), ("deadlock,false-claim", 1),
     ("winner", 1), ("hidden-state", 1)],
)  # fmt: skip
def test_what_fails_can_be_chosen(fail_on: str, status: int) -> None:
    """`--fail-on` names classes, a level, any, or never."""
    assert outcome(load(FOUND), fail_on) == status


def test_levels_fail_from_themselves_upwards() -> None:
    """Findings below the level that was asked for do not fail."""
    report = load(FOUND)
    text_only = replace(report, findings=tuple(f for f in report.findings if f.level == 5))

    assert outcome(text_only, "hidden-state") == 0
    assert outcome(text_only, "any") == 1


def test_a_limit_is_no_success() -> None:
    """With nothing found but a scope that was not explored wholly, the status is 3."""
    stopped = Explored("big", 9, 9, 9, 0, complete=False, stopped_by="states")
    report = replace(load(FOUND), findings=(), explored=(stopped,))

    assert outcome(report, "any") == 3
    assert outcome(report, "never") == 0


def test_wrong_choices_are_told(cli: Cli) -> None:
    """An unknown class, scope or format is wrong usage, told in one line."""
    for args, said in (
        (("--fail-on", "ambigous"), "did you mean `ambiguity`"),
        (("--scope", "tyni"), "no scope `tyni`"),
        (("--format", "yaml"), "one of text"),
        (("--only", "tie"), "is no class of findings"),
    ):
        code, out, err = cli("verify", TEMPLATE, *args)
        assert (code, out) == (2, "")
        assert said in err


# ----------------------------------------------------------------------- explore, perft


def test_exploration_prints_the_contracts_object(cli: Cli) -> None:
    """`explore --format json` prints the object of `explored`, and who has won where."""
    code, out, _ = cli("explore", TEMPLATE, "--scope", "tiny", "--format", "json")

    assert code == 0
    found = json.loads(out)
    results = found.pop("results")
    assert sum(each["final_states"] for each in results) == 18
    assert found == {
        "scope": "tiny", "states": 75, "transitions": 80, "depth": 9, "final": 18,
        "complete": True,
    }  # fmt: skip


def test_a_stopped_exploration_says_so_and_goes_on(cli: Cli, tmp_path: Path) -> None:
    """A limit gives status 3 and a checkpoint, from which the same command goes on to the end."""
    saved = tmp_path / "saved"
    args = ("explore", TEMPLATE, "--scope", "small", "--checkpoint", str(saved))
    code, out, _ = cli(*args, "--max-states", "300")
    assert code == 3
    assert "no, stopped by the limit of states" in out
    assert saved.is_file()
    code, out, err = cli(*args)
    assert code == 0
    assert "814" in out
    assert "going on from" in err
    assert not saved.exists()


@pytest.mark.parametrize("kind", ["garbage", "folder", "nowhere"])
@pytest.mark.parametrize("command", ["explore"])
def test_a_bad_checkpoint_is_wrong_usage(
    cli: Cli, tmp_path: Path, command: str, kind: str
) -> None:
    """What is no checkpoint, or cannot be one, is told before the work, with status 2."""
    (tmp_path / "garbage").write_text("garbage")
    (tmp_path / "folder").mkdir()
    where = tmp_path / kind / "file" if kind == "nowhere" else tmp_path / kind
    code, _, err = cli(command, TEMPLATE, "--scope", "tiny", "--checkpoint", str(where))

    assert code == 2
    assert err.startswith("error: ")
    assert "internal" not in err


@pytest.mark.parametrize("option", ["-o", "--proofs"])
@pytest.mark.parametrize("where", [".", "nowhere/x"])
def test_where_a_result_goes_is_tried_before_the_work(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str, where: str
) -> None:
    """A result that could not be written is refused before anything is checked."""
    monkeypatch.setattr(
        "ruleproof.cli.commands.verify.check", lambda *_, **__: pytest.fail("begun"))
    code, _, err = cli("verify", TEMPLATE, option, str(tmp_path / where))

    assert code == 2
    assert "is a directory" in err or "no such file" in err
    assert not list(tmp_path.iterdir())


def test_perft_counts_plays(cli: Cli) -> None:
    """Plays of each length, for people and as JSON."""
    code, out, _ = cli("perft", TEMPLATE, "--scope", "tiny", "-d", "4")
    assert code == 0
    assert out.splitlines()[0].split() == ["length", "plays", "over", "states"]
    _, out, _ = cli("perft", TEMPLATE, "--scope", "tiny", "-d", "4", "--format", "json")
    assert [row["length"] for row in json.loads(out)] == [0, 1, 2, 3, 4]


# ----------------------------------------------------------------------- explain


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("turn.draw", "a turn begins with one card from the deck (effect; rulebook.md, line 15"),
        ("fruit.plum", "Plum, 4 in the game: sort plum"),
        ("Plum", "card fruit.plum"),
        ("order/setup.deal", "open point order/setup.deal"),
        ("laying", "who acts: active"),
        ("laying #2", "lay_pair (card)"),
        ("deck", "deck of fruit cards, in the middle, seen by nobody"),
        ("points", "value: size(laid[p]) // 2"),
        ("all_cards", "the number 12"),
        ("tiny", "two sorts of fruit"),
        ("deadlock", "Dead end."),
        ("RP220", "an unknown name"),
        ("game over", "the game is over"),
        ("TURN.DRAW", "clause turn.draw"),
    ],
)
def test_everything_can_be_explained(cli: Cli, name: str, said: str) -> None:
    """Whatever has a name is told in plain words."""
    code, out, _ = cli("explain", TEMPLATE, name)

    assert code == 0
    assert said in out


def test_a_finding_is_explained_in_full(cli: Cli) -> None:
    """A finding is looked up in a findings file, with or without its game's name."""
    for name in ("plum-panic/ambiguity/whole-hand", "ambiguity/whole-hand"):
        code, out, _ = cli("explain", FLAWED, name, "--findings", str(FOUND))
        assert code == 0
        assert "Sentence with several readings" in out
        assert "What stands behind it" in out


def test_a_published_finding_is_of_the_game_as_it_comes(cli: Cli) -> None:
    """What is published was found with the settings of the game, so under others it is not told."""
    name = bundled()[0]
    code, out, _ = cli("explain", name, "1")
    other, _, err = cli("explain", name, "1", "--scope", next(iter(load_game(name).scopes)))

    assert code == 0
    assert "What stands behind it" in out
    assert other == 2
    assert "are known under these settings" in err


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let `verify` believe that it writes to a terminal of 24 lines, and keep its report."""
    monkeypatch.setattr("ruleproof.cli.commands.verify.is_terminal", lambda _: True)
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("RULEPROOF_CACHE", str(tmp_path))


@pytest.mark.usefixtures("at_a_terminal")
def test_the_first_screen_leads_to_its_findings(cli: Cli, tmp_path: Path) -> None:
    """It fits on the terminal, and each of its numbers can be explained; `--full` shows all."""
    write(tmp_path / "tied", TIED)
    game = str(tmp_path / "tied")
    _, shown, _ = cli("verify", game, "-q")
    numbered = dict(re.findall(r"(?m)^ +(\d+)\. +\S+ +\S.*?  (.*)$", shown))
    _, told, _ = cli("explain", game, "1")
    _, full, _ = cli("verify", game, "-q", "--full")

    assert shown.count("\n") <= 24
    assert f"ruleproof explain {game} 1" in shown
    assert numbered["1"] in " ".join(told.split())
    assert "What stands behind finding 1" in full


@pytest.mark.usefixtures("at_a_terminal")
@pytest.mark.parametrize(("number", "said"), [("1", "`ruleproof verify` finds them"),
                                              ("999", "none with the number 999")])
def test_a_number_without_a_finding_is_wrong_usage(
    cli: Cli, tmp_path: Path, number: str, said: str
) -> None:
    """Where nothing was found yet, and where there are fewer findings."""
    write(tmp_path / "tied", TIED)
    more = [] if number == "1" else ["--findings", str(FOUND)]

    code, _, err = cli("explain", str(tmp_path / "tied"), number, *more)

    assert code == 2
    assert said in err


def test_a_book_that_the_spec_does_not_cite_is_refused(cli: Cli, tmp_path: Path) -> None:
    """Its lines would be other ones."""
    other = tmp_path / "other.md"
    other.write_text("another book", "utf-8")

    code, _, err = cli("explain", FLAWED, "1", "--findings", str(FOUND), "--rulebook", str(other))

    assert code == 2
    assert "is not the rulebook that the spec cites" in err


def test_what_nothing_goes_by_is_wrong_usage(cli: Cli) -> None:
    """The nearest name is suggested."""
    code, _, err = cli("explain", TEMPLATE, "turn.drew")

    assert code == 2
    assert "did you mean `turn.draw`" in err


@pytest.mark.parametrize("text", ["{", "[]", '{"format": "ruleproof/findings-1"}', "\x00"])
def test_a_broken_findings_file_is_told(cli: Cli, tmp_path: Path, text: str) -> None:
    """A file that is no findings file gives one line, not a traceback."""
    file = tmp_path / "broken.json"
    file.write_text(text, "utf-8")

    code, _, err = cli("explain", TEMPLATE, "x", "--findings", str(file))

    assert code == 2
    assert err.count("\n") == 1


# ----------------------------------------------------------------------- published reports


def test_the_published_reports_are_not_stale() -> None:
    """Each published report is of the spec and version at hand; `make reports` writes them anew."""
    made = {path.stem: json.loads(path.read_bytes()) for path in published_folder().glob("*.json")}

    assert {name: (each["spec_sha256"], each["version"]) for name, each in made.items()} == {
        name: (loaded(name).spec_sha256, __version__) for name in bundled()}


@pytest.mark.parametrize("name", often("edition-wars"))
def test_the_published_pages_are_what_their_files_give(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has edited a page, and none was forgotten when its report was made anew."""
    monkeypatch.setattr(publish, "load_game", loaded)
    monkeypatch.setattr(publish, "compile_game", lambda game: compiled(game.id))

    assert list(publish.check([name])) == []


def test_staleness_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A missing report, one of another spec, and an edited page are told apart."""
    name = bundled()[0]
    monkeypatch.setattr(publish, "published_folder", lambda: tmp_path)

    assert "cannot read" in next(publish.check([name]))
    (tmp_path / f"{name}.json").write_text(FOUND.read_text("utf-8"), "utf-8")
    assert "another spec" in next(publish.check([name]))
    cause: Cause
    for cause in ("interrupted", "late", "failed"):
        of_it = replace(load(FOUND), spec_sha256=load_game(name).spec_sha256, not_checked=(
            NotChecked("open points", "why", cause=cause),))
        (tmp_path / f"{name}.json").write_text(dump(of_it), "utf-8")
        assert "cut short, or has failed" in next(publish.check([name]))


def test_publishing_takes_known_games_only(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown name or option shows how it is called."""
    assert publish.main(["--check", "nonsense"]) == 2
    assert publish.main(["--nonsense"]) == 2
    assert "published reports" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_they_do(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the list says of a command are the first words of its own help."""
    assert run([name, "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())

    assert COMMANDS[name].rstrip(".") in told


def test_what_was_found_is_told_again_in_any_format(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second report of the same is that of the first run, byte for byte as made anew."""
    game = str(write(tmp_path / "tied", TIED))
    formats = ("text", "json", "markdown", "sarif", "junit")
    made = verify(game, Settings())
    monkeypatch.setattr("ruleproof.cli.commands.verify.check", lambda *_, **__: made)
    anew = [cli("verify", game, "-q", "--format", each)[1] for each in formats]
    monkeypatch.setenv("RULEPROOF_CACHE", str(tmp_path / "kept"))
    cli("verify", game, "-q")
    monkeypatch.setattr("ruleproof.cli.commands.verify.check", None)

    assert [cli("verify", game, "-q", "--format", each)[1] for each in formats] == anew


@pytest.mark.parametrize("what", one_in(2, [
    "spec", "only", "seed", "report", "program", "stranger"]))
def test_what_is_asked_anew_is_found_out_anew(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """After any change of what a report depends on, or of the report that was kept."""
    game, kept = write(tmp_path / "tied", TIED), tmp_path / "kept"
    monkeypatch.setenv("RULEPROOF_CACHE", str(kept))
    times: list[object] = []
    made = verify(str(game), Settings())

    def again(*_: object, **asked: object) -> Report:
        times.append(asked)
        return made

    monkeypatch.setattr("ruleproof.cli.commands.verify.check", again)
    cli("verify", str(game), "-q")
    cli("verify", str(game), "-q")
    assert len(times) == 1
    more: list[str] = []
    match what:
        case "spec":
            write(game, TIED + "# another\n")
        case "seed":
            more = ["--seed", "1"]
        case "only":
            more = ["--only", "ambiguity"]
        case "report":
            (file,) = kept.glob("*.report")
            file.write_text(file.read_text("utf-8").replace("tied", "won"), "utf-8")
        case "program":
            monkeypatch.setattr("ruleproof.cli.files.latest.program", lambda: "another")
        case _:
            kept.chmod(0o777)
    cli("verify", str(game), "-q", *more)

    assert len(times) == 2


def test_positions_are_files_and_the_message_says_so(cli: Cli) -> None:
    """`-` names no folder, and none is made."""
    code, _, err = cli("positions", FLAWED, "-o", "-")

    assert code == 2
    assert "`-` is no folder" in err
    assert not Path("-").exists()
