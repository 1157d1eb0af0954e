"""FuseQuantizedProduct: products of dequantized tensors are products of integers."""

import numpy as np
import pytest
from onnx import TensorProto, helper
from passes.models import node

RNG = np.random.default_rng(7)
LIMITS = {np.int8: (-128, 127), np.uint8: (0, 255)}


def codes(dtype, *shape):
    low, high = LIMITS[dtype]
    return RNG.integers(low, high, shape, endpoint=True).astype(dtype)


def model(nodes, x, constants, w, *, x_scale=0.02, x_zero=None, axis=1):
    """``nodes`` make y of x, dequantized as "a", and of the constant w, dequantized as "b"."""
    x_dtype, shape = x
    constants = {"xs": np.float32(x_scale), "w": w, **constants}
    zero = [] if x_zero is None else ["xz"]
    if zero:
        constants["xz"] = np.array(x_zero, np.uint8 if x_dtype == TensorProto.UINT8 else np.int8)
    w_inputs = ["w", "ws", *(["wz"] if "wz" in constants else [])]
    rows = [
        helper.make_node("DequantizeLinear", ["x", "xs", *zero], ["a"], name="a"),
        helper.make_node("DequantizeLinear", w_inputs, ["b"], name="b", axis=axis),
        *nodes,
    ]
    graph = helper.make_graph(
        rows,
        "g",
        [helper.make_tensor_value_info("x", x_dtype, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [helper.make_tensor(n, helper.np_dtype_to_tensor_dtype(np.asarray(v).dtype),
                            np.asarray(v).shape, np.asarray(v).tobytes(), True)
         for n, v in constants.items()],
    )  # fmt: skip
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def check(check_fused, network, product, **options):
    """The product is one of integers, whose factors are the codes."""
    feeds = {
        "x": codes(
            np.uint8 if network.graph.input[0].type.tensor_type.elem_type == 2 else np.int8,
            *[d.dim_value for d in network.graph.input[0].type.tensor_type.shape.dim],
        )
    }
    graph = check_fused(network, feeds=feeds, **options)
    (row,) = [row for row in graph.nodes if row.type == product]
    assert row.outputs[0].dtype == "int32"
    return graph


U8, S8 = TensorProto.UINT8, TensorProto.INT8


@pytest.mark.parametrize("x", [(U8, [5, 70]), (S8, [5, 70]), (U8, [2, 3, 70])])
@pytest.mark.parametrize("x_zero", [None, 3])
@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_matrix_product(check_fused, x, x_zero, dtype):
    constants = {"ws": np.float32(0.03)}
    network = model([node("MatMul", "a,b", "y")], x, constants, codes(dtype, 70, 40), x_zero=x_zero)
    graph = check(check_fused, network, "BatchMatMulV2")
    assert graph.operators() == {"BatchMatMulV2": 1, "Cast": 1, "Mul": 1}


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("turned", [0, 1])
def test_scales_and_zero_points_of_columns_and_a_bias(check_fused, zeros, turned):
    w = codes(np.int8, 40, 70) if turned else codes(np.int8, 70, 40)
    constants = {"ws": RNG.uniform(0.01, 0.05, 40).astype(np.float32)}
    constants["c"] = RNG.standard_normal(40).astype(np.float32)
    if zeros:
        constants["wz"] = codes(np.int8, 40)
    nodes = [node("Gemm", "a,b,c", "y", transB=turned)]
    network = model(nodes, (U8, [5, 70]), constants, w, x_zero=9, axis=0 if turned else 1)
    graph = check(check_fused, network, "MatMulV2")
    assert graph.operators() == {"MatMulV2": 1, "Cast": 1, "Mul": 1, "Add": 1}


@pytest.mark.parametrize("spatial", [1, 2, 3])
@pytest.mark.parametrize("groups", [1, 4])
@pytest.mark.parametrize("x_zero", [None, 128])
def test_convolution(check_fused, spatial, groups, x_zero):
    constants = {"ws": RNG.uniform(0.01, 0.05, 12).astype(np.float32)}
    constants["c"] = RNG.standard_normal(12).astype(np.float32)
    w = codes(np.int8, 12, 8 // groups, *[3] * spatial)
    nodes = [node("Conv", "a,b,c", "y", group=groups, pads=[1] * 2 * spatial)]
    x = (U8, [2, 8, *[9] * spatial])
    network = model(nodes, x, constants, w, x_zero=x_zero, axis=0)
    graph = check(check_fused, network, "Conv3D" if spatial == 3 else "Conv2D")
    assert not {"Conv2DTranspose", "Sub"} & set(graph.operators())


def test_product_of_two_tensors_that_are_not_constant(check_fused):
    rows = [
        helper.make_node("DequantizeLinear", ["x", "s", "z"], ["a"], name="a"),
        helper.make_node("Transpose", ["x"], ["t"], name="t", perm=[0, 2, 1]),
        helper.make_node("DequantizeLinear", ["t", "s", "z"], ["b"], name="b"),
        node("MatMul", "a,b", "y"),
    ]
    network = model([], (U8, [2, 7, 9]), {"ws": np.float32(1)}, codes(np.int8, 1))
    del network.graph.node[:]
    network.graph.node.extend(rows)
    network.graph.initializer.extend(
        [
            helper.make_tensor("s", TensorProto.FLOAT, [], [0.1]),
            helper.make_tensor("z", U8, [], [7]),
        ]
    )
    check(check_fused, network, "BatchMatMulV2")


def test_tensor_that_others_read_stays(check_fused):
    nodes = [node("MatMul", "a,b", "m"), node("Add", "m,a", "y")]
    network = model(nodes, (U8, [5, 40]), {"ws": np.float32(0.03)}, codes(np.int8, 40, 40))
    graph = check(check_fused, network, "BatchMatMulV2")
    assert graph.operators() == {"BatchMatMulV2": 1, "Cast": 2, "Mul": 2, "Add": 1}


LARGE = codes(np.int8, 400, 400)


def test_weights_stay_bytes_in_the_model(check_fused):
    network = model([node("MatMul", "a,b", "y")], (U8, [5, 400]), {"ws": np.float32(0.03)}, LARGE)
    graph = check(check_fused, network, "BatchMatMulV2")
    constants = [row for row in graph.nodes if row.type == "Const"]
    assert sum(np.prod(row.outputs[0].shape, dtype=int) for row in constants) < 400 * 401


LEFT_ALONE = {
    "a scale per row of the summed axis": ({"ws": np.full(70, 0.1, np.float32)}, 0),
    "16 bits": ({"ws": np.float32(0.1), "w": codes(np.int8, 70, 40).astype(np.int16)}, 1),
    "sums beyond 32 bits": ({"ws": np.float32(0.1), "w": codes(np.uint8, 40000, 2)}, 1),
}


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_nearest_graphs_are_left_alone(check_fused, name):
    constants, axis = LEFT_ALONE[name]
    constants = dict(constants)
    w = constants.pop("w", None)
    w = codes(np.int8, 70, 40) if w is None else w
    nodes = [node("MatMul", "a,b", "y")]
    network = model(nodes, (U8, [3, w.shape[0]]), constants, w, axis=axis)
    network.opset_import[0].version = 21  # 16 bits
    network.ir_version = 10
    graph = check_fused(network, feeds={"x": codes(np.uint8, 3, w.shape[0])}, rtol=1e-5)
    (row,) = [row for row in graph.nodes if row.type == "BatchMatMulV2"]
    assert row.outputs[0].dtype == "float32"


def test_zero_points_between_codes_are_left_alone(check_fused):
    """As where an image is centred: (Cast(x) - 127.5) * scale."""
    rows = [
        node("Cast", "x", "c", to=TensorProto.FLOAT),
        node("Sub", "c,half", "d"),
        node("Mul", "d,xs", "a2"),
        node("MatMul", "a2,b", "y"),
    ]
    constants = {"ws": np.float32(0.03), "half": np.float32(127.5)}
    network = model(rows, (U8, [5, 70]), constants, codes(np.int8, 70, 40))
    graph = check_fused(network, feeds={"x": codes(np.uint8, 5, 70)}, rtol=1e-5)
    (row,) = [row for row in graph.nodes if row.type == "BatchMatMulV2"]
    assert row.outputs[0].dtype == "float32"


def test_is_switched_off(check_fused, tmp_path):
    switches = tmp_path / "off.cfg"
    switches.write_text("FuseQuantizedProduct:off\n")
    network = model([node("MatMul", "a,b", "y")], (U8, [5, 70]), {"ws": np.float32(0.03)},
                    codes(np.int8, 70, 40))  # fmt: skip
    flags = [f"--fusion_switch_file={switches}"]
    graph = check_fused(network, feeds={"x": codes(np.uint8, 5, 70)}, flags=flags, rtol=1e-5)
    (row,) = [row for row in graph.nodes if row.type == "BatchMatMulV2"]
    assert row.outputs[0].dtype == "float32"
