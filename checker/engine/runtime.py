"""Running compiled modules in wasmtime, which is loaded when it is first needed."""

from __future__ import annotations

import atexit
import ctypes
from functools import cache, partial
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

from collections.abc import Callable, Sequence

from ...model.source.errors import first_line
from ..emitter.unit import UnsupportedError
from .cache import kept

if TYPE_CHECKING:
    import wasmtime


MOST_ARGUMENTS = 8
"""Of one function."""
MOST_BYTES = 1 << 32
"""Of one memory."""

_CALL = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p,
                         ctypes.c_size_t, ctypes.c_void_p)
"""Context, function, arguments and then the result, how many there are, trap -> error."""


class Trap(Exception):  # noqa: N818  (WebAssembly's word)
    """Compiled code stopped; it has left a reason in its memory."""


SLOW = "wasmtime cannot be loaded: the rules run in Python, some hundred times slower"


@cache
def available() -> bool:
    """Return whether wasmtime is installed and can run here."""
    try:
        _engine()
    except (ImportError, OSError):
        return False
    return True


@cache
def _limited() -> bool:
    """Return whether address space is scarce: then memories are small at first, and move."""
    return resource is not None and (
        resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY)


@cache
def _engine() -> wasmtime.Engine:
    import wasmtime  # noqa: PLC0415  (25 ms, and not all platforms have it)

    atexit.register(_close)
    config = wasmtime.Config()
    config.wasm_multi_memory = True
    config.parallel_compilation = False
    if _limited():
        # Else each memory takes 4 GiB of address space, and 2 more to grow.
        config.memory_reservation = 0
        config.memory_reservation_for_growth = 1 << 22
        config.memory_guard_size = 1 << 16
    else:
        config.memory_reservation = 1 << 32
        config.memory_may_move = False
    return wasmtime.Engine(config)


def load(code: bytes) -> wasmtime.Module:
    """Compile a module to machine code, or take it from where it is kept.

    Raises:
        UnsupportedError: if it is too large for wasmtime.

    """
    import wasmtime  # noqa: PLC0415  (see `_engine`)

    engine = _engine()

    def make() -> bytes:
        return bytes(wasmtime.Module(engine, code).serialize())

    try:
        module = wasmtime.Module.deserialize(engine, kept(code, f"limited {_limited()}", make))
    except wasmtime.WasmtimeError:  # made by another build of wasmtime, say
        try:
            module = wasmtime.Module(engine, code)
        except wasmtime.WasmtimeError as error:
            raise UnsupportedError(first_line(error)) from error
    _MODULES.add(module)
    return module


_MODULES: WeakSet[wasmtime.Module] = WeakSet()
_RUNNING: WeakSet[Running] = WeakSet()


def _close() -> None:
    """Let go of everything while wasmtime can still free it."""
    for running in _RUNNING:
        del running.store, running.exports
    for module in _MODULES:
        module.close()
    _engine.cache_clear()


class Running:
    """An instance of a module: its functions by name, and its memories as bytes.

    It may work with an instance `beside` it, of which it takes over `imports`, in this order.

    Raises:
        UnsupportedError: if there is no address space for its memories.

    """

    def __init__(self, module: wasmtime.Module, *, beside: Running | None = None,
                 imports: Sequence[Any] = ()) -> None:
        import wasmtime  # noqa: PLC0415  (see `_engine`)

        self._ffi: Any = wasmtime._ffi  # noqa: SLF001  (see `_function`)
        self.store: wasmtime.Store = (wasmtime.Store(_engine()) if beside is None else beside.store)
        try:
            instance = wasmtime.Instance(self.store, module, imports)
        except wasmtime.WasmtimeError as error:
            raise UnsupportedError("there is no room for its memories") from error
        self.exports = instance.exports(self.store)
        self._values = (ctypes.c_int64 * (2 * MOST_ARGUMENTS))()
        self._short = ctypes.c_int32.from_buffer(self._values)
        self._trap = ctypes.c_void_p()
        self._functions: dict[str, tuple[Callable[[], int | None], object]] = {}
        self._bytes: dict[str, tuple[Any, memoryview]] = {}
        _RUNNING.add(self)

    def call(self, name: str, *arguments: int, wide: bool = False) -> int:
        """Call a function with numbers of 64 or 32 bits; give its result, or whatever was there.

        Raises:
            Trap: if the code stopped.

        """
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = self._function(name)
        values, place = self._values, 0
        for argument in arguments:
            values[place] = argument
            place += 2  # each has room for 128 bits
        error = function[0]()
        if error or self._trap:
            self._stopped(error)
            raise Trap(name)
        return values[0] if wide else self._short.value

    def _function(self, name: str) -> tuple[Callable[[], int | None], object]:
        """Return what calls a function on `_values`, and what must live as long.

        The checked call of wasmtime takes 40 µs instead of 1.
        """
        found: Any = self.exports[name]
        call = _CALL(("wasmtime_func_call_unchecked", self._ffi.dll))
        context = ctypes.cast(self.store._context(), ctypes.c_void_p)  # noqa: SLF001
        return partial(call, context, ctypes.addressof(found._func),  # noqa: SLF001
                       ctypes.addressof(self._values), MOST_ARGUMENTS,
                       ctypes.addressof(self._trap)), found

    def _stopped(self, error: int | None) -> None:
        """Free what tells of a call that has stopped."""
        ffi = self._ffi
        if error:
            ffi.wasmtime_error_delete(ctypes.cast(error, ctypes.POINTER(ffi.wasmtime_error_t)))
        if self._trap:
            ffi.wasm_trap_delete(ctypes.cast(self._trap, ctypes.POINTER(ffi.wasm_trap_t)))
            self._trap.value = None

    def size(self, memory: str = "memory") -> int:
        """Return the length of a memory in bytes."""
        found: Any = self.exports[memory]
        return int(found.data_len(self.store))

    def _memory(self, memory: str) -> tuple[Any, memoryview]:
        """Return a memory as bytes to be read, and to be written, until it moves.

        They reach as far as it may grow: addresses come from compiled code, which stays inside.
        """
        known = self._bytes.get(memory)
        if known is not None:
            return known
        found: Any = self.exports[memory]
        place = ctypes.addressof(found.data_ptr(self.store).contents)
        made = ((ctypes.c_char * MOST_BYTES).from_address(place),
                memoryview((ctypes.c_ubyte * MOST_BYTES).from_address(place)).cast("B"))
        if not _limited():
            self._bytes[memory] = made
        return made

    def read(self, at: int, size: int, memory: str = "memory") -> bytes:
        """Read bytes."""
        found: bytes = self._memory(memory)[0][at : at + size]
        return found

    def write(self, at: int, row: bytes, memory: str = "memory") -> None:
        """Write bytes."""
        self._memory(memory)[1][at : at + len(row)] = row


def memory(beside: Running, pages: int) -> wasmtime.Memory:
    """Make a memory that instances share.

    Raises:
        UnsupportedError: if there is no address space for it.

    """
    import wasmtime  # noqa: PLC0415  (see `_engine`)

    try:
        return wasmtime.Memory(beside.store, wasmtime.MemoryType(wasmtime.Limits(pages, None)))
    except wasmtime.WasmtimeError as error:
        raise UnsupportedError("there is no room for its memories") from error
