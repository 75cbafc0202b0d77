"""A check that passes preserve a model's outputs: it runs the model before and after each pass in
the ncnn runtime, on random inputs: samples from [-1, 1), and one from a wide range, with numbers at
the thresholds of the layers."""

import tempfile
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from ..analysis.caches import cache_heads, shared_by
from ..analysis.random_inputs import inputs_of, random_input
from ..analysis.wide_values import thresholds_of
from ..dialects.ncnn.function import output_names
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.weight_specs import Shape
from ..formats.errors import FormatError
from ..interpreters.errors import RunError
from ..interpreters.run import blobs_of
from ..targets.atomic_files import naming
from ..targets.param.export import export_module
from ..transforms import REPAIR, REPAIR_ALONE
from ..transforms.edits.edit import is_edit, is_several
from ..transforms.rewriting.observers import Observer, observing_alone
from ..transforms.rewriting.remarks import Remark, RemarkListener
from ..transforms.rewriting.rewrite_counter import RewriteCounter
from ..transforms.storage.convert_storage import ConvertStorage
from .differences import ROUNDING, Checked, relative_error
from .drawn_shapes import drawn_shape
from .finite_ancestors import FiniteAncestors, has_finite_value
from .host import Array
from .process import Blobs, Failure, Runtime
from .trial_shapes import Feed, by_name, feeds_of, words_for
from .wide_inputs import nudged, wide_errors

REPAIRS = frozenset((*REPAIR, *REPAIR_ALONE))
"""The passes that repair models which the runtime cannot run or computes differently."""

SETTINGS = frozenset(("limit-growth", "ncnn-for-release", "ncnn-tune"))
"""The passes that only set attributes of the module."""


SECONDS = 600
"""The time limit of the runtime in seconds, for models of several GB."""


class Mismatch(RunError):
    """A pass changed the model's outputs."""


@dataclass(frozen=True)
class _ModelFiles:
    param: Path
    weights: Path


@dataclass
class EquivalenceCheck(Observer):
    """A comparison of the model after each pass with the original model.

    The blobs of the original are the reference: a new input (of a cut model) gets the values of the
    original blob with that name. A pass that rounds weights on request, and repairs of a model that
    the runtime cannot run, produce a new original; repairs are not compared.
    """

    seed: int
    samples: int
    tolerance: float
    """The largest accepted error, relative to an output's largest value."""
    rows: list[Checked] = field(default_factory=list[Checked], init=False)

    def __post_init__(self) -> None:
        self._resources = ExitStack()
        self._original: _ModelFiles | None = None
        self._own_inputs: Set[str] = frozenset()
        self._contents: dict[Path, Sequence[tuple[Attribute, Attribute, str]]] = {}
        """The weights in each existing `.bin`."""
        self._thresholds: Sequence[float] = ()
        """The numbers at which the layers of the original change their behaviour."""
        self._declared: dict[str, tuple[Shape | None, int | None]] = {}
        """The last known shape and number of past steps of each input in the model."""
        self._feeds: dict[str, Feed] = {}
        """The shapes of inputs whose own shape is unknown or contradicts weights."""
        self._drawn: dict[str, tuple[Shape, int | None]] = {}
        self._steps: dict[str, int] = {}
        """The number of past steps in each input that is a cache."""
        self._heads: Mapping[str, int] = {}
        """The numbers of heads of the original's caches."""
        self._shared: Mapping[str, int] = {}
        """How often the original repeats each head of the model's caches."""
        self._reference: list[dict[str, Array]] = [{} for _ in range(self.samples + 1)]
        """The blobs of each sample. The last sample has wide inputs."""

    def __enter__(self) -> "EquivalenceCheck":
        folder = tempfile.TemporaryDirectory(prefix="ncnn-opt-")
        self._folder = Path(self._resources.enter_context(folder))
        self._runtime = self._resources.enter_context(Runtime(SECONDS))
        return self

    def __exit__(self, *_: object) -> None:
        self._resources.close()

    def between_passes(
        self, done: ModulePass | None, module: ModuleOp, following: ModulePass | None
    ) -> None:
        """Check the model before the first pass and after each pass. Raise `Mismatch`, or
        `RunError` if the runtime cannot run the model."""
        if following is not None and following.name in REPAIRS:
            return  # the repaired model will be the original
        if is_edit(following) and (done is None or is_edit(done)):
            return  # the edited model will be the original
        if done is not None and done.name in SETTINGS:
            return
        if done is not None and done.name not in REPAIRS and not is_edit(done):
            self.after(done, module)
            return
        if is_edit(done) and is_several(module):
            return  # parts of a model
        self.start(module)
        if done is not None:
            what = "edited" if is_edit(done) else "repaired"
            note = f"the model up to here is {what}, later passes are compared with it"
            self.rows.append(Checked(done.name, note=note))

    def start(self, module: ModuleOp) -> None:
        """Make the model the original."""
        self._original = self._write(module, "original")
        self._own_inputs = inputs_of(module).keys()
        func = model_of(module)
        self._feeds = by_name(func, feeds_of(func))
        self._own_blobs = blobs_of(func).keys()
        self._thresholds = thresholds_of(func.body.block.ops)
        self._heads = cache_heads(func)
        self._draw(module)
        self._before = module.clone()

    def after(self, done: ModulePass, module: ModuleOp) -> None:
        """Compare the model after a pass. Raise `Mismatch`, or `RunError` if the runtime cannot run
        the original or is not installed. (At this point the first pass has accepted its
        options.)"""
        if not Runtime.is_there():
            raise RunError(
                "--verify-equivalence needs the ncnn runtime: pip install 'ncnn-opt[verify]'"
            )
        row = Checked(done.name)
        try:
            self._compare(module, row)
        except FormatError as e:
            row.note = f"no ncnn model at this point: {e}"
            self.rows.append(row)
            return  # a later pass may make it one again
        self.rows.append(row)
        rounds = isinstance(done, ConvertStorage) and done.rounds()
        row.limit = max(self.tolerance, ROUNDING) if rounds else self.tolerance
        if row.error > row.limit:
            raise Mismatch(self._describe(row, done))
        if rounds:
            row.note = f"16-bit weights, limit {row.limit:g}"
            inputs = inputs_of(module)
            self._reference = [{n: r[n] for n in inputs} for r in self._reference]
            self.start(module)
        self._before = module.clone()

    def _compare(self, module: ModuleOp, row: Checked) -> None:
        model = self._write(module, "after")
        inputs = inputs_of(module)
        outputs = output_names(model_of(module))
        row.outputs = len(outputs)
        self._draw(module)
        compared: set[str] = set()
        self._compare_wide(self._reference[-1], inputs, outputs, model, row)
        for reference in self._reference[:-1]:
            self._extract({*inputs, *outputs}, reference)
            fed = {name: self._expected(name, reference) for name in inputs}
            blobs = self._run(model, fed, outputs)
            if isinstance(blobs, Failure):
                row.error, row.worst, row.note = float("inf"), outputs[0], blobs.reason
                return
            for name in outputs:
                row.take(name, relative_error(self._expected(name, reference), blobs[name]))
                if has_finite_value(reference[name]):
                    compared.add(name)
                elif found := self._compare_before(name, module, model, reference, row):
                    compared.add(name)
                    what = "no finite value" if reference[name].size else "no value"
                    replacements = ", ".join(map(repr, found))
                    row.hollow = f"'{name}' has {what} on these inputs: compared {replacements}"
        if silent := [name for name in outputs if name not in compared]:
            raise RunError(
                f"output '{silent[0]}' has no finite value{self._on()}, nor has what it is "
                "computed from, so nothing is compared; try another --seed or --input-shape"
            )

    def _compare_wide(
        self,
        reference: dict[str, Array],
        inputs: Iterable[str],
        outputs: Sequence[str],
        model: _ModelFiles,
        row: Checked,
    ) -> None:
        """Compare the outputs for wide inputs, if the original takes these."""
        try:
            self._extract({*inputs, *outputs}, reference)
        except RunError:
            return
        blobs = self._run(
            model, {name: self._expected(name, reference) for name in inputs}, outputs
        )
        if isinstance(blobs, Failure):
            return  # the other samples have the reason

        def rerun(names: Sequence[str]) -> Blobs | Failure:
            assert self._original is not None  # start() was called
            fed = {name: nudged(reference[name]) for name in self._own_inputs}
            return self._run(self._original, fed, names, light_mode=False)

        expected = {name: self._expected(name, reference) for name in reference}
        for name, error in wide_errors(expected, blobs, self.tolerance, rerun).items():
            row.take(name, error)

    def _compare_before(
        self,
        output: str,
        module: ModuleOp,
        model: _ModelFiles,
        reference: dict[str, Array],
        row: Checked,
    ) -> list[str]:
        """Compare the nearest blobs with finite values that an output is computed from, and return
        their names."""
        compared: list[str] = []
        fed = {name: self._expected(name, reference) for name in inputs_of(module)}
        places = FiniteAncestors(model_of(module), output)
        while names := places.next():
            shared = [n for n in names if n is not None and n in self._own_blobs]
            self._extract(set(shared), reference)
            there = [name for name in shared if has_finite_value(reference[name])]
            blobs = self._run(model, fed, there, light_mode=False) if there else dict[str, Array]()
            if isinstance(blobs, Failure):
                row.error, row.worst, row.note = float("inf"), there[0], blobs.reason
                return there
            for name in there:
                row.take(name, relative_error(reference[name], blobs[name]))
            compared += there
            places.continue_behind([name not in there for name in names])
        return compared

    def _draw(self, module: ModuleOp) -> None:
        """Draw values for the original's inputs whose shapes have become known or have changed.
        Discard the blobs that were computed for a changed shape. Caches of the original repeat the
        heads of a cache that became smaller."""
        self._shared = shared_by(self._heads, cache_heads(model_of(module)))
        for name, value in inputs_of(module).items():
            if name not in self._own_inputs:
                continue
            declared = shape, steps = drawn_shape(value)
            if self._declared.setdefault(name, declared) != declared:
                self._declared[name] = declared
                self._feeds.pop(name, None)
            if steps is None and (feed := self._feeds.get(name)) is not None:
                shape = feed.shape
            if shape is None:
                continue
            stale = self._drawn.get(name, (shape, steps)) != (shape, steps)
            self._drawn[name] = shape, steps
            if steps is not None:
                self._steps[name] = steps
            for sample, reference in enumerate(self._reference):
                if stale:
                    for other in {*reference} - {*self._own_inputs} | {name}:
                        del reference[other]
                if name not in reference:
                    rng = np.random.default_rng((self.seed, sample, crc32(name.encode())))
                    wide = self._thresholds if sample == self.samples else ()
                    values = random_input(name, value, rng, shape, wide)
                    reference[name] = np.repeat(values, self._shared.get(name, 1), axis=0)

    def _expected(self, name: str, reference: Mapping[str, Array]) -> Array:
        """Return a blob of the original as the model has it: a smaller cache has each head once."""
        values, times = reference[name], self._shared.get(name, 1)
        return values[::times] if times > 1 and values.ndim == 3 else values

    def _run(
        self, model: _ModelFiles, inputs: Blobs, outputs: Sequence[str], light_mode: bool = True
    ) -> Blobs | Failure:
        return self._runtime.run(
            model.param,
            inputs,
            outputs,
            weights=model.weights,
            light_mode=light_mode,
            steps={name: self._steps[name] for name in inputs if name in self._steps},
        )

    def _write(self, module: ModuleOp, name: str) -> _ModelFiles:
        """Write a model. Reuse an existing `.bin` with the same weights: it may have several GB."""
        export = export_module(module)
        contents = [(c.value, c.output.type, encoding) for c, encoding, _ in export.weights]
        for weights, there in self._contents.items():
            if there == contents:
                break
        else:
            kept = None if self._original is None else self._original.weights
            weights = self._folder / ("2.bin" if kept == self._folder / "1.bin" else "1.bin")
            self._contents.pop(weights, None)
            with naming(str(weights)), weights.open("wb") as f:
                export.write_bin(f)
            self._contents[weights] = contents
        param = self._folder / f"{name}.param"
        with naming(str(param)):
            param.write_text(export.param_text(), encoding="utf-8")
        return _ModelFiles(param, weights)

    def _extract(self, names: set[str], reference: dict[str, Array]) -> None:
        """Add blobs of the original to the reference."""
        missing = sorted(names - reference.keys())
        if not missing:
            return
        if unknown := [name for name in self._own_inputs if name not in reference]:
            listed = ", ".join(map(repr, unknown))
            what, them = f"the shape of input {listed} is", "it"
            if len(unknown) > 1:
                what, them = f"the shapes of inputs {listed} are", "them"
            options = " ".join(f"--input-shape {name}=…" for name in unknown)
            raise RunError(f"{what} not known; give {them} with {options}")
        fed = {name: reference[name] for name in self._own_inputs}
        # First try light mode, the default. It frees a blob once it is read, so that intermediate
        # blobs, and blobs that several layers read without a Split, may be unavailable.
        assert self._original is not None  # start() was called
        blobs = self._run(self._original, fed, missing)
        if isinstance(blobs, Failure):
            blobs = self._run(self._original, fed, missing, light_mode=False)
        if isinstance(blobs, Failure):
            raise RunError(f"the ncnn runtime cannot run the original: {blobs.reason}{self._on()}")
        reference.update(blobs)

    def _on(self) -> str:
        """Return the input shapes as text, if they are not those in the file."""
        if not self._feeds:
            return ""
        return f" with {words_for({n: s for n, (s, _) in self._drawn.items()}, self._feeds)}"

    def _describe(self, row: Checked, done: ModulePass) -> str:
        what = f"pass '{row.name}' is not equivalent: output '{row.worst}' " + (
            f"is wrong: {row.note}"
            if row.note
            else f"differs by {row.error:.2g} of its largest value (limit {row.limit:g})"
        )
        found = self._first_wrong_rewrite(done)
        if found is not None:
            number, remark = found
            what += f"; the first rewrite that does so is number {number} of the pass"
            what += f" ({remark})" if remark else ""
        return what

    def _first_wrong_rewrite(self, done: ModulePass) -> tuple[int, str] | None:
        """Return the number of the first rewrite of a pass after which the model is wrong, and its
        remark; `None` if the pass has no counted rewrites."""
        good, bad = 0, self._run_some(done, None)[0]
        if not bad or not self._is_wrong_after(done, bad):
            return None
        while bad - good > 1:
            middle = (good + bad) // 2
            if self._is_wrong_after(done, middle):
                bad = middle
            else:
                good = middle
        remarks = self._run_some(done, bad)[1]
        return bad, str(remarks[-1]) if remarks else ""

    def _run_some(
        self, done: ModulePass, limit: int | None
    ) -> tuple[int, Sequence[Remark], ModuleOp]:
        """Run a pass on the model before it, up to `limit` rewrites."""
        module = self._before.clone()
        remarks: list[Remark] = []
        counter = RewriteCounter(limit)
        with observing_alone(counter, RemarkListener(remarks.append)):
            done.apply(Context(), module)
        return counter.done, remarks, module

    def _is_wrong_after(self, done: ModulePass, limit: int) -> bool:
        row = Checked(done.name)
        try:
            self._compare(self._run_some(done, limit)[2], row)
        except FormatError:
            return False
        return row.error > self.tolerance

    def table(self) -> str:
        """Return a table of the passes and their errors; empty if no pass was checked."""
        width = max([4, *(len(row.name) for row in self.rows)])
        lines = [f"{'pass':{width}}  outputs  largest relative error"] if self.rows else []
        lines += [row.line(width) for row in self.rows]
        lines += dict.fromkeys(row.hollow for row in self.rows if row.hollow)
        if lines and self._feeds:
            lines.append(f"compared{self._on()}")
        return "\n".join(lines)
