"""WebAssembly modules in binary form: values, functions, memories, and the module that holds them.

A `Val` is code that pushes one number; operators put code together.  A `Function` is a stream of
instructions with structured control; `with` opens a block and gives the label to branch to.  The
encoding is that of the WebAssembly specification 3.0, chapter 5; only what is used is here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

I32, I64 = 0x7F, 0x7E
EMPTY = b"\x40"
PAGE = 1 << 16

OPCODES = {op: (bytes((narrow,)), bytes((wide,))) for op, narrow, wide in (
    ("==", 0x46, 0x51), ("!=", 0x47, 0x52), ("<", 0x48, 0x53), ("<u", 0x49, 0x54),
    (">", 0x4A, 0x55), (">u", 0x4B, 0x56), ("<=", 0x4C, 0x57), ("<=u", 0x4D, 0x58),
    (">=", 0x4E, 0x59), (">=u", 0x4F, 0x5A), ("+", 0x6A, 0x7C), ("-", 0x6B, 0x7D),
    ("*", 0x6C, 0x7E), ("/s", 0x6D, 0x7F), ("/u", 0x6E, 0x80), ("%s", 0x6F, 0x81),
    ("%u", 0x70, 0x82), ("&", 0x71, 0x83), ("|", 0x72, 0x84), ("^", 0x73, 0x85),
    ("<<", 0x74, 0x86), (">>u", 0x76, 0x88), ("rotl", 0x77, 0x89))}
"""The opcodes for 32 and for 64 bits."""
COMPARISONS = frozenset(list(OPCODES)[:10])
_LOADS = {"u8": 0x2D, "u16": 0x2F, "i32": 0x28, "i64": 0x29, "s16": 0x2E}
_STORES = {"u8": 0x3A, "u16": 0x3B, "i32": 0x36, "i64": 0x37}


def unsigned(value: int) -> bytes:
    """Encode a number that is not negative (LEB128)."""
    if value < 0x80:
        return _SMALL[value]
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def signed(value: int) -> bytes:
    """Encode a number (LEB128 in two's complement)."""
    out = bytearray()
    while not -0x40 <= value < 0x40:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value & 0x7F)
    return bytes(out)


_SMALL = tuple(bytes((value,)) for value in range(0x80))


def vector(items: Sequence[bytes]) -> bytes:
    """Encode a list."""
    return unsigned(len(items)) + b"".join(items)


@dataclass(slots=True)
class Val:
    """Code that pushes one number of a type."""

    code: bytes
    type: int = I32

    def op(self, op: str, other: Val | int) -> Val:
        """Apply an operator of `OPCODES`; a comparison gives 0 or 1."""
        right = const(other, self.type) if isinstance(other, int) else other
        wide = self.type == I64
        type_ = I32 if op in COMPARISONS else self.type
        return Val(self.code + right.code + OPCODES[op][wide], type_)

    def __add__(self, other: Val | int) -> Val:
        return self if other == 0 and isinstance(other, int) else self.op("+", other)

    def __sub__(self, other: Val | int) -> Val:
        return self.op("-", other)

    def __mul__(self, other: Val | int) -> Val:
        return self.op("*", other)

    def __and__(self, other: Val | int) -> Val:
        return self.op("&", other)

    def __or__(self, other: Val | int) -> Val:
        return self.op("|", other)

    def __xor__(self, other: Val | int) -> Val:
        return self.op("^", other)

    def __lshift__(self, other: Val | int) -> Val:
        return self.op("<<", other)

    def __rshift__(self, other: Val | int) -> Val:
        return self.op(">>u", other)

    @property
    def zero(self) -> Val:
        """1 if it is 0, else 0."""
        return Val(self.code + (b"\x50" if self.type == I64 else b"\x45"))

    @property
    def wide(self) -> Val:
        """The same as 64 bits, with its sign."""
        return self if self.type == I64 else Val(self.code + b"\xac", I64)

    @property
    def wide_unsigned(self) -> Val:
        """The same as 64 bits, without a sign."""
        return self if self.type == I64 else Val(self.code + b"\xad", I64)

    @property
    def low(self) -> Val:
        """The lower 32 bits."""
        return self if self.type == I32 else Val(self.code + b"\xa7", I32)

    def choose(self, yes: Val, no: Val) -> Val:
        """Return one of two values; both are computed."""
        return Val(yes.code + no.code + self.code + b"\x1b", yes.type)


def const(value: int, type_: int = I32) -> Val:
    """Push a number."""
    bits = 64 if type_ == I64 else 32
    value = (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
    return Val((b"\x42" if type_ == I64 else b"\x41") + signed(value), type_)


def load(kind: str, address: Val, offset: int = 0, memory: int = 0) -> Val:
    """Read from a memory: `u8`, `u16`, `s16`, `i32` or `i64`."""
    code = address.code + bytes((_LOADS[kind],)) + place(offset, memory)
    return Val(code, I64 if kind == "i64" else I32)


def place(offset: int, memory: int = 0) -> bytes:
    """Encode the place that a load or a store names; nothing is said about its alignment."""
    if memory:
        return b"\x40" + unsigned(memory) + unsigned(offset)
    return b"\0" + unsigned(offset)


def get_global(index: int, type_: int = I32) -> Val:
    """Read a global."""
    return Val(b"\x23" + unsigned(index), type_)


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a function."""

    params: tuple[int, ...]
    results: tuple[int, ...] = ()

    def encoded(self) -> bytes:
        """Return its bytes."""
        return b"\x60" + vector([_SMALL[p] for p in self.params]) + vector(
            [_SMALL[r] for r in self.results])


@dataclass(slots=True)
class Function:
    """A function being written."""

    type: Type
    code: bytearray = field(default_factory=bytearray)
    locals: list[int] = field(default_factory=list)
    depth: int = 0
    imported: str = ""
    """The name by which another module's function is taken over; it has no body then."""

    def param(self, number: int) -> Val:
        """Read a parameter."""
        return Val(b"\x20" + unsigned(number), self.type.params[number])

    def new(self, type_: int = I32) -> int:
        """Make a local; give its index."""
        self.locals.append(type_)
        return len(self.type.params) + len(self.locals) - 1

    def var(self, value: Val | int = 0, type_: int = I32) -> Val:
        """Make a local with a first value; what is given back reads it."""
        made = value if isinstance(value, Val) else const(value, type_)
        index = self.new(made.type)
        here = Val(b"\x20" + unsigned(index), made.type)
        self.set(here, made)
        return here

    def set(self, var: Val, value: Val | int) -> None:
        """Give a local (as `var` or `param` has given it) a value."""
        made = value if isinstance(value, Val) else const(value, var.type)
        self.code += made.code + b"\x21" + var.code[1:]

    def store(self, kind: str, address: Val, value: Val | int, offset: int = 0,
              memory: int = 0) -> None:
        """Write to a memory."""
        made = value if isinstance(value, Val) else const(value, I64 if kind == "i64" else I32)
        self.code += address.code + made.code + bytes((_STORES[kind],)) + place(offset, memory)

    def set_global(self, index: int, value: Val) -> None:
        """Give a global a value."""
        self.code += value.code + b"\x24" + unsigned(index)

    def copy(self, to: Val, source: Val, size: int, memories: tuple[int, int] = (0, 0)) -> None:
        """Copy bytes between memories; addresses are computed again and again."""
        if size > 2560:
            self.code += (to.code + source.code + const(size).code + b"\xfc\x0a"
                          + unsigned(memories[0]) + unsigned(memories[1]))
            return
        at = 0
        while size - at >= 16:
            self.code += (to.code + source.code + b"\xfd\x00" + place(at, memories[1])
                          + b"\xfd\x0b" + place(at, memories[0]))
            at += 16
        for kind, width in (("i64", 8), ("i32", 4), ("u16", 2), ("u8", 1)):
            while size - at >= width:
                self.store(kind, to, load(kind, source, at, memories[1]), at, memories[0])
                at += width

    @contextmanager
    def block(self) -> Iterator[int]:
        """Open a block; a branch to its label leads behind it."""
        yield self.open(b"\x02" + EMPTY)
        self.end()

    @contextmanager
    def loop(self) -> Iterator[int]:
        """Open a loop; a branch to its label begins it anew."""
        yield self.open(b"\x03" + EMPTY)
        self.end()

    @contextmanager
    def each(self, at: Val, end: Val | int, step: Val | int) -> Iterator[None]:
        """Open a loop that is run until a variable, which each run raises by a step, is an end."""
        with self.block() as done, self.loop() as again:
            self.branch(done, at.op("==", end))
            yield
            self.set(at, at + step)
            self.branch(again)

    @contextmanager
    def when(self, test: Val) -> Iterator[int]:
        """Open a block that is run if a test is not 0; a branch to its label leads behind it."""
        yield self.open(test.code + b"\x04" + EMPTY)
        self.end()

    def open(self, code: bytes) -> int:
        """Open a block of any kind; give its label."""
        self.code += code
        self.depth += 1
        return self.depth

    def otherwise(self) -> None:
        """Go on with the other branch."""
        self.code += b"\x05"

    def end(self) -> None:
        """Close a block."""
        self.code += b"\x0b"
        self.depth -= 1

    def branch(self, label: int, test: Val | None = None) -> None:
        """Branch, if there is a test: only if it is not 0."""
        if test is not None:
            self.code += test.code
        self.code += (b"\x0c" if test is None else b"\x0d") + unsigned(self.depth - label)

    def give(self, value: Val | None = None) -> None:
        """Return."""
        self.code += (value.code if value is not None else b"") + b"\x0f"

    def fail(self) -> None:
        """Trap."""
        self.code += b"\x00"

    def do(self, value: Val) -> None:
        """Run code that pushes nothing."""
        self.code += value.code

    def encoded(self) -> bytes:
        """Return the body's bytes."""
        runs: list[list[int]] = []
        for each in self.locals:
            if runs and runs[-1][1] == each:
                runs[-1][0] += 1
            else:
                runs.append([1, each])
        body = vector([unsigned(n) + _SMALL[t] for n, t in runs]) + bytes(self.code) + b"\x0b"
        return unsigned(len(body)) + body


@dataclass(slots=True)
class Module:
    """A module being written.  Functions, globals and memories are named by their numbers."""

    types: dict[Type, int] = field(default_factory=dict)
    functions: list[Function] = field(default_factory=list)
    globals: list[tuple[int, int]] = field(default_factory=list)
    memories: list[int] = field(default_factory=list)
    shared: list[str] = field(default_factory=list)
    """The names of the memories that are taken over; they have the first numbers."""
    table: list[int] = field(default_factory=list)
    exports: list[tuple[str, int, int]] = field(default_factory=list)
    data: list[tuple[int, bytes]] = field(default_factory=list)
    top: int = 16
    """Where static memory that nobody has set aside begins."""

    def room(self, size: int) -> int:
        """Set static memory aside; give its address, a multiple of 16."""
        at = self.top
        self.top += (size + 15) // 16 * 16
        return at

    def function(self, params: Sequence[int], results: Sequence[int] = (), *,
                 name: str = "") -> tuple[int, Function]:
        """Begin a function, exported if it has a name; give its number too."""
        made = Function(Type(tuple(params), tuple(results)))
        self.type(made.type)
        self.functions.append(made)
        number = len(self.functions) - 1
        if name:
            self.exports.append((name, 0, number))
        return number, made

    def take_over(self, name: str, params: Sequence[int], results: Sequence[int]) -> int:
        """Import a function, before any is begun; give its number."""
        number, made = self.function(params, results)
        made.imported = name
        return number

    def share(self, name: str) -> int:
        """Import a memory, before any is made; give its number."""
        self.shared.append(name)
        return len(self.shared) - 1

    def type(self, of: Type) -> int:
        """Return the number of a type."""
        return self.types.setdefault(of, len(self.types))

    def variable(self, start: int = 0, type_: int = I32, *, name: str = "") -> int:
        """Make a global that can change; give its number."""
        self.globals.append((type_, start))
        if name:
            self.exports.append((name, 3, len(self.globals) - 1))
        return len(self.globals) - 1

    def memory(self, pages: int, name: str) -> int:
        """Make an exported memory that grows as far as it may; give its number."""
        self.memories.append(pages)
        number = len(self.shared) + len(self.memories) - 1
        self.exports.append((name, 2, number))
        return number

    def call(self, number: int, *arguments: Val) -> Val:
        """Call a function."""
        results = self.functions[number].type.results
        code = b"".join(a.code for a in arguments) + b"\x10" + unsigned(number)
        return Val(code, results[0] if results else I32)

    def call_entry(self, of: Type, entry: Val, *arguments: Val) -> Val:
        """Call the function at a place of the table."""
        code = b"".join(a.code for a in arguments) + entry.code
        code += b"\x11" + unsigned(self.type(of)) + b"\0"
        return Val(code, of.results[0] if of.results else I32)

    def encoded(self) -> bytes:
        """Return the module's bytes."""
        size = unsigned(len(self.table))
        own = [function for function in self.functions if not function.imported]
        imports = [_imported(f.imported, b"\0" + unsigned(self.types[f.type]))
                   for f in self.functions if f.imported]
        imports += [_imported(name, b"\2\0\1") for name in self.shared]
        sections = [
            (1, vector([each.encoded() for each in self.types])),
            (2, vector(imports)),
            (3, vector([unsigned(self.types[f.type]) for f in own])),
            (4, vector([b"\x70\x01" + size + size])),
            (5, vector([b"\0" + unsigned(pages) for pages in self.memories])),
            (6, vector([_SMALL[t] + b"\x01" + const(start, t).code + b"\x0b"
                        for t, start in self.globals])),
            (7, vector([unsigned(len(name)) + name.encode() + bytes((kind,)) + unsigned(number)
                        for name, kind, number in self.exports])),
            (9, vector([b"\0" + const(0).code + b"\x0b"
                        + vector([unsigned(number) for number in self.table])])),
            (10, vector([function.encoded() for function in own])),
            (11, vector([b"\0" + const(at).code + b"\x0b" + unsigned(len(row)) + row
                         for at, row in self.data])),
        ]
        return b"\0asm\x01\0\0\0" + b"".join(
            bytes((number,)) + unsigned(len(row)) + row for number, row in sections)


def _imported(name: str, what: bytes) -> bytes:
    return b"\0" + unsigned(len(name)) + name.encode() + what
