"""The sentences of a rulebook's text: where each begins and ends, by a rule that anybody can redo.

The rule.  A rulebook is read line by line, as its line numbers count; a sentence never crosses a
line (what goes on there is counted there again).  From a line its mark (`-`, `*`, `o`, `1.`, `##`)
is taken off.  What is left has no sentence if it has no letter and no digit.  Otherwise it is cut
behind each full stop, question mark, exclamation mark or ellipsis, closing quotes, brackets and
emphasis included, that is followed by a space and then, behind opening ones, by a character that
can begin a sentence: a letter that is not a lower-case one, a digit, or one of `+ # © ®`.  No cut
is made behind an abbreviation that never ends a sentence (`e.g.`, `i.e.`, `vs.`, …).

So a heading, a list item and a table cell count as one sentence each.  The rule rather cuts once
too often (`Player B. Then`, an initial in the credits) than once too seldom: a rule of the game
that hides behind another, in what counts as one sentence, could be left out of the spec unseen.
`outline_of` is what `rulebook: outline:` of a spec holds: facts about the text, none of its words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .errors import split_lines

_MARK = re.compile(r"^\s*(?:(?:[-*•·–+]|#{1,6}|o|\d{1,3}[.)])\s+)*")
_CLOSING = "\"'”’)\\]}*_»"
_OPENING = "\"'“‘(\\[{*_«"
_END = re.compile(rf"(?:[.!?]+|…)[{_CLOSING}]*(?=\s)")
_BEGIN = re.compile(rf"\s+[{_OPENING}]*([^\W_]|[+#©®])")
_ABBREVIATED = re.compile(
    r"(?<![^\W\d_])(?:e\.g|i\.e|eg|ie|vs|cf|viz|mr|mrs|ms|dr|approx|incl|max|min)\.$",
    re.IGNORECASE,
)


def sentences(line: str) -> tuple[str, ...]:
    """Cut one line into its sentences, without its list mark and the spaces between them."""
    text = line[_mark_end(line) :].strip()
    if not re.search(r"[^\W_]", text):
        return ()
    found: list[str] = []
    first = 0
    for end in _END.finditer(text):
        after = _BEGIN.match(text, end.end())
        if after is None or after[1].islower():
            continue
        if _ABBREVIATED.search(text, first, end.end()):
            continue
        found.append(text[first : end.end()].strip())
        first = end.end()
    return (*found, text[first:].strip())


def _mark_end(line: str) -> int:
    mark = _MARK.match(line)
    return mark.end() if mark else 0


def lines_of(text: str) -> tuple[str, ...]:
    """Return the lines of a rulebook as its line numbers count them (line 1 first)."""
    lines = split_lines(text)
    return lines[:-1] if lines and not lines[-1] else lines


def outline_of(text: str) -> dict[int, int]:
    """Count the sentences on each line of a rulebook that has any."""
    counted = {number: len(sentences(line)) for number, line in enumerate(lines_of(text), start=1)}
    return {number: count for number, count in counted.items() if count}


def spans(outline: Mapping[int, int], lines: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """List the sentences of a stretch of lines as (line, place on that line), in order.

    A clause's `sentences: [1, 3]` counts through this list, from 1.
    """
    return tuple(
        (line, place)
        for line in sorted(outline)
        if lines[0] <= line <= lines[1]
        for place in range(1, outline[line] + 1)
    )


def lines_text(lines: tuple[int, int], places: tuple[int, ...] = ()) -> str:
    """Say which lines, and which sentences of them."""
    first, last = lines
    text = f"line {first}" if first == last else f"lines {first} to {last}"
    if places:
        word = "sentence" if len(places) == 1 else "sentences"
        text += f", {word} {', '.join(map(str, places))}"
    return text
