"""The words of a rulebook that a spec never says: what an encoding may have overlooked.

Words are compared without case, and without the endings of plurals and verbs; words that every
English text has, numbers, and words of sentences that no clause need cover (flavour) are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..game.game import Game
from ..source import fields
from ..source.outline import lines_of
from ..source.tree import SpecNode

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
SHORTEST = 3
COMMON = frozenset((  # noqa: SIM905  (a list of words reads worse)
    "about above after again all also although always among and another any anyone anything are "
    "around away back because been before being below between both but can cannot comes could "
    "did does doing don done down during each either else end enough even ever every everyone "
    "everything few first five for four from get gets give given goes going got had has have "
    "having her here hers him his how however into its itself just keep know last later least "
    "less let like made make makes making many may maybe might more most much must need never "
    "new next nobody none nor not nothing now off often once one only onto other others "
    "otherwise our out over own per please put rather really remember same see several shall "
    "she should simply since six some someone something soon still such sure take takes than "
    "that the their them then there these they thing things this those three through thus time "
    "times together too two under unless until upon use used using very want was way well were "
    "what when where whether which while who whom whose why will with within without would yes "
    "yet you your "
).split())


@dataclass(frozen=True, slots=True)
class MissingWord:
    """A word, how often the book has it, and on which lines."""

    word: str
    times: int
    lines: tuple[int, ...]


def missing_words(game: Game, root: SpecNode, book: str) -> tuple[MissingWord, ...]:
    """List the words of a book that nothing in a spec says, the most frequent first."""
    said = {stem(word) for text in (*COMMON, *_texts(root))
            for word in _WORD.findall(text.replace("_", " "))}
    flavour = {line for clause in game.clauses if clause.kind == "flavour" and clause.lines
               for line in range(clause.lines[0], clause.lines[1] + 1)}
    found = dict[str, tuple[str, list[int]]]()
    for number, line in enumerate(lines_of(book), start=1):
        for word in _WORD.findall(line) if number not in flavour else ():
            plain = stem(word)
            if len(word) >= SHORTEST and plain not in said:
                found.setdefault(plain, (word.casefold(), []))[1].append(number)
    words = [MissingWord(word, len(lines), tuple(dict.fromkeys(lines)))
             for word, lines in found.values()]
    return tuple(sorted(words, key=lambda each: (-each.times, each.lines[0], each.word)))


def _texts(node: SpecNode, key: str = "") -> Iterator[str]:
    """Yield all that a spec says, names and rule texts included."""
    if isinstance(node.value, dict):
        for name, each in fields.entries(node).items():
            yield name
            yield from _texts(each, name)
    elif isinstance(node.value, tuple):
        for each in node.value:
            yield from _texts(each, key)
    elif isinstance(node.value, str):
        yield node.value


def stem(word: str) -> str:
    """Bring a word to what its forms have in common, roughly: `discarding` is `discard`."""
    plain = word.casefold().replace("’", "'").removesuffix("'s")
    for ending in ("ies", "ing", "ed", "es", "s", "y", "e"):
        if plain.endswith(ending) and len(plain) - len(ending) >= SHORTEST:
            plain = plain.removesuffix(ending)
            break
    if len(plain) > SHORTEST and plain[-1] == plain[-2]:
        plain = plain[:-1]
    return plain
