"""Quantization of a model: calibration, the choice of methods, changes of weights, the search for
layers that stay float, and the evaluation."""

from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.lookup import find_layer, model_of
from ..formats.displays import Displayed
from ..formats.scale_table import ScaleTable
from ..runtime.engines import check_runtime
from ..samples.sources import Samples
from ..transforms.quantization.blas_threads import one_blas_thread
from ..transforms.quantization.records import LayerDecision
from .bias_correction import correct_biases
from .collection import collect_statistics
from .equalization import equalize
from .evaluator import Evaluator
from .fitted_layers import fit_weights
from .int8_figures import Evaluation
from .int8_models import make_int8, quantized, scaled_at_run_time, store_floats
from .layer_timing import ROUNDS, ModelTimer, layers_faster_in_float
from .layerwise import OnProgress
from .prepared import RuntimeModel, check_layers
from .recipe import Division, Recipe, RecipeError, WeightMethod, divide
from .scales import METHODS, make_table
from .search import Search
from .sessions import Sessions
from .statistics import Statistics
from .step_records import (
    KeptFloat,
    MethodTried,
    Note,
    QuantizationObserver,
    QuantizationStep,
    WeightsChanged,
    describe_error,
)

WEIGHT_METHODS_TRIED: tuple[WeightMethod, ...] = ("minmax", "mse")
"""`aciq` clips weights that are not normally distributed too much."""

Change = Callable[
    [Evaluator, ModuleOp, ScaleTable, Collection[str], Sequence[int], OnProgress], ModuleOp
]
"""`fit_weights` or `correct_biases`."""


@dataclass(frozen=True, repr=False)
class Quantization(Displayed):
    """The result of `quantize`."""

    module: ModuleOp
    """The int8 model."""
    table: ScaleTable
    """The scales of its layers. With changed weights, they fit this model only."""
    kept: Sequence[str]
    """The names of layers that stay float by option, error or time."""
    layers: Sequence[LayerDecision]
    """The decision about each layer."""
    steps: Sequence[QuantizationStep]
    """The results of each step, in order."""
    evaluation: Evaluation | None
    """The figures, if the recipe asks for them."""

    def heading(self) -> str:
        """Return the number of layers that are int8, and the error if it is known."""
        if self.evaluation is not None:
            return self.evaluation.sentences()[0]
        done = sum(each.outcome == "quantized" for each in self.layers)
        return f"{done} layers quantized; the error was not measured"

    def table_rows(self) -> Sequence[Sequence[str]]:
        """Return the layers. With an evaluation: the worst output, the layers by error, the largest
        first, and the other outputs, or groups of one; without, the decisions."""
        if self.evaluation is None:
            rows = [(*each.remark.layers[:1], each.remark.note or "") for each in self.layers]
            return [("layer", "decision"), *rows]
        found = sorted(
            self.evaluation.layers,
            key=lambda each: -1.0 if each.difference is None else each.difference.error,
            reverse=True,
        )
        rows = [(each.layer.label, each.kind, *each.cells()) for each in found]
        outputs = [(label, "", *cells[:3]) for label, cells in self.evaluation.output_rows()]
        errors = [each.error for each in self.evaluation.outputs.values()]
        worst = [outputs.pop(errors.index(max(errors)))] if errors else []
        return [("layer", "arithmetic", "snr", "cosine", "largest"), *worst, *rows, *outputs]


def quantize(
    module: ModuleOp,
    samples: Samples,
    recipe: Recipe,
    *,
    path: str = "the model",
    partial: str | None = None,
    observer: QuantizationObserver | None = None,
) -> Quantization:
    """Return an int8 copy of a model, calibrated and evaluated on samples.

    `path` names the model in messages. A file `partial` keeps the statistics of the calibration, so
    that an interrupted run can continue. Raises `RecipeError`, `RunError`, `PassFailedException`
    and `FormatError`.
    """
    with ExitStack() as stack:
        stack.enter_context(one_blas_thread())
        run = _Quantizer(
            module, samples, recipe, path, partial, observer or QuantizationObserver(), stack
        )
        return run.quantize()


@dataclass(frozen=True)
class _Attempt:
    """A float model with scales."""

    module: ModuleOp
    prepared: RuntimeModel
    evaluator: Evaluator | None
    table: ScaleTable
    error: float


@dataclass
class _Quantizer:
    """One run of `quantize`."""

    module: ModuleOp
    samples: Samples
    recipe: Recipe
    path: str
    partial: str | None
    observer: QuantizationObserver
    stack: ExitStack
    keep: list[str] = field(default_factory=list[str])
    steps: list[QuantizationStep] = field(default_factory=list[QuantizationStep])

    def quantize(self) -> Quantization:
        """Run all steps."""
        recipe, total = self.recipe, len(self.samples.names())
        self.keep = [*recipe.keep, *(scaled_at_run_time(self.module) if recipe.static_only else ())]
        for name in self.keep:
            find_layer(model_of(self.module), name)
        evaluated = recipe.evaluated(total)
        check_layers(self.module, self.path, recipe.custom_layers)
        check_runtime()  # before all the work
        best = self._attempt(self.module)
        if "equalize" in recipe.changes:
            best = self._equalized(best)
        floats = best.module
        division = divide(recipe.calibrated(total), evaluated, recipe.eval_samples)
        if best.evaluator is not None:
            if recipe.keep_slower:
                self._tune(best, best.evaluator)
            if "gptq" in recipe.changes:
                floats = self._change(
                    best, floats, "weights rounded by GPTQ", fit_weights, division
                )
            if recipe.limit is not None:
                floats = self._search(best, best.evaluator, floats, recipe.limit)
            if "correct_bias" in recipe.changes:
                floats = self._change(best, floats, "corrected biases", correct_biases, division)
        int8 = floats.clone()
        table = best.table if best.prepared.candidates else None
        layers = [*make_int8(int8, table, self.keep), *store_floats(int8, recipe.storage)]
        evaluation = None
        if best.evaluator is not None and recipe.evaluates:
            evaluation = evaluate(best.evaluator, int8, recipe, self.observer)
        return Quantization(int8, best.table, self.keep, layers, self.steps, evaluation)

    def _record(self, step: QuantizationStep) -> None:
        self.steps.append(step)
        self.observer.on_step(step)

    def _attempt(self, module: ModuleOp) -> _Attempt:
        """Calibrate a model and choose its scales."""
        recipe, names = self.recipe, self.samples.names()
        prepared = self.stack.enter_context(RuntimeModel(module, recipe.custom_layers))
        if set(scaled_at_run_time(module)) <= set(self.keep):
            prepared.check_candidates(self.path)
        counted = self.samples.first(recipe.calibrated(len(names)))
        statistics = collect_statistics(
            prepared,
            counted,
            self.observer,
            jobs=recipe.jobs,
            part=None if module is self.module else range(len(counted.names())),  # warn once
            scheduler=recipe.scheduler,
            partial=self.partial,
        )
        evaluator = None
        if recipe.compares:
            chosen = recipe.evaluated(len(names))
            sessions = self.stack.enter_context(Sessions(recipe.jobs, len(chosen)))
            evaluator = Evaluator(prepared, self.samples, chosen, sessions)
        return self._with_scales(module, prepared, statistics, evaluator)

    def _with_scales(
        self,
        module: ModuleOp,
        prepared: RuntimeModel,
        statistics: Statistics,
        evaluator: Evaluator | None,
    ) -> _Attempt:
        """Choose the scales by the methods of the recipe, or the best of all methods."""
        recipe = self.recipe
        if not prepared.candidates:
            return _Attempt(module, prepared, evaluator, ScaleTable(), 0.0)
        tried: dict[tuple[str, str], tuple[float, ScaleTable]] = {}

        def error(method: str, weights: WeightMethod) -> float:
            if (method, weights) not in tried:
                table = make_table(prepared, statistics, method, weights)
                error = 0.0
                if evaluator is not None and compares:
                    error = evaluator.error(quantized(module, table, self.keep))
                    self._record(MethodTried(method, weights, error))
                tried[method, weights] = error, table
            return tried[method, weights][0]

        is_best = recipe.method == "best"
        compares = is_best or "equalize" in recipe.changes
        weight_methods = WEIGHT_METHODS_TRIED if is_best else WEIGHT_METHODS_TRIED[:1]
        if recipe.weight_method is not None:
            weight_methods = (recipe.weight_method,)
        methods = list(METHODS) if is_best else [recipe.method]
        method = min(methods, key=lambda name: error(name, weight_methods[0]))
        weights = min(weight_methods, key=lambda name: error(method, name))
        least, table = tried[method, weights]
        return _Attempt(module, prepared, evaluator, table, least)

    def _equalized(self, plain: _Attempt) -> _Attempt:
        """Return the model with equalized channels if its error is smaller, else the model."""
        assert plain.evaluator is not None
        module = plain.module.clone()
        pairs = equalize(model_of(module), plain.evaluator.ranges())
        if not pairs:
            self._record(Note("there are no layers to equalize"))
            return plain
        other = self._attempt(module)
        count = len(plain.evaluator.chosen)
        words = f"equalized {pairs} pairs of layers"
        step = WeightsChanged(words, plain.error, other.error, count)
        self._record(step)
        return other if step.is_kept else plain

    def _change(
        self, best: _Attempt, module: ModuleOp, words: str, change: Change, division: Division
    ) -> ModuleOp:
        """Return the float model with changed weights if the error in int8 is smaller, else the
        model."""
        evaluator = best.evaluator
        assert evaluator is not None
        other = change(
            evaluator,
            module,
            best.table,
            self.keep,
            division.fitted,
            lambda done, total: self.observer.on_progress(words, done, total),
        )
        before, after = (
            evaluator.error(quantized(each, best.table, self.keep), division.accepted)
            for each in (module, other)
        )
        held_back = not set(division.fitted) & set(division.accepted)
        step = WeightsChanged(words, before, after, len(division.accepted), held_back)
        self._record(step)
        return other if step.is_kept else module

    def _tune(self, best: _Attempt, evaluator: Evaluator) -> None:
        """Keep layers in float that are slower in int8, on any of the devices. Each device
        decides about the layers that are int8 after the devices before it."""

        def model(names: Collection[str]) -> ModuleOp:
            return quantized(best.module, best.table, [*self.keep, *names])

        def on_progress(done: int) -> None:
            self.observer.on_progress("timing layers", done, ROUNDS)

        timers = ModelTimer.for_evaluator(evaluator, self.recipe.repeat, self.recipe.devices)
        for address, timer in timers.items():
            place = f" on {address}" if len(timers) > 1 else ""
            slower = layers_faster_in_float(timer, model, on_progress)
            for name, times in slower.items():
                reason = f"{times.float_ms:.3f} ms{place}, in int8 {times.int8_ms:.3f}"
                self._record(KeptFloat(name, best.prepared.labels[name], reason))
            if not slower:
                more = " further" if place and self.keep else ""
                self._record(Note(f"the model is not faster{place} with any{more} layer in float"))
            self.keep += slower

    def _search(
        self, best: _Attempt, evaluator: Evaluator, floats: ModuleOp, limit: float
    ) -> ModuleOp:
        """Keep layers in float until the error is within the limit. Return the float model, with
        the original weights in these layers."""
        fitted = None if floats is best.module else floats
        search = Search(evaluator, best.table, self.keep, self.observer.on_progress, fitted)
        found = search.find(limit)
        if found.error > limit:
            raise RecipeError(f"the error is {found.error:.3g} even with all layers in float")
        for kept in found.kept:
            reason = f"int8 in it alone makes an error of {kept.alone:.3g}"
            self._record(KeptFloat(kept.layer, best.prepared.labels[kept.layer], reason))
        before = describe_error(found.all_int8)
        if found.kept:
            macs = found.float_macs
            part = "" if macs is None else f" with {macs:.1%} of the multiplications"
            error = f"error {before} -> {describe_error(found.error)}, at most {limit:.3g}"
            layers = "1 layer" if len(found.kept) == 1 else f"{len(found.kept)} layers"
            text = f"{layers} in float{part}, {error}; "
            self._record(Note(f"{text}{found.measured} models were measured"))
        else:
            self._record(Note(f"all in int8, error {before}"))
        names = [kept.layer for kept in found.kept]
        self.keep += names
        return search.floats(names)


def measure(
    module: ModuleOp,
    int8: ModuleOp,
    samples: Samples,
    recipe: Recipe,
    path: str,
    observer: QuantizationObserver,
) -> Evaluation:
    """Return the figures of an int8 model, however it was made, beside its float model, which
    `path` names in messages. Raises `RunError`."""
    chosen = recipe.evaluated(len(samples.names()))
    check_runtime()  # before all the work
    check_layers(module, path, recipe.custom_layers)
    with RuntimeModel(module, recipe.custom_layers) as prepared:
        if not prepared.watched(int8):
            prepared.check_candidates(path)
        with Sessions(recipe.jobs, len(chosen)) as sessions:
            evaluator = Evaluator(prepared, samples, chosen, sessions)
            return evaluate(evaluator, int8, recipe, observer)


def evaluate(
    evaluator: Evaluator, int8: ModuleOp, recipe: Recipe, observer: QuantizationObserver
) -> Evaluation:
    """Return the figures of an int8 model that a recipe asks for."""
    total = len(evaluator.chosen)
    found = evaluator.evaluate(
        int8, recipe.classes, lambda done: observer.on_progress("measuring", done, total)
    )
    if recipe.latency:
        timers = ModelTimer.for_evaluator(evaluator, recipe.repeat, recipe.devices)
        return replace(found, timings={name: timer.time(int8) for name, timer in timers.items()})
    return found
