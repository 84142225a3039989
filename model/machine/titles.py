"""What the names of a spec are called for people, where the names themselves would be riddles."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

Data = TypeVar("Data")
BLANK = re.compile(r"\{(\w+)\}")
"""A blank in the title of an option, for what is chosen: the name of the parameter."""


@dataclass(frozen=True, slots=True)
class Titles:
    """The words that a spec gives for names of things, and for values of its enums."""

    names: Mapping[str, str] = field(default_factory=dict[str, str])
    values: Mapping[str, str] = field(default_factory=dict[str, str])

    def of(self, name: str) -> str:
        """Return what something is called: its title, or else its name as words.

        `lay_swag` is `lay swag`, `hand[active]` is `hand`, a field stands behind its pool; of a
        title with blanks, where nothing is chosen yet, dots stand in them.
        """
        return BLANK.sub("…", self.told(name))

    def told(self, name: str) -> str:
        """Return the same with the blanks of the title."""
        bare = re.sub(r"\[[^\]]*\]", "", name)
        parts = [bare] if bare in self.names else bare.split(".")
        words = (self.names.get(part) or part.replace("_", " ") for part in parts)
        return " ".join(" ".join(words).split())

    def within(self, value: Data) -> Data:
        """Return plain data with the values of enums, also as keys, under their titles."""
        return cast("Data", self._within(value)) if self.values else value

    def _within(self, value: Any) -> Any:  # noqa: ANN401  (plain data)
        if isinstance(value, str):
            return self.values.get(value, value)
        if isinstance(value, list):
            return [self._within(each) for each in value]
        if isinstance(value, dict):
            return {self._within(key): self._within(each) for key, each in value.items()}
        return value


def is_or_are(title: str) -> str:
    """Return the verb behind a title: `are` behind a plural, which ends with one s."""
    return "are" if title.endswith("s") and not title.endswith("ss") else "is"


NONE = Titles()
"""Of a game that gives no titles."""
