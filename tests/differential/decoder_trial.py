"""What tests do with a decoder: run passes on it, and call the result in the runtime step by step.
The decoder without caches, called once for all steps, tells what is right."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from ncnn_opt.transforms.rewriting.observers import observing_alone
from ncnn_opt.transforms.rewriting.remarks import Remark, RemarkListener
from ncnn_opt.transforms.rewriting.rewrite_counter import RewriteCounter
from xdsl.utils.exceptions import PassFailedException

from .comparing import difference, is_evidence
from .compiler import load, run_passes, save
from .decoding import HIDDEN, causal, parts
from .drawn_decoders import CACHED, WHOLE, DecoderModel
from .driver import Checked, Mismatch
from .nets import Dress
from .runtime import Array, Blobs, Failure, Runtime
from .tally import record

ADDS, FUSES, UNFUSES = "add-kv-cache", "fuse-kv-cache", "unfuse-kv-cache"


class DecoderTrial:
    """A decoder and its outputs for all steps."""

    def __init__(
        self, model: DecoderModel, dress: Dress, runtime: Runtime, folder: Path, least: float
    ) -> None:
        self.model, self.runtime, self.least = model, runtime, least
        self.net = model.build(dress)
        self.folder = folder
        self.param = self.net.write(folder)
        whole = model.reference()
        path = whole.build(dress).write(folder, "whole")
        self.expected = self._at_once(whole, path, model.plan.count)
        if is_evidence(self.expected) and model.plan.form != WHOLE:
            own = self._called(self.param, added=False)
            problem = self._differs(own)
            if model.plan.miss == "newest first":
                self.expected = own
            elif problem:
                raise AssertionError(f"the decoder drawn is none: {problem}")
        self.is_evidence = is_evidence(self.expected)

    def after(self, passes: Sequence[str], limit: int | None = None) -> Checked:
        """The decoder after some passes, or after so many rewrites of them; raises `Mismatch` if it
        computes something else."""
        remarks, counter = list[Remark](), RewriteCounter(limit)
        plan, result = self.model.plan, self.folder / "optimized.param"
        with observing_alone(RemarkListener(remarks.append), counter):
            module = load(self.param)
            try:
                run_passes(module, passes)
            except PassFailedException as refusal:
                if plan.may_be_refused:
                    return Checked(passes, self.param, remarks, counter.fired)
                raise Mismatch(f"refused: {refusal}", "float32", self.param) from refusal
            save(module, result)
        problem = self._problem(result, ADDS in passes) if self.is_evidence else ""
        if problem:
            mismatch = Mismatch(problem, "float32", result)
            mismatch.fired = counter.fired
            raise mismatch
        record(counter.fired, Counter(["declared", "extents"]), self.net.traits)
        return Checked(passes, result, remarks, counter.fired)

    def _problem(self, result: Path, added: bool) -> str:
        """What the result computes otherwise than all steps at once."""
        model = self.model
        if added or model.plan.form != WHOLE:
            return self._differs(self._called(result, added))
        steps = model.plan.exported or model.plan.count
        before, after = (self._at_once(model, path, steps) for path in (self.param, result))
        return "" if isinstance(before, Failure) else difference(before, after, least=self.least)

    def _called(self, result: Path, added: bool) -> Blobs | Failure:
        """The outputs of all calls of a model with caches."""
        if added:
            return self._stepwise(result, self._names(self.model.cached))
        if self.model.plan.form == CACHED:
            return self._stepwise(result, self.model.caches)
        return self._of_appended(result)

    def _names(self, layers: Sequence[int]) -> dict[str, str]:
        return {f"cache_{each}{i}": f"out_cache_{each}{i}" for i in layers for each in "kv"}

    def _rows(self, result: Path) -> dict[str, Array]:
        """The inputs with a row for each step; constants of an exported model became inputs."""
        model = self.model
        rows = dict(model.rows)
        text = result.read_text()
        tables = dict(zip(("cos", "sin"), [*model.reference().rows.values()][1:], strict=False))
        return rows | {name: table for name, table in tables.items() if f" 0 1 {name}\n" in text}

    def _stepwise(self, result: Path, caches: dict[str, str]) -> Blobs | Failure:
        """The outputs of all calls."""
        model, fixed = self.model, dict(self.model.fixed)
        if model.plan.form == WHOLE and model.crossed:
            names = self._names(model.crossed)
            once = self.runtime.run(result, fixed, [*names.values()])
            if isinstance(once, Failure):
                return once
            fixed = {name: once[output] for name, output in names.items()}
            if "MultiHeadAttention" in result.read_text():
                fixed |= model.fixed
        calls = parts(model.plan.steps, self._rows(result), model.mask or "mask")
        if not model.mask and "mask" not in result.read_text():
            calls = [{k: v for k, v in call.items() if k != "mask"} for call in calls]
        copied = " 7=1" not in result.read_text()  # no cache has the runtime's own format
        every = [call | fixed for call in calls]
        found = self.runtime.decode(result, every, caches, [model.out], copied=copied)
        if isinstance(found, Failure):
            return found
        return {model.out: np.concatenate([each[model.out] for each in found.blobs])}

    def _at_once(self, model: DecoderModel, param: Path, steps: int) -> Blobs | Failure:
        """The outputs of one call for the first steps."""
        inputs = {name: values[:steps] for name, values in model.rows.items()} | model.fixed
        if model.mask:
            inputs[model.mask] = causal(0, steps)
        return self.runtime.run(param, inputs, [model.out])

    def _of_appended(self, result: Path) -> Blobs | Failure:
        """The outputs of all calls of a model whose caches Concats append to, or did so."""
        model = self.model
        if "SDPA" in result.read_text() and " 7=1" in result.read_text():
            return self._stepwise(result, model.caches)
        plan = model.plan  # the first step is hidden: a Concat takes no empty blob
        caches = {
            name: np.ones((heads, 1, plan.features), "f4")
            for name, heads in model.past_heads.items()
        }
        outputs, done = list[Array](), 0
        for count in plan.steps:
            part = slice(done, done + count)
            mask = np.pad(causal(done, count), ((0, 0), (1, 0)), constant_values=HIDDEN)
            call = {name: values[part] for name, values in model.rows.items()}
            call |= {model.mask: mask, **model.fixed, **caches}
            blobs = self.runtime.run(result, call, [model.out, *model.caches.values()])
            if isinstance(blobs, Failure):
                return blobs
            caches = {name: blobs[output] for name, output in model.caches.items()}
            outputs.append(blobs[model.out])
            done += count
        return {model.out: np.concatenate(outputs)}

    def _differs(self, found: Blobs | Failure) -> str:
        assert not isinstance(self.expected, Failure)
        (expected,) = self.expected.values()
        if not isinstance(found, Failure):
            found = {"out": next(iter(found.values()))}
        return difference({"out": expected}, found, least=self.least)
