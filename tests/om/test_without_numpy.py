"""ge.om where NumPy or ml_dtypes is not installed."""

import json

import numpy as np
from onnx import TensorProto, helper

NO_NUMPY = "sys.modules['numpy'] = None\nsys.modules['ml_dtypes'] = None\nimport ge.om\n"


def test_results_are_memoryviews_with_format_and_shape(script, add_om):
    code = """
        import array
        model = ge.om.load(args[0])
        a = memoryview(array.array("f", range(6)).tobytes()).cast("f", [2, 3])
        b = array.array("f", [10, 20, 30])
        twice = model.run({"a": a, "b": b})["twice"]
        print([twice.format, twice.shape, twice.readonly, twice.tolist()])
        (weight,) = model.weights.values()
        print([weight.format, weight.shape, weight.readonly, weight.tolist()])
        print(model(a, b)[1].tolist()[0])
    """
    done = script(NO_NUMPY + code.replace("\n        ", "\n"), add_om)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "['f', (2, 3), False, [[20.0, 42.0, 64.0], [26.0, 48.0, 70.0]]]",
        "['f', (3,), True, [1.0, 2.0, 3.0]]",
        "[11.0, 23.0, 35.0]",
    ]


def test_half_precision_goes_in_as_tensor_and_comes_out_as_its_format(script, compiled):
    for elem_type, dtype, fmt in (
        (TensorProto.FLOAT16, "float16", "e"),
        (TensorProto.BFLOAT16, "bfloat16", "H"),
    ):
        port = (elem_type, [2])
        om = compiled([helper.make_node("Neg", ["x"], ["y"])], {"x": port}, {"y": port})
        bits = 0x3C00 if dtype == "float16" else 0x3F80  # 1.0
        code = (
            "import array\nmodel = ge.om.load(args[0])\n"
            f"x = ge.om.Tensor(array.array('H', [{bits}, 0]), '{dtype}', (2,))\n"
            "(y,) = model(x)\n"
            "print(y.format, y.shape, y.tobytes().hex())\n"
        )
        done = script(NO_NUMPY + code, om)
        assert done.stderr == ""
        expected = np.array([bits | 0x8000, 0x8000], np.uint16).tobytes().hex()
        assert done.stdout == f"{fmt} (2,) {expected}\n"


def test_bfloat16_is_uint16_without_ml_dtypes(script, compiled):
    port = (TensorProto.BFLOAT16, [2])
    om = compiled([helper.make_node("Neg", ["x"], ["y"])], {"x": port}, {"y": port})
    code = (
        "sys.modules['ml_dtypes'] = None\nimport numpy, ge.om\n"
        "(y,) = ge.om.load(args[0])(numpy.array([0x3F80, 0], 'uint16'))\n"
        "print(y.dtype, [hex(v) for v in y])\n"
    )
    assert script(code, om).stdout == "uint16 ['0xbf80', '0x8000']\n"


def test_empty_results_are_empty_memoryviews(script, compiled):
    om = compiled([helper.make_node("Neg", ["x"], ["y"])], {"x": [0, 3]}, {"y": [0, 3]})
    code = (
        "(y,) = ge.om.load(args[0])(ge.om.Tensor(b'', 'float32', (0, 3)))\n"
        "print(y.format, y.shape, y.tolist())\n"
    )
    assert script(NO_NUMPY + code, om).stdout == "f (0, 3) []\n"


def test_command_says_what_needs_numpy(script, add_om, tmp_path):
    code = "from ge.om.__main__ import main\nsys.exit(main(args))\n"
    done = script(NO_NUMPY + code, "run", add_om, "--random", "--out", tmp_path)
    assert (done.status, done.stdout) == (1, "")
    assert "--out-format bin" in done.stderr
    done = script(NO_NUMPY + code, "run", add_om, "--input", "a=x.npy")
    assert (done.status, "x.npy needs NumPy" in done.stderr) == (1, True)


def test_random_values_are_the_same_with_and_without_numpy(script, compiled, tmp_path):
    kinds = ["FLOAT", "FLOAT16", "DOUBLE", "BFLOAT16", "INT64", "INT8", "BOOL"]
    inputs, nodes, outputs = {}, [], {}
    for kind in kinds:
        port = (getattr(TensorProto, kind), [5])
        inputs[f"in_{kind}"] = outputs[f"out_{kind}"] = port
        flip = "Not" if kind == "BOOL" else "Neg"
        nodes += [
            helper.make_node(flip, [f"in_{kind}"], [f"t_{kind}"]),
            helper.make_node(flip, [f"t_{kind}"], [f"out_{kind}"]),
        ]
    om = compiled(nodes, inputs, outputs, opset=18, name="kinds")
    code = "from ge.om.__main__ import main\nsys.exit(main(args))\n"
    words = ["run", om, "--random", "--seed", "5", "--json", "--out-format", "bin", "--out"]
    for name, prologue in (("with", ""), ("without", NO_NUMPY)):
        done = script(prologue + code, *words, tmp_path / name)
        assert (done.status, done.stderr) == (0, "")
        assert len(json.loads(done.stdout)["outputs"]) == len(kinds)
    for kind in kinds:
        written = [
            (tmp_path / name / f"out_{kind}.bin").read_bytes() for name in ("with", "without")
        ]
        assert written[0] == written[1], kind
    floats = np.frombuffer((tmp_path / "with" / "out_FLOAT.bin").read_bytes(), np.float32)
    assert ((floats >= 0) & (floats < 1)).all() and len(set(floats)) > 1
