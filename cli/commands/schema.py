"""`ruleproof schema`: JSON Schemas of spec files, for editors, and of the files that we write."""

from __future__ import annotations

from typing import Annotated

import typer

from ...model.source.errors import quote
from .. import answers
from .. import exit as status
from ..files.shapes import SCHEMAS, schema_text
from ..options import Output, one_of
from ..output import write_result


def _known(value: str) -> str:
    if value not in SCHEMAS:
        raise typer.BadParameter(f"no schema {quote(value)}; {one_of(value, SCHEMAS)}")
    return value


WHICH = typer.Argument(metavar="|".join(SCHEMAS), callback=_known, help="Of which files.")


def schema(*, which: Annotated[str, WHICH] = "game", output: Output = None) -> int:
    """Print a JSON Schema, for editors and programs."""
    write_result(schema_text(which), output)
    answers.lasts()
    return status.OK
