"""Parts of core code whose outcome somebody listens to while the interpreter runs.

To every reader of the core a watched comparison or store is an ordinary one.  The interpreter tells
its `RunListener` of it, and the listener may turn the outcome round: what a rule with an off-by-one
would do.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..machine.core import Binary, Fill, Store
from ..sealed import sealed


class RunListener:
    """Who is told what happens during a run; this one leaves all as it is."""

    def compared(self, site: int, difference: int, holds: bool) -> bool:  # noqa: ARG002, FBT001
        """Hear of a comparison, left side minus right side; return whether it is to hold."""
        return holds

    def bounded(self, site: int, beyond: int) -> bool:  # noqa: ARG002
        """Hear of a number that its bound cuts by `beyond`; return whether it is to be cut."""
        return True

    def stored(self, effect: object, changed: bool) -> None:  # noqa: FBT001
        """Hear of a statement that has run, and whether it has changed the state."""

    def acted(self, clause: str, values: Sequence[int]) -> None:
        """Hear that the body of a clause begins, and of all values then, which are not kept."""


@sealed
class Watched(Binary):
    """A comparison, or a `min` or `max` with a constant side, at the numbered site."""

    site: int


@sealed
class WatchedStore(Store):
    """A write of one element, with a name of its own."""

    effect: object


@sealed
class WatchedFill(Fill):
    """A write of a row, with a name of its own."""

    effect: object
