"""Operators that are left after optimisation, beside a peer.

    python benchmarks/bench_nodes.py --models DIR... [--only NAME,...]

Ours: nodes of the OM that atc writes, without Data, Const and NetOutput; `origin` and `fp16` are
values of --precision_mode_v2, and `casts` those of the latter that are Casts.  Peer: nodes of the
model that onnxruntime saves at its extended level, without Constant, of the same source with the
same sizes of its inputs.  Both count what is inside of branches and loops, and a convolution or
matrix product with an activation as one.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import onnx
from bench_run import SHAPES, compile_om

import ge.om

NOT_COUNTED = {"Data", "Const", "NetOutput", "Constant"}
ONNXRUNTIME = """
import sys, onnxruntime as ort
options = ort.SessionOptions()
options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
options.optimized_model_filepath = sys.argv[2]
options.log_severity_level = 3
ort.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
"""


def ours(model, shapes, folder, precision):
    """Operator types of the compiled model."""
    om = compile_om(model, shapes, folder, precision)
    with ge.om.load(om) as opened:
        types = [node.type for graph in opened.graphs for node in graph.nodes]
    return [name for name in types if name not in NOT_COUNTED]


def fix_sizes(model, shapes):
    """Gives the inputs their sizes; what was said about other tensors may no longer hold."""
    del model.graph.value_info[:]
    for port in [*model.graph.input, *model.graph.output]:
        if port.name in shapes:
            dims = port.type.tensor_type.shape.dim
            for dim, size in zip(dims, shapes[port.name], strict=True):
                dim.dim_value = size
        elif shapes:
            port.type.tensor_type.ClearField("shape")


def types_in(graph):
    for node in graph.node:
        yield node.op_type
        for attr in node.attribute:
            for inner in [attr.g] if attr.HasField("g") else attr.graphs:
                yield from types_in(inner)


def onnxruntime(path, shapes, folder):
    """Operator types of the model that onnxruntime saves; None when it cannot."""
    model = onnx.load(path)
    inputs = {port.name for port in model.graph.input}
    fix_sizes(model, {name: dims for name, dims in shapes.items() if name in inputs})
    source, saved = f"{folder}/source.onnx", f"{folder}/peer.onnx"
    onnx.save(model, source)
    words = [sys.executable, "-P", "-c", ONNXRUNTIME, source, saved]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"  onnxruntime left out: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return None
    types = types_in(onnx.load(saved, load_external_data=False).graph)
    return [name for name in types if name not in NOT_COUNTED]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=Path, required=True, nargs="+")
    parser.add_argument("--only", default="", help="comma list of model names")
    args = parser.parse_args()
    all_shapes = json.loads(SHAPES.read_text(encoding="utf-8"))
    wanted = set(filter(None, args.only.split(",")))
    columns = ("source", "origin", "peer", "ratio", "fp16", "casts", "ratio")
    print(f"{'nodes':28}", *(f"{name:>7}" for name in columns))
    for model in sorted(path for folder in args.models for path in folder.glob("*.onnx")):
        if wanted and model.stem not in wanted:
            continue
        shapes = all_shapes.get(model.stem, {})
        with tempfile.TemporaryDirectory() as folder:
            try:
                origin = ours(model, shapes, folder, "origin")
                fp16 = ours(model, shapes, folder, "fp16")
            except RuntimeError as error:
                print(f"{model.stem:28}  {' '.join(str(error).split())[-150:]}")
                continue
            peer = onnxruntime(model, shapes, folder)
        source = onnx.load(model, load_external_data=False)
        cells = [sum(name not in NOT_COUNTED for name in types_in(source.graph)), len(origin)]
        if peer:
            cells += [len(peer), len(origin) / len(peer)]
        else:
            cells += ["-"] * 2
        cells += [len(fp16), fp16.count("Cast"), len(fp16) / len(peer) if peer else "-"]
        cells = [f"{cell:.3f}" if isinstance(cell, float) else cell for cell in cells]
        print(f"{model.stem:28}", *(f"{cell:>7}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
