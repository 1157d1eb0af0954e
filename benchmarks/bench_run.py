"""Latency, load time and memory of running a model, beside two peers, in one run.

    python benchmarks/bench_run.py --models DIR [--only NAME,...] [--threads 1,2] [--seconds S]
                                   [--fp16]

Ours: the OM that atc writes from the same file, run by ge.om.  Peers: onnxruntime, and OpenVINO
with its inference precision pinned to float32.  Every engine is a process of its own with its own
threads; they take turns, several rounds each, so that a slow moment of the machine hits all alike.
Columns per engine: median milliseconds of a run; seconds to load; MiB of private memory after the
runs beyond what the imported package takes.  Ratios: ours over the better peer (latency),
onnxruntime's load time over ours.  With --fp16 one more: the latency of our model in float16 over
that in float32.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SHAPES = Path(__file__).resolve().parent.parent / "tests" / "data" / "input_shapes.json"
ROUNDS = 5

COMMON = """
import json, sys, time
import numpy as np

def private_kib():
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("RssAnon"))

model_path, threads, feeds_path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
feeds = dict(np.load(feeds_path))

def serve(load):
    before = private_kib()
    start = time.perf_counter()
    run = load()
    loaded = time.perf_counter() - start
    run()
    print(json.dumps({"load": loaded}), flush=True)
    for line in sys.stdin:
        budget = float(line)
        samples = []
        end = time.perf_counter() + budget
        while len(samples) < 3 or time.perf_counter() < end:
            start = time.perf_counter()
            run()
            samples.append(time.perf_counter() - start)
        print(json.dumps({"samples": samples, "kib": private_kib() - before}), flush=True)
"""
ENGINES = {
    "ours": """
import ge.om
def load():
    model = ge.om.load(model_path)
    return lambda: model.run(feeds, threads=threads)
serve(load)
""",
    "onnxruntime": """
import onnxruntime as ort
def load():
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    session = ort.InferenceSession(model_path, options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, feeds)
serve(load)
""",
    "openvino": """
import openvino as ov
core = ov.Core()
def load():
    model = core.read_model(model_path)
    model.reshape({port: feeds[port.any_name].shape for port in model.inputs})
    config = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": threads,
              "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1}
    request = core.compile_model(model, "CPU", config).create_infer_request()
    inputs = {port.any_name: feeds[port.any_name] for port in model.inputs}
    return lambda: request.infer(inputs)
serve(load)
""",
}
FEEDS = """
import json, sys
import numpy as np, onnxruntime as ort
shapes = json.loads(sys.argv[2])
types = {"float": np.float32, "double": np.float64, "float16": np.float16, "bool": np.bool_,
         "int64": np.int64, "int32": np.int32, "uint8": np.uint8, "int8": np.int8}
rng = np.random.default_rng(0)
feeds = {}
for port in ort.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"]).get_inputs():
    shape = shapes.get(port.name, [d if isinstance(d, int) and d > 0 else 1 for d in port.shape])
    dtype = types[port.type[len("tensor("):-1]]
    whole = np.issubdtype(dtype, np.integer)
    array = rng.integers(0, 2, shape) if whole else rng.standard_normal(shape)
    feeds[port.name] = np.asarray(array, dtype)
    if port.name == "sr":  # the sampling rate of voice models
        feeds[port.name] = np.array(16000, dtype)
np.savez(sys.argv[3], **feeds)
"""


class Engine:
    """A process that has loaded the model and runs it when asked."""

    def __init__(self, name, model, threads, feeds):
        words = [sys.executable, "-P", "-c", COMMON + ENGINES[name], model, str(threads), feeds]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.load = self._answer()["load"]
        self.samples, self.kib = [], 0

    def _answer(self):
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(self._process.communicate()[1].strip()[-300:])
        return json.loads(line)

    def run(self, seconds):
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()
        answer = self._answer()
        self.samples += answer["samples"]
        self.kib = answer["kib"]

    def stop(self):
        self._process.communicate()

    @property
    def milliseconds(self):
        return 1000 * statistics.median(self.samples)


def compile_om(model, shapes, folder, precision="origin"):
    flags = ["--framework=5", "--soc_version=Ascend310P3", f"--precision_mode_v2={precision}"]
    if shapes:
        items = (f"{name}:{','.join(map(str, dims))}" for name, dims in shapes.items())
        flags.append(f"--input_shape={';'.join(items)}")
    words = ["-P", "-m", "ge.pyatc", f"--model={model}", f"--output={folder}/{precision}", *flags]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stdout.strip()[-300:])
    return f"{folder}/{precision}.om"


def measure(model, shapes, threads, seconds, fp16):
    """The engines after their runs, by name; "fp16" is ours with the model in float16."""
    with tempfile.TemporaryDirectory() as folder:
        feeds = f"{folder}/feeds.npz"
        subprocess.run(
            [sys.executable, "-c", FEEDS, str(model), json.dumps(shapes), feeds], check=True
        )
        om = compile_om(model, shapes, folder, "origin")
        engines = {}
        for name in ENGINES:
            try:
                engines[name] = Engine(name, om if name == "ours" else str(model), threads, feeds)
            except RuntimeError as error:
                if name == "ours":
                    raise
                print(f"  {name} left out: {error}", file=sys.stderr)
        if fp16:
            om = compile_om(model, shapes, folder, "fp16")
            engines["fp16"] = Engine("ours", om, threads, feeds)
        for _ in range(ROUNDS):
            for engine in engines.values():
                engine.run(seconds / ROUNDS)
        for engine in engines.values():
            engine.stop()
    return engines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=Path, required=True, nargs="+")
    parser.add_argument("--only", default="", help="comma list of model names")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--seconds", type=float, default=2.0, help="per engine and model")
    parser.add_argument("--fp16", action="store_true", help="also ours in float16")
    args = parser.parse_args()
    all_shapes = json.loads(SHAPES.read_text(encoding="utf-8"))
    wanted = set(filter(None, args.only.split(",")))
    head = [f"{name} {unit}" for name in ENGINES for unit in ("ms", "load s", "MiB")]
    print(f"{'model':28}{'threads':>8}", *(f"{name:>18}" for name in head), end="")
    print(f"{'ours/peer':>12}{'ort load/ours':>15}{'fp16/ours' if args.fp16 else '':>11}")
    for model in sorted(path for folder in args.models for path in folder.glob("*.onnx")):
        if wanted and model.stem not in wanted:
            continue
        for threads in map(int, args.threads.split(",")):
            try:
                engines = measure(
                    model, all_shapes.get(model.stem, {}), threads, args.seconds, args.fp16
                )
            except RuntimeError as error:
                print(f"{model.stem:28}{threads:8}  {' '.join(str(error).split())[-150:]}")
                continue
            cells = []
            for name in ENGINES:
                engine = engines.get(name)
                values = (
                    (engine.milliseconds, engine.load, engine.kib / 1024) if engine else (0, 0, 0)
                )
                cells += [f"{value:18.3f}" for value in values]
            peer = min(engines[n].milliseconds for n in ENGINES if n in engines and n != "ours")
            ratio = engines["ours"].milliseconds / peer
            load = engines["onnxruntime"].load / engines["ours"].load
            cells.append(f"{ratio:11.2f} {load:14.1f}")
            if args.fp16:
                half = engines["fp16"].milliseconds / engines["ours"].milliseconds
                cells.append(f"{half:10.2f}")
            print(f"{model.stem:28}{threads:8}", *cells, flush=True)


if __name__ == "__main__":
    main()
