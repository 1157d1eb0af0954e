"""Runs changed files one after the other and prints how each one ended.

The case at work lies in ``case.om`` or ``case.onnx`` of the folder, for whoever finds this process
dead.
"""

import faulthandler
import os
import random
import signal
import sys
import time
from pathlib import Path

from fuzz.mutate import mutate_om, mutate_onnx
from fuzz.use import compile_onnx, convert_om, use_om

CASE_SECONDS = 60


def one_case(rng, folder, kind, sources):
    source = rng.choice(sources)
    for suffix in (".om", ".onnx"):
        (folder / f"case{suffix}").unlink(missing_ok=True)
    case = folder / f"case{source.suffix}"
    if source.suffix == ".onnx":
        case.write_bytes(mutate_onnx(rng, source))
        return "onnx: " + compile_onnx(case)
    case.write_bytes(mutate_om(rng, source))
    if rng.random() < 0.2:
        return "om: " + convert_om(case)
    return "om: " + use_om(case)


def main(folder, seed, cases, seconds, kind):
    folder, end = Path(folder), time.monotonic() + float(seconds)
    sources = sorted((folder / "corpus").glob(f"*.{kind or 'o*'}"))
    rng = random.Random(int(seed))
    for number in range(int(cases)):
        faulthandler.dump_traceback_later(CASE_SECONDS, exit=True)
        print(one_case(rng, folder, kind, sources), flush=True)
        if os.environ.get("FUZZ_DIE_AT") == str(number):  # to test who finds us dead
            os.kill(os.getpid(), signal.SIGKILL)
        if time.monotonic() > end:
            break
    faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main(*sys.argv[1:])
