"""Ctrl-C while a model runs."""

import os
import signal
import subprocess
import sys
import time

import pytest

LENGTH = 6000  # nodes: a run takes half a minute or more
STOP = 10  # seconds within which it must have stopped

PROLOGUE = """
import signal, sys, threading, time
import numpy, ge.om
model = ge.om.load(sys.argv[1])
x = numpy.zeros(model.inputs[0].shape, numpy.float32)
print("ready", flush=True)
"""


@pytest.fixture(scope="module")
def slow_om(chain):
    return chain(LENGTH)


@pytest.fixture
def interrupted(package):
    """Start Python with these words, send SIGINT when it is at work; return how it ended."""

    def call(*words):
        process = subprocess.Popen(
            [sys.executable, "-P", *map(str, words)],
            env={**os.environ, "PYTHONPATH": str(package.parent)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        if words[0] == "-c":
            assert process.stdout.readline() == "ready\n"
        time.sleep(0.5 if words[0] == "-c" else 1.5)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        output, errors = process.communicate(timeout=120)
        assert time.monotonic() - start < STOP
        return output, errors, process.returncode

    return call


def test_run_stops_and_the_model_can_run_again(interrupted, slow_om):
    code = """
try:
    model(x)
except KeyboardInterrupt:
    print("stopped")
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
try:
    model(x)
except KeyboardInterrupt:
    print("stopped again")
"""
    assert interrupted("-c", PROLOGUE + code, slow_om) == ("stopped\nstopped again\n", "", 0)


def test_handler_of_the_program_is_called_and_the_run_ends(interrupted, chain):
    code = """
handled = []
signal.signal(signal.SIGINT, lambda *_: handled.append(True))
sizes, end = set(), time.monotonic() + 60
while not handled and time.monotonic() < end:
    sizes.add(model(x)[0].size)
print(handled, sizes == {x.size})
"""
    assert interrupted("-c", PROLOGUE + code, chain(40)) == ("[True] True\n", "", 0)


def test_command_ends_with_130(interrupted, slow_om):
    assert interrupted("-m", "ge.om", "run", slow_om, "--random") == ("", "", 130)
