"""The classes of findings, and the parts of a report into which they are sorted, in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...checker.findings.results import CLASSES, Finding, Report
from ...model.plays.wording import many
from ...model.silences.aspects import ASPECTS
from .subject import Subject


@dataclass(frozen=True, slots=True)
class ClassWords:
    """What a class of findings is called, what it means, what helps, what is sought for it."""

    name: str
    means: str
    helps: str
    sought: str


WORDS: Mapping[str, ClassWords] = {
    "contradiction": ClassWords(
        "Contradiction",
        "In a situation that can come up, no move and no result satisfies every sentence in force.",
        "Change a sentence that is named, or say what gives way.",
        "a position in which the rules in force allow no move and no result",
    ),
    "doomed": ClassWords(
        "No way out",
        "Nothing is broken yet, but however the game goes on, some sentence will be broken.",
        "Forbid the step that leads here, or say what gives way in the end.",
        "a position from which every way on breaks a rule",
    ),
    "overlap": ClassWords(
        "Two rules at once",
        "Two automatic rules apply at the same time with different results, and none of them wins.",
        "Say which rule comes first, or when each of them applies.",
        "two automatic rules that apply at once with different results",
    ),
    "gap": ClassWords(
        "Gap",
        "A situation that can come up and that no sentence decides.",
        "Add a sentence that decides it.",
        "a position that no rule decides",
    ),
    "dead-clause": ClassWords(
        "Sentence that never applies",
        "What the sentence is about can never happen.",
        "Remove the sentence, or find out which other one keeps it from applying.",
        "a rule whose case never comes up",
    ),
    "inert-clause": ClassWords(
        "Sentence without effect",
        "The sentence applies, but the game is the same without it.",
        "Check whether it was meant to do more; if not, remove it or mark it as a reminder.",
        "a rule that comes up and changes nothing",
    ),
    "redundant-clause": ClassWords(
        "Sentence said already",
        "Other sentences imply this one wherever it applies; one of them suffices.",
        "Keep one that suffices, or make clear that another one is a reminder of it.",
        "a rule that others imply",
    ),
    "order-dependence": ClassWords(
        "Order that matters and is not given",
        "Effects happen together, their order changes the result, and no sentence gives an order.",
        "Say what comes first, or who chooses.",
        "effects that happen together, in an order that matters and is not given",
    ),
    "unresolved-tie": ClassWords(
        "Tie that no rule resolves",
        "Players can be equal where the rules need a single one.",
        "Add a rule for ties.",
        "a tie that no rule resolves",
    ),
    "deadlock": ClassWords(
        "Dead end",
        "The game is not over, and whoever has to act can do nothing.",
        "Say what a player does who cannot do anything.",
        "a position in which nobody can do anything and the game is not over",
    ),
    "endless-loop": ClassWords(
        "Game without an end",
        "The game can go round in a circle for ever.",
        "Add a limit, or a rule that ends the game.",
        "a game that goes round for ever, though somebody tries to go on",
    ),
    "undefined-term": ClassWords(
        "Word without a meaning",
        "A word is used and not defined, or defined and not used, or two words mean one thing.",
        "Use one word for one thing, and say what it is where it is first used.",
        "a word without a meaning",
    ),
    "false-claim": ClassWords(
        "Statement that is not true",
        "A number or a statement in the text does not follow from the rules and the cards.",
        "Correct the statement, or the rule that it is about.",
        "statements of the book that the rules or the cards refute",
    ),
    "example-contradicts-rule": ClassWords(
        "Example against the rules",
        "A worked example of the text cannot happen by the rules of the text.",
        "Correct the example or the rule; readers take examples as rules.",
        "a worked example that the rules forbid",
    ),
    "ambiguity": ClassWords(
        "Sentence with several readings",
        "A sentence can be read in several ways, and some position tells them apart.",
        "Say which reading is meant.",
        "a sentence whose readings lead to different games",
    ),
    "limit-broken": ClassWords(
        "Limit that a forced step breaks",
        "A limit does not hold after something that nobody could avoid.",
        "Say what gives way when the limit is exceeded by force.",
        "a limit that a forced step breaks",
    ),
    "undefined-operation": ClassWords(
        "Something that cannot be done",
        "A sentence asks for what is not possible in this situation, such as a draw from nothing.",
        "Say what happens when it cannot be done.",
        "something that a sentence asks for and that cannot be done",
    ),
    "asymmetry": ClassWords(
        "Players treated unequally",
        "The text speaks of each player, yet the result depends on who sits where.",
        "Say in which order the players are taken, if that is meant.",
        "a rule that treats players unequally though it names each of them",
    ),
}

SILENT = "The book does not say"
"""The name of what is `ambiguity` by its class, where several answers are open as none is given."""

HEADS = {
    1: "can decide who wins",
    2: "changes how play goes on",
    3: "changes what lies on the table",
    4: "changes only what is hidden",
    5: "is a matter of the text",
}
"""What hangs on a finding, by level."""
ENDS = "can decide whether the game ends"
"""What hangs on one of the first level that decides no more (`Finding.ends_only`)."""

METHODS = {
    "proof": "proved at the printed size",
    "exhaustive": "all reachable states looked at",
    "bounded": "looked at up to a limit",
    "sampled": "looked at in random plays",
    "not checked": "not checked",
}


OF_KIND: Mapping[tuple[str, str], tuple[str, str]] = {
    ("undefined-term", "synonym"): ("Two words for one thing", "Use one of them throughout."),
    ("undefined-term", "ambiguous"): (
        "One word for two things", "Use another word for one of them."),
    ("undefined-term", "words"): (
        "Words with several meanings", "Use one word for each thing, and the same one throughout."),
    ("gap", "players"): (WORDS["gap"].name, "Print for how many players the game is."),
    ("contradiction", "shut"): (
        "Allowed, and always forbidden", "Say in which cases it is allowed, or drop a sentence."),
    ("limit-broken", "limit-at-end"): (
        "Limit that is broken when a step ends",
        "Say what may not be done then, or what gives way when the limit is exceeded."),
    ("contradiction", "declared"): (
        "Sentences that clash, as we read them", "Say which of them gives way."),
}
"""Of kinds of findings, by class: what they are called, and what helps."""


def words(cls: str, kind: str = "") -> ClassWords:
    """Return the words for a class, and for one of its kinds."""
    made = WORDS.get(cls) or ClassWords(cls, "", "", cls)
    if (cls, kind) not in OF_KIND:
        return made
    name, helps = OF_KIND[cls, kind]
    return replace(made, name=name, helps=helps)


if missing := [cls for cls in CLASSES if cls not in WORDS]:  # pragma: no cover
    raise AssertionError(f"no words for {missing}")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, what stands under it, and what goes behind its number in a headline."""

    title: str
    why: str
    noun: str


PARTS: Mapping[str, Heading] = {
    "readers": Heading(
        "Likely to be read alike",
        "The book does not decide these, but most readers will take them alike: its words lean to "
        "the answer that stands first, or it is plain which of two meanings a word has.",
        "likely to be read alike"),
    "cards": Heading(
        "What the cards may answer",
        "The book leaves these to its cards, and does not print what they say: see whether they "
        "answer it. What is shown rests on what is assumed of them.",
        "that the cards may answer"),
    "smaller": Heading(
        "Not seen in the printed game",
        "A game with other cards or numbers shows these. No printed game played at random did.",
        "not seen in the printed game"),
    "ruled": Heading(
        "Questions that you have answered",
        "These were answered for this run (`--ruling`, `--rulings`), and all else is played so. "
        "What other answers would come to stands with each.",
        "that you have answered"),
}
"""The parts by `Finding.part`, in their order."""


def effect(finding: Finding) -> str:
    """Say what hangs on a finding."""
    return ENDS if finding.ends_only else HEADS[finding.level]


def begins(report: Report, number: int) -> Heading | None:
    """Return the part that begins with the finding of a number, from 1 on; None if none does."""
    before, here = ("" if at < 0 else report.findings[at].part for at in (number - 2, number - 1))
    return PARTS.get(here) if here != before else None


def by_place(report: Report) -> tuple[tuple[tuple[int, int], tuple[int, ...]], ...]:
    """Return the lines of the book that findings are about, in its order, with their numbers.

    What stands on one passage is mended there together.
    """
    found: dict[tuple[int, int], dict[int, None]] = {}
    for number, finding in enumerate(report.findings, 1):
        for source in finding.sources:
            found.setdefault(source.lines, {})[number] = None
    return tuple((lines, tuple(numbers)) for lines, numbers in sorted(found.items()))


def counted(report: Report) -> tuple[tuple[Heading, int], ...]:
    """Return the parts that have findings, and how many."""
    return tuple((part, number) for name, part in PARTS.items()
                 if (number := sum(each.part == name for each in report.findings)))


DECLARED = "declared"
"""What is asked by an open point of the spec."""


def is_declared(finding: Finding) -> bool:
    """Return whether a finding is about a question that the spec asks."""
    return finding.identity is not None and finding.identity.kind == DECLARED


def origin(finding: Finding, subject: Subject) -> str:
    """Say who asked: whoever wrote the spec, or ruleproof; and what both ask."""
    if not is_declared(finding):
        return "ruleproof derived this from the clauses; the spec does not ask it"
    told = (f"the spec asks this (open point `{finding.open_point}`); that its answers differ, "
            "and where, was computed")
    too = dict.fromkeys(ASPECTS[aspect].asks for name in finding.clauses
                        if (clause := subject.clause(name)) is not None for aspect in clause.asked)
    asked = " and ".join(f"“{each}”" for each in too)
    return f"{told}; of the sentences named ruleproof alone would ask {asked}" if too else told


def origins(findings: Sequence[Finding]) -> str:
    """Say how many findings are about questions of the spec; "" if none is."""
    asked = sum(map(is_declared, findings))
    rest = len(findings) - asked
    if not asked:
        return ""
    return (f"of all {many(len(findings), 'finding')}, {asked} "
            f"{'is' if asked == 1 else 'are'} about questions that the spec asks, and "
            f"{rest or 'none'} {'was' if rest == 1 else 'were'} derived from the clauses alone")
