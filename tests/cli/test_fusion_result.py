"""fusion_result.json: when and where it is written, and what it says."""

import json
import os

import numpy as np
import pytest
from compile.conftest import compile_command, save
from onnx import helper


@pytest.fixture
def convs(tmp_path):
    """Two convolutions with a norm each, and a Swish written out."""
    nodes = []
    for i in range(2):
        nodes += [
            helper.make_node("Conv", [f"x{i}", "w"], [f"c{i}"]),
            helper.make_node("BatchNormalization", [f"c{i}", *["v"] * 4], [f"x{i + 1}"]),
        ]
    nodes += [
        helper.make_node("Sigmoid", ["x2"], ["s"]),
        helper.make_node("Mul", ["x2", "s"], ["y"]),
    ]
    weights = {
        "w": np.ones((2, 2, 1, 1), np.float32),
        "v": np.full(2, 0.5, np.float32),
    }
    return save(tmp_path / "net.onnx", nodes, {"x0": [1, 2, 4, 4]}, {"y": [1, 2, 4, 4]}, weights)


@pytest.fixture
def compiled(run, atc, convs, tmp_path):
    """Call as ``compiled(*flags, env=)``; gives how atc ended and the folder that it ran in."""
    (tmp_path / "here").mkdir()

    def call(*flags, env=None, model=convs):
        command = compile_command(atc, model, tmp_path / "out" / "net", *flags)
        return run(*command, cwd=tmp_path / "here", env=env), tmp_path / "here"

    return call


def test_rules_have_the_names_and_the_layout_of_atc(compiled):
    done, folder = compiled()
    assert done.status == 0
    (session,) = json.loads((folder / "fusion_result.json").read_text()).items()
    assert session == (
        "session_and_graph_id_0_0",
        {
            "graph_fusion": {
                "ConvBatchnormFusionPass": {"effect_times": "2", "match_times": "2"},
                "FuseActivation": {"effect_times": "1", "match_times": "1"},
                "FuseSwish": {"effect_times": "1", "match_times": "1"},
            },
            "ub_fusion": {},
        },
    )


def test_rules_that_are_switched_off_are_not_there(compiled):
    _, folder = compiled("--optimization_switch=ConvBatchnormFusionPass:off")
    (session,) = json.loads((folder / "fusion_result.json").read_text()).values()
    assert list(session["graph_fusion"]) == ["FuseSwish"]


@pytest.mark.parametrize(("word", "written"), [("0", []), ("1", ["fusion_result.json"])])
def test_the_flag_says_whether_it_is_written(compiled, word, written):
    done, folder = compiled(f"--export_compile_stat={word}")
    assert done.status == 0
    assert os.listdir(folder) == written


def test_the_work_folder_has_it_by_process(compiled, tmp_path):
    done, folder = compiled("--export_compile_stat=2", env={"ASCEND_WORK_PATH": tmp_path / "work"})
    assert done.status == 0
    assert os.listdir(folder) == []
    (process,) = (tmp_path / "work" / "FE").iterdir()
    assert process.name.isdigit()
    assert os.listdir(process) == ["fusion_result.json"]


def test_a_failed_compile_writes_none(compiled, tmp_path):
    (tmp_path / "bad.onnx").write_bytes(b"\0")
    done, folder = compiled(
        model=tmp_path / "bad.onnx", env={"ASCEND_WORK_PATH": tmp_path / "work"}
    )
    assert done.status == 255
    assert os.listdir(folder) == []
    assert not (tmp_path / "work").exists()


def test_where_it_cannot_be_written_only_who_asks_for_it_fails(compiled, tmp_path):
    (tmp_path / "file").touch()
    env = {"ASCEND_WORK_PATH": tmp_path / "file"}
    assert compiled(env=env)[0].status == 0
    done, _ = compiled("--export_compile_stat=1", env=env)
    assert done.status == 255
    assert "(E13004)" in done.stdout
    assert "fusion_result.json" in done.stdout
