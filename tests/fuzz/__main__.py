"""Feeds changed models to the compiler and the host engine until the time is over.

    PYTHONPATH=tests python3 -P -m fuzz --seconds 60 [--cases N] [--seed N] [--keep FOLDER]
                                        [--kind om|onnx]
    PYTHONPATH=tests python3 -P -m fuzz --file FILE

Any end but an error message or a result is a fault: a crash, a report of a sanitizer, a call that
does not come back. The file that caused it is kept, and the exit status is 1.
"""

import argparse
import collections
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fuzz.corpus import write_corpus
from fuzz.use import compile_onnx, convert_om, use_om

WORKER_CASES = 400  # then a new process goes on


def main():
    parser = argparse.ArgumentParser(prog="fuzz")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--cases", type=int, default=sys.maxsize, help="end after so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-faults"))
    parser.add_argument("--kind", choices=["om", "onnx"])
    parser.add_argument("--graphs", type=int, default=60, help="random graphs among the sources")
    parser.add_argument("--file", type=Path, help="look at this one, an .om or .onnx file")
    given = parser.parse_args()
    if given.file:
        look_at(given.file)
        return
    end, seed = time.monotonic() + given.seconds, given.seed
    faults, ends = 0, collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_corpus(folder / "corpus", given.graphs)
        while time.monotonic() < end and ends.total() + faults < given.cases:
            cases = min(WORKER_CASES, given.cases - ends.total() - faults)
            seconds = max(1, end - time.monotonic())
            words = [str(folder), str(seed), str(cases), str(seconds), given.kind or ""]
            done = subprocess.run(
                [sys.executable, "-P", "-m", "fuzz.worker", *words],
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
            for line in done.stdout.splitlines():
                ends[line] += 1
            if done.returncode != 0:
                faults += 1
                keep(given.keep, folder, seed, done)
            seed += 1
    print(f"{sum(ends.values())} cases, {faults} faults:", dict(ends.most_common()))
    sys.exit(faults != 0)


def look_at(path):
    """What a worker does with one file, in this process."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copy(path, folder))
        if copy.suffix == ".onnx":
            print(compile_onnx(copy))
        else:
            print(use_om(copy), convert_om(copy))


def keep(target, folder, seed, done):
    """Keep the case at which a worker ended, with what it said."""
    target.mkdir(parents=True, exist_ok=True)
    for case in folder.glob("case.*"):
        if case.suffix in (".om", ".onnx"):
            shutil.copy(case, target / f"{seed}{case.suffix}")
    (target / f"{seed}.txt").write_text(f"status {done.returncode}\n{done.stderr[-20000:]}")
    print(f"seed {seed}: status {done.returncode}, see {target / f'{seed}.txt'}")


if __name__ == "__main__":
    main()
