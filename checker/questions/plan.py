"""Which question to ask next, so that few of them settle all points.

Of each point the readings that may still be meant are kept.  A question rules out, if its adopted
way on is chosen, the readings of all other ways; if another one is chosen, all readings of its
point but those that lead there.  So a way that is not adopted belongs to one point only, and no
question has more than three ways.  The next question is the one that rules out most if the
adopted way is confirmed (greedy set cover).  Another answer is a ruling from there on: what is
asked after it is asked of the game as it is then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ...model.plays.documents import settings_json
from ..points.points import Point
from .results import Answered, AskedPosition, Continuation, Questionnaire
from .search import Pair, QuestionSearch, Scenario

WAYS = 3


@dataclass(slots=True)
class Plan:
    """The points, the readings that are left of each, and where these part."""

    search: QuestionSearch
    points: Mapping[str, Point]
    left: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    passed: set[str] = field(default_factory=set[str])
    """Questions that were asked, and not answered."""
    proved: Mapping[str, Point] = field(default_factory=dict[str, Point])
    """Orders that are proved to come to the same in the game as it is ruled."""
    known: frozenset[str] | None = None
    """All points of the game as it is ruled: others that answers bring are asked about, too.  None:
    they are not, as it was said what is asked about."""

    def __post_init__(self) -> None:
        self._open(self.points)

    def _open(self, points: Mapping[str, Point]) -> None:
        for point in points.values():
            self.left[point.id] = [reading for reading, _ in point.readings]

    def _add(self, points: Mapping[str, Point]) -> None:
        self.points = {**self.points, **points}
        self._open(points)

    def next(self) -> tuple[AskedPosition, Scenario] | None:
        """Return the question that rules out most; None if no question does."""
        trimmed = [self._trimmed(each) for each in self.search.candidates]
        useful = [each for each in trimmed if each.apart and each.doc["id"] not in self.passed]
        if not useful:
            return None
        best = max(useful, key=lambda each: len(each.apart))
        return self._asked(best), best

    def _trimmed(self, candidate: Scenario) -> Scenario:
        """Keep two ways on beside the adopted one that still tell something, each for one point."""
        groups = list[tuple[dict[str, object], list[Pair]]]()
        for expect, pairs in candidate.groups[1:]:
            open_ones = [pair for pair in pairs if self._possible(pair)]
            points = dict.fromkeys(point for point, _ in open_ones)
            best = max(points, key=lambda name: sum(p == name for p, _ in open_ones), default="")
            if best:
                groups.append((expect, [pair for pair in open_ones if pair[0] == best]))
        groups.sort(key=lambda group: -len(group[1]))
        return replace(candidate, groups=[candidate.groups[0], *groups[:WAYS - 1]])

    def _possible(self, pair: Pair) -> bool:
        """Return whether a reading may still be meant, and so may the adopted one."""
        point, reading = pair
        left = self.left.get(point, [])
        return reading in left and self.points[point].adopted in left

    def _asked(self, candidate: Scenario) -> AskedPosition:
        texts = self.search.texts(candidate)
        points = list(dict.fromkeys(point for point, _ in sorted(candidate.apart)))
        ways = list[Continuation]()
        for number, (_, pairs) in enumerate(candidate.groups):
            readings = {name: tuple(r for p, r in pairs if p == name) for name in dict.fromkeys(
                p for p, _ in pairs)} if number else {
                    name: self._kept(candidate, name) for name in points}
            ways.append(Continuation(texts[number], readings, adopted=not number))
        doc = candidate.doc
        return AskedPosition(
            doc["id"], {name: self.points[name].asks for name in points},
            doc["move"]["says"], tuple(ways),
            candidate.scope, doc)

    def _kept(self, candidate: Scenario, point: str) -> tuple[str, ...]:
        """Return the readings of a point that the adopted way on leaves possible."""
        gone = {reading for name, reading in candidate.apart if name == point}
        return tuple(each for each in self.left[point] if each not in gone)

    def answer(self, question: AskedPosition, candidate: Scenario, chosen: int) -> Answered:
        """Take an answer: the number of a way on, from 0."""
        way = question.continuations[chosen]
        for point, readings in way.readings.items():
            self.left[point] = [each for each in self.left[point] if each in readings]
        # Readings that the position does not tell apart are as good as one another here.
        adopted = {point: self.points[point].adopted for point in way.readings}
        rulings = {point: adopted[point] if adopted[point] in readings else readings[0]
                   for point, readings in way.readings.items()}
        doc = self.search.ruled(candidate, rulings)
        new = {point: reading for point, reading in rulings.items() if reading != adopted[point]}
        if new:
            self.points = {name: replace(point, adopted=new.get(name, point.adopted))
                           for name, point in self.points.items()}
            stay = self.search.settle(new, self.points)
            self.passed = {stay.get(each, each) for each in self.passed}
            more = self.search.proved_no_more(self.proved)
            self.proved = {name: each for name, each in self.proved.items() if name not in more}
            self._add(more)
            if self.known is not None:
                arisen, gone = self.search.arisen(self.known)
                self.known |= {*arisen, *gone}
                self.proved = {**self.proved, **gone}
                self._add(arisen)
        return Answered(question.id, way.text, dict(way.readings), doc)

    def rulings(self) -> dict[str, str]:
        """Return the points that are settled, with their readings."""
        return {point: left[0] for point, left in self.left.items() if len(left) == 1}

    def questionnaire(self) -> Questionnaire:
        """List the questions that are asked if each answer confirms the adopted way."""
        kept = {name: list(left) for name, left in self.left.items()}
        asked = list[AskedPosition]()
        while (each := self.next()) is not None:
            asked.append(each[0])
            self.answer(*each, 0)
        self.left = kept
        one = self.search.instance(self.search.bench.settings.scope, ("", ""))
        return Questionnaire("ruleproof/questions-1", one.game.id, one.game.spec_sha256,
                             settings_json(one.compiled), tuple(asked),
                             tuple(self.search.not_asked))
