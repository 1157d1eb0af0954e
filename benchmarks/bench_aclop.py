"""Times of ge.aclop beside ctypes and pybind11 wrappers of the same C functions, and beside C.

    python benchmarks/bench_aclop.py --include include --library .../libacl_op_compiler.so

Microseconds per call, the least of several rounds, after warm-up; then what is aimed at and the
ratios. All of it needs a C and a C++ compiler.
"""

import argparse
import ctypes
import importlib.util
import os
import subprocess
import sysconfig
import tempfile
import timeit
from pathlib import Path

import numpy as np
import pybind11

from ge import aclop

HERE = Path(__file__).parent
SOC = "Ascend310P3"
ROUNDS = 15
DIMS = [1, 3, 224, 224]


def microseconds(call):
    """The least time of a call in several rounds of about 20 ms."""
    timer = timeit.Timer(call)
    number = max(1000, int(0.02 / (timer.timeit(1000) / 1000)))
    return min(timer.repeat(ROUNDS, number)) / number * 1e6


def build(folder, include, library):
    """Compile the C loops and the pybind11 module."""
    link = [library, f"-Wl,-rpath,{library.parent}", "-lpthread"]
    options = ["-O2", f"-I{include}", "-Wno-deprecated-declarations"]
    loops, module = folder / "loops", folder / "aclop_pybind.so"
    subprocess.run(["cc", *options, HERE / "aclop_loops.c", "-o", loops, *link], check=True)
    python = [f"-I{pybind11.get_include()}", f"-I{sysconfig.get_path('include')}"]
    python += ["-std=c++17", "-shared", "-fPIC", "-fvisibility=hidden"]
    command = ["c++", *options, *python, HERE / "aclop_pybind.cc", "-o", module, *link]
    subprocess.run(command, check=True)
    spec = importlib.util.spec_from_file_location("aclop_pybind", module)
    peer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(peer)
    return loops, peer


def in_c(loops):
    """Microseconds by the name of the loop."""
    done = subprocess.run([loops], check=True, capture_output=True, text=True)
    rows = [line.split() for line in done.stdout.splitlines()]
    return {name: float(nanoseconds) / 1000 for name, nanoseconds in rows}


def of_cython():
    x, y = np.ones(1, np.float32), np.empty(1, np.float32)
    desc = aclop.TensorDesc(0, [1])
    attrs = aclop.Attrs(first=1, second=2.0)
    add = aclop.compile("Add", [desc, desc], [desc], attrs)
    make, compile = aclop.TensorDesc, aclop.compile
    return {
        "describe": microseconds(lambda: make(1, DIMS, 0)),
        "hit": microseconds(lambda: compile("Add", [desc, desc], [desc], attrs)),
        "run": microseconds(lambda: add(x, x, out=y)),
    }


def of_pybind11(peer):
    x, y = np.ones(1, np.float32), np.empty(1, np.float32)
    desc, attr = peer.Desc(0, [1], 2), peer.Attr()
    attr.set_int("first", 1)
    attr.set_float("second", 2.0)
    assert peer.compile("Add", [desc, desc], [desc], attr) == 0
    handle = peer.Handle("Add", [desc, desc], [desc], attr)
    assert handle.run([x, x], [y]) == 0
    return {
        "describe": microseconds(lambda: peer.Desc(1, DIMS, 0)),
        "hit": microseconds(lambda: peer.compile("Add", [desc, desc], [desc], attr)),
        "run": microseconds(lambda: handle.run([x, x], [y])),
    }


def of_ctypes(library):
    acl = ctypes.CDLL(library)
    pointer, integer = ctypes.c_void_p, ctypes.c_int
    acl.aclCreateTensorDesc.restype = pointer
    acl.aclCreateTensorDesc.argtypes = [integer, integer, pointer, integer]
    acl.aclDestroyTensorDesc.argtypes = [pointer]
    acl.aclopCreateAttr.restype = pointer
    acl.aclopSetAttrInt.argtypes = [pointer, ctypes.c_char_p, ctypes.c_int64]
    acl.aclopSetAttrFloat.argtypes = [pointer, ctypes.c_char_p, ctypes.c_float]
    lists = [integer, pointer, integer, pointer]
    acl.aclopCompile.argtypes = [ctypes.c_char_p, *lists, pointer, integer, integer, pointer]
    acl.aclopCreateHandle.argtypes = [ctypes.c_char_p, *lists, pointer, pointer]
    acl.aclopExecWithHandle.argtypes = [pointer, *lists, pointer]
    acl.aclCreateDataBuffer.restype = pointer
    acl.aclCreateDataBuffer.argtypes = [pointer, ctypes.c_size_t]
    acl.aclDestroyDataBuffer.argtypes = [pointer]

    def create(dims):
        return acl.aclCreateTensorDesc(1, len(dims), (ctypes.c_int64 * len(dims))(*dims), 0)

    def array(handles):
        return (ctypes.c_void_p * len(handles))(*handles)

    def compile(op_type, inputs, outputs, attr):
        lists = len(inputs), array(inputs), len(outputs), array(outputs)
        return acl.aclopCompile(op_type.encode(), *lists, attr, 0, 0, None)

    def run(handle, inputs, outputs):
        buffers = [acl.aclCreateDataBuffer(a.ctypes.data, a.nbytes) for a in inputs + outputs]
        first, second = array(buffers[: len(inputs)]), array(buffers[len(inputs) :])
        code = acl.aclopExecWithHandle(handle, len(inputs), first, len(outputs), second, None)
        for buffer in buffers:
            acl.aclDestroyDataBuffer(buffer)
        return code

    desc, attr = acl.aclCreateTensorDesc(0, 1, (ctypes.c_int64 * 1)(1), 2), acl.aclopCreateAttr()
    acl.aclopSetAttrInt(attr, b"first", 1)
    acl.aclopSetAttrFloat(attr, b"second", 2.0)
    assert compile("Add", [desc, desc], [desc], attr) == 0
    handle = ctypes.c_void_p()
    lists = 2, array([desc, desc]), 1, array([desc])
    assert acl.aclopCreateHandle(b"Add", *lists, attr, ctypes.byref(handle)) == 0
    x, y = np.ones(1, np.float32), np.empty(1, np.float32)
    assert run(handle, [x, x], [y]) == 0
    return {
        "describe": microseconds(lambda: acl.aclDestroyTensorDesc(create(DIMS))),
        "hit": microseconds(lambda: compile("Add", [desc, desc], [desc], attr)),
        "run": microseconds(lambda: run(handle, [x, x], [y])),
    }


def table(times):
    names = {"describe": "4-D description", "hit": "compile, hit", "run": "operator, 1 element"}
    print(f"{'us per call':24}" + "".join(f"{peer:>10}" for peer in times))
    for row, title in names.items():
        print(f"{title:24}" + "".join(f"{times[peer][row]:10.3f}" for peer in times))


def targets(times):
    """Rows of what is aimed at: title, what came out, the aim, whether more is better."""
    ours, c = times["ge.aclop"], times["C"]
    return [
        ("4-D description from Python, us", ours["describe"], 0.5, False),
        ("  times as fast as ctypes", times["ctypes"]["describe"] / ours["describe"], 5, True),
        ("  times as fast as pybind11", times["pybind11"]["describe"] / ours["describe"], 1, True),
        ("compile, hit, from C, us", c["hit"], 1.5, False),
        ("compile, hit, from Python, us", ours["hit"], 3, False),
        ("first compile of Add, us", c["first_add"], 150, False),
        ("first compile of Conv2D, us", c["first_conv"], 1000, False),
        ("operator on 1 element over C, us", ours["run"] - c["run"], 3, False),
        ("two C threads on hits, times one", c["hit"] / c["two_threads"], 1.7, True),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    package = Path(aclop.__file__).parents[1]
    beside = package / "libacl_op_compiler.so"
    in_tree = package.parents[2] / "lib64" / beside.name
    parser.add_argument("--include", type=Path, default=HERE.parent / "include")
    parser.add_argument("--library", type=Path, default=beside if beside.exists() else in_tree)
    words = parser.parse_args()
    os.environ["ASCEND_SOC_VERSION"] = SOC
    aclop.init(SOC)
    with tempfile.TemporaryDirectory() as folder:
        loops, peer = build(Path(folder), words.include, words.library.resolve())
        assert peer.init() == 0
        times = {
            "C": in_c(loops),
            "ge.aclop": of_cython(),
            "pybind11": of_pybind11(peer),
            "ctypes": of_ctypes(words.library),
        }
    table(times)
    print()
    for title, value, aim, more in targets(times):
        reached = value >= aim if more else value <= aim
        sign = ">=" if more else "<="
        print(f"{title:36}{value:10.2f}   {sign} {aim:<6} {'' if reached else 'missed'}")


if __name__ == "__main__":
    main()
