"""What ge.doctor says of a machine in order, and of one where something is not."""

import json
import os
import subprocess
import sys

import pytest
from hooks.vendor import ADD_INFO, add_vendor

from ge import doctor

SECTIONS = ["interpreter", "package", "operators", "graph passes", "folders", "environment"]


@pytest.fixture(autouse=True)
def no_hooks(monkeypatch):
    for variable in (
        "ASCEND_CUSTOM_OPP_PATH",
        "ASCEND_OPP_PATH",
        "ASCEND_HOME_PATH",
        "ASCEND_GE_PY_PASS_PATH",
    ):
        monkeypatch.delenv(variable, raising=False)


def run(*words, env=None, cwd=None):
    return subprocess.run(
        [sys.executable, "-P", "-m", "ge.doctor", *words],
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        cwd=cwd,
    )


def problems():
    return doctor.as_json(doctor.examine())["problems"]


def values(section):
    (rows,) = [part.findings for part in doctor.examine() if part.name == section]
    return {row.name: row.value for row in rows}


def test_machine_in_order_has_status_0_and_a_verdict():
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [*SECTIONS, lines[-1]]
    assert lines[-1] == "verdict: all is well"
    assert len(lines) < 60
    assert sys.executable in done.stdout


def test_json_has_the_findings_of_the_screen():
    done = run("--json", env={"ASCEND_GE_PY_PASS_PATH": "/no/such"})
    document = json.loads(done.stdout)
    assert done.returncode == 1
    assert list(document["sections"]) == SECTIONS
    assert document["verdict"] == "problems"
    assert document["problems"] == [
        "Take /no/such out of ASCEND_GE_PY_PASS_PATH: there is no such file or folder."
    ]
    (row,) = document["sections"]["graph passes"]
    assert row["name"] == "/no/such"
    assert row["level"] == "problem"


def test_unknown_word_has_status_2():
    done = run("--jsn")
    assert done.returncode == 2
    assert "--jsn" in done.stderr
    assert done.stdout == ""


def test_values_of_unknown_variables_are_not_shown():
    done = run(env={"ASCEND_TOKEN": "hunter2", "SECRET": "hunter2", "GE_NUM_THREADS": "3"})
    assert "hunter2" not in done.stdout
    assert "GE_NUM_THREADS" in done.stdout


def test_interpreter_is_the_one_that_runs():
    assert values("interpreter")["executable"] == sys.executable


def test_module_of_a_pass_that_is_not_installed(tmp_path, monkeypatch):
    file = tmp_path / "my_pass.py"
    file.write_text("import os, torchy.nn\nfrom jsom import dump\n")
    monkeypatch.setenv("ASCEND_GE_PY_PASS_PATH", str(file))
    assert problems() == [
        f"Install jsom for {sys.executable}: {file} imports it.",
        f"Install torchy for {sys.executable}: {file} imports it.",
    ]


def test_imports_that_may_fail_are_not_missing(tmp_path, monkeypatch):
    file = tmp_path / "my_pass.py"
    file.write_text(
        "try:\n    import torchy\nexcept ImportError:\n    torchy = None\n"
        "def f():\n    import jsom\n"
        "import helper_beside\n"
    )
    (tmp_path / "helper_beside.py").write_text("")
    monkeypatch.setenv("ASCEND_GE_PY_PASS_PATH", str(file))
    assert problems() == []


def test_pass_files_are_not_run(tmp_path, monkeypatch):
    (tmp_path / "one.py").write_text("raise SystemExit(3)\n")
    monkeypatch.setenv("ASCEND_GE_PY_PASS_PATH", str(tmp_path))
    assert problems() == []
    assert "one.py" in values("graph passes")[str(tmp_path)]


def test_pass_file_with_a_syntax_error(tmp_path, monkeypatch):
    (tmp_path / "one.py").write_text("def f(:\n")
    (tmp_path / "two.py").write_bytes(b"x = '\xff'\n")
    monkeypatch.setenv("ASCEND_GE_PY_PASS_PATH", str(tmp_path))
    first, second = problems()
    assert first.startswith(f"Mend {tmp_path / 'one.py'}: line 1: ")
    assert second.startswith(f"Mend {tmp_path / 'two.py'}: ")


def test_operators_are_listed_by_family_of_socs(tmp_path, monkeypatch):
    vendor = add_vendor(tmp_path / "acme")
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(vendor.path))
    assert values("operators")[str(vendor.path)] == "for ascend310p: AddDsl"
    assert problems() == []


def test_vendors_of_an_operator_package(tmp_path, monkeypatch):
    add_vendor(tmp_path / "vendors" / "acme")
    (tmp_path / "vendors" / "config.ini").write_text("load_priority=acme,gone\n")
    monkeypatch.setenv("ASCEND_OPP_PATH", str(tmp_path))
    assert doctor.as_text(doctor.examine()).count("for ascend310p: AddDsl") == 1
    (problem,) = problems()
    assert "gone" in problem


def test_vendors_of_an_installation(tmp_path, monkeypatch):
    add_vendor(tmp_path / "opp" / "vendors" / "acme")
    (tmp_path / "opp" / "vendors" / "config.ini").write_text("load_priority=acme\n")
    monkeypatch.setenv("ASCEND_HOME_PATH", str(tmp_path))
    assert values("operators")[str(tmp_path / "opp")] == "for ascend310p: AddDsl"
    monkeypatch.setenv("ASCEND_HOME_PATH", str(tmp_path / "elsewhere"))
    assert problems() == []


def test_operator_without_a_file(tmp_path, monkeypatch):
    vendor = add_vendor(tmp_path / "acme").write_info({"AddDsl": ADD_INFO, "SubDsl": ADD_INFO})
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(vendor.path))
    (problem,) = problems()
    assert problem.startswith(f"Add {vendor.implementation / 'sub_dsl.py'}, or take SubDsl out of ")


def test_operator_that_imports_what_the_engine_does_not_have(tmp_path, monkeypatch):
    vendor = add_vendor(tmp_path / "acme", "from tbe import dsl\nimport tbe.magic\nimport cupyy\n")
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(vendor.path))
    file = vendor.implementation / "add_dsl.py"
    assert problems() == [
        f"Rewrite {file} without tbe.magic: the built-in engine does not have it.",
        f"Install cupyy for {sys.executable}: {file} imports it.",
    ]


@pytest.mark.parametrize("text", ["{", '{"A": {"input0": {"name": "x"}}}'])
def test_damaged_information_file_is_named(tmp_path, monkeypatch, text):
    vendor = add_vendor(tmp_path / "acme").write_info(text)
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(vendor.path))
    assert problems()
    assert all(str(vendor.config) in problem for problem in problems())


def test_entry_that_is_no_vendor(tmp_path, monkeypatch):
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", f"{tmp_path}:relative")
    first, second = problems()
    assert f"{tmp_path}/op_impl" in first
    assert "relative" in second


def test_folder_that_cannot_be_written_to(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DUMP_GRAPH_PATH", str(tmp_path / "file" / "below"))
    assert problems() == [f"Make {tmp_path / 'file'} a folder to write to."]
    monkeypatch.setenv("DUMP_GRAPH_PATH", str(tmp_path / "new" / "below"))
    assert problems() == []


def test_current_folder_that_is_gone(tmp_path):
    gone = tmp_path / "gone"
    code = f"import os; os.mkdir({str(gone)!r}); os.chdir({str(gone)!r}); os.rmdir({str(gone)!r});"
    code += "from ge import doctor; print(doctor.as_json(doctor.examine())['problems'])"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)
    assert done.stdout == "['Change into a folder that exists.']\n"


def test_operators_are_left_to_cann(tmp_path):
    library = tmp_path / "lib64" / "libpyatc_wrapper.so"
    library.parent.mkdir()
    library.write_bytes(b"")
    env = {"GE_ENGINE": "cann", "ASCEND_HOME_PATH": str(tmp_path)}
    vendor = add_vendor(tmp_path / "acme")
    done = run(env={**env, "ASCEND_CUSTOM_OPP_PATH": f"{vendor.path}:/no/such"})
    assert f"{vendor.path} " in done.stdout
    assert "1. Take /no/such out of ASCEND_CUSTOM_OPP_PATH: there is no such folder." in done.stdout
    assert done.returncode == 1
    assert "cann (GE_ENGINE=cann)" in done.stdout
