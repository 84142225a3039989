"""Models for other explorers: the tower of Hanoi by hand, and any machine as Promela around C.

The rules of a machine are written as C functions over its state, an array of integers that SPIN
keeps: `moves` lists the legal moves of the rest at hand, `take` makes one and runs the rules to the
next rest.  What has its start value at every rest lies outside SPIN's state.  SPIN counts one state
more: the one before the setup.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ruleproof.model.machine.core import (
    Binary,
    Cond,
    Const,
    Expr,
    Fill,
    For,
    If,
    Let,
    Load,
    Local,
    Pick,
    Reduce,
    Stmt,
    Store,
    Table,
    Unary,
)
from ruleproof.model.machine.machine import Array, Edge, Machine, Node, Param
from ruleproof.tests.benchmarks.timing import AbsentError

HANOI_TLA = """---- MODULE Hanoi ----
EXTENDS Naturals
CONSTANT N
VARIABLE peg
Init == peg = [d \\in 1..N |-> 1]
Move(d, to) == /\\ peg[d] # to
               /\\ \\A s \\in 1..(d - 1) : peg[s] # peg[d] /\\ peg[s] # to
               /\\ peg' = [peg EXCEPT ![d] = to]
Next == \\E d \\in 1..N, to \\in 1..3 : Move(d, to)
====
"""
MODEL = "model.pml"
MOST_MOVES, MOST_ARGUMENTS = 32, 32
"""A state may have so many moves in a twin, and a move so many numbers (a bag: one a card)."""
HEAD = f"""#include <stdlib.h>
#include <string.h>
#define PUT(name, i, n, v) \\
    do {{ int at_ = (i); if (at_ >= 0 && at_ < (n)) name[at_] = (v); }} while (0)
static int floor_div(int a, int b) {{ return b ? a / b - (a % b && (a < 0) != (b < 0)) : 0; }}
static int floor_mod(int a, int b) {{ return b ? a - b * floor_div(a, b) : 0; }}
static int min_(int a, int b) {{ return a < b ? a : b; }}
static int max_(int a, int b) {{ return a > b ? a : b; }}
static int move_[{MOST_MOVES}], arg_[{MOST_MOVES}][{MOST_ARGUMENTS}], bad_[{MOST_MOVES}];
"""


def hanoi_promela(discs: int) -> dict[str, str]:
    """Write the tower of Hanoi in Promela, by hand."""
    lines = [f"byte peg[{discs}];", "active proctype hanoi() {", "  do"]
    for disc in range(discs):
        for to in range(3):
            tests = [f"peg[{disc}] != {to}"]
            tests += [f"peg[{smaller}] != peg[{disc}] && peg[{smaller}] != {to}"
                      for smaller in range(disc)]
            lines.append(f"  :: atomic {{ {' && '.join(tests)} -> peg[{disc}] = {to} }}")
    return {MODEL: "\n".join([*lines, "  od", "}", ""])}


def promela(machine: Machine) -> dict[str, str]:
    """Write a machine as files, of which one is the model.

    Raises:
        AbsentError: if it has something that is not written.

    """
    return _Writer(machine).written()


@dataclass(slots=True)
class _Writer:
    machine: Machine
    arrays: dict[str, Array] = field(init=False)
    nodes: dict[int, Node] = field(init=False)

    def __post_init__(self) -> None:
        self.arrays = {array.name: array for array in self.machine.arrays}
        self.nodes = {node.id: node for node in self.machine.nodes}
        edges = [edge for node in self.machine.nodes for edge in node.edges]
        if any(sum(map(_slots, edge.params)) > MOST_ARGUMENTS for edge in edges):
            raise AbsentError("a twin of this machine cannot be written")

    def written(self) -> dict[str, str]:
        """Write everything."""
        kept = [array for array in self.machine.arrays if not array.scratch]
        size = sum(_width(array) * array.size for array in kept) + 2
        lines = [HEAD]
        place = 2
        for array in self.machine.arrays:
            kind = {1: "unsigned char", 2: "short", 4: "int"}[_width(array)]
            if array.scratch:
                start = ", ".join(map(str, array.start))
                lines.append(f"static {kind} {_name(array)}[] = {{{start}}};")
        lines.append("static unsigned char *state_;")
        kept.sort(key=lambda array: -_width(array))
        for array in kept:
            kind = {1: "unsigned char", 2: "short", 4: "int"}[_width(array)]
            place = -(-place // _width(array)) * _width(array)
            lines.append(f"#define {_name(array)} (({kind} *)(state_ + {place}))")
            place += _width(array) * array.size
        size = -(-place // 4) * 4
        lines += [f"static const int t_{_plain(name)}[] = {{{', '.join(map(str, items)) or 0}}};"
                  for name, items in self.machine.tables.items()]
        lines += [self._enabled(edge) for node in self.machine.nodes for edge in node.edges]
        model = ['c_decl { \\#include "rules.h" }', f'c_state "unsigned char s[{size}]" "Global"',
                 "active proctype game() {", "  d_step { c_code { begin_(now.s); } }", "  do"]
        model += [f"  :: d_step {{ c_expr {{ count_(now.s) > {i} }} -> "
                  f"c_code {{ take_(now.s, {i}); }} }}" for i in range(MOST_MOVES)]
        return {MODEL: "\n".join([*model, "  od", "}", ""]),
                "rules.h": "\n".join([*lines, *self._drivers(size), ""])}

    def _drivers(self, size: int) -> list[str]:
        """Write what lists moves, takes one, and runs the rules."""
        run, moves, take = [], [], []
        for node in self.machine.nodes:
            if node.kind == "rules":
                run.append(f"case {node.id}:")
                run += [f"if (ok{edge.id}(0)) {{ do{edge.id}(0); node = {edge.target}; break; }}"
                        for edge in node.edges]
                run.append("abort();")
            elif node.kind != "final":
                moves.append(f"case {node.id}:")
                for edge in sorted(node.edges, key=lambda each: each.id):
                    moves.append(
                        f"{self._loops(edge)} if (ok{edge.id}(a)) {{ "
                        f"if (more_ == {MOST_MOVES}) abort(); move_[more_] = {edge.id}; "
                        "memcpy(arg_[more_++], a, sizeof a); }")
                    take.append(f"case {edge.id}: do{edge.id}(arg_[i]); node = {edge.target}; "
                                "break;")
                judged = self.machine.limits and node.kind != "chance"
                moves.append("judge_(s); break;" if judged else "break;")
        rules = [f"node == {node.id}" for node in self.machine.nodes if node.kind == "rules"]
        starts = [f"{_name(array)}[{i}] = {value};" for array in self.machine.arrays
                  if not array.scratch for i, value in enumerate(array.start) if value]
        return [
            f"static int more_; static unsigned char seen_[{size}];",
            f"static void run_(int node) {{ while ({' || '.join(rules) or 0}) switch (node) {{",
            *run, "} *(short *)state_ = node; }",
            "static void take_(unsigned char *s, int i) { int node = 0; state_ = s;",
            "switch (move_[i]) {", *take, "} run_(node); }",
            *self._judge(size),
            f"static int count_(unsigned char *s) {{ int a[{MOST_ARGUMENTS}] = {{0}};",
            f"if (!memcmp(seen_, s, {size})) return more_;",
            f"state_ = s; more_ = 0; memcpy(seen_, s, {size});",
            "switch (*(short *)s) {", *moves, "} return more_; }",
            "static void begin_(unsigned char *s) { state_ = s;", *starts,
            f"run_({self.machine.start}); }}"]

    def _judge(self, size: int) -> list[str]:
        """Write what leaves out moves that break a limit, if another breaks none."""
        tests = " | ".join(f"(!({self.expr(limit.test)}) << {i})"
                           for i, limit in enumerate(self.machine.limits))
        return [f"static int limits_(void) {{ return {tests or 0}; }}",
                (f"static void judge_(unsigned char *s) {{ unsigned char t[{size}]; "
                "int i, n = 0, free = 0, before;"),
                "state_ = s; before = limits_();",
                (f"for (i = 0; i < more_; i++) {{ memcpy(t, s, {size}); take_(t, i); "
                "bad_[i] = limits_() & ~before; free |= !bad_[i]; }"),
                ("for (i = 0; free && i < more_; i++) if (!bad_[i]) { move_[n] = move_[i]; "
                "memmove(arg_[n++], arg_[i], sizeof arg_[i]); }"),
                "if (free) more_ = n; state_ = s; }"]

    def _loops(self, edge: Edge) -> str:
        """Write loops over the values of the parameters of an edge, into `a`."""
        text, at = "", 0
        for param in edge.params:
            for kind in range(param.domain.low, param.domain.high + 1) if param.bag else (0,):
                low, high = str(param.domain.low), str(param.domain.high)
                if param.bag:
                    low = "0"
                    most = self.expr(param.most) if param.most is not None else "1"
                    name = _local(param.var)
                    high = f"({{ int {name} = {kind}; {self._names(edge, at)} {most}; }})"
                text += f"for (a[{at}] = {low}; a[{at}] <= {high}; a[{at}]++) "
                at += 1
        return text

    def _names(self, edge: Edge, before: int = MOST_ARGUMENTS) -> str:
        """Name the parameters of an edge that lie before a place."""
        text, at = "", 0
        for param in edge.params:
            name = _local(param.name)
            if at + _slots(param) <= before:
                text += (f"int *{name} = a + {at}; " if param.bag else f"int {name} = a[{at}]; ")
                text += f"(void) {name}; "
            at += _slots(param)
        return text

    def _enabled(self, edge: Edge) -> str:
        """Write whether an edge may be taken, and what it does, as functions."""
        names = self._names(edge)
        tests = [p.where for p in edge.params] + [c.test for c in edge.conditions]
        if edge.weight is not None:
            tests.append(Binary(">", edge.weight, Const(0)))
        test = " && ".join(map(self.expr, tests)) or "1"
        return (f"static int ok{edge.id}(int *a) {{ {names}return {test}; }}\n"
                f"static void do{edge.id}(int *a) {{ {names}{self.body(edge.body)} }}")

    # ---------------------------------------------------------------------- the core language

    def body(self, body: Sequence[Stmt]) -> str:
        """Write statements."""
        return " ".join(map(self.stmt, body))

    def stmt(self, stmt: Stmt) -> str:
        """Write a statement."""
        match stmt:
            case Let(name, value):
                return f"int {_local(name)} = {self.expr(value)}; (void) {_local(name)};"
            case Store(name, index, value):
                array = self.arrays[name]
                return (f"{{ int value_ = {self.expr(value)}; PUT({_name(array)}, "
                        f"{self.place(array, index)}, {array.size}, value_); }}")
            case Fill(name, prefix, var, size, value):
                array, v = self.arrays[name], _local(var)
                at = self.place(array, (*prefix, Local(var)))
                return (f"{{ int row_[{size}]; for (int {v} = 0; {v} < {size}; {v}++) row_[{v}] = "
                        f"{self.expr(value)}; for (int {v} = 0; {v} < {size}; {v}++) "
                        f"PUT({_name(array)}, {at}, {array.size}, row_[{v}]); }}")
            case If(test, then, other):
                return (f"if ({self.expr(test)}) {{ {self.body(then)} }} "
                        f"else {{ {self.body(other)} }}")
            case For(var, size, body):
                v = _local(var)
                return f"for (int {v} = 0; {v} < {size}; {v}++) {{ {self.body(body)} }}"
            case _:
                return ""

    def place(self, array: Array, index: Sequence[Expr]) -> str:
        """Write where an element is; -1 outside the array."""
        if not index:
            return "0"
        parts = list(map(self.expr, index))
        whole, names = "0", [f"i{len(array.dims)}_{k}_" for k in range(len(parts))]
        for name, size in zip(names, array.dims, strict=True):
            whole = f"({whole} * {size} + {name})"
        lets = " ".join(f"int {name} = {part};" for name, part in zip(names, parts, strict=True))
        inside = " && ".join(f"{name} >= 0 && {name} < {size}"
                             for name, size in zip(names, array.dims, strict=True))
        return f"({{ {lets} {inside} ? {whole} : -1; }})"

    def expr(self, expr: Expr) -> str:
        """Write an expression."""
        match expr:
            case Const(value):
                return f"({value})"
            case Local(name):
                return _local(name)
            case Load(name, index):
                array = self.arrays[name]
                return (f"({{ int at_ = {self.place(array, index)}; "
                        f"at_ < 0 ? {array.low} : {_name(array)}[at_]; }})")
            case Pick(name, index):
                return f"{_local(name)}[{self.expr(index)}]"
            case Table(name, index):
                items = len(self.machine.tables[name])
                return (f"({{ int t_ = {self.expr(index)}; t_ < 0 || t_ >= {items} ? 0 : "
                        f"t_{_plain(name)}[t_]; }})")
            case Unary(op, operand):
                return f"({'!' if op == 'not' else '-'}{self.expr(operand)})"
            case Binary(op, left, right):
                one, two = self.expr(left), self.expr(right)
                called = {"min": "min_", "max": "max_", "//": "floor_div", "%": "floor_mod"}.get(op)
                if called:
                    return f"{called}({one}, {two})"
                return f"({one} { {'and': '&&', 'or': '||'}.get(op, op)} {two})"
            case Cond(test, then, other):
                return f"({self.expr(test)} ? {self.expr(then)} : {self.expr(other)})"
            case Reduce():
                return self.reduced(expr)
            case _:
                raise AbsentError("a twin of this machine cannot be written")

    def reduced(self, expr: Reduce) -> str:
        """Write a fold."""
        v, r = _local(expr.var), f"r{_local(expr.var)}"
        first = {"sum": "0", "any": "0", "all": "1"}.get(expr.op, str(expr.empty))
        body = self.expr(expr.body)
        step = {"sum": f"{r} += {body}", "any": f"{r} |= {body}", "all": f"{r} &= {body}"}.get(
            expr.op, f"int b{v} = {body}; {r} = n{v}++ ? {expr.op}_({r}, b{v}) : b{v}")
        return (f"({{ int {r} = {first}, n{v} = 0; (void) n{v}; "
                f"for (int {v} = 0; {v} < {expr.size}; {v}++) "
                f"if ({self.expr(expr.where)}) {{ {step}; }} {r}; }})")


def _slots(param: Param) -> int:
    """Return how many numbers an argument takes."""
    return param.domain.high + 1 if param.bag else 1


def _plain(name: str) -> str:
    return "".join(c if c.isalnum() else f"_{ord(c)}_" for c in name)


def _local(name: str) -> str:
    return f"l_{_plain(name)}"


def _name(array: Array) -> str:
    return f"a_{_plain(array.name)}"


def _width(array: Array) -> int:
    if array.low >= 0 and array.high < 1 << 8:
        return 1
    return 2 if array.low >= -(1 << 15) and array.high < 1 << 15 else 4
