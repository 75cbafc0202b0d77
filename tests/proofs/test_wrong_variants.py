"""Wrong variants of patterns are refuted, and the ncnn runtime confirms the counterexamples."""

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.function import input_name, output_names
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.proofs import Proof, Status, prove
from ncnn_opt.runtime.engines import compute

from .instances import instances
from .wrong_variants import VARIANTS, Variant


def proof_of(variant: Variant) -> Proof:
    (instance,) = [x for x in instances(variant.rewrite) if x.function == variant.function]
    return prove(variant.rewrite, instance.module, trials=1)


def errors(proof: Proof) -> list[float]:
    """The differences of the outputs in the runtime, relative to the largest magnitude."""
    example = proof.counterexample
    assert example is not None
    results: list[list[np.ndarray]] = []
    for model in example.models:
        func = model_of(model)
        values = (x.astype("f4") for x in example.inputs)
        inputs = {input_name(func, i): value for i, value in enumerate(values)}
        blobs = compute("ncnn", model, inputs, output_names(func))
        results.append([blobs[name] for name in output_names(func)])
    return [
        float(np.abs(a - b).max() / max(1e-30, np.abs(a).max()))
        for a, b in zip(*results, strict=True)
    ]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: v.new)
def test_a_wrong_variant_is_refuted(variant: Variant) -> None:
    assert proof_of(variant).status is Status.PROVEN
    with variant.installed():
        proof = proof_of(variant)
    assert proof.status is Status.REFUTED
    assert max(errors(proof)) > 1e-3
    assert proof_of(variant).status is Status.PROVEN
