"""Programs in IREE's runtime, with their weights.

This is the only module that calls IREE's runtime: it hides its devices, its threads and its errors.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..conversion import SCOPE
from . import ENTRY, TARGETS
from .errors import MISSING, NativeError
from .options import STACK_BYTES
from .parameters import ALIGNMENT

if TYPE_CHECKING:
    from .program import Compiled

Array = NDArray[Any]

VULKAN = "vulkan"
"""The target Vulkan, and IREE's driver for it."""

broken_devices: set[str] = set()
"""The drivers of devices that failed to load a program. IREE cannot release a Vulkan device then:
it aborts at the end of the process."""

THREAD_STACK = 8 * STACK_BYTES
"""The stack of a thread holds the memory of a kernel and of its callers."""


def _runtime() -> Any:
    """Return IREE's runtime with thread stacks that are large enough for kernels; with smaller
    stacks the process ends without a message. Raises `NativeError` if it is not installed."""
    try:
        import iree.runtime as runtime  # pyright: ignore
    except ImportError as e:
        raise NativeError(MISSING.format(what="running native code")) from e
    rt: Any = runtime
    rt.flags.parse_flags(f"--task_worker_stack_size={THREAD_STACK}")
    return rt


def set_threads(count: int) -> None:
    """Let programs on the CPU that are loaded later use this number of threads."""
    _runtime().flags.parse_flags(f"--task_topology_group_count={count}")


@cache
def _device(rt: Any, driver: str) -> Any:
    """Return the device of a driver. A CPU keeps memory for the next run: otherwise each run gets
    large blobs as new pages from the system, which takes longer than some kernels."""
    if not driver.startswith("local"):
        return rt.get_device(driver)
    return rt.get_driver(driver).create_device_by_uri(driver, allocators=["caching"])


class Loaded:
    """A loaded program. Raises `NativeError` if it cannot be loaded."""

    def __init__(self, compiled: "Compiled", driver: str | None = None) -> None:
        self._runtime = _runtime()
        self._results = compiled.results
        self._driver = driver or TARGETS[compiled.target].driver
        try:
            self._load(compiled, self._driver)
        except NativeError:
            raise
        except (RuntimeError, ValueError) as e:
            broken_devices.add(self._driver)
            raise NativeError(f"IREE cannot load the program: {_line(e)}") from e

    def _load(self, compiled: "Compiled", driver: str) -> None:
        rt: Any = self._runtime
        try:
            self._device = device = _device(rt, driver)
        except (RuntimeError, ValueError) as e:
            raise NativeError(f"there is no device of IREE's '{driver}': {_line(e)}") from e
        instance = rt.VmInstance()
        modules = [rt.create_hal_module(instance, device)]
        if compiled.parameters:
            self._index = index_of(rt, compiled)
            provider = self._index.create_provider(SCOPE)
            modules.append(rt.create_io_parameters_module(instance, provider))
        program = rt.VmModule.copy_buffer(instance, compiled.code)
        self._context = rt.VmContext(instance, [*modules, program])
        function = program.lookup_function(ENTRY)
        if function is None:
            raise NativeError(f"the program has no function '{ENTRY}'")
        device.allocator.trim()  # memory that only loading needs
        self._invoke = rt.FunctionInvoker(self._context, device, function)

    def call(self, arrays: Sequence[Array]) -> dict[str, Array]:
        """Return the results for these arrays by name. Raises `NativeError`."""
        try:
            made = self._invoke(*arrays)
            several: Any = [made] if len(self._results) == 1 else made
            ports = zip(self._results, several, strict=True)
            return {port.name: self._to_host(value, port.dtype) for port, value in ports}
        except (RuntimeError, ValueError) as e:
            raise NativeError(f"the program fails: {_line(e)}") from e

    def _to_host(self, value: Any, dtype: str) -> Array:
        """Return the values of an array on the device. IREE copies them to any place of the host's
        memory, but Vulkan accepts whole pages only; then they go through memory of Vulkan."""
        view = value._buffer_view
        if self._driver.startswith("local"):  # `to_host` takes longer than some models
            return np.frombuffer(view.map(), dtype).reshape(view.shape).copy()
        if self._driver != VULKAN:
            return np.array(value.to_host())
        rt: Any = self._runtime
        source = view.get_buffer()
        staged = self._device.allocator.allocate_buffer(
            memory_type=int(rt.MemoryType.HOST_LOCAL | rt.MemoryType.DEVICE_VISIBLE),
            allowed_usage=int(rt.BufferUsage.TRANSFER_TARGET | rt.BufferUsage.MAPPING_SCOPED),
            allocation_size=source.byte_length(),
        )
        done = self._device.create_semaphore(0)
        start, end = rt.HalFence.create_at(done, 0), rt.HalFence.create_at(done, 1)
        self._device.queue_copy(source, staged, wait_semaphores=start, signal_semaphores=end)
        end.wait()
        return np.array(staged.map().asarray(view.shape, value.dtype))


def index_of(rt: Any, compiled: "Compiled") -> Any:
    """Return IREE's index of the weights. It keeps files open as long as necessary, and maps
    weights that are read in place."""
    index = rt.ParameterIndex()
    with ExitStack() as files:
        handles: dict[Any, Any] = {}
        for each in compiled.parameters:
            file, offset, _ = each.place
            # A CPU uses mapped weights in place. IREE copies unaligned weights, best from a file,
            # but it reads no files for Vulkan.
            in_place = compiled.target == "cpu" and offset % ALIGNMENT == 0
            mapped = in_place or compiled.target == VULKAN
            if (file, mapped) not in handles:
                if mapped:
                    handle = rt.FileHandle.wrap_memory(file.map(0, file.size))
                else:
                    handle = rt.FileHandle.wrap_fd(files.enter_context(file.stream()).fileno())
                handles[file, mapped] = handle
            index.add_from_file_handle(each.key, handles[file, mapped], each.size, offset)
    return index


def _line(error: Exception) -> str:
    """Return the first line of IREE's message."""
    if "not found or unavailable: #hal.device.target" in str(error):
        return "the code is for another processor than there is here"
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
