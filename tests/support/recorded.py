"""Expected outputs as files in `tests/golden`, read in review; `make record` writes them anew."""

import os

from ruleproof.tests.support.places import TESTS

GOLDEN = TESTS / "golden"
RECORDING = os.environ.get("RULEPROOF_RECORD") == "1"


def recorded(name: str, text: str) -> str:
    """Return the expected text of that name; when recording, the text becomes it."""
    path = GOLDEN / name
    if RECORDING:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")
    return path.read_text("utf-8")
