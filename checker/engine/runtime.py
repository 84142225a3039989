"""Running compiled modules in wasmtime, which is loaded when it is first needed."""

from __future__ import annotations

import atexit
import ctypes
from functools import cache
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

from collections.abc import Sequence

from ...model.source.errors import first_line
from ..emitter.unit import UnsupportedError
from .cache import kept

if TYPE_CHECKING:
    import wasmtime


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

        self._ffi: Any = wasmtime._ffi  # noqa: SLF001  (the checked call takes 40 µs instead of 2)
        self.store: wasmtime.Store = (wasmtime.Store(_engine()) if beside is None else beside.store)
        try:
            instance = wasmtime.Instance(self.store, module, imports)
        except wasmtime.WasmtimeError as error:
            raise UnsupportedError("there is no room for its memories") from error
        self.exports = instance.exports(self.store)
        self._context = self.store._context()  # noqa: SLF001  (same)
        self._values = (self._ffi.wasmtime_val_raw * 8)()
        self._call: Any = self._ffi.wasmtime_func_call_unchecked
        self._trap = ctypes.POINTER(self._ffi.wasm_trap_t)
        self._functions: dict[str, Any] = {}
        self._places: dict[str, int] = {}
        _RUNNING.add(self)

    def call(self, name: str, *arguments: int, wide: bool = False) -> int:
        """Call a function with numbers of 64 or 32 bits; give its result, or whatever was there.

        Raises:
            Trap: if the code stopped.

        """
        function = self._functions.get(name)
        if function is None:
            found: Any = self.exports[name]
            function = self._functions[name] = ctypes.byref(found._func)  # noqa: SLF001  (same)
        values = self._values
        for i, argument in enumerate(arguments):
            values[i].i64 = argument
        trap = self._trap()
        error = self._call(self._context, function, values, 8, ctypes.byref(trap))
        if error:
            self._ffi.wasmtime_error_delete(error)
            raise Trap(name)
        if trap:
            self._ffi.wasm_trap_delete(trap)
            raise Trap(name)
        return int(values[0].i64 if wide else values[0].i32)

    def size(self, memory: str = "memory") -> int:
        """Return the length of a memory in bytes."""
        found: Any = self.exports[memory]
        return int(found.data_len(self.store))

    def address(self, memory: str = "memory") -> int:
        """Return where a memory lies in the process, until it grows."""
        known = self._places.get(memory)
        if known is not None:
            return known
        found: Any = self.exports[memory]
        place = ctypes.addressof(found.data_ptr(self.store).contents)
        if not _limited():
            self._places[memory] = place
        return place

    def read(self, at: int, size: int, memory: str = "memory") -> bytes:
        """Read bytes.  Addresses come from compiled code, which stays inside its memory."""
        return ctypes.string_at(self.address(memory) + at, size)

    def write(self, at: int, row: bytes, memory: str = "memory") -> None:
        """Write bytes."""
        ctypes.memmove(self.address(memory) + at, row, len(row))


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
