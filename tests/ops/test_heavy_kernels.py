"""Convolutions, matrix products and pooling: plain kernels, the optional library, onnxruntime."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ops.oracle import Call, run

from ge import _testing

F32 = np.float32


def node(op_type, inputs, attrs, *, const=(), **options):
    """The output of one node, and the facts of the run."""
    rows = [
        None if x is None else (x.dtype.name, x.shape, x.tobytes(), *["const"] * (i in const))
        for i, x in enumerate(inputs)
    ]
    ((dtype, shape, data),), facts = _testing.run_node(op_type, rows, attrs, **options)
    return np.frombuffer(data, dtype).reshape(shape), facts


needs_library = pytest.mark.skipif(
    "oneDNN" not in node("Relu", [np.zeros(1, F32)], {})[1]["library"].partition("without")[0],
    reason="waits for a build with libge_dnnl.so beside libge_core.so",
)


def both(op_type, inputs, attrs, const=()):
    """Results of the plain kernel and of the prepared one, each the same on any threads."""
    plain, _ = node(op_type, inputs, attrs, const=const, plain=True)
    parallel, _ = node(op_type, inputs, attrs, const=const, plain=True, threads=3)
    np.testing.assert_array_equal(parallel, plain, "the number of threads changed the result")
    prepared, *others = (
        node(op_type, inputs, attrs, const=const, threads=threads)[0] for threads in (1, 2, 3, 8)
    )
    for other in others:
        np.testing.assert_array_equal(other, prepared, "the number of threads changed the result")
    return plain, prepared


def assert_sums_agree(got, expected, bound):
    """``bound`` is the sum of the magnitudes that each element adds up."""
    assert got.shape == expected.shape
    rare = ~np.isfinite(expected)
    np.testing.assert_array_equal(got[rare], expected[rare])
    error = np.abs(np.where(rare, 0, got.astype(np.float64)) - np.where(rare, 0, expected))
    assert (error <= bound * 2e-6 + 1e-30).all(), error.max()


@st.composite
def conv_problems(draw, transposed=False):
    spatial = draw(st.sampled_from([2, 2, 2, 3]))
    groups = draw(st.sampled_from([1, 1, 2, 8]))
    inputs, outputs = (groups * draw(st.sampled_from([1, 2, 3, 8, 9, 16])) for _ in range(2))
    if draw(st.booleans()) and groups > 1:
        inputs = outputs = groups  # depthwise

    def each(low, high):
        return draw(st.lists(st.integers(low, high), min_size=spatial, max_size=spatial))

    kernel, stride, dilation = each(1, 4), each(1, 3), each(1, 2)
    extent = [(k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True)]
    dims = [draw(st.integers(e, e + (14 if spatial == 2 else 5))) for e in extent]
    pads = [draw(st.integers(0, e - 1)) for e in extent for _ in range(2)]
    batch = draw(st.sampled_from([0, 1, 1, 2]))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    x = rng.standard_normal((batch, inputs, *dims), F32)
    filter_shape = (inputs, outputs // groups) if transposed else (outputs, inputs // groups)
    filter_ = rng.standard_normal((*filter_shape, *kernel), F32)
    bias = rng.standard_normal(outputs, F32) if draw(st.booleans()) else None
    if batch and draw(st.integers(0, 3)) == 0:
        x.flat[draw(st.integers(0, x.size - 1))] = draw(st.sampled_from([np.nan, np.inf]))
    attrs = {
        "strides": [1, 1, *stride],
        "dilations": [1, 1, *dilation],
        "pads": pads,
        "groups": groups,
        "data_format": "NCHW" if spatial == 2 else "NCDHW",
    }
    if transposed:
        limits = stride  # of onnxruntime; ONNX also allows less than the dilation
        attrs["output_padding"] = [0, 0, *(draw(st.integers(0, n - 1)) for n in limits)]
    return x, filter_, bias, attrs


def onnx_conv(op_type, x, filter_, bias, attrs):
    pads = attrs["pads"]
    onnx_attrs = {
        "strides": attrs["strides"][2:],
        "dilations": attrs["dilations"][2:],
        "pads": pads[0::2] + pads[1::2],
        "group": attrs["groups"],
    }
    if "output_padding" in attrs:
        onnx_attrs["output_padding"] = attrs["output_padding"][2:]
    inputs = [x, filter_] if bias is None else [x, filter_, bias]
    return run(Call(op_type, inputs, onnx_attrs, 17))[0]


def magnitudes(op_type, x, filter_, bias, attrs):
    finite = np.where(np.isfinite(x), np.abs(x), 0)
    return onnx_conv(
        op_type, finite, np.abs(filter_), None if bias is None else np.abs(bias), attrs
    )


@given(problem=conv_problems())
def test_convolution_agrees(problem):
    x, filter_, bias, attrs = problem
    op_type = "Conv2D" if x.ndim == 4 else "Conv3D"
    plain, prepared = both(op_type, [x, filter_, bias], attrs, const=(1, 2))
    if x.size == 0:
        assert prepared.shape == plain.shape
        return
    bound = magnitudes("Conv", *problem)
    with np.errstate(invalid="ignore"):
        for got in (plain, prepared):
            assert_sums_agree(got, onnx_conv("Conv", *problem), bound)


@given(problem=conv_problems(transposed=True))
def test_transposed_convolution_agrees(problem):
    x, filter_, bias, attrs = problem
    natural = [
        (n - 1) * s + (k - 1) * d + 1 + extra - attrs["pads"][2 * i] - attrs["pads"][2 * i + 1]
        for i, (n, s, k, d, extra) in enumerate(
            zip(
                x.shape[2:],
                attrs["strides"][2:],
                filter_.shape[2:],
                attrs["dilations"][2:],
                attrs["output_padding"][2:],
                strict=True,
            )
        )
    ]
    if min(natural) < 1:
        attrs["pads"] = [0] * len(attrs["pads"])
    op_type = "Conv2DTranspose" if x.ndim == 4 else "Conv3DTranspose"
    size = np.zeros(x.ndim, np.int64)
    plain, prepared = both(op_type, [size, x, filter_, bias], attrs, const=(0, 2, 3))
    if x.size == 0:
        assert prepared.shape == plain.shape
        return
    bound = magnitudes("ConvTranspose", *problem)
    with np.errstate(invalid="ignore"):
        for got in (plain, prepared):
            assert_sums_agree(got, onnx_conv("ConvTranspose", *problem), bound)


@pytest.mark.parametrize("outputs", [1, 3])  # per group
@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("dilation", [1, 2])
@pytest.mark.parametrize(("height", "width"), [(70, 301), (9, 7), (3, 1000)])
def test_planes_of_all_sizes_agree(height, width, stride, dilation, outputs):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 6, height, width), F32)
    filter_ = rng.standard_normal((6 * outputs, 1, 3, 5), F32)
    attrs = {
        "strides": [1, 1, stride, stride],
        "dilations": [1, 1, dilation, dilation],
        "pads": [dilation, 1, 2, 3 * dilation],
        "groups": 6,
        "data_format": "NCHW",
    }
    problem = (x, filter_, None, attrs)
    plain, prepared = both("Conv2D", [x, filter_, None], attrs, const=(1,))
    for got in (plain, prepared):
        assert_sums_agree(got, onnx_conv("Conv", *problem), magnitudes("Conv", *problem))


@pytest.mark.parametrize("op_type", ["MaxPool", "AveragePool"])
@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize(("height", "width"), [(70, 301), (9, 7), (3, 1000)])
def test_pooling_of_planes_of_all_sizes(op_type, height, width, stride):
    x = np.random.default_rng(0).standard_normal((2, 3, height, width), F32)
    attrs = {"kernel_shape": [3, 2], "strides": [stride, stride], "pads": [1, 0, 2, 1]}
    (expected,) = run(Call(op_type, [x], attrs, 17))
    ge_type = "MaxPoolV3" if op_type == "MaxPool" else "AvgPoolV2"
    ge_attrs = {"ksize": [1, 1, 3, 2], "strides": [1, 1, stride, stride], "pads": [1, 2, 0, 1]}
    one, _ = node(ge_type, [x], ge_attrs)
    two, _ = node(ge_type, [x], ge_attrs, threads=2)
    np.testing.assert_array_equal(one, two)
    np.testing.assert_allclose(one, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("op_type", ["MaxPoolV3", "AvgPoolV2"])
def test_windows_over_nothing(op_type):
    for shape in [(1, 2, 3, 0), (1, 2, 0, 2**40)]:
        x = np.zeros(shape, F32)
        got, _ = node(op_type, [x], {"ksize": [1] * 4, "strides": [1] * 4, "global_pooling": True})
        empty = -np.inf if op_type == "MaxPoolV3" else np.nan
        np.testing.assert_array_equal(got, np.full((1, 2, 1, 1), empty, F32))


def test_convolution_of_padding_alone_is_the_bias():
    x, filter_ = np.zeros((1, 8, 0, 2), F32), np.ones((16, 8, 2, 2), F32)
    bias = np.arange(16, dtype=F32)
    attrs = {"strides": [1] * 4, "pads": [2, 2, 0, 0], "data_format": "NCHW"}
    plain, prepared = both("Conv2D", [x, filter_, bias], attrs, const=(1, 2))
    for got in (plain, prepared):
        np.testing.assert_array_equal(got, np.broadcast_to(bias[:, None, None], (1, 16, 3, 1)))


LAYOUTS = [("NHWC", "NCHW"), ("NHWC", "HWCN"), ("NCHW", "NHWC"), ("NHWC", "NHWC"), ("CHWN", "HWCN")]


@pytest.mark.parametrize("op_type", ["Conv2D", "Conv2DTranspose"])
@pytest.mark.parametrize(("data", "weights"), LAYOUTS)
@pytest.mark.parametrize("groups", [1, 2, 16])
def test_layouts_agree(op_type, data, weights, groups):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 16, 9, 11), F32)
    filter_ = rng.standard_normal((16, 16 // groups, 3, 2), F32)
    bias = rng.standard_normal(16, F32)
    walk = {"N": 1, "C": 1, "H": 2, "W": 1}
    attrs = {"pads": [1, 1, 0, 1], "groups": groups}

    def results(data, weights, **options):
        order = ["NCHW".index(axis) for axis in data]
        moved = np.ascontiguousarray(x.transpose(order))
        packed = np.ascontiguousarray(filter_.transpose(["NCHW".index(axis) for axis in weights]))
        rows = [
            (moved.dtype.name, moved.shape, moved.tobytes()),
            (packed.dtype.name, packed.shape, packed.tobytes(), "const", weights),
            (bias.dtype.name, bias.shape, bias.tobytes(), "const"),
        ]
        if op_type == "Conv2DTranspose":
            rows.insert(0, ("int64", (4,), np.zeros(4, np.int64).tobytes(), "const"))
        strides = [walk[axis] for axis in data]
        ((dtype, shape, raw),), _ = _testing.run_node(
            op_type, rows, attrs | {"strides": strides, "data_format": data}, **options
        )
        return np.frombuffer(raw, dtype).reshape(shape).transpose(np.argsort(order))

    expected = results("NCHW", "NCHW", plain=True)
    np.testing.assert_array_equal(results(data, weights, plain=True), expected)
    np.testing.assert_allclose(results(data, weights), expected, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(results(data, weights, threads=2), expected, rtol=1e-4, atol=1e-4)


@st.composite
def products(draw):
    small = st.integers(0, 9)
    large = st.sampled_from([1, 2, 15, 16, 17, 64, 65, 257, 300])
    m, n, k = (draw(st.one_of(small, large)) for _ in range(3))
    batch_a, batch_b = draw(
        st.sampled_from([((), ()), ((2,), ()), ((2,), (2,)), ((1,), (3,)), ((2, 1), (1, 3))])
    )
    t1, t2 = draw(st.booleans()), draw(st.booleans())
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    a = rng.standard_normal((*batch_a, *((k, m) if t1 else (m, k))), F32)
    b = rng.standard_normal((*batch_b, *((n, k) if t2 else (k, n))), F32)
    bias = draw(st.sampled_from([None, (n,), (1, n), (m, 1), (m, n)]))
    bias = None if bias is None else rng.standard_normal(bias, F32)
    if a.size and draw(st.integers(0, 3)) == 0:
        a.flat[draw(st.integers(0, a.size - 1))] = np.nan
    return a, b, bias, t1, t2


@given(problem=products())
def test_matrix_product_agrees(problem):
    a, b, bias, t1, t2 = problem
    if a.ndim == b.ndim == 2:
        op_type, attrs = "MatMulV2", {"transpose_x1": t1, "transpose_x2": t2}
    else:
        op_type, attrs = "BatchMatMulV2", {"adj_x1": t1, "adj_x2": t2}
    plain, prepared = both(op_type, [a, b, bias], attrs, const=(1, 2))
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    left = np.swapaxes(wide_a, -1, -2) if t1 else wide_a
    right = np.swapaxes(wide_b, -1, -2) if t2 else wide_b
    expected = left @ right + (0 if bias is None else bias)
    bound = np.abs(np.nan_to_num(left)) @ np.abs(right) + (0 if bias is None else np.abs(bias))
    for got in (plain, prepared):
        assert_sums_agree(got, expected, bound)


@pytest.mark.parametrize("shape", [(128, 3072, 768), (300, 512, 512), (17, 1024, 256), (40, 50, 9)])
@pytest.mark.parametrize("transposed", [False, True])
def test_large_products_agree(shape, transposed):
    m, n, k = shape
    rng = np.random.default_rng(0)
    a = rng.standard_normal((m, k), F32)
    b = rng.standard_normal((n, k) if transposed else (k, n), F32)
    bias = rng.standard_normal(n, F32)
    attrs = {"transpose_x2": transposed}
    right = (b.T if transposed else b).astype(np.float64)
    bound = np.abs(a) @ np.abs(right) + np.abs(bias)
    for got in both("MatMulV2", [a, b, bias], attrs, const=(1, 2)):
        assert_sums_agree(got, a @ right + bias, bound)


@pytest.mark.parametrize("channels", [(64, 64), (16, 100), (256, 512)])
@pytest.mark.parametrize("stride", [1, 2])
def test_pointwise_convolutions_agree(channels, stride):
    inputs, outputs = channels
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, inputs, 23, 29), F32)
    filter_ = rng.standard_normal((outputs, inputs, 1, 1), F32)
    attrs = {"strides": [1, 1, stride, stride], "dilations": [1] * 4, "pads": [0] * 4}
    problem = (x, filter_, rng.standard_normal(outputs, F32), attrs | {"groups": 1})
    for got in both("Conv2D", problem[:3], attrs | {"data_format": "NCHW"}, const=(1, 2)):
        assert_sums_agree(got, onnx_conv("Conv", *problem), magnitudes("Conv", *problem))


@needs_library
def test_the_library_packs_filters_once():
    x, filter_ = np.ones((1, 64, 28, 28), F32), np.ones((64, 64, 3, 3), F32)
    attrs = {"strides": [1] * 4, "pads": [1] * 4, "data_format": "NCHW"}
    _, facts = node("Conv2D", [x, filter_, None], attrs, const=(1,))
    assert facts["bytes"] == filter_.nbytes


@needs_library
def test_the_library_keeps_matrices_where_they_are():
    a, b = np.ones((64, 300), F32), np.ones((300, 200), F32)
    _, facts = node("MatMulV2", [a, b], {}, const=(1,))
    assert facts["bytes"] == 0


@needs_library
def test_a_filter_that_is_not_constant_is_not_packed():
    x, filter_ = np.ones((1, 64, 28, 28), F32), np.ones((64, 64, 3, 3), F32)
    attrs = {"strides": [1] * 4, "pads": [1] * 4, "data_format": "NCHW"}
    got, facts = node("Conv2D", [x, filter_, None], attrs)
    assert facts["bytes"] == 0
    assert got[0, 0, 5, 5] == 64 * 9


@pytest.mark.parametrize("op_type", ["MaxPoolV3", "AvgPoolV2"])
@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
def test_pooling_layouts_agree(op_type, data_format):
    x = np.random.default_rng(0).standard_normal((2, 5, 9, 11), F32)
    order = ["NCHW".index(axis) for axis in data_format]
    sizes = {"N": 1, "C": 1, "H": 3, "W": 2}
    attrs = {"ksize": [sizes[a] for a in data_format], "strides": [sizes[a] for a in data_format]}
    attrs |= {"pads": [1, 1, 0, 1], "data_format": data_format}
    got, _ = node(op_type, [np.ascontiguousarray(x.transpose(order))], attrs, threads=2)
    onnx_type = "MaxPool" if op_type == "MaxPoolV3" else "AveragePool"
    onnx_attrs = {"kernel_shape": [3, 2], "strides": [3, 2], "pads": [1, 0, 1, 1]}
    (expected,) = run(Call(onnx_type, [x], onnx_attrs, 17))
    np.testing.assert_allclose(got.transpose(np.argsort(order)), expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("has_bias", [False, True])
@pytest.mark.parametrize("windows", [1, 5, 6])
def test_long_windows_of_one_channel_agree(windows, has_bias):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((19, 1, 1, 48 + 16 * (windows - 1)), F32)
    filter_ = rng.standard_normal((37, 1, 1, 48), F32)
    bias = rng.standard_normal(37, F32) if has_bias else None
    attrs = {
        "strides": [1, 1, 1, 16],
        "dilations": [1, 1, 1, 1],
        "pads": [0, 0, 0, 0],
        "groups": 1,
        "data_format": "NCHW",
    }
    problem = x, filter_, bias, attrs
    bound = magnitudes("Conv", *problem)
    for got in both("Conv2D", [x, filter_, bias], attrs, const=(1, 2)):
        assert_sums_agree(got, onnx_conv("Conv", *problem), bound)
