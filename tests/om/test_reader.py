"""The C++ reader of OM files: headers, tables, and the table of inputs and outputs."""

import struct
import subprocess

import pytest
from om.om_files import build_om, read_om
from om.test_json_view import SAMPLE_NAMES


@pytest.fixture(scope="module")
def facts(cxx_program, tmp_path_factory):
    """Call as ``facts(model)`` with a path or bytes: the lines of core/tests/om_reader_test.cc."""
    folder = tmp_path_factory.mktemp("facts")
    names = ("base/file", "base/status", "om/inout_info", "om/reader", "tests/om_reader_test")
    program = cxx_program(*names)

    def call(model):
        if isinstance(model, bytes):
            path = folder / "model.om"
            path.write_bytes(model)
            model = path
        return subprocess.run(
            [program, model], capture_output=True, text=True, check=True
        ).stdout.splitlines()

    return call


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_header_and_tables_of_real_files(name, facts, samples):
    path = samples / f"{name}.om"
    om = read_om(path)
    expected = [
        f"version {om.version:x} platform {om.platform_version} wide {om.wide:d}"
        f" hiai {name.startswith('hiai'):d}"
    ]
    for block in om.blocks:
        expected.append("block")
        expected += [f"part {kind} size {len(data)}" for kind, data in block]
    assert facts(path)[: len(expected)] == expected


def test_inputs_and_outputs_of_a_model_made_by_atc(facts, samples):
    lines = facts(samples / "gemm_singleop.om")
    tensors = lines[lines.index("inout") + 1 :]
    # alpha * a @ b + beta * c on 16 x 16 matrices of fp16; alpha and beta are scalars.
    assert [line.split()[0] for line in tensors[:6]] == ["input"] * 5 + ["output"]
    assert all("format 2 dtype 1" in line for line in tensors[:6])
    assert sum(line.endswith("size 512 format 2 dtype 1 dims 16 16") for line in tensors) == 4
    assert sum(line.endswith("size 2 format 2 dtype 1 dims") for line in tensors) == 2


def record(kind, value):
    return struct.pack("<II", kind, len(value)) + value


def tensor(name, dims, size=0, limits=()):
    fixed = struct.pack("<QiiIIII", size, 0, 3, len(name), 8 * len(dims), 0, 8 * len(limits))
    return fixed + name + struct.pack(f"<{len(dims) + len(limits)}q", *dims, *limits)


TABLE = record(0, struct.pack("<I", 1) + tensor(b"x", (-1, 3), 0, (1, 8, 3, 3))) + record(
    1, struct.pack("<I", 1) + tensor(b"y", (4,), 16)
)
LINES = [
    "inout",
    "input x size 0 format 0 dtype 3 dims -1 3 1~8 3~3",
    "output y size 16 format 0 dtype 3 dims 4",
]


def test_unknown_dims_have_a_range(facts):
    assert facts(build_om([[(8, TABLE), (0, b""), (2, b"")]]))[-3:] == LINES


def test_table_of_older_toolkits_stands_under_another_number(facts):
    assert facts(build_om([[(6, TABLE), (0, b""), (2, b"")]], wide=False))[-3:] == LINES


def test_partition_that_is_no_table_is_left_alone(facts):
    assert "inout" not in facts(build_om([[(6, TABLE + b"?"), (0, b""), (2, b"")]], wide=False))


def test_gears(facts):
    gears = struct.pack("<I2I4Q", 2, 2, 2, 224, 224, 448, 448)
    order = struct.pack("<I2I", 2, 1, 2) + b"xyz"
    table = record(2, struct.pack("<I2Q", 2, 1, 8)) + record(3, gears) + record(6, order)
    lines = facts(build_om([[(8, table), (0, b""), (2, b"")]]))
    assert lines[lines.index("inout") + 1 :] == [
        "batch 1 8",
        "hw 224 224",
        "hw 448 448",
        "order x",
        "order yz",
    ]
