"""The operator table below the C functions: hashes, number of builds, models of operators."""

import copy
import json
import subprocess
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "core"


@pytest.fixture(scope="module")
def build(acl_library, tmp_path_factory):
    """Call as ``build(test, *sources)``: compiles a test of core/tests and gives the program."""
    folder = tmp_path_factory.mktemp("core")

    def compiled(test, *sources):
        program = folder / test
        core = acl_library.with_name("libge_core.so")
        paths = [CORE / "tests" / f"{test}.cc", *(CORE / source for source in sources)]
        flags = ["-std=c++20", "-O1", f"-I{CORE}", f"-Wl,-rpath,{core.parent}", "-pthread"]
        subprocess.run(["c++", *flags, *paths, core, "-o", program], check=True)
        return program

    return compiled


def test_builds_and_models(run, build, tmp_path):
    done = run(build("aclop_runtime_test"), cwd=tmp_path)
    assert (done.status, done.stdout, done.stderr) == (0, "", "")


def tensor(**fields):
    plain = {"dtype": 1, "format": 2, "storageFormat": -1, "dims": [2, 3]}
    return plain | {"shapeRange": [], "isConst": False, "placement": 0} | fields


def op(x1, x2=None, **fields):
    inputs = [x1, x2 or tensor()]
    return {"op": "Add", "inputs": inputs, "outputs": [tensor()], "attrs": []} | fields


# Numbers of the C API itself.
CHAIN = [
    (["a", "list_string", ["hello", "world"]], 4469517942762953920),
    (["b", "list_bool", [False, True]], 6147301992897187629),
    (["c", "list_int", [666, 444]], 1159624198106721570),
    (["d", "list_list_int", [[1, 2], [3, 4, 5]]], 3178425737445201206),
    (["e", "list_float", [1.0, 2.0]], 6041060120762474175),
]
HASHES = [
    *({"attrs": [row for row, _ in CHAIN[: i + 1]], "hash": CHAIN[i][1]} for i in range(5)),
    {"attrs": [["alpha", "list_float", [1.0, 2.0]]], "hash": 14603419155467829796},
    {"attrs": [], "hash": 0},
    {"attrs": [["k", "int", -1]], "hash": 2654435768},
    {"attrs": [["k", "bool", True]], "hash": 2654435770},
    {"attrs": [["k", "data_type", 1]], "hash": 2654435770},
    {"attrs": [["k", "float", 0.5]], "hash": 11091207837809047485},
    {"attrs": [["k", "float", -0.0]], "hash": 2654435769},
    {"attrs": [["k", "string", "abc"]], "hash": 3663726647652463602},
    {"attrs": [["k", "list_int", [1, 2]]], "hash": 175247769363},
    op(tensor()) | {"hash": 3191003568949581246},
    op(tensor(storageFormat=29)) | {"hash": 13644745389454052759},
    op(tensor(dims=[-1, 3], shapeRange=[[1, -1], [3, 3]])) | {"hash": 6215214033178575117},
    op(tensor(), tensor(dtype=3, dims=[1], isConst=True), const="\x01\0\0\0")
    | {"hash": 17164368938702489640},
    op(tensor(), attrs=[["any_name", "int", 1]]) | {"hash": 3191003565837900664},
    {"op": "Foo", "inputs": [], "outputs": [], "attrs": [], "hash": 15349161375622308548},
    op(tensor(placement=1)) | {"hash": 4709844651316347841},
    op(tensor(), tensor(dtype=-1, format=-1, dims=[])) | {"hash": 13548037594711770650},
    op(tensor(), seq=1) | {"hash": 10838267866484968395},
]


def test_hashes_are_those_of_the_c_api(run, build, tmp_path):
    rows = copy.deepcopy(HASHES)
    wanted = [row.pop("hash") for row in rows]
    (tmp_path / "ops.json").write_text(json.dumps(rows))
    sources = ["aclop/hash.cc", "aclop/key.cc", "base/dtype.cc", "base/format.cc"]
    done = run(build("aclop_key_test", *sources), tmp_path / "ops.json")
    assert [int(line) for line in done.stdout.split()] == wanted
