"""Where nets come from: all that the tests of rewrites draw."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hypothesis import strategies as st
from ncnn_opt.transforms import OPTIMIZE, get_all_passes

from ..attentions import MISSES, attentions
from ..batches import batches
from ..branches import branches
from ..constants import constant_chains
from ..decoder_trial import ADDS, FUSES, UNFUSES, DecoderTrial
from ..drawn_decoders import APPENDED, CACHED, WHOLE, DecoderModel, plans
from ..drawn_decoders import MISSES as DECODERS
from ..driver import Trial
from ..followers import LINEAR, models
from ..fronts import further_dresses
from ..gates import gates
from ..graphs import graphs
from ..input_batches import input_batches
from ..layouts import SPELLINGS, chains, framed
from ..leaders import models as led
from ..lit_nets import lit_nets
from ..mixed import mixed
from ..mixed_rows import mixed_rows
from ..moving import drawn
from ..multihead import multihead
from ..nets import Dress, Net
from ..norms import NORMS, followed, grouped
from ..one_dim import one_dim
from ..padded_channels import padded_channels
from ..paddings import POOLINGS, WINDOWS, padded
from ..parallel import parallel
from ..pixels import pixels
from ..pointwise import pointwise
from ..products import products
from ..references import references
from ..rotations import rotations, shared_heads
from ..runtime import Runtime
from ..scaled_layouts import scaled_layouts
from ..spelled import KINDS, spelled
from ..whole_heads import whole_heads


class Buildable(Protocol):
    """What becomes a net."""

    def build(self, dress: Dress) -> Net:
        """The net, dressed."""
        ...


Source = st.SearchStrategy[Buildable]

SIZES = st.tuples(st.integers(2, 4), *(st.integers(2, 5) for _ in range(3)))
"""Of layouts: a factor, channels, rows and columns."""

FAMILIES: Mapping[str, Mapping[str, Source]] = {
    "mixed": {"": mixed()},
    "after": {kind: models(kind) for kind in LINEAR},
    "ahead": {kind: led(kind) for kind in LINEAR},
    "moves": {"": drawn()},
    "graphs": {"": graphs()},
    "branches": {"": branches()},
    "batches": {"": batches().map(lambda m: m.sketch)},
    "parallel": {"": parallel().map(lambda m: m.sketch)},
    "pixels": {"": pixels().map(lambda m: m.sketch)},
    "scaled layouts": {"": scaled_layouts().map(lambda m: m.sketch)},
    "mixed rows": {"": mixed_rows().map(lambda m: m.sketch)},
    "rotations": {
        "": rotations().map(lambda m: m.sketch),
        "heads": shared_heads().map(lambda m: m.sketch),
    },
    "padded channels": {"": padded_channels().map(lambda m: m.sketch)},
    "pointwise": {"": pointwise().map(lambda m: m.sketch)},
    "input batches": {"": input_batches()},
    "products": {"": products().map(lambda m: m.sketch)},
    "one dim": {"": one_dim().map(lambda m: m.sketch)},
    "references": {"": references()},
    "lit tests": {"": lit_nets()},
    "gates": {"": gates().map(lambda m: m.sketch)},
    "multihead": {
        "parts": multihead().map(lambda m: m.sketch),
        "whole": whole_heads().map(lambda m: m.sketch),
    },
    "constants": {"": constant_chains()},
    "spelled": {key: spelled(kind).map(lambda m: m.sketch) for key, kind in KINDS.items()},
    "norms": {kind: followed(kind).map(lambda m: m.sketch) for kind in NORMS}
    | {"groups": grouped().map(lambda m: m.sketch)},
    "padding": {k: padded(k).map(lambda m: m.sketch) for k in (*WINDOWS, *POOLINGS)},
    "decoders": {form: plans(form).map(DecoderModel) for form in DECODERS},
    "attention": {miss: attentions(miss) for miss in ("", *MISSES)},
    "layouts": {
        spell.__name__: SIZES.flatmap(lambda n, spell=spell: framed(spell(*n)))
        for spell in SPELLINGS
    }
    | {"any": chains().filter(lambda chain: len(chain.steps) > 1).flatmap(framed)},
}
"""Models by what they are about, and by kind."""

WITH_FLOORS = ("moves", "mixed")
"""Families that round what they think is exact, so that nothing before it may round."""

REWRITING = [
    name
    for name in get_all_passes()
    if name.startswith(("fuse-", "eliminate-", "merge-", "replace-", "fold-"))
]
"""The passes that must keep what a model computes."""


@dataclass(frozen=True)
class Case:
    """A net and what is done with it."""

    net: Net
    passes: tuple[str, ...]
    apart: int | None
    """After so many passes the model is written and read again, to see that it is the same."""

    @property
    def ends(self) -> bool:
        """Whether a second run may change nothing: after one pass, and after those of `-O`. Of
        others, an earlier one may fire where a later one has rewritten."""
        return self.passes == OPTIMIZE or len({*self.passes} - {"eliminate-split"}) == 1

    def trial(
        self, runtime: Runtime, folder: Path, others: int, batches: int, least: float
    ) -> Trial | DecoderTrial:
        """The net and what the runtime makes of it."""
        return Trial(self.net, runtime, folder, others=others, batches=batches, least=least)


@dataclass(frozen=True)
class DecoderCase(Case):
    """A decoder and what is done with it."""

    model: DecoderModel
    dress: Dress

    @property
    def ends(self) -> bool:
        """A model that may be refused stays refused."""
        return super().ends and not self.model.plan.may_be_refused

    def trial(
        self, runtime: Runtime, folder: Path, others: int, batches: int, least: float
    ) -> DecoderTrial:
        """The decoder, called step by step."""
        return DecoderTrial(self.model, self.dress, runtime, folder, least)


SHARES = "eliminate-repeated-heads{opaque_caches=true}"

DECODING = {
    WHOLE: (
        *((ADDS,), (*OPTIMIZE, ADDS), (ADDS, *OPTIMIZE), (ADDS, *OPTIMIZE, SHARES)),
        (ADDS, *OPTIMIZE, SHARES, UNFUSES),
    ),
    CACHED: (
        *((SHARES,), (*OPTIMIZE, SHARES), ("eliminate-split", SHARES)),
        *((UNFUSES,), (*OPTIMIZE, SHARES, UNFUSES), (UNFUSES, *OPTIMIZE)),
    ),
    APPENDED: ((FUSES,), (*OPTIMIZE, FUSES), (FUSES, *OPTIMIZE), (FUSES, *OPTIMIZE, SHARES)),
}
"""Passes for each form of a decoder, beside those of `-O`."""


def decoder_cases(model: DecoderModel, dress: Dress) -> st.SearchStrategy[DecoderCase]:
    """A decoder, and passes for its form."""
    net = model.build(dress)
    passes = st.sampled_from([OPTIMIZE, *DECODING[model.plan.form]])
    return passes.map(lambda some: DecoderCase(net, some, None, model, dress))


@st.composite
def cases(draw: st.DrawFn, family: str, source: Source) -> Case:
    """A net of a source, dressed, with more outputs now and then, and passes for it: those of `-O`
    more often than not."""
    model = draw(source)
    dress = draw(further_dresses(exact=family in WITH_FLOORS))
    if isinstance(model, DecoderModel):
        return draw(decoder_cases(model, dress))
    net = model.build(dress)
    net.expose(draw(st.sampled_from([0, 0, 1, 3])))
    some = st.lists(st.sampled_from([*REWRITING, "canonicalize"]), min_size=1, max_size=3)
    passes = draw(st.one_of(st.just(OPTIMIZE), st.just(OPTIMIZE), some.map(tuple)))
    if passes != OPTIMIZE and draw(
        st.booleans()
    ):  # files have Splits between what belongs together
        passes = ("eliminate-split", *passes)
    apart = (
        draw(st.integers(1, len(passes) - 1)) if len(passes) > 1 and draw(st.booleans()) else None
    )
    return Case(net, passes, apart)
