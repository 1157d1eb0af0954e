"""All that can be done with a file that may be damaged; what goes wrong in a good way is text."""

import contextlib
import math
import os
import signal
import threading

import numpy as np
from conformance.check import captured

import ge.om
from ge import _engine, _pyatc
from ge.errors import GeError
from ge.om import Tensor

RUN_SECONDS = 3  # a loop that a change made endless is stopped after them
TARGET = ["--framework=5", "--soc_version=Ascend310P3", "--precision_mode_v2=origin"]


@contextlib.contextmanager
def interrupted_after(seconds):
    """Sends SIGINT, as Ctrl-C does, when the block takes longer; it ends with KeyboardInterrupt."""
    done = threading.Lock()
    finished = False

    def interrupt():
        with done:
            if not finished:
                os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(seconds, interrupt)
    timer.start()
    try:
        yield
    finally:
        with done:
            finished = True
        timer.cancel()
        timer.join()


def use_om(path):
    """Open, look at and run an OM; returns how that went, in a word."""
    try:
        with interrupted_after(RUN_SECONDS):
            return _use_om(path)
    except KeyboardInterrupt:
        return "stopped"
    except MemoryError:
        return "no memory"
    except (GeError, UnicodeDecodeError) as error:
        return type(error).__name__


def _use_om(path):
    with ge.om.load(path) as model:
        assert model.summary()
        assert model.graphs
        for value in model.weights.values():
            np.asarray(value).tobytes()
        if not model.runnable:
            return "not runnable"
        feeds = []
        for port in model.inputs:
            shape = tuple(2 if dim is None else dim for dim in port.shape or ())
            if math.prod(max(dim, 1) for dim in shape) > 1e6:  # NumPy counts so, too
                return "large inputs"
            feeds.append((port.name, random_tensor(port.dtype, shape)))
        if 1 << 30 < model.memory.arena_bytes < 1 << 45:  # might be there
            return "large arena"
        for poison in (False, True):
            model._run(feeds, 2, profile=False, poison=poison)
        return "run"


def random_tensor(dtype, shape):
    """Small numbers of a type, or the bytes of one that NumPy lacks."""
    rng = np.random.default_rng(len(shape))
    try:
        return rng.integers(0, 3, shape).astype(dtype)
    except TypeError:
        bits = ge.om._arrays.BITS.get(dtype, 8)
        return Tensor(rng.bytes((math.prod(shape) * bits + 7) // 8), dtype, shape)


def convert_om(path):
    """What ``--mode=1`` and ``--mode=6`` make of it."""
    for words in (["--mode=1", f"--json={path}.json"], ["--mode=6"]):
        with captured((1,)) as text:
            status = _pyatc.run(_engine.current.wrapper, ["atc", f"--om={path}", *words])
        assert status == 0 or "E19999" not in text(), text()
    return "converted" if status == 0 else "refused"


def compile_onnx(path):
    """Compile an ONNX model; use the OM if there is one."""
    output = path.with_suffix("")
    output.with_suffix(".om").unlink(missing_ok=True)
    words = ["atc", f"--model={path}", *TARGET, f"--output={output}"]
    with captured((1,)) as text:
        status = _pyatc.run(_engine.current.wrapper, words)
    if status != 0:
        assert "(E" in text() and "E19999" not in text(), text()
        return "refused"
    return use_om(output.with_suffix(".om"))
