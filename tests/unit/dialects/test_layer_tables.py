"""Each layer type has an entry in each table of layer types. A failure names the file to edit."""

import re
from pathlib import Path

import pytest
from ncnn_opt.analysis.target_info import PROCESSORS, Processor
from ncnn_opt.dialects.ncnn import BY_TYPE, FAMILIES
from ncnn_opt.report.model import FAMILY_OF_MODULE

ROUND_TRIPS = "tests/differential/roundtrip.txt"
DECLARATIONS = "tests/unit/dialects/ncnn_layers.txt"
ROOT = Path(__file__).parents[3]


def test_each_module_of_layers_has_a_family_in_reports() -> None:
    modules = {load().__name__.rpartition(".")[2] for load in FAMILIES.values()}
    missing = sorted(modules - FAMILY_OF_MODULE.keys())
    assert not missing, f"report/model.py: FAMILY_OF_MODULE has no entry for {missing}"


@pytest.mark.parametrize("processor", PROCESSORS.values(), ids=PROCESSORS)
def test_each_layer_type_has_an_entry_for_each_processor(processor: Processor) -> None:
    path = f"analysis/target_info/{processor.name}.py"
    missing = sorted(BY_TYPE.keys() - processor.codes.keys() - processor.portable)
    assert not missing, f"{path}: `codes` and `portable` have no entry for {missing}"
    twice = sorted(processor.codes.keys() & processor.portable)
    assert not twice, f"{path}: {twice} are in `codes` and in `portable`"
    unknown = sorted(processor.portable - BY_TYPE.keys())
    assert not unknown, f"{path}: there are no layer types {unknown}"


def test_each_layer_type_has_a_row_with_the_declaration_of_ncnn() -> None:
    types = re.findall(r"^(\w+)", (ROOT / DECLARATIONS).read_text(), re.M)
    missing = [name for name in BY_TYPE if name not in types]
    assert not missing, f"{DECLARATIONS} has no row for {missing}"
    unknown = [name for name in types if name not in BY_TYPE]
    assert not unknown, f"{DECLARATIONS}: there are no layer types {unknown}"
    order = f"{DECLARATIONS}: the rows and FAMILIES have different orders"
    assert types == list(BY_TYPE), order


def test_each_layer_type_has_a_round_trip_test() -> None:
    types = set(re.findall(r"^(\w+)", (ROOT / ROUND_TRIPS).read_text(), re.M))
    missing = sorted(BY_TYPE.keys() - types - {"Input", "MemoryData"})
    assert not missing, f"{ROUND_TRIPS}: there is no case of {missing}"
