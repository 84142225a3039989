"""A run that was interrupted goes on to the same end, from wherever it was cut off."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from ruleproof.checker.audit.listener import Listener
from ruleproof.checker.bench.answers import Answers
from ruleproof.checker.findings.results import Report
from ruleproof.checker.positions.cases import Cases
from ruleproof.checker.positions.positions import positions
from ruleproof.checker.search.checkpoint import CheckpointError
from ruleproof.checker.verify import verify
from ruleproof.cli.app import run
from ruleproof.model.game.game import Settings
from ruleproof.model.stop import INTERRUPTED
from ruleproof.reports.formats.document import dump

GAME = """
game: heap
players: {count: 2}
state: {left: {type: int 0..3, start: 3}, took: {type: int 0..3, per: player}, last: {type: player}}
steps: {game: {}}
windows: {turn: {who: players}}
start: game
clauses:
- {id: run, kind: order, says: The players act in any order, on: game, do: turn()}
- id: take
  kind: permit
  says: Each may take one
  on: turn
  option: take
  when: left > 0
  do: left -= 1; took[actor] += 1; last = actor
- {id: keep, kind: limit, says: Nobody has more, always: "all(took[p] <= 0 for p in players)"}
- {id: some, kind: claim, says: It never runs out, never: left == 0}
- {id: sum, kind: claim, says: One and one is two, claim: "1 + 1 == 2"}
open_points:
- id: who
  asks: How many are taken?
  clauses: [take]
  readings:
  - {id: one, title: one, changes: {}}
  - {id: free, title: no limit, drop: [keep]}
rulings:
- {point: who, reading: one, why: ours}
"""


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("heap")
    (folder / "game.yaml").write_text(GAME, "utf-8")
    return str(folder)


@pytest.fixture(name="straight", scope="module")
def _straight(folder: str) -> str:
    return dump(verify(folder, Settings()))


@pytest.fixture(name="kept", scope="module")
def _kept(folder: str, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("kept") / "file"
    verify(folder, Settings(), checkpoint=path)
    return path.read_bytes()


def test_a_checkpoint_changes_nothing(
    folder: str, straight: str, tmp_path: Path
) -> None:
    """The report is the same bytes with a checkpoint as without one."""
    assert dump(verify(folder, Settings(), checkpoint=tmp_path / "file")) == straight


def test_from_each_prefix_the_same_report_comes(
    folder: str, straight: str, kept: bytes, tmp_path: Path
) -> None:
    """Cut off after any answer, or amid one, a run goes on to the same report, and file."""
    path = tmp_path / "file"
    lines = kept.splitlines(keepends=True)
    assert len(lines) > 6
    for whole in range(1, len(lines), 2):
        torn = lines[whole][: len(lines[whole]) // 2] if whole % 4 == 1 else b""
        path.write_bytes(b"".join(lines[:whole]) + torn)

        assert dump(verify(folder, Settings(), checkpoint=path)) == straight
        assert texts(path.read_bytes()) == texts(kept)


def texts(file: bytes) -> list[bytes]:
    """List the answers of a file; processes give them in any order."""
    return sorted(line.partition(b" ")[2] for line in file.splitlines())


def test_what_is_kept_is_not_asked_again(
    folder: str, straight: str, kept: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all answers at hand no check asks anything."""
    path = tmp_path / "file"
    path.write_bytes(kept)
    for name in ("checks.ambiguity.decide", "clauses.deletion.without", "clauses.phrases.phrases",
                 "checks.text._decide"):
        monkeypatch.setattr(f"ruleproof.checker.{name}", lambda *_, **__: 1 // 0)

    assert dump(verify(folder, Settings(), checkpoint=path)) == straight


def test_an_interrupted_run_goes_on_to_the_same_end(
    folder: str, straight: str, tmp_path: Path
) -> None:
    """Interrupted again and again, each time a little later, it ends with the same report."""
    path = tmp_path / "file"

    def once(after: int) -> Report:
        count = 0

        class Impatient(Listener):
            def say(self, words: str) -> None:
                nonlocal count
                del words
                count += 1
                if count == after:
                    os.kill(os.getpid(), signal.SIGINT)

        return verify(folder, Settings(), checkpoint=path, listener=Impatient())

    later = range(2, 100, 3)
    times = next(times for times, after in enumerate(later) if not any(
        one.why == INTERRUPTED for one in once(after).not_checked))
    assert times > 1
    assert dump(once(0)) == straight


def test_a_long_exploration_goes_on_where_it_was(
    folder: str, straight: str, tmp_path: Path
) -> None:
    """What was explored of a scope is kept beside the checkpoint."""
    path = tmp_path / "file"
    short = verify(folder, Settings(), checkpoint=path, max_states=4)

    assert not short.explored[0].complete
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "file.printed"]
    assert dump(verify(folder, Settings(), checkpoint=path)) == straight


# ------------------------------------------------------------------------------------ the file


def test_damage_is_noticed(kept: bytes, folder: str, tmp_path: Path) -> None:
    """A byte changed anywhere but in a last line that was cut off is an error, with status 2."""
    path = tmp_path / "file"
    for place in range(0, len(kept) - 1, len(kept) // 25):
        path.write_bytes(kept[:place] + bytes([kept[place] ^ 1]) + kept[place + 1:])
        with pytest.raises(CheckpointError, match=r"damaged|no checkpoint"):
            verify(folder, Settings(), checkpoint=path)


@pytest.mark.parametrize("more", [
    "seed: --seed 5", "only: --only gap", "reduce: --every-order", "settings: --ruling who=free"])
def test_a_checkpoint_of_another_run_is_refused(
    more: str, kept: bytes, folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Other settings are another run: status 2, and what differs is named."""
    path = tmp_path / "file"
    path.write_bytes(kept)
    what, _, options = more.partition(": ")

    assert run(["verify", folder, "-q", "--checkpoint", str(path), *options.split()]) == 2
    assert f"is of another run: {what} differs" in capsys.readouterr().err
    assert path.read_bytes() == kept


def test_a_finished_run_leaves_no_checkpoint(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """When nothing is left to do the files are gone."""
    assert run(["verify", folder, "-q", "--checkpoint", str(tmp_path / "file")]) == 1
    assert capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def test_a_full_disk_costs_the_answers_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If an answer cannot be written the run goes on, and the file stays whole."""
    path = tmp_path / "file"
    answers = Answers(path, {"game": "a"})
    answers.keep("one", [1])
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert answers.keep("two", (2,)) == [2]
    assert answers.unsaved == "No space left on device"
    assert path.read_bytes() == before
    assert Answers(path, {"game": "a"}).get("one") == [1]


# ------------------------------------------------------------------------------------ positions


def test_a_checkpoint_that_is_gone_costs_the_answers_only(tmp_path: Path) -> None:
    """Where nothing can be written any more, nor cut off, the run goes on all the same."""
    folder = tmp_path / "there"
    folder.mkdir()
    answers = Answers(folder / "answers", {})
    (folder / "answers").unlink()
    folder.rmdir()

    assert answers.keep("question", "answer") == "answer"
    assert answers.unsaved == "No such file or directory"


def test_positions_go_on_from_each_prefix(folder: str, tmp_path: Path) -> None:
    """Cut off after any answer, the choice of positions goes on to the same positions."""
    path = tmp_path / "file"
    straight = positions(folder, Settings())
    assert positions(folder, Settings(), checkpoint=path) == straight
    kept = path.read_bytes()
    lines = kept.splitlines(keepends=True)
    assert len(lines) > 6
    for whole in range(1, len(lines) + 1, 3):
        path.write_bytes(b"".join(lines[:whole]))

        assert positions(folder, Settings(), checkpoint=path) == straight
        assert path.read_bytes() == kept


def test_positions_that_are_known_are_not_written_again(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all answers at hand nothing is written or compared."""
    path = tmp_path / "file"
    straight = positions(folder, Settings(), checkpoint=path)
    monkeypatch.setattr("ruleproof.checker.positions.cases.Cases.write", lambda *_: 1 // 0)
    monkeypatch.setattr("ruleproof.checker.positions.search.diverge", lambda *_, **__: 1 // 0)

    assert positions(folder, Settings(), checkpoint=path) == straight


def test_positions_that_were_interrupted_say_how_to_go_on(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was chosen by then is written, what was there stays, and the status is 130."""
    where = tmp_path / "positions"
    assert run(["positions", folder, "-q", "-o", str(where)]) == 0
    before = {path.name for path in where.iterdir()}
    write = Cases.write

    def once(*args: Any) -> dict[str, Any]:  # noqa: ANN401
        document = write(*args)
        os.kill(os.getpid(), signal.SIGINT)
        return document

    monkeypatch.setattr(Cases, "write", once)
    file = tmp_path / "file"
    assert run(["positions", folder, "-q", "-o", str(where), "--checkpoint", str(file)]) == 130
    assert f"saved in {file}" in capsys.readouterr().err
    assert {path.name for path in where.iterdir()} == before
    monkeypatch.undo()
    assert run(["positions", folder, "-q", "-o", str(where), "--checkpoint", str(file)]) == 0
    assert {path.name for path in where.iterdir()} == before
    assert not file.exists()
