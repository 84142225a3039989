"""What two types have in common: whether they compare, and what holds either."""

from __future__ import annotations

from dataclasses import replace

from ..game.game import Ty


def comparable(left: Ty, right: Ty) -> bool:
    """Say whether `==` between two types can be true."""
    return "none" in (left.kind, right.kind) or (left.kind, left.name) == (right.kind, right.name)


def join(left: Ty, right: Ty) -> Ty | None:
    """Give the type of a value that is one or the other, or None if there is none."""
    if left.kind == "none":
        return replace(right, optional=True)
    if right.kind == "none":
        return replace(left, optional=True)
    if (left.kind, left.name) != (right.kind, right.name):
        return None
    return replace(left, low=min(left.low, right.low), high=max(left.high, right.high),
                   optional=left.optional or right.optional)
