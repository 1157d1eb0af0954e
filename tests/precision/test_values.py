"""Numbers of lowered networks, against onnxruntime on the same network stored as float16."""

import numpy as np
import onnxruntime
import pytest
from passes.models import model, node
from precision.conftest import as_float16


def reference(net, feeds):
    """What onnxruntime gives with all tensors in float16, which it computes in float32."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(as_float16(net).SerializeToString(), options)
    half = {name: value.astype(np.float16) for name, value in feeds.items()}
    return session.run(None, half)[0].astype(np.float32)


def network():
    rng = np.random.default_rng(5)
    constants = {
        "w1": rng.standard_normal((64, 128), np.float32) / 8,
        "b1": rng.standard_normal(128, np.float32),
        "w2": rng.standard_normal((128, 32), np.float32) / 8,
    }
    nodes = [
        node("MatMul", "x,w1", "a"),
        node("Add", "a,b1", "b"),
        node("Tanh", "b", "c"),
        node("MatMul", "c,w2", "d"),
        node("Softmax", "d", "y", axis=-1),
    ]
    return model(nodes, {"x": [16, 64]}, ["y"], constants)


def test_float16_storage_agrees_with_onnxruntime(build):
    net = network()
    feeds = {"x": np.random.default_rng(1).standard_normal((16, 64), np.float32)}
    got = build(net).run(feeds)["y"]
    np.testing.assert_allclose(got, reference(net, feeds), rtol=4e-3, atol=1e-5)
    assert got.dtype == np.float32
    np.testing.assert_array_equal(got, got.astype(np.float16))  # nothing but float16 numbers


def test_elementwise_results_are_rounded_to_the_nearest_float16(build):
    """Exactly the numbers of NumPy with float16 storage."""
    net = model(
        [node("Mul", "x,k", "a"), node("Add", "a,x", "b"), node("Sqrt", "b", "y")],
        {"x": [1000]},
        ["y"],
        {"k": np.float32([1.1])},
    )
    x = np.random.default_rng(3).uniform(0, 100, 1000).astype(np.float32)
    half = x.astype(np.float16)
    a = (half.astype(np.float32) * np.float32(np.float16(1.1))).astype(np.float16)
    b = (a.astype(np.float32) + half.astype(np.float32)).astype(np.float16)
    wanted = np.sqrt(b.astype(np.float32)).astype(np.float16).astype(np.float32)
    np.testing.assert_array_equal(build(net).run({"x": x})["y"], wanted)


def test_convolutions_round_once(build):
    rng = np.random.default_rng(2)
    net = model(
        [node("Conv", "x,w,b", "y", pads=[1, 1, 1, 1])],
        {"x": [1, 8, 16, 16]},
        ["y"],
        {
            "w": rng.standard_normal((16, 8, 3, 3), np.float32),
            "b": rng.standard_normal(16, np.float32),
        },
    )
    feeds = {"x": rng.standard_normal((1, 8, 16, 16), np.float32)}
    np.testing.assert_allclose(
        build(net).run(feeds)["y"], reference(net, feeds), rtol=2e-3, atol=2e-3
    )


def test_squares_between_a_value_and_a_root_do_not_overflow(build):
    nodes = [
        node("Pow", "x,two", "ln/Pow"),
        node("ReduceMean", "ln/Pow", "mean", axes=[1]),
        node("Sqrt", "mean", "y"),
    ]
    net = model(nodes, {"x": [1, 8]}, ["y"], {"two": np.float32(2)}, opset=13)
    built = build(net)
    np.testing.assert_allclose(built.run({"x": np.full((1, 8), 300, np.float32)})["y"], 300, 1e-3)
    assert "W10007" not in built.text


def test_sums_of_squares_below_a_root_do_not_overflow(build):
    nodes = [node("ReduceSumSquare", "x", "sum", axes=[1]), node("Sqrt", "sum", "y")]
    built = build(model(nodes, {"x": [1, 4]}, ["y"], opset=13))
    np.testing.assert_allclose(built.run({"x": np.full((1, 4), 300, np.float32)})["y"], 600, 1e-3)


def test_a_power_whose_result_goes_on_is_warned_of(build):
    net = model(
        [node("Pow", "x,two", "ln/Pow"), node("Relu", "ln/Pow", "r"), node("Neg", "r", "y")],
        {"x": [4]},
        ["y"],
        {"two": np.float32(2)},
    )
    built = build(net)
    assert "W10007" in built.text
    assert "ln/Pow" in built.text
    assert np.isinf(built.run({"x": np.full(4, 300, np.float32)})["y"]).all()
    assert "W10007" not in build(net, "--precision_mode_v2=origin").text


@pytest.mark.parametrize("mode", ["fp16", "mixed_bfloat16"])
@pytest.mark.parametrize("reduce", ["ReduceMean", "ReduceSum"])
def test_a_variance_as_a_difference_of_means_keeps_its_digits(build, reduce, mode):
    """The mean of the squares less the square of the mean, of rows far from 0."""
    scale = np.float32(1 / 64 if reduce == "ReduceSum" else 1)
    nodes = [
        node(reduce, "x,last", "sum", keepdims=1),
        node("Mul", "scale,sum", "mean"),
        node("Mul", "mean,mean", "mean squared"),
        node("Mul", "x,x", "squares"),
        node(reduce, "squares,last", "sum of squares", keepdims=1),
        node("Mul", "sum of squares,scale", "mean of squares"),
        node("Sub", "mean of squares,mean squared", "variance"),
        node("Sqrt", "variance", "deviation"),
        node("Sub", "x,mean", "centred"),
        node("Div", "centred,deviation", "y"),
    ]
    net = model(
        nodes, {"x": [4, 64]}, ["deviation"], {"last": np.array([1]), "scale": scale}, opset=18
    )
    # Multiples of a quarter around 32, which 16-bit floats hold.
    x = np.random.default_rng(0).integers(-3, 4, (4, 64)).astype(np.float32) / 4 + 32
    got = build(net, f"--precision_mode_v2={mode}", soc="Ascend910B1").run({"x": x})["deviation"]
    np.testing.assert_allclose(got[:, 0], x.std(axis=1), 2**-7)


@pytest.mark.parametrize("value", [-1.0, -40.0, 40.0])
def test_a_row_that_is_masked_as_a_whole_gives_no_nan(build, value):
    net = model(
        [node("Add", "x,mask", "masked"), node("Softmax", "masked", "y", axis=-1)],
        {"x": [2, 4]},
        ["y"],
        {"mask": np.full((1, 4), -3.4028235e38, np.float32)},
    )
    got = build(net).run({"x": np.full((2, 4), value, np.float32)})["y"]
    np.testing.assert_array_equal(got, np.full((2, 4), 0.25))


def test_float16_does_not_change_the_number_of_elements_of_a_range(build):
    ends = {"start": np.float32(9), "limit": np.float32(0), "delta": np.float32(-0.90000004)}
    net = model([node("Range", "start,limit,delta", "y")], {name: [] for name in ends}, ["y"])
    np.testing.assert_allclose(build(net).run(ends)["y"], 9 - 0.9 * np.arange(10), 1e-3)


def test_a_small_epsilon_still_guards_a_division(build):
    nodes = [node("Add", "x,eps", "a"), node("Sqrt", "a", "r"), node("Div", "x,r", "y")]
    net = model(nodes, {"x": [3]}, ["y"], {"eps": np.float32([1e-12])})
    got = build(net).run({"x": np.zeros(3, np.float32)})["y"]
    np.testing.assert_array_equal(got, 0)


def test_a_softmax_of_single_operators_does_not_overflow(build):
    nodes = [
        node("Exp", "x", "e"),
        node("ReduceSum", "e,last", "sum", keepdims=1),
        node("Div", "e,sum", "y"),
    ]
    net = model(nodes, {"x": [1, 4]}, ["y"], {"last": np.array([1])})
    x = np.float32([[20, 21, 22, 23]])
    wanted = np.exp(x) / np.exp(x).sum()
    np.testing.assert_allclose(build(net).run({"x": x})["y"], wanted, 2e-3)


@pytest.mark.parametrize(("name", "bound"), [("ppocr_v2_cls", 0.02), ("basic_pitch", 0.05)])
def test_networks_stay_near_float32(build, models, name, bound):
    from compile.conftest import shape_flag

    shapes = shape_flag(name)
    exact, lowered = (
        build(models(name), *shapes, f"--precision_mode_v2={mode}", name=mode)
        for mode in ("origin", "fp16")
    )
    import ge.om

    rng = np.random.default_rng(0)
    with ge.om.load(exact.path) as opened:
        feeds = {
            port.name: rng.uniform(0, 1, port.shape).astype(np.float32) for port in opened.inputs
        }
    wanted, got = exact.run(feeds), lowered.run(feeds)
    for output, value in wanted.items():
        scale = np.abs(value).max()
        assert np.abs(got[output] - value).max() <= bound * scale
