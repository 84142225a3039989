"""The merged sections of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..game.texts import Texts
from ..source.errors import Diagnostic
from ..source.tree import SpecNode


@dataclass(frozen=True, slots=True)
class Sections:
    """The merged sections of a game, before any setting is applied.

    `broken` names the entries that were refused (`state.life`, `clauses.ew.draw`, or a whole
    section), so that what names them is not reported too; `wrong` holds all that reading reported.
    """

    name: str
    root: SpecNode
    sha256: str
    broken: frozenset[str] = frozenset()
    wrong: tuple[Diagnostic, ...] = ()
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    cards: str | None = None
    """The file of cards that was laid over them."""
    book: tuple[str, ...] = ()
    """The lines of the rulebook, if its file lies in the folder and is the text that is cited."""
    unread: tuple[str, ...] = ()
    """Files of the folder that look like parts of the spec, and are not read for their ending."""
    texts: Texts = field(default_factory=Texts, repr=False, compare=False)
