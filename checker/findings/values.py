"""What the values of a report are made of; `results` and `shares` have the values."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

Json = Any
"""A JSON document: dict, list, str, int, float, bool or None."""

Count = Annotated[int, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]
Difference = Annotated[float, Meta(ge=-1, le=1)]


class Value(Struct, frozen=True, omit_defaults=True):
    """An immutable object of the document; what has its default value is left out."""
