"""Walks through small machines with the reference interpreter, for the tests of other engines."""

from collections import deque

from ruleproof.model.machine.state import State
from ruleproof.model.run.interp import EndlessRules, Interpreter


def states_of(game: Interpreter, *, most: int = 400) -> list[State]:
    """Return the first states, breadth first; endless moves lead nowhere."""
    first = game.start().state
    found, queue = {first: None}, deque([first])
    while queue and len(found) < most:
        state = queue.popleft()
        for move in game.moves(state):
            try:
                after = game.step(state, move).state
            except EndlessRules:
                continue
            if after not in found:
                found[after] = None
                queue.append(after)
    return list(found)
