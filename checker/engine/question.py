"""One expression, compiled: its value in any state."""

from __future__ import annotations

from ...model.machine.core import Expr
from ...model.machine.machine import Machine
from ..emitter.expressions import Expressions
from ..emitter.unit import Unit
from ..emitter.wasm import I32, I64, PAGE, Val
from ..packed.packing import Layout
from .runtime import Running, load


class CompiledExpr:
    """The value of an expression in a packed state: `question(packed)`.

    Raises:
        UnsupportedError: if the expression cannot be compiled, or there is no memory for it.

    """

    def __init__(self, machine: Machine, layout: Layout, expr: Expr) -> None:
        unit = Unit(machine, layout, covering=False)
        unit.module.memory(1, "memory")
        self.state = unit.module.room(layout.length)
        _, function = unit.module.function((I32,), (I64,), name="ask")
        found = Expressions(unit, function, function.param(0)).value(expr, {})
        function.do(Val(found.code, found.type).wide)
        unit.module.memories[0] = unit.module.top // PAGE + 1
        self.running = Running(load(unit.module.encoded()))

    def __call__(self, packed: bytes) -> int:
        """Return the value in a state."""
        self.running.write(self.state, packed)
        return self.running.call("ask", self.state, wide=True)
