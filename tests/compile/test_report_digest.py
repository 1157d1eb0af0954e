"""The digests of a report, beside another XXH64."""

import pytest
from compile.conftest import save
from digests import xxh64
from om.om_files import read_om
from onnx import helper

import ge


def test_the_reference_gives_the_published_digests():
    assert xxh64(b"") == "ef46db3751d8e999"
    assert xxh64(b"abc") == "44bc2cf5ad770999"


@pytest.mark.parametrize("length", range(8))  # of a name, so that the parts have all kinds of ends
def test_digests_are_those_of_the_parts_of_the_file(tmp_path, length):
    names = ["x", "y" * (length + 1)]
    nodes = [helper.make_node("Relu", names[:1], names[1:], name="n" * (length + 1))]
    model = save(tmp_path / "net.onnx", nodes, {"x": [2, 3]}, {names[1]: [2, 3]})
    report = ge.compile(model, tmp_path / "net.om", soc_version="Ascend310P3").report
    om = read_om(tmp_path / "net.om")
    assert report["output"]["xxh64"] == {
        "model_def": xxh64(om.partition(0)),
        "task_info": xxh64(om.partition(2)),
    }
