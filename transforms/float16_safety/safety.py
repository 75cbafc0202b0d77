"""Making a model safe in float16: rescaling, then feature masks."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import floor, isfinite, log10
from shlex import quote

from xdsl.dialects.func import FuncOp

from ...analysis.float16.emulation import NO_FLOAT16_ARITHMETIC
from ...analysis.float16.half_array import MAX, Array
from ...analysis.float32_storage import FLOAT32_STORAGE
from ...analysis.vulkan import NO_VULKAN
from ...dialects.ncnn.layer import LayerOp
from ...interpreters.errors import RunError
from .float16_errors import Float16Evaluator, shaped_for
from .float32_on_arm import mask_broken_on_arm, mask_inaccurate_on_arm
from .masks import (
    ON_CPU,
    Masked,
    mask_broken,
    mask_inaccurate,
    remove_needless,
    with_float32_arithmetic,
)
from .rescaling import STEPS, Chain, chain_from, producers_of, rescale

SLACK = 2
"""The emulated error must be smaller than the bound by this factor where no masks are chosen by it:
devices round sums in different orders."""

MOST = 0.5
"""The share of the MACs in float32 on the CPU from which other remedies may be faster."""

SHOWN = 20
"""The largest number of masks that `Safety.lines` lists."""


@dataclass(frozen=True)
class Safety:
    """The changes of a model for float16."""

    before: float
    after: float
    """The emulated errors of the outputs, relative to their largest values."""
    samples: int
    unused: Sequence[str]
    """The samples whose float32 outputs are not finite."""
    rescaled: Sequence[tuple[str, int]]
    """The producers of rescaled blobs, and `k` of each scale `2^-k`."""
    masks: Sequence[tuple[str, int]]
    """The layers with a new feature mask, and the mask."""
    layers: int
    """The number of layers of the model that read a blob, without inserted Permutes."""
    macs: float | None
    """The share of the multiply-accumulate operations that masked layers do; `None` if unknown."""
    on_arm: float = 0.0
    """The emulated error of the result on a 64-bit arm processor with half-precision arithmetic."""
    broken_on_arm: Sequence[str] = ()
    """The layers of the result that break by themselves on such a processor."""
    max_error: float = 1e-2
    """The bound of the errors."""
    copies: int = 0
    """The number of Permutes that were inserted to write float32 on such a processor."""
    before_on_arm: float = 0.0
    """The emulated error of the model before the changes, on such a processor."""
    broken_before: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """The layers that break by themselves before the changes, for each device that needs changes:
    `a GPU`, `arm`."""
    stored_before: float = 0.0
    """The emulated error on a GPU before the changes if only storage is float16."""
    margin: float = 1.0
    """On a GPU, magnitudes above float16's limit divided by this count as infinite."""

    def lines(self, model: str = "MODEL", data: str = "FILE") -> list[str]:
        """Return the changes as text. `model` and `data` are the files of the result and of the
        samples, for commands in the text."""
        samples = "1 sample" if self.samples == 1 else f"{self.samples:,} samples"
        found = [f"{name}: not used, its float32 outputs are not finite" for name in self.unused]
        scales = Counter[str]()
        for label, k in self.rescaled:  # a blob may be scaled several times
            scales[label] += k
        broken = {label for labels in self.broken_before.values() for label in labels}
        for device, labels in self.broken_before.items():
            more = f" and {len(labels) - SHOWN} more" if len(labels) > SHOWN else ""
            with_margin = device == "a GPU" and self.margin > 1
            least = f"{MAX / self.margin:,.0f}"
            limit = f" (magnitudes above {least} are infinite: --margin)" if with_margin else ""
            found.append(
                f"on {device}{limit}, these overflow or lose accuracy by themselves: "
                f"{', '.join(labels[:SHOWN])}{more}"
            )
        found += [f"{label}: blobs are scaled by 2^-{k}" for label, k in scales.items()]
        found += [
            f"{label}: feature mask {bits}{_meaning(bits)}"
            + ("" if label in broken else ", against the sum of roundings")
            for label, bits in self.masks[:SHOWN]
        ]
        if (left := len(self.masks) - SHOWN) > 0:
            command = f"ncnn-report {quote(model)} --ranges --data {quote(data)}"
            found.append(f"and {left} more feature masks: {command} shows all")
        share = "" if self.macs is None else f" ({_percent(self.macs)} of the MACs)"
        slow = sum(bool(bits & (NO_VULKAN | NO_FLOAT16_ARITHMETIC)) for _, bits in self.masks)
        cpu = sum(bool(bits & NO_VULKAN) for _, bits in self.masks)
        on_cpu = f", {cpu} of them on the CPU" if cpu else ""
        count = f"{slow} of {self.layers} layers compute in float32{share}{on_cpu}"
        error = f"emulated error on a GPU {self.before:.2g} -> {self.after:.2g} for {samples}"
        arm = f"emulated error on arm {self.before_on_arm:.2g} -> {self.on_arm:.2g}"
        found += [f"{count}; {error}", arm]
        if self.copies:
            copies = "1 Permute" if self.copies == 1 else f"{self.copies:,} Permutes"
            found.append(f"{copies} inserted: they write float32 on arm for layers with mask 19")
        found += [
            f"{label}: overflows or loses accuracy on arm, and no remedy was found"
            for label in self.broken_on_arm[:SHOWN]
        ]
        if (left := len(self.broken_on_arm) - SHOWN) > 0:
            found.append(f"and {left} more layers on arm")
        return [*found, self._held()]

    def _held(self) -> str:
        """Return the devices for which the outputs are within the bound."""
        errors = {"a GPU": self.after, "arm": self.on_arm}
        held = [name for name, error in errors.items() if error <= self.max_error]
        missed = [name for name in errors if name not in held]
        where = " and ".join(f"on {name}" for name in held) or "on no device"
        but = f", not on {' and '.join(missed)}" if held and missed else ""
        return f"within {self.max_error:g} of float32 {where}{but}"

    def next_steps(self, path: str) -> list[str]:
        """Return lines about the use of the result, which is written to `path`."""
        errors = {"a GPU": self.after, "arm": self.on_arm}
        over = {name: error for name, error in errors.items() if not error <= self.max_error}
        lines: list[str] = []
        if over:
            is_bounded = all(map(isfinite, over.values()))
            bound = _above(max(over.values())) if is_bounded else ""
            larger = f"; or allow more: --max-error {bound}" if is_bounded else ""
            lines.append(
                f"on {' and '.join(over)}: set opt.use_fp16_arithmetic = false in the program; if "
                f"that is not enough, also opt.use_fp16_storage and opt.use_fp16_packed{larger}"
            )
        on_cpu = any(bits & NO_VULKAN for _, bits in self.masks)
        if on_cpu and self.macs is not None and self.macs >= MOST:
            is_stored = self.stored_before <= self.max_error
            without = (
                "opt.use_fp16_arithmetic = false"
                if is_stored
                else "opt.use_fp16_packed, use_fp16_storage and use_fp16_arithmetic = false"
            )
            larger = ", or a larger --max-error," if isfinite(self.before) else ""
            lines.append(
                f"{_percent(self.macs)} of the MACs are in float32 now, partly on the CPU: "
                f"{without} on the model without masks{larger} may be faster"
            )
        if len(over) < len(errors):
            held = [name for name in errors if name not in over]
            device = "--on-device ADDRESS" if "arm" in held else ON_GPU
            where = f"on {' and '.join(held)}: the program needs no options"
            lines.append(f"{where}; to check it: ncnn-run {path} {device}")
        return lines


ON_GPU = "--input random --compare ncnn --precision float16 --device vulkan"
"""The options of `ncnn-run` for float16 on a GPU of this machine."""


def _above(error: float) -> str:
    """Return the next number of one digit above an error."""
    step = 10.0 ** floor(log10(error))
    return f"{(floor(error / step) + 1) * step:.2g}"


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.995 else "100 %"


def _meaning(bits: int) -> str:
    if bits & FLOAT32_STORAGE:
        return ", float32 on the CPU, on arm as well"
    if bits & NO_VULKAN:
        return ", float32 on the CPU"
    return ", float32 arithmetic" if bits & 1 else ", no Winograd convolution"


def make_safe(
    func: FuncOp,
    samples: Sequence[tuple[str, Mapping[str, Array]]],
    margin: float = 4.0,
    max_error: float = 1e-2,
    release: str = "",
) -> Safety:
    """Rescale weights and set the fewest feature masks with which the outputs of a model for these
    named samples stay within `max_error` of float32 in float16, and no magnitude exceeds float16's
    limit divided by `margin`, in any supported release from `release` on. Raise `RunError`."""
    evaluator, unused = Float16Evaluator.of(func, samples, margin, release)
    if not evaluator.samples:
        raise RunError("no sample has finite float32 outputs")
    before = evaluator.error()
    before_on_arm = evaluator.on("arm").error()
    bound = max_error / SLACK
    stored_before = with_float32_arithmetic(evaluator).error() if before > bound else before
    broken_before = {
        device: [op.label() for op in broken_layers(each, repaired=True)]
        for device, each, is_wrong in (
            ("a GPU", evaluator, before > bound),
            ("arm", evaluator.on("arm"), before_on_arm > max_error),
        )
        if is_wrong
    }
    rescaled: list[tuple[str, int]] = []
    masked = Masked()
    if before > bound:
        rescaled = rescale_broken(evaluator)
    after = evaluator.error() if rescaled else before
    if after > bound:
        mask_broken(evaluator, masked)
        if evaluator.error() <= bound:
            after = remove_needless(evaluator, masked, bound)
        else:
            masked.undo()
            after = mask_inaccurate(evaluator, masked, max_error)
    layers = [op for op in func.body.block.ops if isinstance(op, LayerOp) and op.operands]
    arm = evaluator.on("arm")
    on_arm = arm.error()
    changes, copies = [masked], 0
    for remedy in (mask_broken_on_arm, partial(mask_inaccurate_on_arm, bound=max_error)):
        if on_arm <= max_error:
            break
        repaired = remedy(arm)
        if repaired.before:
            less, on_gpu = arm.error(), evaluator.error()
            if less < on_arm and on_gpu <= max(after, max_error):
                on_arm, after = less, on_gpu
                changes.append(repaired)
                copies += len(repaired.copies)
            else:
                repaired.undo()
    broken = broken_layers(arm) if on_arm > max_error else []
    changed = dict.fromkeys(op for each in changes for op in (*each.before, *each.splits))
    return Safety(
        before,
        after,
        len(evaluator.samples),
        unused,
        rescaled,
        [(op.label(), op.featmask) for op in changed],
        len(layers),
        _share(func, evaluator.samples[0]),
        on_arm,
        [op.label() for op in broken],
        max_error,
        copies,
        before_on_arm,
        {device: labels for device, labels in broken_before.items() if labels},
        stored_before,
        margin,
    )


def _share(func: FuncOp, inputs: Mapping[str, Array]) -> float | None:
    """Return the share of the MACs of the layers that a mask makes compute in float32, for the
    shapes of a sample."""
    layers = shaped_for(func, inputs).body.block.ops
    counts = [(op.macs(), op) for op in layers if isinstance(op, LayerOp)]
    if any(n is None for n, _ in counts):
        return None
    chosen = sum(n or 0 for n, op in counts if op.featmask & ON_CPU)
    return chosen / max(sum(n or 0 for n, _ in counts), 1)


def broken_layers(evaluator: Float16Evaluator, repaired: bool = False) -> list[LayerOp]:
    """Return the layers that break by themselves for a sample, in program order; with `repaired`,
    also those that get right operands only if the earlier ones are repaired."""
    found: dict[LayerOp, None] = {}
    evaluator.visit_broken(lambda op, _: found.setdefault(op), repaired)
    return list(found)


def rescale_broken(evaluator: Float16Evaluator) -> list[tuple[str, int]]:
    """Rescale the blobs around layers that break, where this repairs them. Return the producers and
    the exponents."""
    done: list[tuple[str, int]] = []
    tried: set[LayerOp] = set()
    while layer := next((op for op in broken_layers(evaluator) if op not in tried), None):
        tried.add(layer)
        for producer in producers_of(layer):
            chain = chain_from(producer)
            k = None if chain is None else _rescaled(evaluator, chain, layer)
            if k is not None:
                done.append((producer.label(), k))
                break
    return done


def _rescaled(evaluator: Float16Evaluator, chain: Chain, layer: LayerOp) -> int | None:
    """Rescale a chain by the first power of two with which none of its layers breaks. Return the
    exponent; `None`, without a change, if there is none."""
    for k in STEPS:
        undo = rescale(chain, k)
        if undo is None:
            return None
        if not {*chain.layers(), layer} & {*broken_layers(evaluator)}:
            return k
        for each in undo:
            each()
    return None
