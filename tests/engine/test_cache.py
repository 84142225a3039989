"""Machine code is kept between runs, and never run where it might not be ours."""

from dataclasses import replace
from pathlib import Path

import pytest

from ruleproof.checker.engine import cache, engine
from ruleproof.checker.engine.program import Program
from ruleproof.checker.search.explore import Exploration
from ruleproof.model.machine.machine import Machine
from ruleproof.model.recent import Recent
from ruleproof.model.source.errors import Place
from ruleproof.tests.support.machines import jugs, nim, tic_tac_toe


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep machine code in a folder of its own."""
    monkeypatch.setenv("RULEPROOF_CACHE", str(tmp_path / "code"))
    return tmp_path / "code"


def test_what_is_kept_is_used_again(folder: Path) -> None:
    """A second program makes no new file, and explores the same."""
    first = Exploration(Program(jugs())).run()
    files = {path: path.read_bytes() for path in folder.iterdir()}
    again = Exploration(Program(jugs())).run()

    assert files
    assert again == first
    assert {path: path.read_bytes() for path in folder.iterdir()} == files


def test_a_damaged_file_is_made_anew(folder: Path) -> None:
    """What is not what was written is not run."""
    first = Exploration(Program(jugs())).run()
    for file in sorted(folder.iterdir()):
        whole = file.read_bytes()
        for damaged in (b"", whole[:100], whole[:-1] + bytes((whole[-1] ^ 1,))):
            file.write_bytes(damaged)

            assert Exploration(Program(jugs())).run() == first
            assert len(file.read_bytes()) == len(whole)


@pytest.mark.usefixtures("folder")
def test_the_same_rules_elsewhere_are_not_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code is kept by what the rules are; other rules have code of their own."""
    def moved(machine: Machine) -> Machine:
        return replace(machine, obligations=tuple(
            replace(duty, place=Place("elsewhere.yaml", 7, 7, 8)) for duty in machine.obligations))

    first = Exploration(Program(tic_tac_toe())).run()
    with monkeypatch.context() as patched:
        patched.setattr(engine, "compile_machine", None)
        assert Exploration(Program(moved(tic_tac_toe()))).run() == first
    assert Exploration(Program(jugs())).run() != first


def test_a_folder_that_others_can_write_is_not_trusted(folder: Path) -> None:
    """Nothing is read from it or written to it."""
    folder.mkdir()
    folder.chmod(0o777)
    Program(jugs()).start()

    assert cache.place() is None
    assert list(folder.iterdir()) == []


def test_off_is_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `off` no folder is made."""
    monkeypatch.setenv("RULEPROOF_CACHE", "off")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    Program(jugs()).start()

    assert not (tmp_path / "home").exists()


def test_what_is_kept_is_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When there is too much, what was used longest ago goes."""
    monkeypatch.setattr("ruleproof.checker.engine.cache.MOST_BYTES", 1)
    Program(jugs()).start()
    Program(nim(2, 3)).start()

    assert len(list(folder.iterdir())) <= 1


def test_answers_are_kept_longer_than_code(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Much code that is made later does not drop an answer, which took longer to find."""
    monkeypatch.setattr("ruleproof.checker.engine.cache.MOST_BYTES", 10 * cache.SMALL)
    cache.store("answer", b"an answer")
    for number in range(20):
        cache.store(f"code {number}", bytes(2 * cache.SMALL))

    assert cache.find("answer") == b"an answer"
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 10 * cache.SMALL


def test_without_a_folder_a_module_is_made_once_while_it_is_used(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was used longest ago goes first; every other module is not made again."""
    monkeypatch.setenv("RULEPROOF_CACHE", "off")
    monkeypatch.setattr(cache, "_MEMORY", {})
    monkeypatch.setattr(cache, "MOST_IN_MEMORY", 2)
    made: list[bytes] = []

    def get(code: bytes) -> bytes:
        def make() -> bytes:
            made.append(code)
            return code.upper()

        return cache.kept(code, "about", make)

    assert [get(code) for code in (b"a", b"b", b"a", b"c", b"a", b"b")] == [
        b"A", b"B", b"A", b"C", b"A", b"B"]
    assert made == [b"a", b"b", b"c", b"b"]


def test_what_was_used_last_is_kept_by_identity() -> None:
    """Equal objects are two, and the one that was not used for longest goes first."""
    made: list[str] = []

    def length_of(texts: list[str]) -> int:
        made.append(texts[0])
        return len(texts)

    length = Recent(length_of, most=2)
    one, two, twin = [["a"], ["b", "b"], ["a"]]

    assert [length(each) for each in (one, two, one, twin, one, two)] == [1, 2, 1, 1, 1, 2]
    assert made == ["a", "b", "a", "b"]
