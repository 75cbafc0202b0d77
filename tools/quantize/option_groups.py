"""The options of the commands of `ncnn-quantize`, as tables (see `parsers.add_options`)."""

import argparse
from collections.abc import Mapping
from typing import Any, get_args

from ...quantization.recipe import FloatStorage, Method, Recipe, TableMethod, WeightMethod
from ..parsers import (
    CUSTOM_LAYER,
    FOR_NCNN,
    IMAGE_VALUES,
    IMAGES,
    READING,
    as_float,
    first_of,
    positive,
    tolerance,
)

WEIGHTS = f"""
weights:
{READING}
"""

OPTIMIZE = f"""
options:
  --input-shape INPUT=EXTENTS...  the shape of an input that the model does not declare, or declares
      unlike the samples: data=3,224,224 (may be given several times)
  -O  run the passes of `ncnn-opt -O` first, which fold BatchNorm into convolutions
{FOR_NCNN}
"""
"""The options that change the model before quantization."""

SCHEDULER = """
options:
  --scheduler ADDRESS  calibrate over a dask.distributed scheduler, for example tcp://10.0.0.1:8786
      (pip install 'ncnn-opt[dask]')
"""

SAMPLES = f"""
samples:
  --images FOLDER...  an image, or all images in a folder and its subfolders (may be given several
      times)
  --data FILE  a .npy whose outermost axis counts samples; a .npz with such an array for each input
  --list [NAME=]FILE...  a file with the name of an image or .npy in each line, as for ncnn2table;
      one for each input
  --samples N  use only the first N samples
{IMAGES}
  --resize  resize images to the input, as ncnn does; by default other sizes are an error
  -j, --jobs N  processes (default: one for each CPU)
{CUSTOM_LAYER}
"""

SCALES = """
scales:
  --method  the method that chooses the largest magnitude of a blob that is not clipped: mse, least
      square error; kl, least divergence of its histogram, as ncnn2table; minmax, the largest
      magnitude; percentile, 99.99 %% of the elements; aciq, as ncnn2table (mse)
  --weight-method  the method for weights, for each channel (%(default)s)
"""

BEST_SCALES = """
scales:
  --method  the method that chooses the largest magnitude of a blob that is not clipped: best, the
      method with the smallest error at the outputs (the default); mse, least square error; kl,
      least divergence of its histogram, as ncnn2table; minmax, the largest magnitude; percentile,
      99.99 %% of the elements; aciq, as ncnn2table (best)
  --weight-method  the method for weights, for each channel (by default the better of minmax and
      mse)
"""

CHANGES = """
changes of weights:
      A change is kept only if the measured error falls. Without any of these options --gptq is
      tried, unless --method or --output-table is given.
  --equalize  equalize the ranges of channels between convolutions, which helps with depthwise
      convolutions
  --gptq  fit the integers and biases of each layer to its float outputs on samples by GPTQ, instead
      of rounding weights to the nearest
  --correct-bias  subtract the mean error of each channel from biases
  --quick  change no weights, in a quarter to a half of the time
"""

TUNE = """
options:
  --keep-slower  leave layers in float that are slower in int8 on this processor, if that makes
      the whole model faster
  --on-device ADDRESS...  measure for --keep-slower and --latency on this device:
      ssh://[USER@]HOST[:PORT], adb://SERIAL or local (may be given several times; see ncnn-device)
"""

OUTPUT = """
the model that is written:
  -o, --output FILE  .param or .mlir to write
  --output-weights FILE  its weights (default: the .bin beside the output)
  --keep LAYER[,LAYER…]...  keep these layers in float (may be given several times)
  --storage  the type of weights that stay float (default: as they are); ncnn2int8 stores fp16
  --remarks  print a line for each layer on standard error
"""

STATIC_ONLY = """
  --static-only  only layers with a scale of their input: Gemm, MultiHeadAttention, SDPA, RNN, LSTM,
      GRU and Embed, which quantize it at run time, stay float
"""

EVALUATION = """
evaluation:
  --measure  print the error of each layer
  --json FILE  write the evaluation as JSON
  --html FILE  write the evaluation as a page, with a bar for each layer
  --classes FILE  a file with the right class of each sample, one in each line: count how often it
      has the largest score
  --max-nsr X  the largest error at each output, sum((int8 - float)^2) / sum(float^2), a ratio of
      energies: 0.01 is 20 dB, and 0.1 as a ratio of amplitudes
  --min-snr DB  the same limit in dB
  --latency  measure the times of both models in the runtime, in whole and by layer, and name the
      layers that are slower in int8
  --repeat N  the number of timed runs of each model (%(default)s)
  --eval-samples N  the number of samples for evaluation (%(default)s), spread over all samples
  --holdout N  use the last N samples for evaluation only, not for calibration
"""

CALIBRATE = """
options:
  -o, --output FILE  the table; FILE.npz: the statistics, for `merge`
  --shard K/N  count only part K of N of the samples, to FILE.npz
"""

MERGED = """
options:
  -o, --output FILE  the table; FILE.npz: the statistics
"""

UNDECLARED = """
options:
  --input-shape INPUT=EXTENTS...  the shape of an input that the model does not declare
"""

APPLIED = f"""
options:
  --table FILE  the table of scales
{FOR_NCNN}
"""

OUTPUT_TABLE = """
  --output-table FILE  also write the scales as a table
"""

BLOCK_TABLE = """
  --output-table FILE  also write the scales, in the format of ncnnllm2int
"""

INTEGERS = """
integers:
  --weights-only  select this command
  --bits  bits of a weight (default: 8)
  --block  the number of weights of a row with one scale (default: 64)
  --method  the method (default: minmax, with --data gptq)
  --data FILE|FOLDER  for awq and gptq: .npz files, or folders of them, with an array of samples for
      each input
  --table FILE  instead of these options: scales of ncnn's ncnnllm2table
"""


def part(text: str) -> tuple[int, int]:
    """Return the value of `--shard`."""
    k, slash, n = text.partition("/")
    if not (slash and k.isdecimal() and n.isdecimal() and 1 <= int(k) <= int(n)):
        raise argparse.ArgumentTypeError(f"K/N is expected, as 1/4, not '{text}'")
    return int(k), int(n)


def decibels(text: str) -> float:
    """Return the value of `--min-snr`."""
    value = as_float(text)
    if not -1000 < value < 1000:
        raise argparse.ArgumentTypeError(f"a number of dB is expected, not '{text}'")
    return value


DETAILS: Mapping[str, Any] = {
    "O": {"dest": "optimize"},
    "on_device": {"dest": "devices"},
    "samples": positive,
    "jobs": positive,
    "shard": part,
    "max_nsr": {"type": tolerance},
    "keep_slower": {"action": "store_true"},
    "min_snr": decibels,
    "repeat": {"type": positive, "default": Recipe.repeat},
    "eval_samples": {"type": positive, "default": Recipe.eval_samples},
    "holdout": {"type": positive},
    "storage": get_args(FloatStorage),
    **IMAGE_VALUES,
}
"""The values of the options in these tables."""

SCALE_METHODS = {
    "method": first_of(get_args(TableMethod)),
    "weight_method": first_of(get_args(WeightMethod)),
}

BEST_METHODS = {"method": first_of(get_args(Method)), "weight_method": get_args(WeightMethod)}
"""The methods of a command that can try them."""
