"""Seeded changes are noticed, in the right class, with the clause named; decoys raise nothing.

Every `EACH`-th seed and decoy runs with the tests, all others with the campaign; the tables are
explained in `seeded/README.md`.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from functools import cache

import pytest

from ruleproof.checker.findings.results import CLASSES
from ruleproof.tests.support.seeding import BUNDLED, Entry, Told, run, scopes, table

SEEDS, DECOYS = table("seeds"), table("decoys")
ENTRIES = {str(entry["id"]): entry for entry in (*SEEDS, *DECOYS)}
BASES = [{"id": base, "base": base} for base in ("joust", "stall")]
EACH = 150
OFTEN = {entry["id"] for entry in (*SEEDS[EACH::EACH], *DECOYS[::EACH])}
SHARE = 0.95


@cache
def told(name: str) -> Told:
    """Ask of an entry what it asks, once."""
    return run(ENTRIES[name])


def asked(entries: list[Entry]) -> list[object]:
    """Name entries; a seed that is known to be missed is expected to fail."""
    return [pytest.param(entry["id"], id=f"{entry['base']}-{entry['id']}", marks=[
        *([] if entry["id"] in OFTEN else [pytest.mark.campaign]),
        *([pytest.mark.xfail(reason=entry["missed"], strict=True)] if "missed" in entry else [])])
        for entry in entries]


def test_ids_are_unique() -> None:
    """No two entries of the tables have one name."""
    assert len(ENTRIES) == len(SEEDS) + len(DECOYS)


def test_tables_are_large_enough() -> None:
    """There are seeds of every class, and one decoy at least for four of them."""
    assert {seed["finds"] for seed in SEEDS} == set(CLASSES)
    assert len(DECOYS) * 4 >= len(SEEDS)


@pytest.mark.parametrize("base", ["penguin-brawl", "penny-arcade-card-game"])
def test_games_have_enough_seeds(base: str) -> None:
    """Each of the two games with findings of their own has seeds of every class, and decoys."""
    seeds = [seed for seed in SEEDS if seed["base"] == base]

    assert len(seeds) >= 22
    assert {seed["finds"] for seed in seeds} == set(CLASSES)
    assert sum(1 for decoy in DECOYS if decoy["base"] == base) >= 5


@pytest.mark.parametrize("base", BUNDLED)
def test_scopes_of_seeds_are_used(base: str) -> None:
    """Every scope of the tables has a seed or a decoy."""
    used = {entry.get("scope") for entry in ENTRIES.values() if entry["base"] == base}

    assert set(scopes().get(base, ())) <= used


@pytest.mark.slow
@pytest.mark.parametrize("base", BASES, ids=lambda base: base["id"])
def test_base_is_clean(base: Entry) -> None:
    """The game that changes start from has no defect, and all of it was looked at."""
    one = run(base)

    assert one.error == ""
    assert [f.identity for f in one.findings] == []
    assert one.complete


@pytest.mark.slow
@pytest.mark.parametrize("name", asked(SEEDS))
def test_seed_is_noticed(name: str) -> None:
    """The change is noticed in its class, the clauses are named, and every play replays."""
    one = told(name)

    assert one.error == ""
    assert one.in_class, f"found only {', '.join(one.classes) or 'nothing'}"
    assert one.named, [f.clauses for f in one.in_class]
    assert one.stray == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", asked(DECOYS))
def test_decoy_raises_nothing(name: str) -> None:
    """What only looks wrong is not reported."""
    one = told(name)

    assert one.error == ""
    assert list(one.added) == []


@pytest.mark.campaign
def test_share_of_every_class(capsys: pytest.CaptureFixture[str]) -> None:
    """Of each class 95 % are noticed and named, leaving out those that are known to be missed."""
    rows: dict[str, list[Told]] = defaultdict(list)
    for seed in SEEDS:
        rows[seed["finds"]].append(told(seed["id"]))
    lines = [f"{'class':26}{'seeds':>6}{'noticed':>9}{'in class':>10}{'named':>7}"]
    for cls in CLASSES:
        ones = rows[cls]
        counts = [sum(map(bool, kind)) for kind in (
            [t.findings for t in ones], [t.in_class for t in ones], [t.named for t in ones])]
        lines.append(f"{cls:26}{len(ones):6}{counts[0]:9}{counts[1]:10}{counts[2]:7}")
    quiet = sum(1 for decoy in DECOYS if not told(decoy["id"]).added)
    with capsys.disabled():
        sys.stdout.write("\n".join(("", *lines, f"{quiet} of {len(DECOYS)} decoys are silent", "")))
    for cls in CLASSES:
        known = [t for t in rows[cls] if "missed" not in t.entry]
        assert sum(1 for t in known if t.named) >= SHARE * len(known), cls
