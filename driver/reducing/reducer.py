"""Delta debugging of a model with a test that names the failure."""

from collections.abc import Callable, Iterator
from functools import partial
from time import monotonic

from xdsl.dialects.builtin import ModuleOp

from ...analysis.faults import faults
from ...dialects.ncnn.lookup import model_of
from ...transforms.edits.naming import file_layers
from ...transforms.reduction.layers import (
    layer_count,
    with_output,
    without_layers,
    without_outputs,
)
from ...transforms.reduction.values import default_parameters, simpler_weights, smaller_inputs
from ..errors import USER_ERRORS

Test = Callable[[ModuleOp], str | None]
"""Returns the failure of a model in a few words; `None` if it does not fail, or is no valid
model."""

Simplification = Callable[[], ModuleOp | None]


class Reducer:
    """A search for a smaller model with the same failure."""

    def __init__(self, module: ModuleOp, test: Test, tell: Callable[[str], None]) -> None:
        """`tell` receives the progress as text."""
        self.module = module
        self.test = test
        self.tell = tell
        self.tests = 0
        self.has_faults = next(faults(model_of(module)), None) is not None
        self.begun = monotonic()
        self.failure = self.run(module)
        """The failure of the original; `None` if it does not fail."""

    def reduce(self) -> ModuleOp:
        """Return the smallest model that was found."""
        if self.failure is None:
            return self.module
        self.cut_end()
        self.cut_start()
        while True:
            before = self.module
            self.remove_layers()
            self.take_all(smaller_inputs)
            self.take_all(default_parameters)
            if self.module is before:
                break
        self.take_all(simpler_weights)
        return self.module

    # -- tests

    def run(self, module: ModuleOp) -> str | None:
        """Return the failure of a model."""
        self.tests += 1
        return self.test(module.clone())

    def try_step(self, step: Simplification) -> bool:
        """Take a step if the result fails as the original does."""
        try:
            made = step()
            if made is None or (not self.has_faults and self.is_faulty(made)):
                return False
            made.verify()
            fails = self.run(made) == self.failure
        except USER_ERRORS:
            return False
        except Exception:  # noqa: BLE001  (inference on a model that no file could contain)
            return False
        if fails:
            self.module = made
        self.tell(f"{layer_count(self.module)} layers, {self.tests} tests")
        return fails

    def is_faulty(self, module: ModuleOp) -> bool:
        """Whether the runtime would compute something else for this model."""
        return next(faults(model_of(module)), None) is not None

    # -- layers

    def cut_end(self) -> None:
        """Let the model end as early as possible, by bisection."""
        original = self.module
        low, high = 0, len(file_layers(model_of(original)))
        while low < high:
            middle = (low + high) // 2
            if self.try_step(partial(with_output, original, middle)):
                high = middle
            else:
                low = middle + 1

    def cut_start(self) -> None:
        """Let the model start as late as possible, by bisection."""
        original = self.module
        low, high = 0, len(file_layers(model_of(original))) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.try_step(partial(without_layers, original, range(middle))):
                low = middle
            else:
                high = middle - 1

    def remove_layers(self) -> None:
        """Remove chunks of layers, large ones first (ddmin), then outputs."""
        size = max(1, layer_count(self.module) // 2)
        while size:
            start, done = 0, False
            while start < layer_count(self.module):
                chunk = range(start, start + size)
                module = self.module
                if self.try_step(partial(without_layers, module, chunk)) or self.try_step(
                    partial(without_layers, module, chunk, bypass=True)
                ):
                    done = True
                else:
                    start += size
            if not done or size > 1:
                size //= 2
        i = 0
        while i < len(model_of(self.module).function_type.outputs):
            if not self.try_step(partial(without_outputs, self.module, {i})):
                i += 1

    # -- values

    def take_all(self, steps: Callable[[ModuleOp], Iterator[ModuleOp]]) -> None:
        """Take steps of a kind until none leads to a failing model."""
        again = True
        while again:
            again = False
            found = steps(self.module)
            while True:
                try:
                    made = next(found, None)
                except USER_ERRORS:
                    break
                except Exception:  # noqa: BLE001  (a step to an invalid model)
                    break
                if made is None:
                    break
                if self.try_step(lambda made=made: made):
                    again = True
                    break
