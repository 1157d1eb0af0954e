"""The line on a terminal that says how far a compile is."""

import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest
from onnx import TensorProto, helper

NODES = 100_000
LINE = re.compile(
    r"(importing|optimizing|choosing data types): (\d+) / (\d+) (operators|passes) *$"
)
TARGET = ["--framework=5", "--soc_version=Ascend310P3"]


def field(number, data):
    """A length-delimited field of a protobuf message."""
    size, length = len(data), b""
    while size >= 128:
        length, size = length + bytes([size % 128 + 128]), size // 128
    return bytes([number << 3 | 2]) + length + bytes([size]) + data


@pytest.fixture(scope="module")
def slow_model(tmp_path_factory):
    """A chain of Relu and Tanh: its nodes by hand, which is faster than onnx.helper."""
    nodes = [
        field(1, field(1, b"t%d" % i) + field(2, b"t%d" % (i + 1)) + field(4, kind))
        for i, kind in enumerate([b"Relu", b"Tanh"] * (NODES // 2))
    ]
    x = helper.make_tensor_value_info("t0", TensorProto.FLOAT, [4])
    y = helper.make_tensor_value_info(f"t{NODES}", TensorProto.FLOAT, [4])
    graph = helper.make_graph([], "g", [x], [y]).SerializeToString()
    model = helper.make_model(
        helper.make_graph([], "g", [], []),
        opset_imports=[helper.make_opsetid("", 13)],
        ir_version=8,
    )
    model.ClearField("graph")
    path = tmp_path_factory.mktemp("progress") / "slow.onnx"
    path.write_bytes(model.SerializeToString() + field(7, b"".join(nodes) + graph))
    return path


def slow_down(process):
    """Let a process work a sixth of its time for as long as a fast machine needs to be slow."""
    end = time.monotonic() + 2
    while process.poll() is None and time.monotonic() < end:
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.1)
        process.send_signal(signal.SIGCONT)
        time.sleep(0.02)


def on_terminal(command):
    """Run with stderr on a terminal: exit status, stdout, what the terminal got, seconds."""
    terminal, child = pty.openpty()
    start = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=child) as process:
        os.close(child)
        slow_down(process)
        shown = b""
        while True:
            try:
                piece = os.read(terminal, 4096)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            shown += piece
        stdout = process.stdout.read()
    os.close(terminal)
    return process.returncode, stdout.decode(), shown.decode(), time.monotonic() - start


@pytest.mark.parametrize("entry", ["atc", "module"])
def test_a_long_compile_tells_how_far_it_is(entry, slow_model, atc, tmp_path):
    words = [f"--model={slow_model}", *TARGET, f"--output={tmp_path}/net"]
    program = [atc] if entry == "atc" else [sys.executable, "-P", "-m", "ge.pyatc"]
    status, stdout, shown, seconds = on_terminal([*program, *words, "--log=info"])
    assert status == 0
    assert stdout.split("\n")[0] == "ATC has started, please wait."
    assert "\r" not in stdout
    assert "importing" not in stdout
    redraws = shown.replace("\r\n", "\n").split("\r")
    assert len(redraws) <= seconds * 10 + 3
    counted = [LINE.search(text) for text in redraws[1:]]
    assert any(counted), shown
    last = {}
    for found in filter(None, counted):
        stage, done, total = found[1], int(found[2]), int(found[3])
        assert last.get(stage, 0) <= done <= total
        last[stage] = done
        if stage == "importing":
            assert total == NODES
        elif stage == "choosing data types":
            assert NODES <= total <= NODES + 2
    # Blanks over the line, then the log goes on at its beginning.
    assert re.search(r"\r +\r\[PID: \d+\] .* INFO wrote", shown.replace("\r\n", "\n"))


def test_a_short_compile_shows_nothing(atc, folder, tmp_path):
    words = [f"--model={folder}/net.onnx", *TARGET, f"--output={tmp_path}/net"]
    status, _, shown, _ = on_terminal([atc, *words])
    assert (status, shown) == (0, "")


def test_nothing_is_shown_where_stderr_is_no_terminal(run, atc, slow_model, tmp_path):
    done = run(atc, f"--model={slow_model}", *TARGET, f"--output={tmp_path}/net")
    assert (done.status, done.stderr) == (0, "")
