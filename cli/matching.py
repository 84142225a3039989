"""Finding what somebody means among a list of texts, from as little as they type."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FILLERS = frozenset({"and", "the", "a"})


def folded(text: str) -> str:
    """Bring text to lower-case words: letters, digits, and single spaces between."""
    words = re.findall(r"\w+", text.casefold().replace("_", " "))
    return " ".join(word for word in words if word not in _FILLERS)


def find(text: str, names: Sequence[str]) -> list[int]:
    """Find the names that a text means: the same words, or their beginning, or some of them.

    The first of these that finds anything counts: the same words; the same beginning; each word
    of the text begins a word of the name, in the same order.
    """
    wanted = folded(text)
    if not wanted:
        return [i for i, name in enumerate(names) if text.strip() == name]
    each = [folded(name) for name in names]
    for matches in (
        [i for i, name in enumerate(each) if name == wanted],
        [i for i, name in enumerate(each) if name.startswith(wanted)],
        [i for i, name in enumerate(each) if _in_order(wanted.split(), name.split())],
    ):
        if matches:
            return matches
    return []


def _in_order(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether the wanted beginnings come in this order among the words."""
    left = iter(words)
    return all(any(word.startswith(start) for word in left) for start in wanted)
