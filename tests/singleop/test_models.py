"""Models of single operators: what they compute, their names, and their bytes."""

import json

import numpy as np
import onnxruntime
import pytest
from onnx import helper
from singleop.words import add, op, tensor

from ge import aclop, om


@pytest.fixture(scope="module", autouse=True)
def soc():
    aclop.init("Ascend310P3")


@pytest.fixture
def load(compile_ops, tmp_path):
    """Call as ``load(*entries)``: compiles the operators, and loads the models into ge.aclop."""

    def load(*entries):
        done = compile_ops(list(entries))
        assert (done.status, "has no effect" in done.stdout) == (0, False), done.stdout
        for path in sorted(tmp_path.glob("out/*.om")):
            aclop.load(path.read_bytes())

    return load


def numpy_dtype(word):
    return np.dtype({"float": "float32", "double": "float64"}.get(word.lower(), word.lower()))


def row(entry, array):
    """A tensor of the file as a program describes it, with the shape and memory of an array."""
    dtype = numpy_dtype(entry["type"]).name
    desc = aclop.TensorDesc(dtype, array.shape, aclop.Format[entry["format"].upper()])
    if entry.get("is_const"):
        desc.constant = array.tobytes()
    return desc, array


def execute(entry, inputs, results):
    """Run a loaded operator; returns `results`, which it has filled."""
    arrays, rows = iter(inputs), []
    for tensor_of in entry["input_desc"]:
        if tensor_of["type"] == "UNDEFINED":
            rows.append(None)
        elif tensor_of.get("is_const"):
            constant = np.array(tensor_of["const_value"], numpy_dtype(tensor_of["type"]))
            rows.append(row(tensor_of, constant.reshape(tensor_of["shape"])))
        else:
            rows.append(row(tensor_of, next(arrays)))
    attrs = aclop.Attrs()
    for attr in entry.get("attr", []):
        is_dtype = attr["type"] == "data_type"
        value = attr["value"].removeprefix("DT_").lower() if is_dtype else attr["value"]
        attrs.set(attr["name"], value, attr["type"])
    outputs = [row(*pair) for pair in zip(entry["output_desc"], results, strict=True)]
    aclop.execute(entry["op"], rows, outputs, attrs)
    return results


def values(*shape, dtype="float32"):
    """Small whole numbers, the same every time."""
    return np.random.default_rng(0).integers(-9, 9, shape).astype(dtype)


def by_onnxruntime(kind, inputs, **attrs):
    """The result of an ONNX operator."""
    names = [f"x{i}" for i in range(len(inputs))]
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
        for name, x in zip(names, inputs, strict=True)
    ]
    y = helper.make_tensor_value_info("y", infos[0].type.tensor_type.elem_type, None)
    node = helper.make_node(kind, names, ["y"], **attrs)
    graph = helper.make_graph([node], "g", infos, [y])
    opset = [helper.make_opsetid("", 13)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=8)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    return session.run(None, dict(zip(names, inputs, strict=True)))[0]


LEFT_OUT = {"format": "RESERVED", "type": "UNDEFINED", "shape": []}
A, B = values(4, 3), values(3, 5)
IMAGE, FILTER = values(1, 2, 6, 5), values(3, 2, 3, 3)
CONCAT = [
    tensor(2, 3, dtype="int32", dynamic_input="x"),
    tensor(1, 3, dtype="int32", dynamic_input="x"),
]
# Operator, inputs, results by NumPy or onnxruntime.
CASES = {
    "MatMul": (
        op(
            "MatMul",
            [tensor(3, 4, dtype="FLOAT32"), tensor(5, 3, dtype="float"), LEFT_OUT],
            [tensor(4, 5, dtype="float")],
            ("transpose_x1", "bool", True),
            ("transpose_x2", "bool", True),
        ),
        [A.T.copy(), B.T.copy()],
        [A @ B],
    ),
    "ConcatD": (
        op(
            "ConcatD",
            CONCAT,
            [tensor(3, 3, dtype="int32")],
            ("concat_dim", "int", 0),
            ("N", "int", 2),
        ),
        [values(2, 3, dtype="int32"), values(1, 3, dtype="int32")],
        [np.concatenate([values(2, 3, dtype="int32"), values(1, 3, dtype="int32")])],
    ),
    "ReduceSumD": (
        op(
            "ReduceSumD",
            [tensor(4, 3, dtype="float")],
            [tensor(4, 1, dtype="float")],
            ("axes", "list_int", [1]),
            ("keep_dims", "bool", True),
        ),
        [A],
        [A.sum(axis=1, keepdims=True)],
    ),
    "LeakyRelu": (
        op("LeakyRelu", [tensor(4, 3)], [tensor(4, 3)], ("negative_slope", "float", 0.5)),
        [A.astype("float16")],
        [np.where(A < 0, A / 2, A).astype("float16")],
    ),
    "Cast": (
        op(
            "Cast",
            [tensor(4, 3, dtype="float")],
            [tensor(4, 3, dtype="int32")],
            ("dst_type", "int", 3),
        ),
        [A],
        [A.astype("int32")],
    ),
    "Conv2D": (
        op(
            "Conv2D",
            [
                tensor(1, 2, 6, 5, dtype="float", format="NCHW"),
                tensor(3, 2, 3, 3, dtype="float", format="nchw"),
            ],
            [tensor(1, 3, 4, 3, dtype="float", format="NCHW")],
            ("strides", "list_int", [1, 1, 1, 1]),
            ("pads", "list_int", [0, 0, 0, 0]),
            ("data_format", "string", "NCHW"),
        ),
        [IMAGE, FILTER],
        [by_onnxruntime("Conv", [IMAGE, FILTER])],
    ),
    "ArgMaxV2": (
        op(
            "ArgMaxV2",
            [
                tensor(4, 3, dtype="float"),
                tensor(dtype="int32", is_const=True, const_value=[1]),
            ],
            [tensor(4, dtype="int32")],
            ("dtype", "data_type", "DT_INT32"),
        ),
        [A],
        [A.argmax(axis=1).astype("int32")],
    ),
    "SplitD": (
        op(
            "SplitD",
            [tensor(4, 3, dtype="float")],
            [tensor(2, 3, dtype="float")] * 2,
            ("split_dim", "int", 0),
            ("num_split", "int", 2),
        ),
        [A],
        list(np.split(A, 2)),
    ),
    "Transpose": (
        op(
            "Transpose",
            [
                tensor(4, 3, dtype="float"),
                tensor(2, dtype="int64", is_const=True, const_value=[1, 0]),
            ],
            [tensor(3, 4, dtype="float")],
        ),
        [A],
        [A.T],
    ),
    "Softmax": (
        op(
            "SoftmaxV2",
            [tensor(4, 3, dtype="float")],
            [tensor(4, 3, dtype="float")],
            ("axes", "list_int", [1]),
        ),
        [A],
        [by_onnxruntime("Softmax", [A], axis=1)],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_results_are_those_of_others(load, name):
    entry, inputs, expected = CASES[name]
    load(entry)
    results = execute(entry, inputs, [np.empty_like(array, order="C") for array in expected])
    for result, array in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, array, rtol=1e-6)


EXTREMES = {
    "bool": [0, 1, 1.0],
    **{
        f"{sign}int{bits}": [
            np.iinfo(f"{sign}int{bits}").min,
            np.iinfo(f"{sign}int{bits}").max,
            3.0,
        ]
        for sign in ("", "u")
        for bits in (8, 16, 32, 64)
    },
    "float16": [65504, 6e-8, -0.1],
    "float": [3.4e38, 1e-45, 0.1],
    "double": [1.7e308, 5e-324, 0.1],
}


def test_constants_have_the_bytes_of_numpy(load):
    """Where(true, constant, x) is the constant."""
    entries = [
        op(
            "SelectV2",
            [
                tensor(3, dtype="bool"),
                tensor(
                    3,
                    dtype=dtype,
                    is_const=True,
                    const_value=[int(x) if isinstance(x, np.integer) else x for x in numbers],
                ),
                tensor(3, dtype=dtype),
            ],
            [tensor(3, dtype=dtype)],
        )
        for dtype, numbers in EXTREMES.items()
    ]
    load(*entries)
    for entry, (dtype, numbers) in zip(entries, EXTREMES.items(), strict=True):
        expected = np.array(numbers, numpy_dtype(dtype))
        inputs = [np.ones(3, bool), np.zeros_like(expected)]
        [result] = execute(entry, inputs, [np.zeros_like(expected)])
        assert result.tobytes() == expected.tobytes()


def test_open_sizes_take_what_is_in_their_range(load):
    shape = {"shape_range": [[1, 8]]}
    entry = op("Mul", [tensor(-1, 7, dtype="float", **shape)] * 2, [tensor(-1, 7, dtype="float")])
    load(entry)
    for rows in (1, 8):
        x = values(rows, 7)
        [result] = execute(entry, [x, x], [np.empty_like(x)])
        np.testing.assert_array_equal(result, x * x)
    with pytest.raises(aclop.OpNotFoundError):
        execute(entry, [values(9, 7)] * 2, [values(9, 7)])


def test_a_header_opens_the_sizes_of_what_follows(compile_ops, tmp_path):
    entry = op("Sub", [tensor(2, 5, dtype="float")] * 2, [tensor(2, 5, dtype="float")])
    assert compile_ops([{"compile_flag": 1}, entry]).status == 0
    aclop.load((tmp_path / "out/0_Sub_0_2_2_5_0_2_2_5_0_2_2_5.om").read_bytes())
    x = values(33, 6)
    [result] = execute(entry, [x, x[:1].copy()], [np.empty_like(x)])
    np.testing.assert_array_equal(result, x - x[:1])


def test_a_folder_is_loaded_by_a_program(compile_ops, run, python, package, tmp_path):
    compile_ops([add()])
    code = """if True:
        import numpy as np
        from ge import aclop
        aclop.init("Ascend310P3")
        aclop.model_dir("out")
        x = np.arange(6, dtype=np.float16).reshape(2, 3)
        y = np.empty_like(x)
        aclop.execute("Add", [x, x], [y])
        print(y.tolist())
    """
    done = run(python, "-P", "-c", code, cwd=tmp_path, env={"PYTHONPATH": package.parent})
    assert (done.stderr, done.stdout) == ("", "[[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]]\n")


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({}, "0_Add_1_2_2_3_1_2_2_3_1_2_2_3.om"),
        ({"name": ""}, "0_Add_1_2_2_3_1_2_2_3_1_2_2_3.om"),
        ({"name": "my-add_1.v2"}, "my-add_1.v2.om"),
        ({"name": "加"}, "0_Add_1_2_2_3_1_2_2_3_1_2_2_3.om"),
        ({"name": "../up"}, "0_Add_1_2_2_3_1_2_2_3_1_2_2_3.om"),
        ({"name": ".."}, "0_Add_1_2_2_3_1_2_2_3_1_2_2_3.om"),
        ({"name": "n" * 200}, "n" * 128 + ".om"),
    ],
)
def test_names_of_models(compile_ops, models, more, name):
    assert compile_ops([add(**more)]).status == 0
    assert models() == [name]


def test_generated_names_count_operators_and_are_cut(compile_ops, models):
    dims = [1] * 40
    long = op("Relu", [tensor(*dims)], [tensor(*dims)])
    entries = [{"compile_flag": 1}, add(), long]
    assert compile_ops(entries).status == 0
    generated = "1_Relu_1_2" + "_1" * 40 + "_1_2" + "_1" * 40
    assert models() == ["0_Add_1_2_2_3_1_2_2_3_1_2_2_3.om", generated[:128] + ".om"]


def test_a_model_says_what_it_was_made_of(compile_ops, tmp_path):
    entry = add(name="sum") | {
        "input_desc": [tensor(2, 3, name="a"), tensor(2, 3, dynamic_input="b")]
    }
    assert compile_ops([entry], "--core_type=VectorCore").status == 0
    with om.load(tmp_path / "out/sum.om") as model:
        assert [port.name for port in model.inputs] == ["a", "b0"]
        assert model.name == "sum"
    shown = compile_ops([entry], "--singleop=", "--output=", "--mode=6", "--om=out/sum.om").stdout
    assert "--singleop=ops.json" in shown


def test_bytes_depend_on_file_and_flags_alone(compile_ops, tmp_path):
    entries = [add(name="one"), CASES["Conv2D"][0]]
    written = []
    for text in (json.dumps(entries), json.dumps(entries, indent=3)):
        assert compile_ops(text).status == 0
        written.append([path.read_bytes() for path in sorted(tmp_path.glob("out/*"))])
        assert len(written[-1]) == 2
    assert written[0] == written[1]


def test_data_types_are_kept_without_a_flag(load):
    """1 + 2^-12 has more digits than float16."""
    entry = op("Mul", [tensor(1, dtype="float")] * 2, [tensor(1, dtype="float")])
    load(entry)
    x = np.array([1 + 2.0**-12], "float32")
    [result] = execute(entry, [x, np.ones_like(x)], [np.empty_like(x)])
    assert result[0] == x[0]


def test_precision_flags_lower_what_is_computed_and_keep_inputs_and_outputs(compile_ops, tmp_path):
    entry = op("Mul", [tensor(1, dtype="float")] * 2, [tensor(1, dtype="float")], name="mul")
    assert compile_ops([entry], "--precision_mode_v2=fp16").status == 0
    x = np.array([1 + 2.0**-12], "float32")
    with om.load(tmp_path / "out/mul.om") as model:
        [result] = model(x, np.ones_like(x))
    assert (result.dtype, result[0]) == (np.float32, 1)


def test_a_tensor_in_blocks(load):
    blocks = tensor(1, 1, 16, 16, format="FRACTAL_NZ", origin_format="ND", origin_shape=[2, 3])
    load(op("Sub", [blocks, tensor(2, 3)], [tensor(2, 3)], name="blocks"))
    x = np.arange(6, dtype="float16").reshape(2, 3)
    memory = np.zeros((1, 1, 16, 16), "float16")
    memory[0, 0, :2, :3] = x
    desc = aclop.TensorDesc("float16", (2, 3), storage_format=aclop.Format.FRACTAL_NZ)
    y = np.empty_like(x)
    aclop.execute("Sub", [(desc, memory), x[::-1].copy()], [y])
    np.testing.assert_array_equal(y, x - x[::-1])


def test_blocks_of_another_shape_are_a_fault(compile_ops):
    blocks = tensor(1, 1, 16, 8, format="FRACTAL_NZ", origin_format="ND", origin_shape=[2, 3])
    done = compile_ops([op("Relu", [blocks], [tensor(2, 3)])])
    assert done.status == 255
    assert "storage shape [1,1,16,8]; it is [1,1,16,16]" in done.stdout
