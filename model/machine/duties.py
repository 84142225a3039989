"""What can fail: the kinds of obligations, and the class of the finding that each of them makes.

A kind is what a verdict goes by; what an obligation is called in words can change without one.
"""

from __future__ import annotations

from typing import Literal

Kind = Literal[
    "no-value", "nothing-to-draw", "no-option", "too-few", "not-there", "out-of-range",
    "nothing-to-compare", "division-by-zero", "not-one", "tie", "tie-outside", "outside",
    "no-case",
    "required-at-end", "limit-at-end", "conflict", "no-room",
]

DEFECTS: dict[Kind, str] = {
    "no-value": "undefined-operation",
    "nothing-to-draw": "undefined-operation",
    "no-option": "undefined-operation",
    "too-few": "undefined-operation",
    "not-there": "undefined-operation",
    "out-of-range": "undefined-operation",
    "nothing-to-compare": "undefined-operation",
    "division-by-zero": "undefined-operation",
    "not-one": "undefined-operation",
    "tie": "unresolved-tie",
    "tie-outside": "unresolved-tie",
    "outside": "undefined-term",
    "no-case": "gap",
    "required-at-end": "contradiction",
    "limit-at-end": "limit-broken",
    "conflict": "contradiction",
    "no-room": "capacity",
}
"""The finding class for each kind; `capacity` is none: there the model ends, not the rules."""
