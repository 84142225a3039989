"""Opens a page in headless Chromium, runs a script in it, and returns what that found out."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
WITHOUT = "no Chromium is installed (Debian: apt-get install chromium)"

AROUND = """
<script>
addEventListener("load", async () => {
  const faults = [];
  addEventListener("error", (event) => faults.push(String(event.message)));
  addEventListener("securitypolicyviolation", (event) => faults.push(event.blockedURI));
  const answer = document.createElement("pre");
  answer.id = "answer";
  let told;
  try { told = await (async () => { SCRIPT })(); }
  catch (error) { faults.push(String(error && error.stack)); }
  setTimeout(() => {
    const loaded = performance.getEntriesByType("resource").map((each) => each.name);
    answer.textContent = JSON.stringify({ told, faults, loaded });
    document.body.appendChild(answer);
  }, 200);
});
</script>
</body>"""


def chromium() -> str:
    """Return the path of Chromium; skips the test where there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(WITHOUT)
    return found


def run_in_page(page: str, script: str, folder: Path) -> Any:  # noqa: ANN401  (JSON)
    """Run a script at the end of a page that is opened from disk; return what it returns.

    Raises:
        AssertionError: if anything failed, was refused, or was loaded.

    """
    program = chromium()
    file = folder / "page.html"
    file.write_text(page.replace("</body>", AROUND.replace("SCRIPT", script)), "utf-8")
    made = subprocess.run(  # noqa: S603  (a program that was looked up)
        [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
         f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=60000", "--dump-dom",
         file.as_uri()],
        capture_output=True, text=True, timeout=120, check=False)
    answer = re.search(r'<pre id="answer">(.*?)</pre>', made.stdout, re.DOTALL)
    assert answer, f"the script did not end: {made.stderr[-500:]}"
    found = json.loads(html.unescape(answer[1]))
    assert found["faults"] == []
    assert found["loaded"] == []
    return found["told"]
