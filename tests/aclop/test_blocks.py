"""Tensors whose memory is in the blocks of the hardware, beside layouts made by NumPy."""

import numpy as np
import pytest
from aclop import blocks
from aclop.words import code, compile_code, d, execute_code, fresh
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from strategies import few

from ge import aclop
from ge.aclop import Format, TensorDesc

DTYPES = st.sampled_from(["float16", "int8", "float32", "uint8", "int32", "int64"])
SIZES = st.integers(1, 35)
FORMATS = {
    # storage format: origin formats and ranks, layout
    "NC1HWC0": (("NCHW", "NHWC", "HWCN", "CHWN"), (1, 2, 3, 4), blocks.nc1hwc0),
    "NC1HWC0_C04": (("NCHW", "NHWC"), (4,), lambda x, f: blocks.nc1hwc0(x, f, c0=4)),
    "NDC1HWC0": (("NCDHW", "NDHWC"), (5,), blocks.ndc1hwc0),
    "FRACTAL_Z": (("NCHW", "NHWC", "HWCN"), (4,), blocks.fractal_z),
    "FRACTAL_Z_3D": (("NCDHW", "NDHWC", "DHWCN"), (5,), blocks.fractal_z_3d),
    "FRACTAL_NZ": (("ND", "NCHW", "NHWC"), (1, 2, 3, 4), lambda x, _: blocks.fractal_nz(x)),
    "FRACTAL_NZ_C0_8": (("ND",), (2, 3), lambda x, _: blocks.fractal_nz(x, c0=8)),
}
NUMBERS = {
    "NC1HWC0_C04": 12,
    "NDC1HWC0": 32,
    "FRACTAL_Z_3D": 33,
    "FRACTAL_NZ_C0_8": 54,
    "DHWCN": 31,
    "CHWN": 14,
}


def number(name):
    return NUMBERS.get(name) or int(Format[name])


@st.composite
def stored(draw):
    """Draw a tensor, its format, its storage format and its memory."""
    storage = draw(st.sampled_from(sorted(FORMATS)))
    origins, ranks, layout = FORMATS[storage]
    origin, rank = draw(st.sampled_from(origins)), draw(st.sampled_from(ranks))
    shape = draw(st.lists(st.integers(1, 5), min_size=rank, max_size=rank))
    for axis in range(rank - 1, max(rank - 3, -1), -1):
        shape[axis] = draw(SIZES)
    values = draw(DTYPES)
    x = draw(hnp.arrays(values, tuple(shape), elements=st.integers(0, 99)))
    return x, origin, storage, np.ascontiguousarray(layout(x, origin))


def stored_desc(x, origin, storage, memory=None):
    return TensorDesc(
        x.dtype,
        x.shape,
        number(origin),
        storage_format=number(storage),
        storage_dims=() if memory is None else memory.shape,
    )


@few
@given(stored())
def test_into_blocks_and_out_of_them(case):
    x, origin, storage, memory = case
    plain = TensorDesc(x.dtype, x.shape, number(origin))
    in_blocks = stored_desc(x, origin, storage, memory)
    attrs = {"src_format": origin, "dst_format": storage}
    made = aclop.compile_and_execute("TransData", [(plain, x)], [in_blocks], attrs)
    np.testing.assert_array_equal(made, memory)
    attrs = {"src_format": storage, "dst_format": origin}
    back = aclop.compile_and_execute("TransData", [(in_blocks, memory)], [plain], attrs)
    np.testing.assert_array_equal(back, x)


@few
@given(stored())
def test_operators_on_blocks(case):
    x, origin, storage, memory = case
    desc = stored_desc(x, origin, storage)
    y = aclop.compile_and_execute("Add", [(desc, memory), (desc, memory)], [desc])
    assert y.shape == memory.shape
    np.testing.assert_array_equal(y, memory + memory)


def test_what_lies_between_the_elements_does_not_count():
    x = np.ones((3, 5), np.float16)
    memory = blocks.fractal_nz(x).copy()
    memory[memory == 0] = 7
    sums = aclop.compile_and_execute(
        "ReduceSumD", [(stored_desc(x, "ND", "FRACTAL_NZ"), memory)], [d(3)], {"axes": [1]}
    )
    np.testing.assert_array_equal(sums, [5, 5, 5])


@pytest.mark.parametrize("dtype", ["float16", "int8"])
def test_a_matrix_product_in_fractal_nz(dtype):
    random = np.random.default_rng(1)
    a, b = (random.integers(-3, 4, shape).astype(dtype) for shape in ((17, 40), (40, 33)))
    y = a.astype("int32") @ b.astype("int32")
    y = y.astype("int32" if dtype == "int8" else dtype)
    rows = [
        (stored_desc(v, "ND", "FRACTAL_NZ"), np.ascontiguousarray(blocks.fractal_nz(v)))
        for v in (a, b)
    ]
    result = aclop.compile_and_execute("MatMulV2", rows, [stored_desc(y, "ND", "FRACTAL_NZ")])
    np.testing.assert_array_equal(result, blocks.fractal_nz(y))


def test_a_convolution_of_five_dims_with_a_filter_in_fractal_z():
    random = np.random.default_rng(2)
    x, w = (
        random.integers(-2, 3, shape).astype("float16") for shape in ((1, 20, 4, 5), (18, 20, 1, 1))
    )
    y = np.einsum("nchw,oc->nohw", x, w[:, :, 0, 0])
    rows = [
        (stored_desc(x, "NCHW", "NC1HWC0"), np.ascontiguousarray(blocks.nc1hwc0(x, "NCHW"))),
        (stored_desc(w, "NCHW", "FRACTAL_Z"), np.ascontiguousarray(blocks.fractal_z(w, "NCHW"))),
    ]
    attrs = {"strides": [1, 1, 1, 1], "pads": [0, 0, 0, 0]}
    result = aclop.compile_and_execute("Conv2D", rows, [stored_desc(y, "NCHW", "NC1HWC0")], attrs)
    np.testing.assert_array_equal(result, blocks.nc1hwc0(y, "NCHW"))


def test_a_constant_in_blocks():
    x, c = np.ones((2, 3), np.float16), np.arange(6, dtype=np.float16).reshape(2, 3)
    desc = stored_desc(c, "ND", "FRACTAL_NZ")
    desc.constant = np.ascontiguousarray(blocks.fractal_nz(c))
    np.testing.assert_array_equal(aclop.compile_and_execute("Add", [x, desc], [d(2, 3)]), x + c)


def test_trans_data_of_which_one_side_is_described_by_its_memory():
    x = np.arange(2 * 3 * 2 * 2, dtype=np.float16).reshape(2, 3, 2, 2)
    memory = blocks.nc1hwc0(x, "NCHW")
    attrs = {"src_format": "NCHW", "dst_format": "NC1HWC0"}
    made = aclop.compile_and_execute(
        "TransData",
        [(TensorDesc("float16", x.shape, Format.NCHW), x)],
        [TensorDesc("float16", memory.shape, Format.NC1HWC0)],
        attrs,
    )
    np.testing.assert_array_equal(made, memory)


# The storage format is part of what an operator is found by, its shape is not.


def test_the_storage_format_finds_an_operator():
    n = fresh()
    desc, plain = TensorDesc("float16", (n, 2), storage_format=29), d(n, 2)
    assert compile_code("Add", [desc, plain], [plain]) == 0
    memory = np.zeros(blocks.fractal_nz(np.zeros((n, 2), np.float16)).shape, np.float16)
    asked = [(desc, memory), np.zeros((n, 2), np.float16)]
    assert execute_code("Add", asked, [plain]) == 0
    desc.storage_dims = memory.shape
    assert execute_code("Add", asked, [plain]) == 0
    assert execute_code("Add", [plain, plain], [plain]) == 100024


def test_memory_is_as_large_as_its_blocks():
    n = fresh()
    desc = TensorDesc("float16", (n, 2), storage_format=29)
    relu = aclop.compile("Relu", [desc], [desc])
    with pytest.raises(aclop.ExecuteParamError, match="bytes"):
        relu(np.zeros((n, 2), np.float16))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"dims": (2, 3), "storage_format": 3}, "NC1HWC0.*no such form"),
        ({"dims": (2, 3), "format": 0, "storage_format": 1}, "NHWC.*accepted are"),
        ({"dims": (2, 3), "storage_format": 77}, "77.*accepted are"),
        ({"dims": (2, 3), "storage_format": 29, "storage_dims": (1, 1, 16, 8)}, r"\[1,1,16,16\]"),
        ({"dims": (), "storage_format": 29}, "no such form"),
        ({"dims": (2**40, 2**20), "storage_format": 29}, "too large|no such form"),
    ],
)
def test_what_is_no_form_is_refused_by_name(fields, words):
    desc = TensorDesc("float16", **fields)
    with pytest.raises(aclop.CompileError, match=words):
        aclop.compile("Relu", [desc], [desc])


def test_blocks_of_a_tensor_whose_size_is_not_known_are_refused():
    open_size = d(-1, 2, shape_range=[(1, 4), (2, 2)], storage_format=29)
    assert code(aclop.compile, "Relu", [open_size], [open_size]) == 500002


def test_filters_of_several_groups_are_refused():
    x, w = TensorDesc("float16", (1, 4, 3, 3), 0), TensorDesc("float16", (4, 2, 1, 1), 0)
    w.storage_format = 4
    attrs = {"strides": [1, 1, 1, 1], "pads": [0, 0, 0, 0], "groups": 2}
    with pytest.raises(aclop.CompileError, match="several groups"):
        aclop.compile("Conv2D", [x, w], [x], attrs)


def test_trans_data_that_says_something_else_than_its_tensors():
    x = TensorDesc("float16", (1, 2, 3, 4), Format.NCHW)
    y = TensorDesc("float16", (1, 2, 3, 4), Format.NCHW, storage_format=3)
    for attrs in ({"src_format": "NHWC", "dst_format": "NC1HWC0"},):
        with pytest.raises(aclop.CompileError, match=r"src_format is NHWC.*says NCHW"):
            aclop.compile("TransData", [x], [y], attrs)


def test_products_that_compile_for_all_sizes_take_blocks_too(fresh_process):
    assert fresh_process(
        """
        import numpy as np
        x = TensorDesc("float16", (2, 3), storage_format=29)
        y = aclop.compile_and_execute("Relu", [(x, np.ones((1, 1, 16, 16), np.float16))], [x])
        print(int(y.sum()))
        """,
        ASCEND_SOC_VERSION="Ascend910B1",
    ) == ["6"]
