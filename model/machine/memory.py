"""What the engine keeps of a game in arrays of its own, and how these are called.

Their names stand in positions and in states.  They are made here, and nobody takes them apart: a
name that a spec gives may hold whatever they are made of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["local", "left", "past", "open", "pending", "actor", "return"]
"""What something is kept for: a name of a body, or what a body keeps at a place of it; how many
cards are still to be drawn; how many players a loop is past; whether a window goes on; who is still
to act in one, and who acts; after which of its calls a step that ends goes on."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What an array of the engine keeps.

    `owner` is the clause, the text of a card, the step or the window that it is kept for, `level`
    how deep that is nested, and `name` what it is called there.  `place` is where in the body, if
    the same may be kept at several places of it.  `part` tells apart what goes with one name.
    """

    role: Role
    owner: str
    name: str
    level: int = 0
    place: str = ""
    part: str = ""

    @property
    def key(self) -> str:
        """What it is called in its body."""
        return f"{self.name}@{self.place}" if self.place else self.name

    @property
    def array(self) -> str:
        """The name of its array; what runs inside itself has one for each level."""
        level = f"@{self.level}" if self.level or self.role == "return" else ""
        return f"{self.owner}{level}.{self.key}{self.part}"
