"""What calling Python from the compile costs, and what a compile leaves to other Python threads.

    python benchmarks/bench_hooks.py [--model FILE.onnx]

`call`: a call of an empty Python function by native code, from the thread of the caller and from
native threads, beside the same call by Python; aimed at is 3 us more.  `counting`: how far a Python
thread counts while another one compiles the model, of what it counts alone for as long; aimed at is
80 %.  The machine needs two idle processors.
"""

import argparse
import sys
import tempfile
import threading
import time
import types
from pathlib import Path

import ge
from ge import _testing

CALLS = 20_000


def call_times():
    module = sys.modules["ge_bench"] = types.ModuleType("ge_bench")
    module.same = lambda request: request
    best = min(timed_calls(module.same) for _ in range(5))
    print(f"call by Python             {best * 1e6:6.2f} us")
    for threads, who in ((0, "the caller's thread"), (1, "1 native thread"), (4, "4 threads")):
        _, nanoseconds = _testing.call_from_threads("ge_bench:same", threads, CALLS)
        print(f"call by {who:19}{nanoseconds / 1e3:6.2f} us")


def timed_calls(function):
    begin = time.perf_counter()
    for _ in range(CALLS):
        function("0")
    return (time.perf_counter() - begin) / CALLS


class Counter(threading.Thread):
    """Counts until it is stopped."""

    def __init__(self):
        super().__init__(daemon=True)
        self.count = 0
        self.running = True

    def run(self):
        while self.running:
            self.count += 1

    def rate(self, work):
        begin, before = time.perf_counter(), self.count
        work()
        return (self.count - before) / (time.perf_counter() - begin)


def counting(model):
    with tempfile.TemporaryDirectory() as folder:

        def compile_some():
            for _ in range(5):
                ge.compile(model, Path(folder) / "m.om", soc_version="Ascend310P3").close()

        compile_some()
        counter = Counter()
        counter.start()
        idle = counter.rate(lambda: time.sleep(2))
        busy = counter.rate(compile_some)
        counter.running = False
    print(f"counting during compiles   {busy / idle:6.0%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, add_help=True)
    parser.add_argument("--model", help="an ONNX file that takes a second to compile")
    arguments = parser.parse_args()
    call_times()
    if arguments.model:
        counting(arguments.model)


if __name__ == "__main__":
    main()
