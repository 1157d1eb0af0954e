"""Kernels that single operators alone have, beside NumPy."""

import math

import numpy as np
import pytest
from aclop.words import d
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from strategies import few

from ge import aclop
from ge.aclop import Format, TensorDesc

UNARY = {
    "Trunc": np.trunc,
    "Expm1": np.expm1,
    "Log1p": np.log1p,
    "Erfc": np.vectorize(math.erfc, otypes=["float64"]),
}


@pytest.mark.parametrize("op_type", UNARY)
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_functions_of_one_number(op_type, dtype):
    x = np.linspace(-0.9, 9, 37).astype(dtype)
    y = aclop.compile_and_execute(op_type, [x], [TensorDesc.of(x)])
    wanted = UNARY[op_type](x.astype("float64"))
    np.testing.assert_allclose(y, wanted, rtol=1e-6 if dtype == "float32" else 1e-3, atol=1e-7)


def test_angles():
    y, x = (v.astype("float32") for v in np.meshgrid([-2, -0.0, 0, 3], [-1, -0.0, 0, 2]))
    result = aclop.compile_and_execute("Atan2", [y, x], [TensorDesc.of(x)])
    np.testing.assert_allclose(result, np.arctan2(y, x), rtol=1e-6)


@pytest.mark.parametrize(("format", "axis"), [(Format.NCHW, 1), (Format.NHWC, 3), (Format.ND, 3)])
def test_a_bias_lies_along_the_channels(format, axis):
    x = np.arange(2 * 3 * 4 * 5, dtype="float32").reshape(2, 3, 4, 5)
    bias = np.arange(x.shape[axis], dtype="float32")
    desc = TensorDesc("float32", x.shape, format)
    y = aclop.compile_and_execute("BiasAdd", [(desc, x), bias], [desc])
    dims = [1] * 4
    dims[axis] = -1
    np.testing.assert_array_equal(y, x + bias.reshape(dims))


def test_a_bias_that_does_not_fit():
    with pytest.raises(aclop.CompileError, match=r"bias \[3\] does not fit x \[2,4\]"):
        aclop.compile("BiasAdd", [d(2, 4), d(3)], [d(2, 4)])


@st.composite
def slices(draw):
    x = draw(hnp.arrays("int16", hnp.array_shapes(min_dims=1, max_dims=3, max_side=5)))
    begin = [draw(st.integers(0, dim)) for dim in x.shape]
    size = [draw(st.integers(-1, dim - at)) for dim, at in zip(x.shape, begin, strict=True)]
    return x, begin, size


@few
@given(slices(), st.booleans())
def test_slices(case, is_attribute):
    x, begin, size = case
    wanted = x[tuple(slice(b, None if n < 0 else b + n) for b, n in zip(begin, size, strict=True))]
    y = TensorDesc("int16", wanted.shape)
    if is_attribute:
        operator = aclop.compile("SliceD", [x], [y], {"offsets": begin, "size": size})
    else:
        lists = [TensorDesc.of(np.array(v, "int64")) for v in (begin, size)]
        for desc, values in zip(lists, (begin, size), strict=True):
            desc.constant = np.array(values, "int64")
        operator = aclop.compile("Slice", [x, *lists], [y])
    np.testing.assert_array_equal(operator(x), wanted)


@pytest.mark.parametrize(("offsets", "size"), [([-1], [1]), ([2], [3]), ([0], [-2]), ([0, 0], [1])])
def test_slices_that_are_not_inside(offsets, size):
    with pytest.raises(aclop.CompileError, match="offset"):
        aclop.compile("SliceD", [d(4)], [d(1)], {"offsets": offsets, "size": size})


def test_a_slice_whose_place_is_known_when_it_runs():
    x = np.arange(6, dtype="float32").reshape(2, 3)
    list_of_two = TensorDesc("int64", (2,))
    rows = [(list_of_two, np.array(v)) for v in ([1, 0], [1, 2])]
    y = np.empty((1, 2), "float32")
    aclop.compile_and_execute("Slice", [x, *rows], [y])
    np.testing.assert_array_equal(y, [[3, 4]])
    rows[0] = (list_of_two, np.array([2, 0]))
    with pytest.raises(aclop.AclError, match="not inside"):
        aclop.execute("Slice", [x, *rows], [y])


@pytest.mark.parametrize("op_type", ["MatMulV2", "BatchMatMulV2", "Conv2D", "Conv3D"])
def test_a_zero_point_goes_with_integers_of_8_bits_alone(op_type):
    rank = {"Conv2D": 4, "Conv3D": 5}.get(op_type, 2)
    attrs = {"offset_x": 3}
    layout = Format.ND
    if rank > 2:
        attrs |= {"strides": [1] * rank, "pads": [0] * 2 * (rank - 2)}
        layout = Format.NCHW if rank == 4 else Format.NCDHW
    x, y = (TensorDesc(dtype, [1] * rank, layout) for dtype in ("float32", "int32"))
    with pytest.raises(aclop.CompileError, match="offset_x is 3, which goes with int8 and uint8"):
        aclop.compile(op_type, [x, x], [x], attrs)
    byte = TensorDesc("int8", [1] * rank, layout)
    product = aclop.compile(op_type, [byte, byte], [y], attrs)
    ones = np.full([1] * rank, 5, "int8")
    assert np.ravel(product(ones, ones)) == [(5 - 3) * 5]


def test_a_transposed_convolution_has_no_zero_points():
    x = TensorDesc("float32", [1, 1, 1, 1], Format.NCHW)
    attrs = {"input_size": [1] * 4, "strides": [1] * 4, "pads": [0] * 4}
    aclop.compile("Conv2DTransposeD", [x, x], [x], attrs)
    with pytest.raises(aclop.CompileError, match="transposed convolutions have no zero points"):
        aclop.compile("Conv2DTransposeD", [x, x], [x], attrs | {"offset_x": 3})
    offsets = [d(1, dtype="float32"), d(1, dtype="int8")]
    with pytest.raises(aclop.CompileError, match="transposed convolutions have no zero points"):
        aclop.compile("Conv2DTransposeD", [x, x, *offsets], [x], attrs)
