"""How an implementation conforms: as text with the differences as a diff, JSON, and JUnit XML."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as ET

from ...checker.conform.results import Apart, Conformance, Difference, Tried
from ...model.plays.wording import many
from ..blocks.paper import Paper
from .junit import add_case, finished, safe


def conform_text(found: Conformance, paper: Paper) -> str:
    """Write what holds and what does not."""
    out = list[str]()
    for each in found.positions:
        if each.verdict == "differs":
            mark = paper.style("✗" if paper.unicode else "x", "red")
            out += [f"{mark} {paper.clean(each.id)}", *paper.wrap(each.title, "  ")]
            out += [line for one in each.differences for line in _diff(one, paper)]
            out += [line for point, reading in each.readings.items() if reading
                    for line in paper.wrap(f"as under {point}={' or '.join(reading)}", "  ")]
            out.append("")
    for name, walk in (("perft", found.perft), ("random plays", found.lockstep)):
        if walk is not None and walk.apart is not None:
            out += [*_apart(name, walk.apart, paper), ""]
    out += [line for row in _summary(found) for line in paper.wrap(row[1], f"{row[0]:<14}")]
    return "\n".join(out)


def _apart(name: str, apart: Apart, paper: Paper) -> Iterator[str]:
    mark = paper.style("✗" if paper.unicode else "x", "red")
    yield f"{mark} {name}: the shortest difference found"
    for number, told in enumerate(apart.moves, 1):
        yield from paper.wrap(told, f"  {number:>3}. ")
    yield from _diff(apart.difference, paper)
    if apart.from_position and apart.moves:
        yield "  the last move alone shows it, from the situation before it"


def _diff(one: Difference, paper: Paper) -> Iterator[str]:
    yield from paper.wrap(f"{one.what}, {one.where} (- the rules, + the implementation)", "  ")
    for lines, sign, color in ((one.rules, "-", "red"), (one.theirs, "+", "green")):
        for line in lines:
            for each in paper.wrap(line, f"  {sign} ", "    "):
                yield paper.style(each, color)


def _summary(found: Conformance) -> Iterator[tuple[str, str]]:
    held = [each for each in found.positions if each.verdict == "holds"]
    left = [each for each in found.positions if each.verdict == "not checked"]
    yield "positions", (f"{len(held)} of {len(found.positions)} hold"
                        + (f", {len(left)} not checked" if left else ""))
    whys = dict.fromkeys(each.why for each in left)
    for why in whys:
        yield "", f"not checked: {why}"
    for each in found.readings:
        if each.plays:
            other = "" if each.plays == each.adopted else ", not as ruled"
            said = f"plays {each.plays}{other} ({many(each.positions, 'position')})"
        else:
            fits = ", ".join(f"{name} {fit}" for name, fit in each.fits.items()) or "none"
            said = f"no one reading fits all {each.positions} positions ({fits})"
        yield "reading", f"{each.point}: {said}"
    if found.perft is not None:
        told = ", ".join(f"{one.theirs:,}" if one.rules == one.theirs
                         else f"{one.theirs:,} instead of {one.rules:,}"
                         for one in found.perft.lengths)
        yield "perft", f"{told} plays of 1, 2, … moves" + (
            f"; stopped {found.perft.stopped}" if found.perft.stopped else "")
    if found.lockstep is not None:
        walk = found.lockstep
        length = f"{many(walk.plays, 'play')}, {many(walk.moves, 'move')}"
        yield "random plays", (f"{length}, seed {walk.seed}: "
                               + ("a difference" if walk.apart else "no difference"))
    for name in found.not_compared:
        yield "not compared", name
    for why in found.not_checked:
        yield "not checked", why


def conform_junit(found: Conformance) -> str:
    """Write a test case for each position, for counting plays, and for random plays."""
    root = ET.Element("testsuites", name=safe(f"ruleproof conform {found.game}"))
    suite = ET.SubElement(root, "testsuite", name="positions")
    for each in found.positions:
        _case(suite, found.game, each)
    suite = ET.SubElement(root, "testsuite", name="plays")
    for name, walk in (("perft", found.perft), ("random plays", found.lockstep)):
        if walk is not None:
            made = add_case(suite, f"{found.game}.plays", name)
            if walk.apart is not None:
                told = [*walk.apart.moves, *_plain(walk.apart.difference)]
                _fail(made, walk.apart.difference, told)
            elif walk.stopped:
                ET.SubElement(made, "system-out").text = safe(f"stopped {walk.stopped}")
    for why in found.not_checked:
        made = add_case(suite, f"{found.game}.plays", safe(why))
        ET.SubElement(made, "skipped", message=safe(why))
    return finished(root)


def _case(suite: ET.Element, game: str, each: Tried) -> None:
    made = add_case(suite, f"{game}.positions", each.id)
    if each.verdict == "not checked":
        ET.SubElement(made, "skipped", message=safe(each.why))
    elif each.verdict == "differs":
        told = [each.title, *(line for one in each.differences for line in _plain(one))]
        _fail(made, each.differences[0], told)


def _fail(made: ET.Element, first: Difference, told: list[str]) -> None:
    failure = ET.SubElement(made, "failure", type=safe(first.what.split(" of ")[0]),
                            message=safe(f"{first.what}, {first.where}"))
    failure.text = safe("\n".join(told))


def _plain(one: Difference) -> list[str]:
    return [f"{one.what}, {one.where}", *(f"- {line}" for line in one.rules),
            *(f"+ {line}" for line in one.theirs)]
