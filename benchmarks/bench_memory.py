"""Memory of a run: the arena, the least it could be, and the arena of a peer.

    python benchmarks/bench_memory.py --models DIR... [--only NAME,...]

Ours: the OM that atc writes from the same file.  `arena` holds inputs, outputs and everything
between; `bound` is the most bytes of it that are needed at one step, in pieces of 512 bytes, with
views and results that overwrite an input counted once: no arena for that order of operators is
smaller.  Peer: what onnxruntime's arena asks of the system in a run after the first, when it plans
from what it saw.  That is a low figure: inputs are the caller's memory, and what fits into memory
kept from the first run is not asked for again.  OpenVINO does not tell what its tensors take.
"""

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from bench_run import FEEDS, SHAPES, compile_om

import ge.om

ALIGN = 512
BITS = {"bool": 8, "int4": 4, "uint4": 4, "bfloat16": 16}
NO_STEPS = {"Const", "NetOutput"}
ONNXRUNTIME = """
import sys
import numpy as np
import onnxruntime as ort
ort.set_default_logger_severity(1)
cpu = ort.OrtMemoryInfo(
    "Cpu", ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, ort.OrtMemType.DEFAULT)
exact = {"arena_extend_strategy": 1, "initial_chunk_size_bytes": 256,
         "max_dead_bytes_per_chunk": 256}
ort.create_and_register_allocator(cpu, ort.OrtArenaCfg(exact))
options = ort.SessionOptions()
options.log_severity_level = 1
options.intra_op_num_threads = 1
options.add_session_config_entry("session.use_env_allocators", "1")
session = ort.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
feeds = dict(np.load(sys.argv[2]))
for _ in range(2):  # what the first run took is given back, so that the second takes it anew
    print("run", file=sys.stderr, flush=True)
    run = ort.RunOptions()
    run.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    session.run(None, feeds, run)
"""


def bytes_of(output):
    if output.shape is None or None in output.shape:
        return 0
    bits = BITS.get(output.dtype) or int(re.findall(r"\d+", output.dtype)[0])
    return -(-math.prod(output.shape) * bits // 8)


def lower_bound(graph):
    """The most bytes of the arena that are needed at one step; each byte counts once."""
    spans = {}  # value -> [first step, last step, begin, end], shared by views of one value
    for step, node in enumerate(graph.nodes):
        read = [spans[name] for name in node.inputs if name in spans]
        for span in read:
            span[1] = step
        if node.type in NO_STEPS:
            continue
        first = 0 if node.type == "Data" else step
        for i, output in enumerate(node.outputs):
            size = bytes_of(output)
            if output.offset < 0 or not size:
                continue
            begin, end = output.offset, output.offset + -(-size // ALIGN) * ALIGN
            inside = (span for span in read if span[2] <= begin and begin + size <= span[3])
            spans[f"{node.name}:{i}"] = next(inside, None) or [first, step, begin, end]
    begins = {}
    for span in {id(span): span for span in spans.values()}.values():
        begins.setdefault(span[0], []).append(span)
    most, live = 0, []
    for step in range(len(graph.nodes)):
        live = [span for span in live if span[1] >= step] + begins.get(step, [])
        covered, end = 0, 0
        for _, _, begin, stop in sorted(live, key=lambda span: span[2:]):
            covered += max(0, stop - max(begin, end))
            end = max(end, stop)
        most = max(most, covered)
    return most


def ours(model, shapes, folder):
    """Arena and bound of the compiled model; no bound where branches share a workspace."""
    with ge.om.load(compile_om(model, shapes, folder)) as opened:
        bound = lower_bound(opened.graph) if len(opened.graphs) == 1 else None
        return opened.memory.arena_bytes, bound


def onnxruntime(model, shapes, folder):
    feeds = f"{folder}/feeds.npz"
    for words in ([FEEDS, str(model), json.dumps(shapes), feeds], [ONNXRUNTIME, str(model), feeds]):
        done = subprocess.run(
            [sys.executable, "-P", "-c", *words], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            return None
    last = done.stderr.rpartition("run\n")[2]
    return sum(map(int, re.findall(r"Extended allocation by (\d+) bytes", last)))


def mega(count):
    return "-" if count is None else f"{count / 1e6:.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=Path, required=True, nargs="+")
    parser.add_argument("--only", default="", help="comma list of model names")
    args = parser.parse_args()
    all_shapes = json.loads(SHAPES.read_text(encoding="utf-8"))
    wanted = set(filter(None, args.only.split(",")))
    print(f"{'MB':28}{'arena':>10}{'bound':>10}{'ratio':>8}{'onnxruntime':>14}")
    for model in sorted(path for folder in args.models for path in folder.glob("*.onnx")):
        if wanted and model.stem not in wanted:
            continue
        shapes = all_shapes.get(model.stem, {})
        with tempfile.TemporaryDirectory() as folder:
            try:
                arena, bound = ours(model, shapes, folder)
            except RuntimeError as error:
                print(f"{model.stem:28}  {' '.join(str(error).split())[-150:]}")
                continue
            peer = onnxruntime(model, shapes, folder)
        ratio = f"{arena / bound:.3f}" if bound else "-"
        row = f"{model.stem:28}{mega(arena):>10}{mega(bound):>10}{ratio:>8}{mega(peer):>14}"
        print(row, flush=True)


if __name__ == "__main__":
    main()
