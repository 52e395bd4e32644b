"""The compiled component, its cache on disk, and instances under limits."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import re
import stat
import sys
import tempfile
import threading
import time
import weakref
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Sequence

from wasmtime import Config, Engine, Store, WasiConfig, WasmtimeError
from wasmtime import _ffi as ffi
from wasmtime.component import Component, Linker, ListType

from . import _fork
from ._examine import examine
from ._signatures import check
from .errors import ClosedError, ComponentError, Trapped
from .limits import Class, Limits

CONTRACT = "weir:plugin"
CONTRACT_VERSION = "0.3.0"
TICK = 0.05
"""Seconds between two ticks of the clock of deadlines."""

OLD = 90 * 24 * 3600
"""Seconds after which compiled code that nobody loads is removed from the cache."""

# Before 50, wasmtime-py's table of such callbacks was not safe to use from several threads.
COLLECTS_STDERR = int(metadata.version("wasmtime").split(".")[0]) >= 50

LimitsOf = Callable[[Class, int], Limits]


def _pass_bytes_at_once() -> None:
    """Makes wasmtime-py pass bytes as a block. By itself it passes one at a time, two seconds a megabyte."""
    value, one_by_one = ffi.wasmtime_component_val_t, ListType.convert_to_c
    cells = []
    for byte in range(256):
        cell = value()
        cell.kind, cell.of.u8 = ffi.WASMTIME_COMPONENT_U8, byte
        cells.append(bytes(cell))

    def convert(self: ListType, store: Any, given: Any, to: Any) -> None:
        if not isinstance(given, bytes) or not self._is_bytes():
            one_by_one(self, store, given, to)
            return
        made = ffi.wasmtime_component_vallist_t()
        ffi.wasmtime_component_vallist_new_uninit(made, len(given))
        ctypes.memmove(made.data, b"".join(map(cells.__getitem__, given)), len(given) * ctypes.sizeof(value))
        to.contents.kind = ffi.WASMTIME_COMPONENT_LIST
        to.contents.of.list = made

    ListType.convert_to_c = convert  # type: ignore[method-assign]


# Of a version that is made otherwise bytes only take longer.
with contextlib.suppress(AttributeError, TypeError):
    _pass_bytes_at_once()


def embedded() -> Path:
    """The component in this package."""
    return Path(__file__).with_name("weir.wasm")


class Compiled:
    """The component, compiled once for any number of threads."""

    def __init__(self, component: Path, cache: Path | None, trusted_keys: Sequence[str | os.PathLike[str]] | None = None) -> None:
        config = Config()
        config.consume_fuel = True
        config.epoch_interruption = True
        self.engine = Engine(config)
        try:
            wasm = component.read_bytes()
        except OSError as error:
            raise ComponentError(f"cannot read the component {component}: {error}") from error
        ours = embedded()
        if trusted_keys is not None and not (ours.exists() and wasm == ours.read_bytes()):
            check(component, wasm, trusted_keys)
        examine(component, wasm)
        self.digest = hashlib.sha256(wasm).hexdigest()
        self.from_cache = False
        code = self._load(wasm, cache), Linker(self.engine)
        code[1].add_wasip2()
        self._code: tuple[Component, Linker] | None = code
        self._indexes: dict[tuple[str, str], Any] = {}
        self.clock = Clock(self.engine)
        self.index("info", "describe-component")

    @property
    def code(self) -> tuple[Component, Linker]:
        """The compiled component and what it is linked with. Raises `ClosedError`."""
        code = self._code
        if code is None:
            raise ClosedError("this Weir is closed: open its directory anew")
        return code

    def close(self) -> None:
        """Let go of the code. Instances that are there keep it for as long as they are."""
        self._code = None
        self._indexes.clear()

    def index(self, interface: str, function: str) -> Any:
        """Where a function of the contract is."""
        component, _ = self.code
        key = interface, function
        found = self._indexes.get(key)
        if found is None:
            outer = component.get_export_index(f"{CONTRACT}/{interface}@{CONTRACT_VERSION}")
            found = None if outer is None else component.get_export_index(function, outer)
            if found is None:
                raise ComponentError(
                    f"this component has no {CONTRACT}/{interface}@{CONTRACT_VERSION} with {function}: "
                    "it is of a world that leaves it out; weir.wasm has all"
                )
            self._indexes[key] = found
        return found

    def _load(self, wasm: bytes, cache: Path | None) -> Component:
        directory = None if cache is None else private_directory(cache)
        prefix = f"{self.digest[:32]}-wasmtime-{metadata.version('wasmtime')}-"
        if directory is not None:
            for file in sorted(directory.glob(f"{prefix}*.cwasm")):
                component = self._load_compiled(file, file.stem.removeprefix(prefix))
                if component is not None:
                    self.from_cache = True
                    return component
        lost = _fork.begin(_fork.COMPILING)
        if lost is not None:
            raise ComponentError(f"the component cannot be compiled: {lost}")
        try:
            component = Component(self.engine, wasm)
        except WasmtimeError as error:
            raise ComponentError(
                f"the component is damaged, or needs another version of wasmtime: {_cause(error)}. "
                "Get it again, or leave component out for the one in this package"
            ) from error
        if directory is not None:
            try:
                save_compiled(directory, prefix, bytes(component.serialize()))
            except OSError:
                pass  # The next start compiles again, nothing else.
        return component

    def _load_compiled(self, file: Path, digest: str) -> Component | None:
        """Compiled code is run as it is: so it must be this user's own file, and whole."""
        try:
            with open(file, "rb") as opened:
                facts = os.fstat(opened.fileno())
                if not stat.S_ISREG(facts.st_mode) or not only_ours(facts) or file.is_symlink():
                    return None
                if hashlib.sha256(opened.read()).hexdigest() != digest:
                    return None
            os.utime(file)
            return Component.deserialize_file(self.engine, str(file))
        except (OSError, WasmtimeError):
            return None


def _cause(error: WasmtimeError) -> str:
    """The last of the causes that wasmtime lists, without its number."""
    return re.sub(r"^\d+: ", "", str(error).strip().splitlines()[-1].strip())


def save_compiled(directory: Path, prefix: str, code: bytes) -> None:
    """Puts compiled code beside, then in place under its own digest, and removes what is old."""
    descriptor, temporary = tempfile.mkstemp(dir=directory, suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(code)
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, directory / f"{prefix}{hashlib.sha256(code).hexdigest()}.cwasm")
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    before = time.time() - OLD
    for file in [*directory.glob("*.cwasm"), *directory.glob("*.tmp")]:
        try:
            if file.stat().st_mtime < before:
                file.unlink()
        except OSError:
            pass


def only_ours(facts: os.stat_result) -> bool:
    """Whether nobody else can write to a file or directory."""
    if not hasattr(os, "geteuid"):
        return True
    return facts.st_uid == os.geteuid() and not facts.st_mode & 0o022


def private_directory(path: Path) -> Path | None:
    """A directory made with mode 0700, or one that is there and that only this user can write to."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path if only_ours(path.stat()) else None
    except OSError:
        return None


def user_cache() -> Path | None:
    """This user's directory for our compiled code."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
    else:
        base = os.environ.get("XDG_CACHE_HOME")
        if not base or not os.path.isabs(base):
            home = os.path.expanduser("~")
            base = os.path.join(home, "Library/Caches" if sys.platform == "darwin" else ".cache")
    return Path(base) / "weir-wasm" if base and os.path.isabs(base) else None


class Clock:
    """Deadlines are counted in ticks of a thread, which lives while calls run and a little longer."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._running = 0
        self._thread: threading.Thread | None = None
        if hasattr(os, "register_at_fork"):
            reference = weakref.ref(self)
            os.register_at_fork(after_in_child=lambda: Clock._forked(reference))

    @staticmethod
    def _forked(reference: weakref.ref[Clock]) -> None:
        clock = reference()
        if clock is not None:  # Threads do not come along.
            clock._lock, clock._running, clock._thread = threading.Lock(), 0, None

    def __enter__(self) -> None:
        with self._lock:
            self._running += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._tick, name="weir-clock", daemon=True)
                self._thread.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with self._lock:
            self._running -= 1

    def _tick(self) -> None:
        idle = 0
        while True:
            time.sleep(TICK)
            self._engine.increment_epoch()
            with self._lock:
                idle = idle + 1 if self._running == 0 else 0
                if idle > 20:
                    self._thread = None
                    return


class Instance:
    """One instance: memory of its own, at most one directory, no network, no environment."""

    def __init__(self, compiled: Compiled, directory: Path | None, limits: Limits) -> None:
        self.compiled = compiled
        component, linker = compiled.code
        self._printed: list[bytes] = []
        self._check("instantiate")
        self.store = Store(compiled.engine)
        wasi = WasiConfig()
        if directory is not None:
            wasi.preopen_dir(str(directory), "/store")
        if COLLECTS_STDERR:
            wasi.stderr_custom = self._printed.append
        self.store.set_wasi(wasi)
        self.store.set_limits(memory_size=limits.memory)
        self._arm(limits)
        try:
            with compiled.clock:
                self.instance = linker.instantiate(self.store, component)
        except WasmtimeError as error:
            raise self._trapped("instantiate", error) from error

    def _arm(self, limits: Limits) -> None:
        self.store.set_fuel(limits.fuel)
        self.store.set_epoch_deadline(int(limits.seconds / TICK) + 2)

    def _lost(self) -> str | None:
        return _fork.begin(_fork.FILES)

    def is_lost(self) -> bool:
        """Whether this process was forked from one that made calls: nothing can be called here."""
        return self._lost() is not None

    def _check(self, function: str) -> None:
        lost = self._lost()
        if lost is not None:
            raise Trapped(function, "fault", lost)

    def call(self, limits: Limits, interface: str, name: str, *values: Any) -> Any:
        """What a function answers. After a trap the instance is dead."""
        function = self.instance.get_func(self.store, self.compiled.index(interface, name))
        if function is None:
            raise ComponentError(f"this component has no function {interface}.{name}")
        self._check(f"{interface}.{name}")
        self._arm(limits)
        try:
            with self.compiled.clock:
                answer = function(self.store, *values)
                function.post_return(self.store)
        except WasmtimeError as error:
            raise self._trapped(f"{interface}.{name}", error) from error
        return answer

    def _trapped(self, function: str, error: WasmtimeError) -> Trapped:
        told = str(error)
        printed = b"".join(self._printed).decode("utf-8", "replace").strip()
        # The component's own stack lies before all else in its memory.
        words = (
            ("all fuel consumed", "fuel"),
            ("wasm trap: interrupt", "deadline"),
            ("call stack exhausted", "stack"),
            ("out of bounds memory access", "stack"),
        )
        reason = next((reason for word, reason in words if word in told), "fault")
        # Without memory it stops and says that alone, or nothing; a panic says what it was.
        is_full = not printed or printed.startswith("memory allocation of ")
        if reason == "fault" and "unreachable" in told and is_full:
            reason = "memory"
        return Trapped(function, reason, printed or told.strip().splitlines()[-1])
