"""Who is told what a verification is doing."""

from __future__ import annotations


class Listener:
    """Is told what a verification is doing; this one does nothing with it."""

    eager = False
    """Whether it pays to tell what an exploration shows before all are made."""

    def stage(self, number: int, of: int, what: str) -> None:
        """Take note that a stage begins, and how many there are."""

    def say(self, words: str) -> None:
        """Take note of what is being done in the stage."""

    def part(self, share: float) -> None:
        """Take note of which share of the stage is done, 0 to 1."""

    def seen(self, title: str) -> None:
        """Take note of something wrong, which is not judged yet."""
