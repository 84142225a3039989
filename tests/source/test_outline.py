"""Cutting a rulebook into sentences: the rule that `outline` of a spec counts by."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleproof.model.source.outline import lines_of, outline_of, sentences, spans


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("", 0),
        ("   ", 0),
        ("***", 0),
        ("+", 0),
        ("THE CARDS", 1),
        ("- **9 Cats:** these are pets. Each has a tail.", 2),
        ("1. Cats", 1),
        ("2. The Table Lay it out as shown.", 1),
        ("  2. Twice as many.", 1),
        (" - o Cards are shown. (So one may as well", 2),
        ('Put them into your "Bag." Your Bag is small.', 2),
        ("(Mind that one is enough.)", 1),
        ("Deal. (Or choose.) Go on.", 3),
        ("Wait... then go on.", 1),
        ("It is easy… at first. Try it.", 2),
        ("Draw a card. The deck slumbers . . .", 2),
        ("The deck slumbers . . . Then it wakes.", 2),
        ("*What is next? Who knows?*", 2),
        ("*Stop!* can be said, or *Go*. Both do nothing.", 2),
        ("Crab vs. Crab fights are over soon, e.g. Two Crabs, i.e. Both.", 1),
        ("It costs 3.5 coins. 4 are enough.", 2),
        ("It is #15, worth +1 coin. +2 coins go to the other.", 2),
        ("Each gets **+1 coin**. **Bob** gets two.", 2),
        ("© 2011 Somebody. All rights reserved.", 2),
        ("Was it so?! Yes!", 2),
        ("Ces règles. Égalité!", 2),
    ],
)
def test_lines_are_cut_by_the_rule(line: str, count: int) -> None:
    """A line has as many sentences as the rule of the module says."""
    assert len(sentences(line)) == count


@given(st.text(alphabet="aB1 .!?…\"')(*-\n", max_size=60))
def test_cutting_loses_nothing(text: str) -> None:
    """The sentences of a line, put together, are the line without its mark; none is empty."""
    for line in lines_of(text):
        found = sentences(line)
        assert all(found)
        joined = "".join("".join(found).split())
        assert not found or "".join(line.split()).endswith(joined)


def test_lines_are_counted_as_editors_count_them() -> None:
    """Line 1 is the first one; a final line break begins no further line."""
    assert lines_of("a\r\nb\nc\n") == ("a", "b", "c")
    assert lines_of("") == ()
    assert outline_of("\nOne. Two.\n\nThree") == {2: 2, 4: 1}


def test_sentences_are_numbered_through_the_lines_of_a_citation() -> None:
    """`lines: [2, 4], sentences: [3]` means the first sentence of line 4 if line 2 has two."""
    assert spans({2: 2, 4: 1, 9: 5}, (2, 4)) == ((2, 1), (2, 2), (4, 1))
