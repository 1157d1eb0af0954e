"""Calls from native threads into Python: none is lost, and what was raised arrives."""

import faulthandler
import sys
import threading
import time
import types

import pytest

from ge import _testing

DONE, NO_MODULE, RAISED, INTERRUPTED, EXIT = range(5)


@pytest.fixture
def module():
    """A module whose functions native code can call by name."""
    found = types.ModuleType("ge_test_hooks")
    sys.modules[found.__name__] = found
    faulthandler.dump_traceback_later(60, exit=True)  # a deadlock holds the GIL: no test can fail
    yield found
    faulthandler.cancel_dump_traceback_later()
    del sys.modules[found.__name__]


def call(name, threads=1, calls=1):
    return _testing.call_from_threads(f"ge_test_hooks:{name}", threads, calls)[0]


def test_thousand_calls_of_four_threads_all_arrive(module):
    seen = []

    def odd_ones_fail(request):
        seen.append(request)
        if int(request) % 2:
            raise ValueError(f"number {request}")
        time.sleep(0)  # lets another thread take the GIL
        return request * 2

    module.odd_ones_fail = odd_ones_fail
    replies = call("odd_ones_fail", threads=4, calls=1000)
    assert sorted(seen, key=int) == [str(i) for i in range(1000)]
    assert replies == [
        f"{RAISED}: ValueError: number {i}" if i % 2 else f"{i}{i}" for i in range(1000)
    ]


def test_calls_run_while_other_python_threads_do(module):
    stop = threading.Event()
    counted = [0]

    def count():
        while not stop.is_set():
            counted[0] += 1

    module.slow = lambda request: time.sleep(0.01)
    counter = threading.Thread(target=count)
    counter.start()
    try:
        assert call("slow", threads=4, calls=40) == [""] * 40
    finally:
        stop.set()
        counter.join()
    assert counted[0] > 0


def test_call_is_on_the_thread_of_the_caller(module):
    module.thread = lambda request: str(threading.get_ident())
    assert str(threading.get_ident()) not in call("thread", threads=2, calls=10)


@pytest.mark.parametrize(
    ("error", "reply"),
    [
        (KeyboardInterrupt(), f"{INTERRUPTED}: KeyboardInterrupt"),
        (SystemExit(3), f"{EXIT}: SystemExit: 3"),
        (GeneratorExit("odd"), f"{RAISED}: GeneratorExit: odd"),
        (RuntimeError("Größe \udc80"), f"{RAISED}: RuntimeError: Größe \\udc80"),
    ],
)
def test_kind_of_exception_is_kept(module, error, reply):
    def fail(request):
        raise error

    module.fail = fail
    assert call("fail") == [reply]


def test_exception_without_a_text_is_told_by_its_type(module):
    class MuteError(Exception):
        def __str__(self):
            raise ZeroDivisionError

    def fail(request):
        raise MuteError

    module.fail = fail
    assert "MuteError" in call("fail")[0]


def test_result_that_is_no_text_is_an_error(module):
    module.number = lambda request: 3
    assert call("number")[0].startswith(f"{RAISED}: TypeError: ")


def test_missing_module_and_missing_function_are_told_apart_from_failures():
    replies, _ = _testing.call_from_threads("ge_no_such_module:run", 1, 1)
    assert replies == [f"{NO_MODULE}: ModuleNotFoundError: No module named 'ge_no_such_module'"]
    replies, _ = _testing.call_from_threads("os:no_such_function", 1, 1)
    assert replies[0].startswith(f"{NO_MODULE}: AttributeError: ")


def test_calls_work_beside_numpy_and_onnx(run_python):
    done = run_python("""
import sys, types
import numpy, onnx
from ge import _testing
module = sys.modules["m"] = types.ModuleType("m")
module.total = lambda request: str(int(numpy.arange(int(request) + 1).sum()))
print(_testing.call_from_threads("m:total", 4, 100)[0][-1])
""")
    assert (done.stdout, done.stderr) == ("4950\n", "")


def test_output_keeps_its_order_in_a_pipe(run_python):
    done = run_python("""
import os, sys, types
from ge import _testing
module = sys.modules["m"] = types.ModuleType("m")
module.say = lambda request: print("python", request)
_testing.call_from_threads("m:say", 1, 2)
os.write(1, b"native\\n")
""")
    assert done.stdout == "python 0\npython 1\nnative\n"


def test_nothing_of_hooks_is_imported_for_a_compile_without_hooks(run_python, tmp_path):
    done = run_python(
        """
import sys, onnx, ge
from onnx import helper as h
x = h.make_tensor_value_info("x", 1, [2])
y = h.make_tensor_value_info("y", 1, [2])
model = h.make_model(h.make_graph([h.make_node("Relu", ["x"], ["y"])], "g", [x], [y]))
ge.compile(model, sys.argv[1], soc_version="Ascend310P3").close()
print([name for name in sys.modules if "hook" in name and name.startswith("ge")])
""",
        str(tmp_path / "m"),
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
