"""Ctrl-C during a compile: status 130, one line, nothing left."""

import contextlib
import fcntl
import os
import signal
import subprocess
import termios
import time

import onnx
import pytest
from cli.facts import GOOD
from onnx import TensorProto, helper

INPUTS = [f"input_number_{i}" for i in range(200)]


@pytest.fixture
def wide_folder(tmp_path):
    """A folder with net.onnx, whose inputs fill many lines of the debug log."""
    ins = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in INPUTS]
    outs = [helper.make_tensor_value_info(f"y_{n}", TensorProto.FLOAT, [2]) for n in INPUTS]
    nodes = [helper.make_node("Relu", [name], [f"y_{name}"]) for name in INPUTS]
    graph = helper.make_graph(nodes, "g", ins, outs)
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8),
        tmp_path / "net.onnx",
    )
    return tmp_path


@contextlib.contextmanager
def held_compile(atc, folder, **how):
    """A compile that waits, in front of its first stage, for someone to read its log.

    Yields the process and a function that reads the log to its end.
    """
    words = [f"--{name}={value}" for name, value in {**GOOD, "output": "new/net"}.items()]
    shapes = ";".join(f"{name}:2" for name in INPUTS)
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    with subprocess.Popen(
        [os.fspath(atc), *words, f"--input_shape={shapes}", "--log=debug"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=writer,
        **how,
    ) as process:
        try:
            held = bytearray(4)
            while int.from_bytes(held, "little") < 3800:
                assert process.poll() is None
                time.sleep(0.01)
                fcntl.ioctl(reader, termios.FIONREAD, held)
            os.close(writer)
            with os.fdopen(reader, "rb") as log:
                yield process, lambda: log.read().decode()
        finally:
            process.kill()


def test_an_interrupt_stops_the_compile(atc, wide_folder):
    with held_compile(atc, wide_folder) as (process, read_log):
        process.send_signal(signal.SIGINT)
        log = read_log()
        stdout = process.stdout.read().decode()
        assert process.wait(timeout=60) == 130
    assert log.splitlines()[-1] == "interrupted"
    assert stdout == "ATC has started, please wait.\n"
    assert [path.name for path in wide_folder.iterdir()] == ["net.onnx"]


def test_a_second_interrupt_does_what_it_did_before_the_run(atc, wide_folder):
    with held_compile(atc, wide_folder) as (process, _):
        process.send_signal(signal.SIGINT)
        while not caught_no_interrupt(process.pid):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == -signal.SIGINT


def caught_no_interrupt(pid):
    """Whether the process has no handler for SIGINT any more."""
    with open(f"/proc/{pid}/status") as status:
        caught = next(line for line in status if line.startswith("SigCgt:")).split()[1]
    return not int(caught, 16) & 1 << (signal.SIGINT - 1)


def test_an_ignored_interrupt_stays_ignored(atc, wide_folder):
    ignore = lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)  # noqa: E731
    with held_compile(atc, wide_folder, preexec_fn=ignore) as (process, read_log):
        process.send_signal(signal.SIGINT)
        read_log()
        assert process.wait(timeout=60) == 0
    assert (wide_folder / "new/net.om").is_file()
