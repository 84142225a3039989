"""One expression, compiled: its value in any state."""

from __future__ import annotations

from collections.abc import Callable

from ...model.machine.core import Expr
from ...model.machine.machine import Machine
from ..emitter.expressions import Expressions
from ..emitter.unit import Unit
from ..emitter.wasm import I32, I64, PAGE, Val
from ..packed.packing import Layout
from .runtime import Running, load


def compiled(machine: Machine, layout: Layout, expr: Expr) -> Callable[[bytes], int]:
    """Return the function that gives the value of an expression in a packed state.

    Raises:
        UnsupportedError: if the expression cannot be compiled, or there is no memory for it.

    """
    unit = Unit(machine, layout, covering=False)
    unit.module.memory(1, "memory")
    state = unit.module.room(layout.length)
    _, function = unit.module.function((I32,), (I64,), name="ask")
    found = Expressions(unit, function, function.param(0)).value(expr, {})
    function.do(Val(found.code, found.type).wide)
    unit.module.memories[0] = unit.module.top // PAGE + 1
    running = Running(load(unit.module.encoded()))

    def ask(packed: bytes) -> int:
        running.write(state, packed)
        return running.call("ask", state, wide=True)

    return ask
