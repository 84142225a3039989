"""Errors as values: sorted, said once, printed so that a terminal shows and never obeys them."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleproof.model.source.errors import (
    CODES,
    MAX_DIAGNOSTICS,
    Diagnostic,
    Place,
    Reporter,
    SpecErrors,
    did_you_mean,
    printable,
    quote,
    render,
    split_lines,
)
from ruleproof.tests.support.places import ROOT

COLOR = re.compile(r"\x1b\[[0-9;]*m")
HOSTILE = st.text(st.characters() | st.sampled_from("\x1b\x07\r\n\t\x9b\u202e\u200b\u0301漢"))


def visible(text: str) -> bool:
    """Return whether a terminal would show each character of a text and obey none."""
    return all(
        not unicodedata.category(char).startswith(("C", "Z")) or char == " " for char in text
    )


def test_codes_are_numbered_by_block() -> None:
    """A code is RP and three digits, the first of which names a block; its title is a fragment."""
    for code, title in CODES.items():
        assert re.fullmatch(r"RP[1-5]\d\d", code)
        assert title
        assert not title.endswith(".")


def test_every_code_in_use_is_in_the_table() -> None:
    """Whatever code a module reports can be looked up."""
    used = {
        code
        for floor in ("spec", "model", "checker", "reports", "cli")
        for path in (ROOT / floor).rglob("*.py")
        for code in re.findall(r'"(RP\d{3})"', path.read_text("utf-8"))
    }

    assert used <= set(CODES)


def test_an_unknown_code_is_refused() -> None:
    """A diagnostic cannot be made with a code that nobody can look up."""
    with pytest.raises(ValueError, match="RP999"):
        Diagnostic("RP999", "no such code", Place.start_of("a.yaml"))


def test_all_errors_come_at_once_and_in_order() -> None:
    """Diagnostics come out by place, whatever the order they were found in, each of them once."""
    reporter = Reporter()
    for line in (3, 1, 2, 3):
        reporter.error("RP101", "wrong", Place("a.yaml", line, 1, 2))

    with pytest.raises(SpecErrors) as caught:
        reporter.raise_if_any()

    assert [each.place.line for each in caught.value.diagnostics] == [1, 2, 3]
    assert caught.value.render().startswith("a.yaml:1:1: RP101 wrong\n\na.yaml:2:1")
    assert str(caught.value).splitlines()[0] == "a.yaml:1:1: RP101 wrong"


def test_a_clean_reporter_raises_nothing() -> None:
    """Nothing noted, nothing raised."""
    reporter = Reporter()

    reporter.raise_if_any()

    assert not reporter.failed


def test_a_flood_of_errors_is_cut() -> None:
    """A file that is wrong everywhere cannot fill the memory; the rest is counted."""
    reporter = Reporter()
    for line in range(1, MAX_DIAGNOSTICS + 11):
        reporter.error("RP101", "wrong", Place("a.yaml", line, 1, 2))

    with pytest.raises(SpecErrors) as caught:
        reporter.raise_if_any()

    assert len(caught.value.diagnostics) == MAX_DIAGNOSTICS
    assert caught.value.render().endswith("and 10 more")


def test_a_diagnostic_is_printed_with_its_line() -> None:
    """The screen shows the sentence, the line, carets below the place, notes and help."""
    diagnostic = Diagnostic(
        "RP110",
        "the key `draw` is given twice",
        Place("game.yaml", 2, 3, 7),
        "take one of them out",
        ("the first one is at game.yaml:1:3",),
    )

    assert render(diagnostic, ["  draw: 1", "  draw: 2"]).splitlines() == [
        "game.yaml:2:3: RP110 the key `draw` is given twice",
        "    2 |   draw: 2",
        "      |   ^^^^",
        "note: the first one is at game.yaml:1:3",
        "help: take one of them out",
    ]


def test_colour_is_only_paint() -> None:
    """With colour, the text is the same once the colours are taken out."""
    diagnostic = Diagnostic("RP101", "wrong", Place("a.yaml", 1, 2, 4), "mend it")
    plain, painted = (render(diagnostic, ["abcdef"], color=color) for color in (False, True))

    assert painted != plain
    assert COLOR.sub("", painted) == plain


def test_a_long_line_is_cut_around_the_place() -> None:
    """Of a very long line a window is shown that holds the place."""
    line = "x" * 5000 + "HERE" + "y" * 5000
    shown = render(Diagnostic("RP101", "wrong", Place("a", 1, 5001, 5005)), [line]).splitlines()

    assert len(shown[1]) < 130
    at = shown[2].index("^")
    assert shown[1][at : at + 4] == "HERE"
    assert shown[2].endswith(" ^^^^")


@pytest.mark.parametrize(
    ("line", "column", "carets"),
    [("a\tbc", 3, "  ^"), ("漢字x", 3, "    ^"), ("e\u0301x", 3, " ^"), ("\x1bx", 2, "    ^")],
)
def test_carets_count_cells(line: str, column: int, carets: str) -> None:
    """Carets stand below the place though characters are wide, combining or escaped."""
    shown = render(Diagnostic("RP101", "wrong", Place("a", 1, column, column + 1)), [line])

    assert shown.splitlines()[2] == "      | " + carets


@given(HOSTILE, HOSTILE, HOSTILE, st.integers(-5, 300), st.integers(-5, 300))
def test_a_terminal_is_never_obeyed(
    file: str, message: str, line: str, column: int, end: int
) -> None:
    """INVARIANT (terminal): no control character of the user's reaches the screen."""
    diagnostic = Diagnostic("RP101", message, Place(file, 1, column, end), message, (line,))
    plain, painted = (render(diagnostic, [line], color=color) for color in (False, True))

    assert all(visible(each) for each in plain.split("\n"))
    assert plain.count("\n") <= 4
    assert COLOR.sub("", painted) == plain


@given(HOSTILE)
def test_quoted_words_are_one_visible_line(word: str) -> None:
    """What is quoted is short and visible."""
    assert visible(quote(word))
    assert visible(printable(word))


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("dekc", ["hand", "deck", "discard"], "did you mean `deck`?"),
        ("Draw_Pile", ["draw-pile", "draw-pill"], "did you mean `draw-pile`?"),
        ("bat", ["cat", "rat"], "did you mean `cat`?"),
        ("zone", ["player"], ""),
        ("zone", [], ""),
        ("", ["zone"], ""),
        ("x" * 1000, ["x" * 999], ""),
    ],
)
def test_the_nearest_name_is_suggested(name: str, known: list[str], expected: str) -> None:
    """The nearest known name is suggested, ties by the alphabet, far ones not at all."""
    assert did_you_mean(name, known) == expected
    assert did_you_mean(name, reversed(known)) == expected


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "a\rb"])
def test_lines_break_as_in_yaml(text: str) -> None:
    """All three line breaks separate lines, and nothing else does."""
    assert split_lines(text) == ("a", "b")
    assert split_lines("a\x0cb\x1cc") == ("a\x0cb\x1cc",)


@pytest.mark.parametrize("room", [20, 50])
def test_an_excerpt_is_as_long_as_there_is_room(room: int) -> None:
    """The caret stands below what it points at, and both in one line of the terminal."""
    line = "x" * 60 + "HERE" + "y" * 60
    diagnostic = Diagnostic("RP101", "wrong", Place("a", 1, 61, 65))
    excerpt, carets = render(diagnostic, [line], room=room).splitlines()[1:3]

    assert len(excerpt) <= room + 10
    assert excerpt.index("HERE") == carets.index("^^^^")
