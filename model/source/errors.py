"""What can be wrong with a spec, as values: code, place, sentence, help; and how that is printed.

Readers never stop at the first mistake. They tell a `Reporter` about each one, go on as well as
they can, and in the end `raise_if_any` hands out all of them at once, sorted by place. A message
starts in lower case, has no final period and no line break, and puts the user's words into
backticks (`quote`).

Spec files come from strangers, and so does every word that an error repeats. INVARIANT (terminal):
`render` writes nothing of theirs that a terminal could obey or hide: control, formatting and
bidirectional characters come out as escapes, and long lines are cut around the place that matters.
"""

import difflib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

CODES: dict[str, str] = {
    # 1xx: reading files
    "RP101": "the file cannot be read",
    "RP102": "not a file: a folder, a pipe or a device",
    "RP103": "the file is too large",
    "RP104": "the file is not text in UTF-8",
    "RP105": "a character that is not allowed",
    "RP106": "not valid YAML",
    "RP107": "nested too deep",
    "RP108": "too many values in one file",
    "RP109": "anchors, aliases and merge keys are not allowed",
    "RP110": "a key is given twice",
    "RP111": "a key is not text",
    "RP112": "a tag is not known, or does not fit its value",
    "RP113": "more than one document in a file",
    "RP114": "a number is too large",
    "RP115": "not valid JSON",
    "RP116": "a line is indented with a tab",
    "RP120": "a key that does not belong here",
    "RP121": "something that is needed is missing",
    "RP122": "a value of the wrong kind",
    "RP123": "a value that is not allowed here",
    "RP124": "an entry is given twice",
    "RP125": "`extends` runs in a circle, or too deep",
    "RP126": "a path that leads out of the game's surroundings",
    "RP127": "too many files in one folder",
    # 2xx: rules
    "RP201": "rule text that cannot be read",
    "RP202": "a construct that the language does not have",
    "RP203": "rule text that is too long or too deep",
    "RP204": "a type that cannot be read",
    "RP205": "a value outside its type or range",
    "RP206": "a name that the language keeps for itself",
    "RP210": "a value of the wrong type",
    "RP211": "a construct in the wrong place",
    "RP212": "an index is missing",
    "RP213": "wrong arguments",
    "RP214": "a definition that does not work",
    "RP220": "an unknown name",
    "RP221": "a name that is already taken",
    "RP230": "an order that runs in a circle",
    "RP231": "recursion without a depth",
    "RP232": "the game is too large",
    "RP240": "a citation outside of the rulebook",
    "RP241": "fields that do not belong together",
    "RP242": "modes that do not go together, or not with the game",
    "RP243": "two readings that write the same, and do not say what they are together",
    "RP244": "two cards of a family with one printed name",
    "RP250": "a clause of which nothing comes",
    "RP251": "something declared that nothing uses",
    "RP252": "a term that no sentence uses",
    "RP253": "a sentence that no clause covers",
    "RP254": "a variable that is written and never read",
    "RP255": "a reading that gives every move of an option another name",
    "RP256": "a sentence that does nothing, in place of nothing",
    "RP257": "a worked example that names what the game has not",
    "RP258": "a name for a while that nothing reads, and that looks like another name",
    "RP259": "a file that is not read, for its ending",
    "RP260": "a card of which there are no copies, as no number is given",
    "RP261": "a mode that can never be chosen",
    # 3xx: model
    # 4xx: checking
    # 5xx: solver
}
"""Every code and what it stands for; the manual page is made from this table."""
HELPS: dict[str, str] = {
    "RP201": "Rule texts use a small part of Python's syntax: a condition is like `a == b and not "
             "c`, a body has one statement in each line, like `x = 1` or `win(p)`.",
    "RP202": "Python has it, and the language of rules has not: it has no lists, tables or "
             "fractions. The help names what to write instead.",
    "RP203": "Give a part of it a name: a term (`define`), or a local name in the body.",
    "RP204": "A type is `bool`, `int LO..HI`, `player`, `players`, `card FAMILY` or an enum; with "
             "`?` behind it there may also be none.",
    "RP205": "What stands in the spec is not one of the values that its type has: widen the type, "
             "or write another value. Truth values are `True` and `False`.",
    "RP206": "Words of the language, such as `players` or `winners`, are no names of a game.",
    "RP210": "A comparison, an assignment or a call has a value of another type than it takes, as "
             "a number where a player is expected.",
    "RP211": "The language has it, at other places: a statement (`draw(…)`) is no value, and a "
             "value alone is no statement; `x for x in …` stands inside a call; a text stands in "
             "`ask=` and `outside(…)`; what `choose` or `roll` gives is kept in a local "
             "name first (`d = roll(6)`); constants, parameters and cards in a zone are not "
             "assigned to (cards are moved); what one does with cards depends on the kind of their "
             "zone. The message says which of these it is, and the help what to write.",
    "RP212": "What each player has is named with the player, as in `hand[p]`.",
    "RP213": "A statement, function, step or ability is given too much, too little, or something "
             "in the wrong order.",
    "RP214": "A term needs a `value`, in which it does not stand itself.",
    "RP220": "Nothing is declared by that name, or not for this place: `actor` is known where an "
             "option is taken, a parameter in its own clause, a local name in its own body.",
    "RP221": "Names of all sections are one list: choose another name.",
    "RP230": "`after` and `before` of some clauses contradict each other.",
    "RP231": "A step, window or card's text leads back to itself: give it a `depth`.",
    "RP232": "Let zones and pools hold less, or compare less than all cards.",
    "RP240": "The lines or sentences that are cited are not in the `outline` of the rulebook.",
    "RP241": "The fields of an entry exclude or need each other; the message names them.",
    "RP242": "See `excludes` and `needs` of the modes, and for how many players they are.",
    "RP243": "Under `together` a reading says what it is beside the other one.",
    "RP244": "Plays and positions name a card as it is printed, within its family: a card without "
             "a `name` is called by its id. Add to the name what tells the two apart, as `Wolf "
             "(3)`; cards that are the same in all are one card with more `copies`.",
}
"""What is behind a code, and what can be done; told where the code is explained."""

MAX_DIAGNOSTICS = 500
MAX_QUOTED = 60
MAX_EXCERPT = 100
MAX_MESSAGE = 1000

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
_BOLD, _RED, _BLUE, _OFF = "\x1b[1m", "\x1b[1;31m", "\x1b[34m", "\x1b[0m"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A stretch of one line of a file, counted from 1; `end_column` is exclusive."""

    file: str
    line: int
    column: int
    end_column: int

    @classmethod
    def start_of(cls, file: str) -> "Place":
        """Point at the beginning of a file, for what concerns it as a whole."""
        return cls(file, 1, 1, 1)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that is wrong: `code` from `CODES`, a sentence, where, and what could be done."""

    code: str
    message: str
    place: Place
    help: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"code={self.code!r} is not in the table of codes")

    @property
    def sort_key(self) -> tuple[Place, str, str, str, tuple[str, ...]]:
        """Order diagnostics by place, then by code."""
        return (self.place, self.code, self.message, self.help, self.notes)


class SpecErrors(Exception):  # noqa: N818  (it holds many)
    """A spec does not load; holds every reason, sorted by place, and the lines they point at."""

    def __init__(
        self, diagnostics: Iterable[Diagnostic], *,
        sources: Mapping[str, Sequence[str]] | None = None, dropped: int = 0,
    ) -> None:
        self.diagnostics = tuple(sorted(diagnostics, key=lambda each: each.sort_key))
        self.sources = dict(sources or {})
        self.dropped = dropped
        super().__init__(*self.diagnostics)

    def __str__(self) -> str:
        return "\n".join(
            printable(f"{each.place}: {each.code} {each.message}") for each in self.diagnostics
        )

    def render(self, *, color: bool = False, room: int = MAX_EXCERPT) -> str:
        """Print all diagnostics with their excerpts, a blank line between them."""
        blocks = [
            render(each, self.sources.get(each.place.file, ()), color=color, room=room)
            for each in self.diagnostics
        ]
        if self.dropped:
            blocks.append(f"and {self.dropped} more")
        return "\n\n".join(blocks)


class TooMuchError(RuntimeError):
    """A game has more of something than is looked at; the text says of what."""


class TooManyChoicesError(TooMuchError):
    """A player may choose cards in more ways than can be listed."""

    def __init__(self, many: int) -> None:
        super().__init__(f"a player has more than {many:,} ways to choose cards")


class TooLongError(TooMuchError):
    """Between two choices the rules do more than is followed; whether that ends is not known."""

    def __init__(self) -> None:
        super().__init__("the rules take more steps between two choices than are followed")


class UsageError(Exception):
    """A wrong name or value on the command line; the text is ready to be shown (exit status 2)."""


class UnfitModeError(UsageError):
    """Modes that are chosen are for games with other cards, or other numbers of players."""

    def __init__(self, why: str, modes: tuple[str, ...] = ()) -> None:
        super().__init__(why)
        self.modes = modes


class Reporter:
    """Collects diagnostics while files are read; the only mutable thing among the readers."""

    def __init__(self) -> None:
        self._found: dict[Diagnostic, None] = {}
        self._sources: dict[str, tuple[str, ...]] = {}
        self._dropped = 0

    def error(
        self,
        code: str,
        message: str,
        place: Place,
        *,
        help: str = "",  # noqa: A002  (the word that the user sees)
        notes: Sequence[str] = (),
    ) -> None:
        """Note that something is wrong; the same thing said twice counts once."""
        diagnostic = Diagnostic(code, message, place, help, tuple(notes))
        if diagnostic in self._found:
            return
        if len(self._found) < MAX_DIAGNOSTICS:
            self._found[diagnostic] = None
        else:
            self._dropped += 1

    def add_source(self, file: str, lines: Sequence[str]) -> None:
        """Keep the lines of a file, so that errors can show the line they are about."""
        self._sources[file] = tuple(lines)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All that was noted so far, sorted by place."""
        return tuple(sorted(self._found, key=lambda each: each.sort_key))

    @property
    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """The lines of the files that were read, by display name."""
        return self._sources

    @property
    def failed(self) -> bool:
        """Return whether anything was noted."""
        return bool(self._found)

    def raise_if_any(self) -> None:
        """Raise `SpecErrors` with all that was noted, if anything was."""
        if self._found:
            raise SpecErrors(self._found, sources=self._sources, dropped=self._dropped)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Suggest the known name that is nearest, as ``did you mean `this`?``, or nothing ("").

    Names that differ only in case, hyphens or underscores come first; ties go by the alphabet.
    """
    candidates = sorted({each for each in known if each != name})
    if not name or len(name) > MAX_QUOTED:
        return ""
    for each in candidates:
        if _folded(each) == _folded(name):
            return f"did you mean {quote(each)}?"
    near = difflib.get_close_matches(name, [each for each in candidates if len(each) <= MAX_QUOTED])
    if not near:
        return ""
    # Arguments in the order that get_close_matches uses, since ratio() is not symmetric.
    best = min(near, key=lambda each: (-difflib.SequenceMatcher(None, each, name).ratio(), each))
    return f"did you mean {quote(best)}?"


def _folded(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "").replace(" ", "")


def printable(text: str) -> str:
    """Escape whatever a terminal would obey or hide; what is left is one line of visible text."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(char) for char in text)


def first_line(error: Exception) -> str:
    """Return the first line of what an error says."""
    return str(error).split("\n")[0]


def quote(word: str) -> str:
    """Put the user's word into backticks, escaped, and cut if it is long."""
    cut = word if len(word) <= MAX_QUOTED else word[: MAX_QUOTED - 1] + "…"
    return f"`{printable(cut)}`"


def split_lines(text: str) -> tuple[str, ...]:
    """Split text where YAML sees a line break, without the breaks: CR LF, LF or CR."""
    return tuple(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))


def render(
    diagnostic: Diagnostic, source_lines: Sequence[str], *, color: bool = False,
    room: int = MAX_EXCERPT,
) -> str:
    """Print one diagnostic: the sentence, the line with carets below it, notes and help.

    Of a line that is longer than `room` only what is around the place is shown.
    """
    place = diagnostic.place
    message = diagnostic.message[:MAX_MESSAGE]
    head = printable(str(place))
    code = _paint(diagnostic.code, _RED, on=color)
    out = [f"{_paint(head, _BOLD, on=color)}: {code} {printable(message)}"]
    if 1 <= place.line <= len(source_lines):
        text, carets = _excerpt(source_lines[place.line - 1], place, room)
        margin = _paint(f"{place.line:>5} |", _BLUE, on=color)
        below = _paint(f"{'':>5} |", _BLUE, on=color)
        out += [f"{margin} {text}".rstrip(), f"{below} {_paint(carets, _RED, on=color)}"]
    for label, words in [*(("note", each) for each in diagnostic.notes), ("help", diagnostic.help)]:
        if words:
            out.append(f"{_paint(label, _BOLD, on=color)}: {printable(words[:MAX_MESSAGE])}")
    return "\n".join(out)


def _paint(text: str, style: str, *, on: bool) -> str:
    return f"{style}{text}{_OFF}" if on and text else text


def _shown(char: str) -> str:
    """Show one character as it is, or as an escape if it is not visible by itself."""
    if char.isascii():
        return char if char.isprintable() else f"\\x{ord(char):02x}"
    if unicodedata.category(char) not in _INVISIBLE:
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def cells(shown: str) -> int:
    """Count the terminal cells that visible text takes."""
    return sum(
        0
        if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me"}
        else 2
        if unicodedata.east_asian_width(char) in "WF"
        else 1
        for char in shown
    )


def _excerpt(line: str, place: Place, room: int) -> tuple[str, str]:
    """Return the line (escaped, cut to a window around the place) and the carets below it."""
    start = min(max(place.column - 1, 0), len(line))
    end = max(min(place.end_column - 1, len(line)), start)
    first = 0
    if len(line) > room:
        first = max(0, min(start - room // 3, len(line) - room))
    last = min(len(line), first + room)
    left, right = "…" if first else "", "…" if last < len(line) else ""

    def shown(a: int, b: int) -> str:
        return "".join(" " if char == "\t" else _shown(char) for char in line[a:b])

    before = left + shown(first, start)
    marked = shown(start, min(end, last))
    text = before + marked + shown(max(start, min(end, last)), last) + right
    return text, " " * cells(before) + "^" * max(1, cells(marked))
