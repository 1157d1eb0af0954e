"""Time of single operators beside onnxruntime, in one run.

    python benchmarks/bench_ops.py [--only NAME,...] [--threads N] [--seconds S]

Each case is a model of one node.  Both engines run it in this process and take turns.  Columns:
the least microseconds of a run of ours, of its node alone (without copying inputs and outputs) and
of a run of onnxruntime; then the first two over the third.  `small` cases show what a run and a
node cost beside their work.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

import ge.om

ROUNDS = 20
OPSET = 20
RNG = np.random.default_rng(0)


def floats(*shape, dtype=np.float32):
    return RNG.standard_normal(shape).astype(dtype)


def ints(high, *shape):
    return RNG.integers(0, high, shape, np.int64)


class Case:
    """A node; of its inputs, `arrays` are fed and `constants` follow them as initializers.

    With `constants_first` they come before.
    """

    def __init__(self, op, *arrays, constants=(), constants_first=False, outputs=("y",), **attrs):
        self.op, self.arrays, self.constants = op, arrays, constants
        self.constants_first, self.outputs, self.attrs = constants_first, outputs, attrs

    def feeds(self):
        return {f"x{i}": array for i, array in enumerate(self.arrays)}

    def model(self):
        fed, initializers = list(self.feeds()), []
        for i, array in enumerate(self.constants):
            initializers.append(numpy_helper.from_array(array, f"c{i}"))
        constants = [initializer.name for initializer in initializers]
        names = constants + fed if self.constants_first else fed + constants
        node = helper.make_node(self.op, names, self.outputs, **self.attrs)
        ports = [
            helper.make_tensor_value_info(
                name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape
            )
            for name, array in self.feeds().items()
        ]
        outputs = [onnx.ValueInfoProto(name=name) for name in self.outputs]
        graph = helper.make_graph([node], "op", ports, outputs, initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
        model.ir_version = 9
        return onnx.shape_inference.infer_shapes(model)


MAP = (1, 64, 112, 112)
WORDS = (1, 12, 128, 128)
NO_ROI = np.array([], np.float32)


def scales(height, width):
    return np.array([1, 1, height, width], np.float32)


def activations(suffix, *shape):
    x = floats(*shape)
    plain = ["Relu", "Exp", "Log", "Sqrt", "Sigmoid", "Tanh", "Erf", "Gelu", "Softplus", "Mish"]
    plain += ["Elu", "Selu", "LeakyRelu", "HardSigmoid", "HardSwish", "Sin", "Floor", "Round"]
    cases = {op + suffix: Case(op, np.abs(x) if op in ("Log", "Sqrt") else x) for op in plain}
    cases["GeluTanh" + suffix] = Case("Gelu", x, approximate="tanh")
    return cases


def movement():
    x, sequence = floats(*MAP), floats(8, 128, 768)
    index = ints(128, 8, 128, 768)
    grid = floats(1, 96, 96, 2) / 2
    pads = np.array([0, 0, 1, 1, 0, 0, 1, 1], np.int64)
    up = scales(2, 2)
    half_pixel = {"mode": "linear", "coordinate_transformation_mode": "half_pixel"}
    return {
        "GatherElements.0": Case("GatherElements", sequence, constants=[index % 8], axis=0),
        "GatherElements.1": Case("GatherElements", sequence, constants=[index], axis=1),
        "GatherElements.2": Case("GatherElements", sequence, constants=[index], axis=2),
        "Gather.rows": Case(
            "Gather", ints(30000, 512), constants=[floats(30000, 256)], constants_first=True
        ),
        "GatherND": Case("GatherND", floats(64, 64, 32), ints(64, 4096, 2)),
        "ScatterElements": Case("ScatterElements", sequence, index, sequence, axis=1),
        "ScatterND": Case("ScatterND", floats(4096, 64), ints(4096, 512, 1), floats(512, 64)),
        "Pad.constant": Case("Pad", x, constants=[pads]),
        "Pad.reflect": Case("Pad", x, constants=[pads], mode="reflect"),
        "Expand.last": Case("Expand", floats(1, 64, 112, 1), constants=[np.array(MAP)]),
        "Expand.first": Case("Expand", floats(1, 1, 112, 112), constants=[np.array(MAP)]),
        "Tile": Case("Tile", floats(1, 64, 56, 56), constants=[np.array([1, 1, 2, 2])]),
        "Slice": Case(
            "Slice", x, constants=[np.array([1, 1]), np.array([111, 111]), np.array([2, 3])]
        ),
        "Slice.step": Case(
            "Slice",
            x,
            constants=[np.array([0, 0]), np.array([112, 112]), np.array([2, 3]), np.array([2, 2])],
        ),
        "Concat": Case("Concat", floats(1, 32, 112, 112), floats(1, 32, 112, 112), axis=1),
        "Resize.nearest": Case(
            "Resize",
            floats(1, 64, 56, 56),
            constants=[NO_ROI, up],
            coordinate_transformation_mode="asymmetric",
            nearest_mode="floor",
        ),
        "Resize.nearest.odd": Case(
            "Resize", floats(1, 64, 56, 56), constants=[NO_ROI, scales(1.5, 1.5)]
        ),
        "Resize.linear": Case(
            "Resize", floats(1, 64, 56, 56), constants=[NO_ROI, up], **half_pixel
        ),
        "Resize.linear.image": Case(
            "Resize", floats(1, 3, 480, 640), constants=[NO_ROI, scales(0.5, 0.5)], **half_pixel
        ),
        "Resize.cubic": Case("Resize", floats(1, 16, 56, 56), constants=[NO_ROI, up], mode="cubic"),
        "GridSample": Case("GridSample", floats(1, 64, 96, 96), grid),
        "GridSample.nearest": Case("GridSample", floats(1, 64, 96, 96), grid, mode="nearest"),
        "Transpose.0231": Case("Transpose", x, perm=[0, 2, 3, 1]),
        "Transpose.0312": Case("Transpose", floats(1, 112, 112, 64), perm=[0, 3, 1, 2]),
        "Transpose.0213": Case("Transpose", floats(8, 128, 12, 64), perm=[0, 2, 1, 3]),
        "Transpose.10": Case("Transpose", floats(1024, 1024), perm=[1, 0]),
        "DepthToSpace.DCR": Case("DepthToSpace", floats(1, 64, 56, 56), blocksize=2),
        "DepthToSpace.CRD": Case("DepthToSpace", floats(1, 64, 56, 56), blocksize=2, mode="CRD"),
        "SpaceToDepth": Case("SpaceToDepth", floats(1, 16, 112, 112), blocksize=2),
        "Trilu": Case("Trilu", floats(*WORDS)),
    }


def conversions():
    x = floats(*MAP)
    number = TensorProto
    pairs = [
        ("float", np.float32, "fp16", number.FLOAT16),
        ("fp16", np.float16, "float", number.FLOAT),
        ("float", np.float32, "int32", number.INT32),
        ("float", np.float32, "int64", number.INT64),
        ("float", np.float32, "uint8", number.UINT8),
        ("int64", np.int64, "float", number.FLOAT),
        ("int64", np.int64, "int32", number.INT32),
        ("uint8", np.uint8, "float", number.FLOAT),
        ("bool", np.bool_, "float", number.FLOAT),
        ("float", np.float32, "bool", number.BOOL),
    ]
    cases = {}
    for name, dtype, to_name, to in pairs:
        data = np.abs(x * 50).astype(dtype) if dtype != np.bool_ else x > 0
        cases[f"Cast.{name}.{to_name}"] = Case("Cast", data, to=to)
    cases["QuantizeLinear"] = Case(
        "QuantizeLinear", x, constants=[np.array(0.05, np.float32), np.array(128, np.uint8)]
    )
    cases["DequantizeLinear"] = Case(
        "DequantizeLinear",
        np.abs(x * 50).astype(np.uint8),
        constants=[np.array(0.05, np.float32), np.array(128, np.uint8)],
    )
    return cases


def reductions():
    x, words = floats(*MAP), floats(*WORDS)
    ones = np.ones(768, np.float32)
    return {
        "Softmax.last": Case("Softmax", words),
        "Softmax.1": Case("Softmax", floats(1, 21, 128, 128), axis=1),
        "Softmax.short": Case("Softmax", floats(8400, 16)),
        "LogSoftmax": Case("LogSoftmax", words),
        "ArgMax.last": Case("ArgMax", floats(128, 30000), axis=1),
        "ArgMax.1": Case("ArgMax", floats(1, 21, 128, 128), axis=1),
        "ReduceMean.23": Case("ReduceMean", x, constants=[np.array([2, 3])]),
        "ReduceMax.1": Case("ReduceMax", x, constants=[np.array([1])]),
        "ReduceSum.last": Case("ReduceSum", words, constants=[np.array([3])]),
        "TopK": Case("TopK", floats(8, 8400), constants=[np.array([100])], outputs=("y", "i")),
        "LayerNorm": Case("LayerNormalization", floats(8, 128, 768), constants=[ones, ones]),
        "CumSum": Case("CumSum", floats(64, 4096), constants=[np.array(1)]),
    }


def binaries():
    x, y = floats(*MAP), floats(*MAP)
    return {
        "Add": Case("Add", x, y),
        "Mul.channel": Case("Mul", x, floats(1, 64, 1, 1)),
        "Div": Case("Div", x, y),
        "Pow.2": Case("Pow", x, constants=[np.array(2, np.float32)]),
        "Less": Case("Less", x, y),
        "Where": Case("Where", x > 0, x, y),
        "And": Case("And", x > 0, y > 0),
        "Clip": Case("Clip", x, constants=[np.array(0, np.float32), np.array(6, np.float32)]),
        "PRelu": Case("PRelu", x, constants=[floats(64, 1, 1)]),
        "Add.small": Case("Add", floats(64), floats(64)),
        "Softmax.small": Case("Softmax", floats(4, 16)),
        "Transpose.small": Case("Transpose", floats(4, 16), perm=[1, 0]),
        "Gather.small": Case("Gather", floats(16, 16), ints(16, 4)),
        "Concat.small": Case("Concat", floats(4, 16), floats(4, 16), axis=1),
        "Slice.small": Case("Slice", floats(4, 16), constants=[np.array([1]), np.array([3])]),
    }


def all_cases():
    return (
        activations("", *MAP)
        | activations(".small", 64)
        | movement()
        | conversions()
        | reductions()
        | binaries()
    )


def load_ours(path, folder):
    flags = ["--framework=5", "--soc_version=Ascend310P3", "--precision_mode_v2=origin"]
    words = ["-P", "-m", "ge.pyatc", f"--model={path}", f"--output={folder}/ours", *flags]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(" ".join((done.stdout + done.stderr).split())[-200:])
    return ge.om.load(f"{folder}/ours.om")


def load_onnxruntime(path, threads):
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def least(seconds_of_run, budget):
    best, end = float("inf"), time.perf_counter() + budget
    while time.perf_counter() < end:
        best = min(best, seconds_of_run())
    return best


def measure(case, threads, budget):
    """Least microseconds of ours, of our node alone, and of onnxruntime."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "op.onnx"
        onnx.save(case.model(), path)
        ours, theirs = load_ours(path, folder), load_onnxruntime(path, threads)
    feeds = case.feeds()

    def timed(run):
        start = time.perf_counter()
        run()
        return time.perf_counter() - start

    def of_node():
        return sum(node.seconds for node in ours.profile(feeds, threads=threads).nodes)

    ways = [
        lambda: timed(lambda: ours.run(feeds, threads=threads)),
        of_node,
        lambda: timed(lambda: theirs.run(None, feeds)),
    ]
    best = [float("inf")] * len(ways)
    for _ in range(ROUNDS):
        for i, way in enumerate(ways):
            best[i] = min(best[i], least(way, budget / ROUNDS))
    return [1e6 * seconds for seconds in best]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="comma list of beginnings of names")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.4, help="per engine and case")
    args = parser.parse_args()
    wanted = tuple(filter(None, args.only.split(",")))
    print(f"{'case':24}{'run us':>10}{'node us':>10}{'ort us':>10}{'run/ort':>9}{'node/ort':>9}")
    for name, case in all_cases().items():
        if wanted and not name.startswith(wanted):
            continue
        try:
            run, node, theirs = measure(case, args.threads, args.seconds)
        except RuntimeError as error:
            print(f"{name:24}  {error}")
            continue
        print(f"{name:24}{run:10.1f}{node:10.1f}{theirs:10.1f}", end="")
        print(f"{run / theirs:9.2f}{node / theirs:9.2f}", flush=True)


if __name__ == "__main__":
    main()
