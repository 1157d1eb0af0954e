"""Cases F: descriptions, data buffers and helpers, in both forms of the API."""

import math

import numpy as np
import pytest
from aclop.words import d

from ge import aclop
from ge._aclop import data_type_size, float16_to_float, float_to_float16
from ge.aclop import DataType, Format, TensorDesc, acl


def flat(*dims, dtype=0):
    return acl.create_tensor_desc(dtype, list(dims), 2)


def test_f2_scalar():
    desc = TensorDesc(DataType.FLOAT)
    assert (desc.rank, desc.elements, desc.nbytes, desc.format) == (0, 1, 4, Format.ND)


def test_f3_any_number_is_a_data_type():
    desc = TensorDesc(777, (5,), -9)
    assert (desc.dtype, desc.format, desc.nbytes) == (777, -9, 40)
    assert acl.get_tensor_desc_type(flat(5, dtype=777)) == 777


@pytest.mark.parametrize(
    ("case", "dtype", "dims", "elements", "nbytes"),
    [
        ("F4", "float32", (2, -1), 0, 0),
        ("F6", "int4", (3,), 3, 3),
        ("F7", "int8", (2**62, 4), 0, 0),
        ("F8", "complex128", (2,), 2, 32),
        ("F8", "complex32", (2,), 2, 8),
        ("F8", "string", (2,), 2, 0),
    ],
)
def test_sizes(case, dtype, dims, elements, nbytes):
    desc = TensorDesc(dtype, dims)
    assert (desc.elements, desc.nbytes) == (elements, nbytes)
    handle = flat(*dims, dtype=int(desc.dtype))
    assert acl.get_tensor_desc_element_count(handle) == elements
    assert acl.get_tensor_desc_size(handle) == nbytes


def test_f5_unknown_rank():
    assert d(-2).rank is None
    assert acl.get_tensor_desc_num_dims(flat(-2)) == 18446744073709551614


def test_f9_f10_dims_and_ranges_beyond_the_rank():
    desc = flat(2, 3)
    assert acl.get_tensor_desc_dim_v2(desc, 1) == (3, 0)
    assert acl.get_tensor_desc_dim_v2(desc, 2) == (0, 100000)
    assert acl.get_tensor_desc_dim(desc, 2) == -1
    assert acl.get_tensor_desc_dim_range(desc, 0, 2) == (None, 100000)
    assert acl.set_tensor_shape_range(desc, [[1, 16], [3, -1]]) == 0
    assert acl.get_tensor_desc_dim_range(desc, 1, 2) == ([3, -1], 0)
    assert acl.get_tensor_desc_dim_range(desc, 1, 1) == (None, 100000)
    assert acl.get_tensor_desc_dim_range(desc, 1, 5000) == (None, 100000)


def test_f11_f12_null():
    assert acl.set_tensor_format(0, 2) == 0
    assert acl.set_tensor_origin_format(0, 2) == 0
    assert acl.set_tensor_shape(0, [1]) == 100000
    assert acl.set_tensor_const(0, 0, 0) == 100000
    assert acl.set_tensor_place_ment(0, 1) == 100000
    assert acl.set_tensor_dynamic_input(0, "x") == 100000
    assert acl.get_tensor_desc_type(0) == acl.get_tensor_desc_format(0) == -1
    assert acl.get_tensor_desc_size(0) == acl.get_tensor_desc_num_dims(0) == 0


def test_f14_dims_are_copied():
    dims = [2, 3]
    desc = TensorDesc(0, dims)
    dims[1] = 9
    assert desc.dims == (2, 3)


def test_f15_large_buffers():
    buffer = acl.create_data_buffer(64, 2**32 + 4)
    assert acl.get_data_buffer_size(buffer) == 4
    assert acl.get_data_buffer_size_v2(buffer) == 2**32 + 4
    assert acl.get_data_buffer_addr(buffer) == 64


def test_f16_halves():
    assert float16_to_float(0x7C00) == 65536.0
    assert float16_to_float(0xFC00) == -65536.0
    assert float_to_float16(math.nan) == float_to_float16(math.inf) == 0x7BFF
    assert float_to_float16(-math.inf) == 0xFBFF
    finite = np.arange(0x7C00, dtype=np.uint16)
    wide = finite.view(np.float16).astype(np.float32)
    assert [float16_to_float(int(n)) for n in finite[::97]] == list(wide[::97])
    assert [float_to_float16(float(x)) for x in wide[::97]] == list(finite[::97])


def test_f17_names():
    desc = flat(1)
    assert acl.get_tensor_desc_name(desc) == ""
    acl.set_tensor_desc_name(desc, "x")
    assert acl.get_tensor_desc_name(desc) == "x"
    assert acl.get_tensor_desc_name(0) == ""


def test_f18_destroying_null():
    assert acl.destroy_data_buffer(0) == 100000
    assert acl.destroy_tensor_desc(0) is None


@pytest.mark.parametrize("dtype", list(DataType))
def test_sizes_of_elements(dtype):
    widths = {DataType.UNDEFINED: 0, DataType.STRING: 0, DataType.BF16: 2}
    widths |= {DataType[f"FLOAT{name}"]: 8 for name in ("6_E3M2", "6_E2M3", "4_E2M1", "4_E1M2")}
    names = {DataType.FLOAT: "float32", DataType.DOUBLE: "float64"}
    if dtype not in widths and dtype.name[:5] not in ("INT4", "UINT1", "HIFLO", "COMPL"):
        name = names.get(dtype, dtype.name.lower())
        widths[dtype] = 1 if "float8" in name else np.dtype(name).itemsize
    if dtype in widths:
        assert data_type_size(dtype) == widths[dtype]


def test_descriptions_of_arrays():
    for name in ("float16", "float32", "int64", "uint8", "bool", "complex64"):
        desc = TensorDesc.of(np.zeros((2, 3), name), Format.NCHW)
        assert (desc.dims, desc.format) == ((2, 3), Format.NCHW)
        assert (
            desc == TensorDesc(name, (2, 3), Format.NCHW) == TensorDesc(np.dtype(name), (2, 3), 0)
        )
    with pytest.raises(TypeError):
        TensorDesc.of(np.array(["text"]))
    with pytest.raises(TypeError):
        TensorDesc.of(5)


def test_repr_is_the_call_that_makes_it():
    desc = d(2, -1, shape_range=[(2, 2), (1, None)], name="x", constant=b"1234", placement=1)
    names = {name: getattr(aclop, name) for name in ("TensorDesc", "DataType", "Format", "MemType")}
    assert eval(repr(desc), names) == desc
    assert repr(TensorDesc.absent()) == "TensorDesc.absent()"
