"""The report of a compile: docs/report.md, what it says, and when it is written."""

import json
import os
import re

import numpy as np
import pytest
from compile.conftest import compile_command, save
from conftest import ROOT
from om.om_files import read_om
from onnx import TensorProto, helper
from plan.test_written_plan import Walk

import ge
import ge.om

KINDS = {"text": str, "integer": int, "object": dict, "array": list}
FLAGS = {"soc_version": "Ascend310P3"}


@pytest.fixture
def network(tmp_path):
    """Conv and a norm, a branch, a constant that float16 cannot hold, two nodes of one name."""
    rng = np.random.default_rng(3)
    branch = helper.make_node("Relu", ["c"], ["then_y"], name="in_then")
    other = helper.make_node("Exp", ["c"], ["else_y"], name="in_else")

    def body(name, node):
        out = helper.make_tensor_value_info(node.output[0], TensorProto.FLOAT, None)
        return helper.make_graph([node], name, [], [out])

    nodes = [
        helper.make_node("Conv", ["x", "w"], ["conv"], name="conv", pads=[1, 1, 1, 1]),
        helper.make_node("BatchNormalization", ["conv", *["v"] * 4], ["b"], name="norm"),
        helper.make_node("Add", ["b", "huge"], ["c"], name="add"),
        helper.make_node(
            "If", ["flag"], ["y"], name="choose",
            then_branch=body("yes", branch), else_branch=body("no", other),
        ),
        helper.make_node("Add", ["c", "c"], ["z"], name="add"),
    ]  # fmt: skip
    return save(
        tmp_path / "net.onnx",
        nodes,
        {"x": [1, 2, 6, 6], "flag": (TensorProto.BOOL, [1])},
        {"y": [1, 4, 6, 6], "z": [1, 4, 6, 6]},
        {
            "w": rng.standard_normal((4, 2, 3, 3)).astype(np.float32),
            "v": np.full(4, 0.5, np.float32),
            "huge": np.full((4, 6, 6), 1e6, np.float32),
        },
    )


@pytest.fixture
def atc_report(run, atc, tmp_path):
    """Call as ``atc_report(model, *flags)``: how atc ended, and the report it wrote."""

    def call(model, *flags, env=None):
        path = tmp_path / "report.json"
        command = compile_command(atc, model, tmp_path / "by_atc", *flags)
        done = run(*command, env={"GE_REPORT": path, **(env or {})})
        return done, json.loads(path.read_bytes())

    return call


@pytest.fixture
def faulty(tmp_path):
    """A model whose two products do not fit."""
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["a"], name="first"),
        helper.make_node("MatMul", ["w", "x"], ["b"], name="second"),
    ]
    w = np.ones((4, 5), np.float32)
    return save(tmp_path / "bad.onnx", nodes, {"x": [2, 3]}, {"a": [2, 5], "b": [4, 3]}, {"w": w})


def documented():
    """Key to kinds of its value and keys of objects in it, from the table of docs/report.md."""
    rows = {}
    text = (ROOT / "docs" / "report.md").read_text()
    for key, what in re.findall(r"^\| `(\w+)` \| (.+) \|$", text, re.M):
        if what == "the same":
            rows[key] = rows["inputs"]
            continue
        kinds = {kind for word, kind in KINDS.items() if what.startswith(word)}
        kinds |= {type(None)} if "or `null`" in what else set()
        named = set(re.findall(r"`(\w+)`", what)) - {"null", "graphs"}
        rows[key] = kinds, named if kinds & {dict, list} else set()
    return rows


def keys_inside(value):
    if isinstance(value, dict):
        return set(value).union(*map(keys_inside, value.values()))
    return set().union(*map(keys_inside, value)) if isinstance(value, list) else set()


def test_reports_have_the_documented_keys_and_no_others(network, faulty, atc_report, tmp_path):
    reports = [
        ge.compile(network, tmp_path / "net", **FLAGS).report,
        atc_report(faulty)[1],
        atc_report(network, "--bla", "--soc_version=Ascend")[1],
    ]
    rows = documented()
    for report in reports:
        assert set(report) == set(rows)
        for key, (kinds, _) in rows.items():
            assert type(report[key]) in kinds, key
    for key in rows.keys() - {"flags"}:
        assert set().union(*(keys_inside(report[key]) for report in reports)) == rows[key][1], key


def test_the_report_tells_what_the_compile_did(network, tmp_path):
    result = ge.compile(network, tmp_path / "net", **FLAGS)
    report = result.report
    assert report["status"] == "success"
    assert report["flags"]["model"] == "net.onnx"
    assert report["inputs"][0] == {
        "name": "x", "dtype": "float32", "shape": [1, 2, 6, 6], "format": "NCHW",
    }  # fmt: skip
    assert [port["name"] for port in report["outputs"]] == ["y", "z"]
    conv = next(row for row in report["operators"] if row["type"] == "Conv2D")
    assert conv["sources"] == ["conv", "norm"]
    assert (conv["dtype"], conv["shapes"], conv["graph"]) == ("float16", [[1, 4, 6, 6]], 0)
    in_branch = next(row for row in report["operators"] if row["type"] == "Exp")
    assert in_branch["sources"] == ["in_else"]
    assert in_branch["graph"] in (1, 2)
    counts = {row["name"]: row["count"] for row in report["passes"]}
    assert counts["FuseConvBatchNorm"] == 1
    (lowered,) = report["precision"]["lowered"]
    assert (lowered["from"], lowered["to"]) == ("float32", "float16")
    assert "conv" in lowered["nodes"]
    (constant,) = report["precision"]["constants"]
    assert (constant["name"], constant["beyond"]) == ("huge", constant["elements"])
    assert [(row["code"], row["count"]) for row in report["warnings"]] == [
        (warning.code, 1) for warning in result.warnings
    ]
    assert report["output"]["bytes"] == (tmp_path / "net.om").stat().st_size
    assert report["memory"]["weight_bytes"] == len(read_om(tmp_path / "net.om").partition(1))
    times = report["timings_ms"]
    assert times["total"] == pytest.approx(sum(times.values()) - times["total"], abs=0.01)


def test_the_operators_are_those_of_the_file_in_the_order_they_run(network, tmp_path):
    report = ge.compile(network, tmp_path / "net", **FLAGS).report
    model = read_om(tmp_path / "net.om").model_def()
    assert report["graphs"] == [graph.name for graph in model.graph]
    assert [(row["name"], row["type"]) for row in report["operators"]] == [
        (op.name, op.type)
        for graph in model.graph
        for op in graph.op
        if op.type not in ("Const", "Data", "NetOutput")
    ]


def test_a_network_that_fits_its_lower_bound(models, tmp_path):
    report = ge.compile(
        models("ppocr_v4_det"), tmp_path / "net", input_shape="x:1,3,160,160", **FLAGS
    ).report
    model = read_om(tmp_path / "net.om").model_def()
    names = [name.decode() for name in model.attr["task_index_op_name"].list.s]
    walk = Walk(model.graph[0], set(names))
    most = 0
    for step in range(len(walk.ops)):
        live = {
            walk.offsets[root]
            for root in walk.born
            if walk.born[root] <= step <= walk.last_use[root]
        }
        most = max(most, sum(-(-size // 512) * 512 for _, size in live))
    memory = report["memory"]
    assert memory["arena_lower_bound_bytes"] == most <= memory["arena_bytes"]


def test_a_failure_names_code_and_node(faulty, atc_report):
    done, report = atc_report(faulty)
    assert done.status == 255
    assert report["status"] == "failed"
    assert [(row["code"], row["node"]) for row in report["errors"]] == [
        ("E14001", "first"), ("E14001", "second"),
    ]  # fmt: skip
    assert all(row["text"] in done.stdout for row in report["errors"])
    assert report["memory"] is report["output"] is None


def test_faults_of_the_command_line_are_errors(network, atc_report):
    done, report = atc_report(network, "--bla", "--soc_version=Ascend")
    assert done.status == 255
    assert [row["code"] for row in report["errors"]] == ["", "E20101"]


def test_a_report_that_cannot_be_written_is_said_before_the_compile(run, atc, network, tmp_path):
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "file" / "r.json", network, tmp_path / "net.om"):
        before = network.read_bytes()
        done = run(*compile_command(atc, network, tmp_path / "net"), env={"GE_REPORT": path})
        assert done.status == 255
        assert "(E10001)" in done.stdout
        assert "GE_REPORT" in done.stdout
        assert not (tmp_path / "net.om").exists()
        assert network.read_bytes() == before


def test_the_folder_of_the_report_is_created(run, atc, network, tmp_path):
    path = tmp_path / "new" / "report.json"
    assert (
        run(*compile_command(atc, network, tmp_path / "net"), env={"GE_REPORT": path}).status == 0
    )
    assert json.loads(path.read_bytes())["status"] == "success"


def test_bytes_and_report_do_not_depend_on_where_and_how_a_compile_runs(
    run, atc, python, network, tmp_path
):
    places = [("a", "1", "UTC", "0"), ("b c", "7", "Asia/Tokyo", "1"), ("d", "2", "", "random")]
    found = set()
    for entry in ([atc], [python, "-P", "-m", "ge.pyatc"]):
        for folder, threads, zone, seed in places:
            out = tmp_path / folder
            env = {"GE_NUM_THREADS": threads, "TZ": zone, "PYTHONHASHSEED": seed}
            env["GE_REPORT"] = out / "report.json"
            env["PYTHONPATH"] = os.environ.get("PYTHONPATH")
            command = [*entry, *compile_command(atc, network, out / "net")[1:]]
            assert run(*command, cwd=tmp_path, env=env).status == 0
            report = json.loads((out / "report.json").read_bytes())
            del report["timings_ms"]
            found.add((json.dumps(report), (out / "net.om").read_bytes()))
    assert len(found) == 1
