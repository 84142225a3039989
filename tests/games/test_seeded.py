"""Seeded changes are noticed, in the right class, with the clause named; decoys raise nothing."""

from __future__ import annotations

import sys
from collections import defaultdict

import pytest

from ruleproof.checker.judge.results import CLASSES
from ruleproof.tests.support.seeding import BUNDLED, Entry, Told, run, run_all, scopes, table

SEEDS, DECOYS = table("seeds"), table("decoys")
KNOWN = [seed for seed in SEEDS if "missed" not in seed]
BASES = [{"id": base, "base": base} for base in ("joust", "stall")]
SHARE = 0.95

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def told() -> dict[str, Told]:
    """Verify every entry once."""
    entries: list[Entry] = [*SEEDS, *DECOYS, *BASES]
    return {str(one.entry["id"]): one for one in run_all(entries)}


def seeded(seed: Entry) -> object:
    """Name a seed; expect it to fail where it is known to be missed."""
    marks = [pytest.mark.xfail(reason=seed["missed"], strict=True)] if "missed" in seed else []
    return pytest.param(seed["id"], id=seed["id"], marks=marks)


def test_ids_are_unique() -> None:
    """No two entries of the table have one name."""
    names = [entry["id"] for entry in (*SEEDS, *DECOYS, *BASES)]
    assert len(names) == len(set(names))


def test_table_is_large_enough() -> None:
    """There are at least 45 seeds, some of every class, and 15 decoys."""
    assert len(SEEDS) >= 45
    assert {seed["finds"] for seed in SEEDS} == set(CLASSES)
    assert len(DECOYS) >= 15


@pytest.mark.parametrize("base", ["penguin-brawl", "penny-arcade-card-game"])
def test_games_have_enough_seeds(base: str) -> None:
    """Each of the two games with findings of their own has seeds of every class, and decoys."""
    seeds = [seed for seed in SEEDS if seed["base"] == base]

    assert len(seeds) >= 22
    assert {seed["finds"] for seed in seeds} == set(CLASSES)
    assert sum(1 for decoy in DECOYS if decoy["base"] == base) >= 5


@pytest.mark.parametrize("base", [base for base in BUNDLED if base in scopes()])
def test_scopes_of_seeds_are_used(base: str) -> None:
    """Every scope of the tables has a seed or a decoy."""
    used = {entry.get("scope") for entry in (*SEEDS, *DECOYS) if entry["base"] == base}

    assert set(scopes()[base]) <= used


@pytest.mark.parametrize("name", [base["id"] for base in BASES])
def test_base_is_clean(told: dict[str, Told], name: str) -> None:
    """The game that changes start from has no defect, and all of it was looked at."""
    assert told[name].error == ""
    assert [f.id for f in told[name].findings] == []
    assert told[name].complete


@pytest.mark.parametrize("name", [seeded(seed) for seed in SEEDS])
def test_seed_is_noticed(told: dict[str, Told], name: str) -> None:
    """The change is noticed in its class, and the clauses are named."""
    one = told[name]
    assert one.error == ""
    assert one.in_class, f"found only {', '.join(one.classes) or 'nothing'}"
    assert one.named, [f.clauses for f in one.in_class]


@pytest.mark.parametrize("name", [decoy["id"] for decoy in DECOYS])
def test_decoy_raises_nothing(told: dict[str, Told], name: str) -> None:
    """What only looks wrong is not reported."""
    assert told[name].error == ""
    assert [f.id for f in told[name].added] == []


def test_every_play_replays(told: dict[str, Told]) -> None:
    """No finding has a play that the reference interpreter does not accept."""
    assert [stray for one in told.values() for stray in one.stray] == []


def test_share_of_every_class(told: dict[str, Told], capsys: pytest.CaptureFixture[str]) -> None:
    """Of each class 95 % are noticed and named, leaving out those that are known to be missed."""
    rows: dict[str, list[Told]] = defaultdict(list)
    for seed in SEEDS:
        rows[seed["finds"]].append(told[seed["id"]])
    lines = [f"{'class':26}{'seeds':>6}{'noticed':>9}{'in class':>10}{'named':>7}"]
    for cls in CLASSES:
        ones = rows[cls]
        counts = [sum(map(bool, kind)) for kind in (
            [t.findings for t in ones], [t.in_class for t in ones], [t.named for t in ones])]
        lines.append(f"{cls:26}{len(ones):6}{counts[0]:9}{counts[1]:10}{counts[2]:7}")
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
    for cls in CLASSES:
        known = [t for t in rows[cls] if "missed" not in t.entry]
        assert sum(1 for t in known if t.named) >= SHARE * len(known), cls


@pytest.mark.parametrize("name", ["must-sell-may-not", "dealing-in-no-order"])
def test_same_result_again(told: dict[str, Told], name: str) -> None:
    """Verifying again, in another process, gives the same findings."""
    entry = told[name].entry
    assert [f.id for f in run(entry).findings] == [f.id for f in told[name].findings]
