"""A report as JUnit XML, for continuous integration: a test case for each clause and each check.

A clause fails if a finding names it first; what holds and what is harmless passes; what was not
checked, or seen in a smaller game only, is skipped.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from ...checker.findings.results import Finding, Report
from ...model.lowering.compile import Compiled
from ...model.source.outline import lines_text
from ..blocks.finding import following, how_far, smaller
from ..blocks.plays import play_lines
from ..blocks.subject import Subject


def junit(report: Report, compiled: Compiled | None = None) -> str:
    """Write a report."""
    subject = Subject(compiled, assumed=report.assumed)
    root = ET.Element("testsuites", name=safe(f"ruleproof {report.game}"))
    _clauses(root, report, subject)
    _checks(root, report)
    return finished(root)


def finished(root: ET.Element) -> str:
    """Count the cases of all suites, and write them."""
    suites = root.findall("testsuite")
    for suite in suites:
        _count(suite)
    for kind in ("tests", "failures", "skipped"):
        root.set(kind, str(sum(int(suite.get(kind, "0")) for suite in suites)))
    root.set("errors", "0")
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, "unicode") + "\n"


def _clauses(root: ET.Element, report: Report, subject: Subject) -> None:
    by_clause: dict[str, list[Finding]] = {}
    for finding in report.counting:
        by_clause.setdefault(finding.clauses[0] if finding.clauses else "", []).append(finding)
    game = subject.game
    names = [c.id for c in game.clauses if c.kind != "flavour"] if game is not None else []
    names += [name for name in by_clause if name and name not in names]
    suite = ET.SubElement(root, "testsuite", name="clauses")
    for name in names:
        case = add_case(suite, f"{report.game}.clauses", name)
        _fail(case, by_clause.get(name, ()), subject)
    for finding in by_clause.get("", ()):
        _fail(add_case(suite, f"{report.game}.game", finding.id), (finding,), subject)


def _fail(case: ET.Element, findings: Iterable[Finding], subject: Subject) -> None:
    several = list(findings)
    if not several:
        return
    failure = ET.SubElement(case, "failure", type=several[0].cls, message=safe(several[0].title))
    failure.text = safe("\n\n".join(_told(finding, subject) for finding in several))


def _told(finding: Finding, subject: Subject) -> str:
    out = [f"{finding.cls}: {finding.title}", f"id: {finding.id}"]
    out += [text for text in (smaller(finding), finding.explanation) if text]
    out += [": ".join(row) for row in finding.table[1:]]
    out += [f"follows from it: {following(each)}" for each in finding.consequences]
    out += [f"{s.clause}: {s.file}, {lines_text(s.lines)}" for s in finding.sources]
    for shown in finding.evidence.plays:
        out.append(f"play{f' under {shown.reading}' if shown.reading else ''}:")
        told = play_lines(shown.play, subject)
        out += [f"  {line.number or '!':>5} {line.text}" for line in told]
    out += [f"{each.title}: {each.told}" for each in finding.readings]
    out.append(how_far(finding))
    return "\n".join(out)


def _checks(root: ET.Element, report: Report) -> None:
    suite = ET.SubElement(root, "testsuite", name="checks")
    for holds in report.holds:
        add_case(
            suite,
            f"{report.game}.{holds.what}",
            f"{holds.clause or holds.what} ({holds.method}; {holds.scope})",
        )
    for harmless in report.harmless:
        case = add_case(suite, f"{report.game}.open points", harmless.open_point)
        ET.SubElement(case, "system-out").text = safe(harmless.why)
    for finding in report.findings:
        if finding.part in ("smaller", "ruled"):
            asked = finding.part == "ruled"
            kind = "answered questions" if asked else "smaller games"
            why = "You have answered it." if asked else smaller(finding)
            case = add_case(suite, f"{report.game}.{kind}", finding.id)
            ET.SubElement(case, "skipped", message=safe(f"{finding.title}. {why}"))
    for missing in report.not_checked:
        case = add_case(suite, f"{report.game}.not checked", missing.what)
        ET.SubElement(case, "skipped", message=safe(missing.why))


def add_case(suite: ET.Element, classname: str, name: str) -> ET.Element:
    """Add a test case to a suite."""
    return ET.SubElement(suite, "testcase", classname=safe(classname), name=safe(name), time="0")


def _count(suite: ET.Element) -> None:
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    suite.set("errors", "0")
    suite.set("skipped", str(sum(case.find("skipped") is not None for case in cases)))


def safe(text: str) -> str:
    """Leave out what XML cannot hold."""
    return "".join(
        char
        if char in "\n\t" or (char.isprintable() and not "\ud800" <= char <= "\udfff")
        else f"\\x{ord(char):02x}"
        for char in text
    )
