"""Exhaustive exploration, breadth first: every rest that the game can reach, each once.

Breadth first, so the first state that shows something is one of the nearest, and the play to it,
found by following parents back, one of the shortest.  States are kept as packed bytes in the order
in which they were found; moves are not kept but found again when a play is asked for.

A run stops when it is complete, at a limit (states, time, memory), or when it is interrupted; then
the result says which, and with a checkpoint it goes on later to the very same end.  Everything in a
`Result` depends on the machine alone, as long as time is not what stopped it.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import msgspec

from ...model.machine.state import Move, State
from ...model.stop import Stopped, held
from ..engine.program import Program
from ..packed.coverage import Covered
from ..packed.flags import FILTERED
from .checkpoint import CheckpointError, load, save
from .frontier import SearchTally, Witness, frontier
from .shorten import reached, shorter

Stop = Literal["", "states", "time", "memory", "interrupted"]

MOST_STATES = (1 << 32) - 1
"""Parents are numbers of 32 bits."""

@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come."""

    states: int
    frontier: int
    depth: int
    rate: float
    """New states a second."""


@dataclass(frozen=True, slots=True)
class Result:
    """What an exploration counted, and where things happen first.

    `depth` is the number of moves to the farthest state.  `notes` (by obligation), `broken` (by
    limit) and `endless` (by edge) are moves; `stuck` (by node) states without a legal move in which
    the game is not over, `stuck_states` their number.
    """

    states: int
    transitions: int
    depth: int
    final: int
    complete: bool
    stopped: Stop
    notes: dict[int, Witness]
    broken: dict[int, Witness]
    endless: dict[int, Witness]
    stuck: dict[int, Witness]
    stuck_states: int
    coverage: Covered | None


class Exploration:
    """A run that can stop and go on.  `run` may be called again after it has stopped.

    With `after`, some plays, it begins in the states that they lead to as well as at the setup;
    then no play that it gives is shortest, but what follows one of these is.
    """

    def __init__(
        self, program: Program, *, cover: bool = False, after: Sequence[tuple[Move, ...]] = (),
    ) -> None:
        self.program = program
        self.cover = cover
        self.tally = SearchTally()
        self.unsaved = ""
        self.found = frontier(program, self.tally, cover=cover)
        self._begun: dict[int, tuple[Move, ...]] = {0: ()}
        for play in after:
            number = self.found.begin(reached(program, play))
            self._begun.setdefault(number, play)

    @property
    def order(self) -> Sequence[bytes]:
        """All states found, packed, in the order in which they were found."""
        return self.found.order

    @property
    def parents(self) -> array[int]:
        """The number of the parent of each state."""
        return self.found.parents

    # ------------------------------------------------------------------------------- runs

    def run(
        self, *, max_states: int | None = None, max_time: float | None = None,
        progress: Callable[[Progress], None] | None = None, interval: float = 0.1,
        checkpoint: Path | None = None, save_every: float | None = None, cut_short: bool = False,
    ) -> Result:
        """Explore until all is found or a limit is reached; at a stop, write the checkpoint.

        Times are in seconds.  If the checkpoint cannot be written the run is not lost: `unsaved`
        says why, and it can be saved again.  An interrupt (Ctrl-C) stops after the state under way.

        Raises:
            Stopped: if the work is to stop, unless `cut_short`: what was found is wanted then, too.

        """
        started = shown = saved = time.monotonic()
        before = len(self.order)
        most = min(max_states or MOST_STATES, MOST_STATES)
        stopped: Stop = ""
        with held() as stop:
            while self.tally.cursor < len(self.order):
                stopped = "states" if len(self.order) >= most else ""
                now = time.monotonic()
                if max_time is not None and now - started >= max_time:
                    stopped = "time"
                if progress is not None and now - shown >= interval:
                    shown = now
                    try:
                        progress(self._progress((len(self.order) - before) / (now - started)))
                    except KeyboardInterrupt:
                        stopped = "interrupted"
                if stop.why:
                    stopped = "time" if stop.cause == "late" else "interrupted"
                if stopped:
                    break
                if checkpoint is not None and save_every and now - saved >= save_every:
                    self._try_to_save(checkpoint)
                    saved = time.monotonic()
                if not self.found.advance(most):
                    stopped = "memory"
                    break
            if checkpoint is not None and stopped:
                self._try_to_save(checkpoint)
        if stopped and stop.why and not cut_short:
            raise Stopped
        return self.result(stopped)

    # ---------------------------------------------------------------------------- answers

    @property
    def finished(self) -> bool:
        """Whether all states were found and expanded."""
        return self.tally.cursor == len(self.order)

    def result(self, stopped: Stop = "") -> Result:
        """Return what has been found so far."""
        tally = self.tally
        return Result(
            states=len(self.order),
            transitions=tally.transitions,
            depth=self._depth(),
            final=tally.final,
            complete=self.finished,
            stopped=stopped,
            notes=dict(sorted(tally.notes.items())),
            broken=dict(sorted(tally.broken.items())),
            endless=dict(sorted(tally.endless.items())),
            stuck=dict(sorted(tally.stuck.items())),
            stuck_states=tally.stuck_states,
            coverage=self.program.coverage(self.found.machine.record) if self.cover else None,
        )

    def _depth(self) -> int:
        """Return the greatest depth at which a state has been found."""
        return len(self.tally.levels) - (self.tally.level_end == len(self.order))

    def _progress(self, rate: float) -> Progress:
        done, found = self.tally.cursor, len(self.order)
        return Progress(found, found - done, self._depth(), rate)

    def memory(self) -> int:
        """Estimate the bytes that the states take; the same in every run."""
        return self.found.memory()

    def state(self, number: int) -> State:
        """Give a state by its number."""
        return self.program.unpack(self.order[number])

    def path(self, number: int) -> tuple[Move, ...]:
        """Return a shortest play to a state from where the exploration began."""
        moves, last, parents = list[Move](), number, self.parents
        while number not in self._begun:
            parent = parents[number]
            found = self.program.succ(self.order[parent])
            legal = (move for move in found if not move[3] & FILTERED)
            edge, arguments, _, _ = next(m for m in legal if m[2] == self.order[number])
            moves.append(Move(edge, arguments))
            number = parent
        play = (*self._begun[number], *reversed(moves))
        return shorter(self.program, play, self.order[last])

    def play(self, witness: Witness) -> tuple[Move, ...]:
        """Return a shortest play up to and with what a witness shows."""
        moves = self.path(max(witness.state, 0))
        return moves if witness.move is None else (*moves, witness.move)

    # ------------------------------------------------------------------------ checkpoints

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        head: dict[str, object] = {
            "fingerprint": self.program.fingerprint,
            "length": self.program.layout.length,
            "cover": self.cover,
            "record": self.found.machine.record.hex() * self.cover,
            "tally": asdict(self.tally),
        }
        save(path, head, self.order, self.parents)

    def _try_to_save(self, path: Path) -> None:
        try:
            self.save(path)
            self.unsaved = ""
        except CheckpointError as error:
            self.unsaved = str(error)


def resume(program: Program, path: Path) -> Exploration:
    """Take an exploration up from a checkpoint of the same machine."""
    saved = load(path)
    if saved.head["fingerprint"] != program.fingerprint:
        raise CheckpointError(f"the checkpoint `{path}` is of another game, or of other settings")
    run = Exploration(program, cover=bool(saved.head["cover"]))
    run.tally = run.found.tally = msgspec.convert(saved.head["tally"], SearchTally, str_keys=True)
    run.found.restore(saved.states, saved.parents)
    run.found.machine.record = bytearray.fromhex(str(saved.head["record"]))
    return run
