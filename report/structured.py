"""A report as JSON. docs/report.md documents the keys; they are stable."""

from math import isfinite
from typing import Any

from .model import BlobFact, LayerRow, ModelFacts, Total
from .model_comparison import ComparedLayer, ModelComparison

VERSION = 1
"""The value of `format`. Additional keys do not change it."""

MOST_DECIBELS = 1000.0
"""The signal-to-noise ratio of a layer without noise, since JSON has no infinity."""

Json = dict[str, Any]


def model_json(facts: ModelFacts) -> Json:
    """Return the facts of a model."""
    device = {} if facts.device_data is None else {"vulkan": facts.device_data}
    return {
        "format": VERSION,
        "model": facts.path,
        "inputs": [_blob(b) for b in facts.inputs],
        "outputs": [_blob(b) for b in facts.outputs],
        "states": [{"input": s.input, "output": s.output, "kind": s.kind} for s in facts.states],
        "totals": _totals(facts),
        "layers": [_layer(row) | _range(facts, row) | _measured(facts, row) for row in facts.rows],
        "notes": facts.notes,
        **device,
    }


def comparison_json(comparison: ModelComparison) -> Json:
    """Return the facts of two models, and the match of each layer."""
    before, after = model_json(comparison.before), model_json(comparison.after)
    for model in (before, after):
        del model["format"]
    matches = [_match(m) for m in comparison.matches]
    return {"format": VERSION, "before": before, "after": after, "changes": matches}


def _totals(facts: ModelFacts) -> Json:
    peak = None if facts.peak_row is None else facts.rows[facts.peak_row]
    latency = {} if facts.latency is None else {"latency_ms": facts.latency}
    error: Json = {}
    if facts.error is not None:
        error = {"error": facts.error if isfinite(facts.error) else None}
    return (
        latency
        | error
        | {
            "layers": facts.layers,
            "splits": facts.splits,
            "macs": _sum(facts.macs),
            "flops": _sum(facts.flops),
            "params": facts.params,
            "weight_bytes": facts.weight_bytes,
            "storage": {w.storage: {"count": w.count, "bytes": w.nbytes} for w in facts.storage},
            "activation_bytes": _sum(facts.activation_bytes),
            "peak_memory": {
                "bytes": facts.peak.known,
                "uncounted_blobs": facts.peak.unknown,
                "layer": None if peak is None else peak.index,
                "blobs": [{"name": name, "bytes": nbytes} for name, nbytes in facts.peak_blobs],
            },
        }
    )


def _sum(total: Total) -> Json:
    return {"known": total.known, "uncounted_layers": total.unknown}


def _range(facts: ModelFacts, row: LayerRow) -> Json:
    found = facts.ranges.get(row.name)
    if found is None:
        return {}
    mask = {"mask": found.mask} if found.mask else {}
    return {"range": {"smallest": found.low, "largest": found.high, "inside": found.peak, **mask}}


def _measured(facts: ModelFacts, row: LayerRow) -> Json:
    found: Json = {}
    if row.name in facts.times:
        found["time_ms"] = facts.times[row.name]
    if row.name in facts.noise:
        found["snr_db"] = min(max(facts.noise[row.name], -MOST_DECIBELS), MOST_DECIBELS)
    return found


def _blob(blob: BlobFact) -> Json:
    shape = None if blob.shape is None else list(blob.shape)
    return {"name": blob.name, "shape": shape, "layer": blob.producer}


def _layer(row: LayerRow) -> Json:
    return {
        "index": row.index,
        "type": row.type,
        "name": row.name,
        "inputs": [_blob(b) for b in row.inputs],
        "outputs": [_blob(b) for b in row.outputs],
        "kind": row.kind or None,
        "params_set": row.settings | row.derived,
        "macs": row.macs,
        "flops": row.flops,
        "params": row.params,
        "weight_bytes": row.weight_bytes,
        "weights": [
            {"storage": w.storage, "count": w.count, "bytes": w.nbytes} for w in row.weights
        ],
        "bytes_read": row.bytes_read,
        "bytes_written": row.bytes_written,
        "memory_bytes": row.alive,
        "step": row.step,
    }


def _match(match: ComparedLayer) -> Json:
    return {
        "fate": match.fate.value,
        "before": None if match.before is None else match.before.index,
        "after": None if match.after is None else match.after.index,
        "details": match.details,
        "absorbed": [row.index for row in match.absorbed],
    }
