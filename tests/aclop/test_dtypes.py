"""Data types that a prototype has: refused by the compile, or run."""

import json
from pathlib import Path

import pytest
from aclop.words import d

from ge import aclop
from ge.aclop import CompileError, DataType, TensorDesc

OPS = json.loads((Path(__file__).parents[2] / "core" / "tables" / "ops.json").read_text())
WORDS = {
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "bf16": "bfloat16",
    "bool": "bool",
    "c32": DataType.COMPLEX32,
    "c64": "complex64",
    "c128": "complex128",
    "f8e5m2": DataType.FLOAT8_E5M2,
    "f8e4m3": DataType.FLOAT8_E4M3FN,
    "i4": DataType.INT4,
}
WORDS |= {f"{sign}{bits}": f"{sign}nt{bits}" for sign in ("i", "ui") for bits in (8, 16, 32, 64)}
WORDS |= {f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)}
SHAPES = [(2, 3), (1, 2, 3, 4), (2,), (1,), (1, 1, 2, 3, 4)]
VALUES = {
    "Int": (0, "int"),
    "Float": (1.0, "float"),
    "Bool": (False, "bool"),
    "ListInt": ([0], "list_int"),
    "String": ("SAME", "string"),
    "ListListInt": ([[0, 0], [0, 0]], "list_list_int"),
    "Type": (0, "data_type"),
}
COUNTS = ("num_split", "num", "N")
WINDOWS = ("strides", "ksize", "pads", "dilations")


def required_attrs(row):
    attrs = aclop.Attrs()
    for name, attr in row["attrs"].items():
        if not attr.get("required") or attr["type"] not in VALUES:
            continue
        value, kind = VALUES[attr["type"]]
        if name in COUNTS and kind == "int":
            value = 1
        elif name in WINDOWS and kind == "list_int":
            value = [1, 1, 1, 1]
        attrs.set(name, value, kind)
    return attrs


def tensor(port, column, columns, shape):
    """A tensor for a port: of the dtype in its column, or a constant list of indices."""
    dtypes = port["dtypes"].split(",")
    word = WORDS.get(dtypes[column] if len(dtypes) == columns else dtypes[0])
    if word is None:
        return None
    if set(dtypes) <= {"i32", "i64"}:
        count = 1 if "ax" in port["name"] or "dim" in port["name"] else len(shape)
        width = 4 if dtypes[0] == "i32" else 8
        return TensorDesc(word, (count,), constant=bytes(count * width))
    return TensorDesc(word, shape)


def operators(op_type):
    """Compile the operator with every dtype of its first input; yields those that compile."""
    row = OPS[op_type]
    ports = [port for port in row["inputs"] if port.get("kind") != "optional"]
    columns = len(ports[0]["dtypes"].split(",")) if ports else 0
    for column in range(columns):
        for shape in SHAPES:
            inputs = [tensor(port, column, columns, shape) for port in ports]
            if None in inputs:
                continue
            known = [x if x.constant else (x, bytearray(x.nbytes)) for x in inputs]
            attrs = required_attrs(row)
            try:
                outputs = aclop.infer_shape(op_type, known, len(row["outputs"]), attrs)
                yield inputs, aclop.compile(op_type, inputs, list(outputs), attrs)
            except aclop.AclError:
                continue
            break


@pytest.mark.parametrize("initial", sorted({name[0] for name in OPS if name[0].isalpha()}))
def test_what_compiles_has_a_kernel(initial):
    for op_type in OPS:
        if not op_type.startswith(initial):
            continue
        for inputs, operator in operators(op_type):
            if operator.is_dynamic:
                continue
            memory = [bytearray(x.nbytes) for x in inputs if not x.constant]
            try:
                operator(*memory)
            except aclop.AclError as error:
                assert error.code != 500002, (op_type, inputs, error.text)


@pytest.mark.parametrize(
    ("op_type", "dtype"), [("Add", "complex64"), ("Sqrt", "complex64"), ("Muls", "complex64")]
)
def test_a_dtype_without_a_kernel_is_refused_by_name(op_type, dtype):
    x = d(3, dtype=dtype)
    attrs = {"value": 2.0} if op_type == "Muls" else None
    with pytest.raises(CompileError, match=r"complex64.*no kernel"):
        aclop.compile(op_type, [x] * len(OPS[op_type]["inputs"]), [x], attrs)


def test_what_is_moved_may_be_of_any_dtype():
    x = d(2, 3, dtype="complex64")
    aclop.compile("SliceD", [x], [d(1, 3, dtype="complex64")], {"offsets": [1, 0], "size": [1, 3]})


@pytest.mark.parametrize(
    ("op_type", "dims", "attrs"),
    [("Round", (3,), {"decimals": 1}), ("SoftmaxV2", (3,), {"half_to_float": True})],
)
def test_an_attribute_that_kernels_take_no_notice_of(op_type, dims, attrs):
    x = d(*dims)
    with pytest.raises(CompileError, match=f"attribute {next(iter(attrs))}"):
        aclop.compile(op_type, [x], [x], attrs)
    aclop.compile(op_type, [x], [x], dict.fromkeys(attrs, type(next(iter(attrs.values())))()))


def test_parts_that_are_not_as_many_as_the_attribute_says():
    attrs = {"split_dim": 0, "num_split": 3}
    with pytest.raises(CompileError, match=r"num_split is 3.* 2 outputs"):
        aclop.compile("SplitD", [d(6)], [d(2), d(2)], attrs)
