"""Networks of convolutions: layouts and fused steps change no number that onnxruntime gives.

Lowered networks are compared with onnxruntime on the same network stored as float16.
"""

import math

import numpy as np
import onnx
import onnxruntime
import pytest
from compile.conftest import compile_command
from hypothesis import assume, given
from hypothesis import strategies as st
from onnx import TensorProto, helper
from precision.conftest import as_float16

import ge.om

# What is asked for, and how far numbers may be from those of the same network in onnxruntime.
PRECISIONS = {
    "float32": (["--precision_mode_v2=origin"], 1e-4),
    "float16": (["--precision_mode_v2=fp16"], 2e-2),
    "bfloat16": (["--precision_mode_v2=mixed_bfloat16", "--soc_version=Ascend910B1"], 1e-1),
}

ACTIVATIONS = {
    "Relu": {},
    "LeakyRelu": {"alpha": 0.2},
    "HardSwish": {},
    "HardSigmoid": {"alpha": 0.3, "beta": 0.4},
    "Sigmoid": {},
    "Tanh": {},
    "Elu": {},
}


class Network:
    """An ONNX graph of tensors [N, C, H, W] while it is drawn."""

    def __init__(self, draw):
        self.draw = draw
        self.rng = np.random.default_rng(draw(st.integers(0, 2**32)))
        self.nodes, self.constants, self.tensors = [], [], []
        self.x = [draw(st.integers(1, 2)), draw(self.channels), *draw(st.tuples(*[self.side] * 2))]
        self.tensors.append(("x", tuple(self.x)))

    channels = st.sampled_from([1, 2, 3, 4, 8, 12, 16, 24])
    side = st.integers(4, 12)

    def constant(self, *shape, scale=1.0):
        name = f"c{len(self.constants)}"
        array = (scale * self.rng.standard_normal(shape)).astype(np.float32)
        self.constants.append(onnx.numpy_helper.from_array(array, name))
        return name

    def ints(self, *values):
        name = f"c{len(self.constants)}"
        self.constants.append(onnx.numpy_helper.from_array(np.array(values, np.int64), name))
        return name

    def add(self, op_type, inputs, shape, **attrs):
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(op_type, inputs, [name], name=f"n{name}", **attrs))
        self.tensors.append((name, tuple(shape)))
        return name

    def pick(self):
        # Mostly the newest, so that steps follow each other.
        recent = self.tensors[-1 - self.draw(st.integers(0, min(3, len(self.tensors) - 1)))]
        return self.tensors[-1] if self.draw(st.booleans()) else recent

    # Each step draws one or a few nodes.
    def conv(self):
        name, (n, c, h, w) = self.pick()
        groups = self.draw(st.sampled_from([g for g in (1, 2, c) if c % g == 0]))
        outputs = groups * self.draw(st.integers(1, 4)) if groups > 1 else self.draw(self.channels)
        kernel, stride, dilation = (
            self.draw(st.tuples(*[st.integers(1, most)] * 2)) for most in (3, 2, 2)
        )
        pads = self.draw(st.lists(st.integers(0, 1), min_size=4, max_size=4))
        size = [
            (dim + pads[i] + pads[i + 2] - (kernel[i] - 1) * dilation[i] - 1) // stride[i] + 1
            for i, dim in enumerate((h, w))
        ]
        if min(size) < 1:
            return
        inputs = [name, self.constant(outputs, c // groups, *kernel, scale=0.3)]
        if self.draw(st.booleans()):
            inputs.append(self.constant(outputs))
        self.add(
            "Conv",
            inputs,
            (n, outputs, *size),
            strides=stride,
            dilations=dilation,
            pads=pads,
            group=groups,
        )

    def conv_transpose(self):
        name, (n, c, h, w) = self.pick()
        outputs = self.draw(self.channels)
        kernel, stride = (self.draw(st.tuples(*[st.integers(1, 3)] * 2)) for _ in range(2))
        inputs = [name, self.constant(c, outputs, *kernel, scale=0.3)]
        if self.draw(st.booleans()):
            inputs.append(self.constant(outputs))
        size = [(dim - 1) * stride[i] + kernel[i] for i, dim in enumerate((h, w))]
        if max(size) < 30:
            self.add("ConvTranspose", inputs, (n, outputs, *size), strides=stride)

    def activation(self):
        name, shape = self.pick()
        op_type = self.draw(st.sampled_from(sorted(ACTIVATIONS)))
        self.add(op_type, [name], shape, **ACTIVATIONS[op_type])

    def clip(self):
        name, shape = self.pick()
        low, high = sorted(self.draw(st.lists(st.integers(-2, 6), min_size=2, max_size=2)))
        limits = []
        for value in (low, high):
            limits.append(f"c{len(self.constants)}")
            self.constants.append(
                onnx.numpy_helper.from_array(np.array(value, np.float32), limits[-1])
            )
        self.add("Clip", [name, *limits], shape)

    def swish(self):
        name, shape = self.pick()
        self.add("Mul", [name, self.add("Sigmoid", [name], shape)], shape)

    def with_constant(self):
        name, (n, c, h, w) = self.pick()
        shapes = [(), (1,), (c, 1, 1), (1, c, 1, 1), (h, w), (c, h, w), (n, c, h, w), (h, 1)]
        other = self.constant(*self.draw(st.sampled_from(shapes)))
        op_type = self.draw(st.sampled_from(["Add", "Mul", "Sub"]))
        pair = [name, other] if self.draw(st.booleans()) else [other, name]
        self.add(op_type, pair, (n, c, h, w))

    def with_tensor(self):
        name, (n, c, h, w) = self.pick()
        fitting = [
            other
            for other, shape in self.tensors
            if all(a in (1, b) for a, b in zip(shape, (n, c, h, w), strict=True))
        ]
        other = self.draw(st.sampled_from(fitting))
        pair = [name, other] if self.draw(st.booleans()) else [other, name]
        self.add(self.draw(st.sampled_from(["Add", "Mul"])), pair, (n, c, h, w))

    def pool(self):
        name, (n, c, h, w) = self.pick()
        kernel, stride = (self.draw(st.tuples(*[st.integers(1, 3)] * 2)) for _ in range(2))
        kind = self.draw(st.sampled_from(["MaxPool", "AveragePool"]))
        apart = self.draw(st.integers(1, 2)) if kind == "MaxPool" else 1
        pads = [self.draw(st.integers(0, kernel[i % 2] - 1)) for i in range(4)]
        size = [
            (dim + pads[i] + pads[i + 2] - (kernel[i] - 1) * apart - 1) // stride[i] + 1
            for i, dim in enumerate((h, w))
        ]
        if min(size) < 1:
            return
        attrs = {"kernel_shape": kernel, "strides": stride, "pads": pads}
        if apart != 1:
            attrs["dilations"] = [apart, apart]
        if kind == "AveragePool":
            attrs["count_include_pad"] = self.draw(st.integers(0, 1))
        self.add(kind, [name], (n, c, *size), **attrs)

    def global_pool(self):
        name, (n, c, h, w) = self.pick()
        if self.draw(st.booleans()):
            pooled = self.add("GlobalAveragePool", [name], (n, c, 1, 1))
        else:
            pooled = self.add("ReduceMean", [name, self.ints(2, -1)], (n, c, 1, 1))
        scale = self.add("Conv", [pooled, self.constant(c, c, 1, 1, scale=0.3)], (n, c, 1, 1))
        self.add("Mul", [name, scale], (n, c, h, w))

    def concat(self):
        name, shape = self.pick()
        axis = self.draw(st.integers(0, 3))
        rest = shape[:axis] + shape[axis + 1 :]
        fitting = [(o, s) for o, s in self.tensors if s[:axis] + s[axis + 1 :] == rest]
        other, other_shape = self.draw(st.sampled_from(fitting))
        joined = list(shape)
        joined[axis] += other_shape[axis]
        if math.prod(joined) < 20_000:
            self.add(
                "Concat", [name, other], joined, axis=axis - self.draw(st.sampled_from([0, 4]))
            )

    def resize(self):
        name, (n, c, h, w) = self.pick()
        if n * c * h * w > 3000:
            return
        mode = self.draw(st.sampled_from(["nearest", "linear"]))
        scales = f"c{len(self.constants)}"
        self.constants.append(
            onnx.numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), scales)
        )
        self.add("Resize", [name, "", scales], (n, c, 2 * h, 2 * w), mode=mode)

    def turn(self):
        name, (n, c, h, w) = self.pick()
        self.add("Transpose", [name], (n, h, w, c), perm=[0, 2, 3, 1])

    def view(self):
        name, (n, c, h, w) = self.pick()
        self.add("Reshape", [name, self.ints(n, c, w, h)], (n, c, w, h))

    STEPS = (
        *[conv] * 8,
        *[activation] * 4,
        *[with_tensor] * 3,
        *[with_constant] * 2,
        *[pool] * 2,
        *(conv_transpose, clip, swish, global_pool, concat, concat, resize, turn, view),
    )

    def model(self):
        names = [name for name, _ in self.tensors[1:]]
        read = {name for node in self.nodes for name in node.input}
        outputs = [name for name in names if name not in read]
        outputs += self.draw(st.lists(st.sampled_from(names), max_size=2))
        value = helper.make_tensor_value_info
        shapes = dict(self.tensors)
        graph = helper.make_graph(
            self.nodes,
            "network",
            [value("x", TensorProto.FLOAT, self.x)],
            [value(o, TensorProto.FLOAT, shapes[o]) for o in dict.fromkeys(outputs)],
            self.constants,
        )
        return helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8, producer_name="test"
        )


@st.composite
def networks(draw):
    network = Network(draw)
    network.conv()
    for step in draw(st.lists(st.sampled_from(Network.STEPS), min_size=2, max_size=14)):
        step(network)
    if not network.nodes:
        network.activation()
    x = network.rng.standard_normal(network.x).astype(np.float32)
    return network.model(), x


def reference(model, x, precision="float32"):
    if precision == "float16":
        model, x = as_float16(model), x.astype(np.float16)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    names = [output.name for output in session.get_outputs()]
    results = [result.astype(np.float32) for result in session.run(None, {"x": x})]
    return dict(zip(names, results, strict=True))


def largest(model, x):
    """The largest magnitude of any tensor of the network in float32."""
    whole = onnx.ModelProto()
    whole.CopyFrom(model)
    del whole.graph.output[:]
    whole.graph.output.extend(
        onnx.ValueInfoProto(name=name) for node in model.graph.node for name in node.output
    )
    return max(float(np.abs(value).max(initial=0)) for value in reference(whole, x).values())


def compiled(run, atc, folder, model, precision):
    """The path of the OM."""
    flags, _ = PRECISIONS[precision]
    onnx.save(model, folder / "net.onnx")
    done = run(*compile_command(atc, folder / "net.onnx", folder / "net", *flags))
    assert done.status == 0, done.stdout
    return folder / "net.om"


@pytest.mark.parametrize("precision", PRECISIONS)
@given(network=networks())
def test_a_network_gives_the_numbers_of_onnxruntime(run, atc, tmp_path_factory, precision, network):
    model, x = network
    most = largest(model, x)
    assume(precision == "float32" or most < 30000)  # no infinities of float16
    path = compiled(run, atc, tmp_path_factory.mktemp("network"), model, precision)
    bound = PRECISIONS[precision][1]
    with ge.om.load(path) as opened:
        results = opened.run({"x": x}, threads=1)
        for name, expected in reference(model, x, precision).items():
            scale = max(1.0, float(np.abs(expected).max(initial=0)))
            near = bound * (scale + (0 if precision == "float32" else most / 4))
            np.testing.assert_allclose(results[name], expected, rtol=bound, atol=near, err_msg=name)
        threaded = opened.run({"x": x}, threads=2)
        poisoned, _ = opened._run([("x", x)], 1, profile=False, poison=True)
    bits = [result.tobytes() for result in results.values()]
    assert [result.tobytes() for result in threaded.values()] == bits
    assert [np.asarray(result).tobytes() for result in poisoned] == bits


def block(*nodes, channels=16):
    """Two convolutions, the nodes behind them (from "c" to "y"), and another convolution."""
    rng = np.random.default_rng(1)
    weights = rng.standard_normal((3, channels, channels, 3, 3)).astype(np.float32) / 10
    constants = {
        **dict(zip(("w0", "w1", "w2"), weights, strict=True)),
        "two": np.array(2, np.float32),
        "low": np.array(-1, np.float32),
        "high": np.array(6, np.float32),
    }
    conv = {"pads": [1, 1, 1, 1]}
    shape = [1, channels, 20, 20]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [
            helper.make_node("Conv", ["x", "w0"], ["r"], name="before", **conv),
            helper.make_node("Conv", ["r", "w1"], ["c"], name="first", **conv),
            *nodes,
            helper.make_node("Conv", ["y", "w2"], ["z"], name="second", **conv),
        ],
        "block",
        [value("x", TensorProto.FLOAT, shape)],
        [value("z", TensorProto.FLOAT, shape)],
        [onnx.numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


CHAINS = {
    "Relu": [("Relu", "c")],
    "LeakyRelu": [("LeakyRelu", "c")],
    "Clip": [("Clip", "c", "low", "high")],
    "HardSwish": [("HardSwish", "c")],
    "Sigmoid": [("Sigmoid", "c")],
    "Tanh": [("Tanh", "c")],
    "Mul, Add": [("Mul", "two", "c"), ("Add", "m", "high")],
    "Add, Relu": [("Add", "c", "r"), ("Relu", "m")],
    "Mul, Relu, Mul": [("Mul", "c", "two"), ("Relu", "m"), ("Mul", "m1", "low")],
    "Sub, Div": [("Sub", "two", "c"), ("Div", "m", "high")],
}


def chain(name):
    steps = CHAINS[name]
    names = [*["m", "m1"][: len(steps) - 1], "y"]
    return [
        helper.make_node(op_type, inputs, [out], name=f"{op_type}_{i}")
        for i, ((op_type, *inputs), out) in enumerate(zip(steps, names, strict=True))
    ]


X = np.random.default_rng(0).standard_normal((1, 16, 20, 20)).astype(np.float32)


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize("name", CHAINS)
def test_what_follows_a_convolution_is_done_with_it(run, atc, package, tmp_path, name, precision):
    folders = (package, package.parents[2] / "lib64")  # of a wheel, of a tree
    if not any((folder / "libge_dnnl.so").exists() for folder in folders):
        pytest.skip("waits for a build with libdnnl-dev")
    model = block(*chain(name))
    bound = PRECISIONS[precision][1]
    with ge.om.load(compiled(run, atc, tmp_path, model, precision)) as opened:
        profile = opened.profile({"x": X})
    steps = [row.name.split("+")[0] for row in profile.nodes if "Cast" not in row.name]
    assert steps == ["before", "first", "second"]
    expected = reference(model, X, precision)["z"]
    np.testing.assert_allclose(profile.outputs["z"], expected, bound, bound)


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize("name", CHAINS)
def test_what_is_no_number_stays_none(run, atc, tmp_path, name, precision):
    model = block(*chain(name))
    bound = PRECISIONS[precision][1]
    x = X.copy()
    x[0, :, 3, 3], x[0, 5, 10, 10], x[0, 7, 17, 17] = np.nan, np.inf, -np.inf
    with ge.om.load(compiled(run, atc, tmp_path, model, precision)) as opened:
        (z,) = opened(x)
    expected = reference(model, x, precision)["z"]
    assert np.isnan(expected).any()
    np.testing.assert_allclose(z, expected, bound, bound)


@pytest.mark.parametrize("which", [0, 1])
def test_infinite_weights_are_computed_as_they_are(run, atc, tmp_path, which):
    model = block(*chain("Relu"))
    weights = onnx.numpy_helper.to_array(model.graph.initializer[which]).copy()
    weights[3, 2, 1, 1], weights[4, 0, 0, 0] = np.inf, np.nan
    model.graph.initializer[which].CopyFrom(onnx.numpy_helper.from_array(weights, f"w{which}"))
    with ge.om.load(compiled(run, atc, tmp_path, model, "float32")) as opened:
        (z,) = opened(X)
    np.testing.assert_allclose(z, reference(model, X)["z"], 1e-4, 1e-4)


def test_a_step_rounds_what_the_convolution_before_it_gives(run, atc, tmp_path):
    """A convolution and the function behind it are done together, and round a result each."""
    weights = np.random.default_rng(1).standard_normal((8, 16, 3, 3)).astype(np.float32)
    slope = np.float32(0.3)
    value = helper.make_tensor_value_info
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], name="conv"),
        helper.make_node("LeakyRelu", ["c"], ["y"], name="leaky", alpha=0.3),
    ]

    def result(name, nodes):
        graph = helper.make_graph(
            nodes,
            "two",
            [value("x", TensorProto.FLOAT, X.shape)],
            [value(name, TensorProto.FLOAT, [1, 8, 18, 18])],
            [onnx.numpy_helper.from_array(weights, "w")],
        )
        opsets = [helper.make_opsetid("", 18)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
        with ge.om.load(compiled(run, atc, tmp_path, model, "float16")) as opened:
            return opened(X)[0]

    c, y = result("c", nodes[:1]), result("y", nodes)
    np.testing.assert_array_equal(y, np.where(c < 0, slope * c, c).astype(np.float16))
