"""python3 -m ge.om: what it prints, writes and answers to wrong words."""

import json

import numpy as np
import pytest
from onnx import TensorProto, helper

import ge.om

A = np.arange(6, dtype=np.float32).reshape(2, 3)
B = np.array([10, 20, 30], np.float32)


def failed(done, *words, status=1):
    """A failure is one message on stderr, and nothing else."""
    assert (done.status, done.stdout) == (status, "")
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr
    if status == 1:
        assert done.stderr.startswith("ge.om: ")


@pytest.fixture
def files(tmp_path):
    """Folder with the inputs a and b as .npy, .npz and .bin files."""
    np.save(tmp_path / "a.npy", A)
    np.save(tmp_path / "b.npy", B)
    np.savez(tmp_path / "both.npz", a=A, b=B, unused=A)
    np.savez(tmp_path / "one.npz", any_name=B)
    (tmp_path / "a.bin").write_bytes(A.tobytes())
    return tmp_path


def test_inspect_prints_the_summary(command, add_om):
    done = command("inspect", add_om)
    assert (done.status, done.stderr) == (0, "")
    assert done.stdout == ge.om.load(add_om).summary() + "\n"


def test_inspect_graph_has_a_line_for_each_node(command, add_om):
    done = command("inspect", add_om, "--graph")
    lines = done.stdout.splitlines()
    (line,) = [line for line in lines if line.split()[:2] == ["double", "Add"]]
    assert line.endswith("(add:0, add:0) -> float32[2,3]")


def test_inspect_json_says_the_same(command, add_om):
    facts = json.loads(command("inspect", add_om, "--json").stdout)
    model = ge.om.load(add_om)
    assert [port["name"] for port in facts["inputs"]] == ["a", "b"]
    assert facts["inputs"][0] == {"name": "a", "dtype": "float32", "shape": [2, 3], "range": None}
    assert facts["memory"] == model.memory._asdict()
    assert (facts["runnable"], facts["operators"]) == (True, {"Add": 3})
    assert "graphs" not in facts
    (graph,) = json.loads(command("inspect", add_om, "--json", "--graph").stdout)["graphs"]
    assert [node["name"] for node in graph["nodes"]] == [node.name for node in model.graph.nodes]
    assert graph["nodes"][-1].keys() == {*model.graph.nodes[0]._fields}


@pytest.mark.parametrize("name", ["flow_model", "gemm_singleop", "hiai_softmax", "three_blocks"])
def test_inspect_shows_files_made_by_others(command, samples, name):
    done = command("inspect", samples / f"{name}.om", "--graph")
    assert (done.status, done.stderr) == (0, "")
    assert "runs here   no" in done.stdout
    facts = json.loads(command("inspect", samples / f"{name}.om", "--graph", "--json").stdout)
    assert facts["runnable"] is False and facts["not_runnable_reason"]


@pytest.mark.parametrize(
    "words",
    [
        ["--input", "a=a.npy", "--input", "b=b.npy"],
        ["--input", "both.npz"],
        ["--input", "a=both.npz", "--input", "b=one.npz"],
        ["--input", "a=a.bin", "--input", "b=b.npy"],
        ["--input", "a=a.bin", "--input", "b=b.npy", "--shape", "a=2,3"],
    ],
)
def test_run_reads_inputs_and_writes_outputs(command, add_om, files, words):
    done = command("run", add_om, *words, "--out", "out", cwd=files)
    assert (done.status, done.stderr) == (0, "")
    np.testing.assert_array_equal(np.load(files / "out" / "twice.npy"), 2 * (A + B))
    assert sorted(file.name for file in (files / "out").iterdir()) == ["top.npy", "twice.npy"]
    assert "twice  float32[2,3]  min 20  max 70" in done.stdout
    assert "out/twice.npy" in done.stdout
    assert "1 run, " in done.stdout


def test_run_writes_raw_elements(command, add_om, files):
    words = ["--out", files / "raw", "--out-format", "bin"]
    done = command("run", add_om, "--input", files / "both.npz", *words)
    assert done.status == 0
    assert (files / "raw" / "twice.bin").read_bytes() == (2 * (A + B)).tobytes()


def test_random_inputs_depend_on_the_seed_alone(command, add_om, tmp_path):
    written = []
    for seed in ([], ["--seed", "0"], ["--seed", "1"]):
        words = ["--random", *seed, "--out", tmp_path, "--threads", "1"]
        assert command("run", add_om, *words).status == 0
        written.append(np.load(tmp_path / "twice.npy"))
    np.testing.assert_array_equal(written[0], written[1])
    assert (written[0] != written[2]).any()
    assert ((written[0] >= 0) & (written[0] < 4)).all()


def test_random_fills_what_no_file_gives(command, add_om, files):
    done = command("run", add_om, "--input", "a=a.npy", "--random", "--out", "out", cwd=files)
    assert done.status == 0
    b = (np.load(files / "out" / "twice.npy") / 2 - A)[0]
    assert ((b >= 0) & (b < 1)).all()


def test_random_indices_are_small(command, index_om):
    assert command("run", index_om, "--random").status == 0


def test_run_json_has_outputs_and_seconds_of_each_run(command, add_om, files):
    words = ["--input", "both.npz", "--repeat", "3", "--profile", "--json", "--out", "out"]
    facts = json.loads(command("run", add_om, *words, cwd=files).stdout)
    assert [output["name"] for output in facts["outputs"]] == ["twice", "top"]
    twice = facts["outputs"][0]
    assert (twice["dtype"], twice["shape"], twice["max"]) == ("float32", [2, 3], 70)
    assert twice["file"] == "out/twice.npy"
    assert len(facts["seconds"]) == 3 and all(second > 0 for second in facts["seconds"])
    assert [(node["name"], node["calls"]) for node in facts["nodes"]] == [
        ("add", 3),
        ("double", 3),
        ("top_node", 3),
    ]


def test_profile_is_a_table(command, add_om):
    done = command("run", add_om, "--random", "--profile", "--repeat", "2")
    assert "2 runs, best" in done.stdout
    rows = [line.split() for line in done.stdout.splitlines() if line.endswith(" double")]
    assert [row[2:] for row in rows] == [["2", "Add", "double"]]


def test_values_that_are_not_finite_are_counted(command, compiled, tmp_path):
    om = compiled([helper.make_node("Neg", ["x"], ["y"])], {"x": [4]}, {"y": [4]})
    np.save(tmp_path / "x.npy", np.array([np.nan, np.inf, 1, 2], np.float32))
    done = command("run", om, "--input", f"x={tmp_path}/x.npy")
    assert "y  float32[4]  min -2  max -1  mean -1.5  not_finite 2" in done.stdout


def test_bfloat16_is_written_as_uint16(command, compiled, tmp_path):
    port = (TensorProto.BFLOAT16, [2])
    om = compiled([helper.make_node("Neg", ["x"], ["y"])], {"x": port}, {"y": port})
    np.save(tmp_path / "x.npy", np.array([0x3F80, 0], np.uint16))
    done = command("run", om, "--input", f"x={tmp_path}/x.npy", "--out", tmp_path)
    assert "y  bfloat16[2]  min -1" in done.stdout
    assert np.load(tmp_path / "y.npy").tolist() == [0xBF80, 0x8000]


def test_narrow_types_are_written_packed_or_one_in_a_byte(command, compiled, tmp_path):
    port = (TensorProto.INT4, [3])
    nodes = [helper.make_node("Identity", ["x"], ["y"])]
    om = compiled(nodes, {"x": port}, {"y": port}, opset=21, ir=10)
    (tmp_path / "x.bin").write_bytes(bytes([0x8F, 0x07]))
    words = ["run", om, "--input", f"x={tmp_path}/x.bin", "--out", tmp_path / "out"]
    assert "y  int4[3]  min -8  max 7" in command(*words).stdout
    assert np.load(tmp_path / "out" / "y.npy").tolist() == [-1, -8, 7]
    assert command(*words, "--out-format", "bin").status == 0
    assert (tmp_path / "out" / "y.bin").read_bytes() == bytes([0x8F, 0x07])


def test_shape_is_given_where_the_model_leaves_it_open(command, open_om):
    assert "x  float32 [-1,3], -1: 1 to 8" in command("inspect", open_om).stdout
    failed(command("run", open_om, "--random"), "--shape x=", "float32[-1,3]", "1 to 8")
    done = command("run", open_om, "--random", "--shape", "x=4,3")
    assert "y  float32[4,3]" in done.stdout


def test_names_of_files_are_made_of_names_of_outputs(command, compiled, tmp_path):
    nodes = [helper.make_node("Neg", ["x"], [name]) for name in ("a/b:0", "a_b:0", "größe")]
    om = compiled(nodes, {"x": [1]}, {"a/b:0": [1], "a_b:0": [1], "größe": [1]})
    done = command("run", om, "--random", "--out", tmp_path / "out")
    assert done.status == 0, done.stderr
    names = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert names == ["a_b_0.npy", "a_b_0_2.npy", "gr__e.npy"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], ["E10001", "a", "float32 [2,3]", "missing"]),
        (["--input", "a=absent.npy"], ["absent.npy", "No such file"]),
        (["--input", "c=a.npy"], ["c=a.npy", "a, b"]),
        (["--input", "a=a.txt"], ["a.txt", ".npy, .npz and .bin"]),
        (["--input", "a.npy"], ["NAME=FILE"]),
        (["--input", "a=a.npy", "--input", "both.npz"], ["a more than once"]),
        (["--input", "one.npz"], ["no array for a, b"]),
        (["--input", "a=pair.npz"], ["p, q", "no array called a"]),
        (["--input", "a=b.npy", "--input", "b=b.npy"], ["E10001", "float32 [3]"]),
        (["--input", "b=a.bin"], ["a.bin", "takes 12 bytes", "has 24"]),
        (["--input", "a=broken.npy"], ["broken.npy", "cannot be read"]),
        (["--input", "a=objects.npy"], ["objects.npy", "cannot be read"]),
        (["--random", "--shape", "c=1"], ["--shape", "c"]),
        (["--random", "--shape", "a=4,3"], ["E10001", "float32 [4,3]"]),
    ],
)
def test_run_that_cannot_be_done_says_why(command, add_om, files, words, expected):
    np.savez(files / "pair.npz", p=A, q=A)
    (files / "broken.npy").write_bytes(b"\x93NUMPY")
    np.save(files / "objects.npy", np.array([None]), allow_pickle=True)
    failed(command("run", add_om, *words, cwd=files), *expected)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "required"),
        (["show"], "show"),
        (["run"], "model"),
        (["run", "x.om", "--seed", "1"], "--seed needs --random"),
        (["run", "x.om", "--out-format", "bin"], "--out-format needs --out"),
        (["run", "x.om", "--repeat", "0"], "--repeat"),
        (["run", "x.om", "--threads", "many"], "--threads"),
        (["run", "x.om", "--shape", "x"], "NAME=1,3,224,224"),
        (["run", "x.om", "--shape", "x=1,-2"], "NAME=1,3,224,224"),
        (["run", "x.om", "--shape", "x=1", "--shape", "x=2"], "more than once"),
        (["inspect", "x.om", "--wrong"], "--wrong"),
    ],
)
def test_wrong_words_end_with_status_2(command, words, expected):
    failed(command(*words), expected, status=2)


def test_file_that_is_no_model(command, tmp_path):
    path = tmp_path / "x.om"
    path.write_bytes(b"text")
    for words in (["inspect", path], ["run", path, "--random"]):
        failed(command(*words), "E10041", str(path))
        failed(command(words[0], tmp_path / "absent.om"), "absent.om", "No such file")


def test_models_for_an_npu_are_not_run(command, samples):
    done = command("run", samples / "gemm_singleop.om", "--random")
    failed(done, "E10055", "AI core", "gemm_singleop.om")


def test_folder_of_outputs_that_is_a_file(command, add_om, files):
    done = command("run", add_om, "--random", "--out", "a.npy", cwd=files)
    failed(done, "a.npy")


def test_help_names_every_command(command):
    done = command("--help")
    assert done.status == 0
    assert "inspect" in done.stdout and "run" in done.stdout


def test_reader_that_goes_away_is_no_fault_to_report(run, python, package, add_om):
    line = f"'{python}' -P -m ge.om inspect '{add_om}' --graph --json | true"
    done = run("sh", "-c", line, env={"PYTHONPATH": package.parent})
    assert done.stderr == ""
