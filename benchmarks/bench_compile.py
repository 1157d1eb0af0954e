"""Compile time and memory of whole processes, beside two peers, in one run.

    python benchmarks/bench_compile.py --models DIR [--runs N] [--only NAME,...] [--precision MODE]

Peers: onnxruntime's offline optimisation (extended level, saved as ONNX) and OpenVINO's
convert_model + save_model; both are Python processes, timed whole like ours.  Shapes for dynamic
inputs of the known networks are in tests/data/input_shapes.json.  Runs of all commands are
interleaved, so that a slow moment of the machine hits each alike; medians and their ratios are
printed.  Columns: seconds; the faster peer over ours (for pyatc after the time of
`python -c pass` is subtracted); ours over `cp`; peak private memory of atc in MiB.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

SHAPES = Path(__file__).resolve().parent.parent / "tests" / "data" / "input_shapes.json"
PEERS = {
    "onnxruntime": """
import sys, onnxruntime as ort
options = ort.SessionOptions()
options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
options.optimized_model_filepath = sys.argv[2]
options.log_severity_level = 3
ort.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
""",
    "openvino": """
import json, sys, openvino
shapes = json.loads(sys.argv[3])
model = openvino.convert_model(sys.argv[1], input=list(shapes.items()) or None)
openvino.save_model(model, sys.argv[2], compress_to_fp16=False)
""",
}
COLUMNS = ("atc", "pyatc", "cp", *PEERS)


def private_kib(pid):
    """Memory of a process that no file backs, in KiB."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("RssAnon"))
    except (OSError, StopIteration):
        return 0


def run(command):
    """Wall seconds and peak private KiB of one process."""
    peak = 0
    done = threading.Event()

    def watch(pid):
        nonlocal peak
        while not done.wait(0.002):
            peak = max(peak, private_kib(pid))

    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    watcher = threading.Thread(target=watch, args=(process.pid,))
    watcher.start()
    _, stderr = process.communicate()
    seconds = time.perf_counter() - start
    done.set()
    watcher.join()
    if process.returncode != 0:
        raise RuntimeError(stderr.decode(errors="replace").strip()[-300:])
    return seconds, peak


def commands(model, shapes, folder, atc, precision):
    """The command line of every column, and of the interpreter that does nothing."""
    flags = ["--framework=5", "--soc_version=Ascend310P3", f"--precision_mode_v2={precision}"]
    flags += [f"--model={model}", f"--output={folder}/ours", "--input_format=ND"]
    if shapes:
        items = (f"{name}:{','.join(map(str, dims))}" for name, dims in shapes.items())
        flags.append(f"--input_shape={';'.join(items)}")
    table = {
        "atc": [atc, *flags],
        "pyatc": [sys.executable, "-P", "-m", "ge.pyatc", *flags],
        "pass": [sys.executable, "-c", "pass"],
        "cp": ["cp", str(model), f"{folder}/copy"],
    }
    for name, code in PEERS.items():
        target = f"{folder}/peer.{'onnx' if name == 'onnxruntime' else 'xml'}"
        table[name] = [sys.executable, "-c", code, str(model), target, json.dumps(shapes)]
    return table


def measure(table, runs):
    """Median seconds and greatest peak per command; a peer that cannot take the model is absent."""
    samples = {name: [] for name in table}
    for counted in [False] + [True] * runs:  # the first run fills caches
        for name in list(samples):
            try:
                sample = run(table[name])
            except RuntimeError as error:
                if name not in PEERS:
                    raise
                print(f"  {name} left out: {error}", file=sys.stderr)
                del samples[name]
                continue
            if counted:
                samples[name].append(sample)
    return {
        name: (statistics.median(seconds for seconds, _ in values), max(kib for _, kib in values))
        for name, values in samples.items()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="", help="comma list of model names")
    parser.add_argument("--precision", default="origin", help="ours only; ATC's default is fp16")
    parser.add_argument("--atc", default=shutil.which("atc"))
    args = parser.parse_args()
    if not args.atc:
        parser.error("there is no atc on PATH; give --atc")
    all_shapes = json.loads(SHAPES.read_text(encoding="utf-8"))
    wanted = set(filter(None, args.only.split(",")))
    ratios = ("peer/atc", "peer/pyatc", "atc/cp", "MiB")
    print(f"{'model':28}", *(f"{name:>11}" for name in (*COLUMNS, *ratios)))
    for model in sorted(args.models.glob("*.onnx")):
        if wanted and model.stem not in wanted:
            continue
        with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", ".")) as folder:
            shapes = all_shapes.get(model.stem, {})
            table = commands(model, shapes, folder, args.atc, args.precision)
            rows = measure(table, args.runs)
        seconds = {name: row[0] for name, row in rows.items()}
        peer = min((seconds[name] for name in PEERS if name in seconds), default=float("nan"))
        wrapped = max(seconds["pyatc"] - seconds["pass"], 1e-4)
        figures = [
            f"{seconds[name]:11.3f}" if name in seconds else f"{'-':>11}" for name in COLUMNS
        ]
        figures += [f"{value:11.1f}" for value in (peer / seconds["atc"], peer / wrapped)]
        figures += [f"{seconds['atc'] / seconds['cp']:11.1f}", f"{rows['atc'][1] / 1024:11.1f}"]
        print(f"{model.stem:28}", *figures, flush=True)


if __name__ == "__main__":
    main()
