"""bin/pyatc: which interpreter it starts, and what that interpreter gets."""

import shutil
import sys
import textwrap
from pathlib import Path

import pytest


@pytest.fixture(params=["environment", "tree"])
def wrapper(request):
    """bin/pyatc of each install form."""
    return request.getfixturevalue(request.param) / "bin" / "pyatc"


@pytest.fixture
def call(run, fake_cann):
    """Run a pyatc on the made-up CANN; returns its report as (executable, argv)."""

    def called(*command, env=None, **more):
        done = run(*command, env={"ASCEND_HOME_PATH": fake_cann, **(env or {})}, **more)
        assert (done.status, done.stderr) == (0, "")
        # Only "\n" ends a line of the report: words may hold any other character.
        report = [line.partition(" ") for line in done.stdout.split("\n")]
        (executable,) = (rest for key, _, rest in report if key == "executable")
        return Path(executable), [rest for key, _, rest in report if key == "argv"]

    return called


def test_variable_python_chooses_the_interpreter(call, wrapper):
    executable, _ = call(wrapper, env={"PYTHON": sys.executable})
    assert executable == Path(sys.executable).resolve()


def test_variable_python_may_be_a_name_on_path(call, wrapper, tmp_path):
    (tmp_path / "my python").symlink_to(Path(sys.executable).resolve())
    path = f"{tmp_path}:/usr/bin:/bin"
    executable, _ = call(wrapper, env={"PYTHON": "my python", "PATH": path})
    assert executable == Path(sys.executable).resolve()


def test_interpreter_beside_the_wrapper_comes_before_path(call, environment, tmp_path):
    (tmp_path / "python3").write_text("#!/bin/sh\nexit 99\n")
    (tmp_path / "python3").chmod(0o755)
    path = f"{tmp_path}:/usr/bin:/bin"
    executable, _ = call(environment / "bin" / "pyatc", env={"PATH": path, "PYTHON": ""})
    assert executable == (environment / "bin" / "python3").resolve()


def test_installed_tree_takes_python3_on_path(call, tree, tmp_path):
    (tmp_path / "python3").symlink_to(Path(sys.executable).resolve())
    executable, _ = call(tree / "bin" / "pyatc", env={"PATH": f"{tmp_path}:/usr/bin:/bin"})
    assert executable == Path(sys.executable).resolve()


def test_words_arrive_unchanged(call, wrapper):
    words = ["--model=a b", "", "'\"$HOME`*", "\u540d\u524d", "tab\tcr\r", b"\xff\xfe"]
    _, argv = call(wrapper, *words, env={"PYTHON": sys.executable})
    assert argv[1:] == [*words[:-1], b"\xff\xfe".decode(errors="surrogateescape")]


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "POSIX"])
def test_path_outside_ascii_works_in_every_locale(call, wrapper, locale):
    _, argv = call(wrapper, env={"PYTHON": sys.executable, "LC_ALL": locale})
    assert argv == [str(wrapper.resolve())]


def test_symbolic_links_are_followed(call, wrapper, tmp_path):
    (tmp_path / "first").symlink_to(wrapper)
    (tmp_path / "second link").symlink_to("first")
    _, argv = call("./second link", "x", cwd=tmp_path, env={"PYTHON": sys.executable})
    assert argv == [str(wrapper.resolve()), "x"]


def test_found_on_path_it_passes_its_absolute_path(call, wrapper):
    path = f"bin:{Path(sys.executable).parent}:/usr/bin:/bin"
    command = ("/usr/bin/env", "pyatc")
    where = wrapper.parent.parent
    _, argv = call(*command, cwd=where, env={"PATH": path, "PYTHON": sys.executable})
    assert argv == [str(wrapper.resolve())]


def test_folder_ge_in_the_current_folder_is_not_imported(call, wrapper, tmp_path):
    for name in ("ge", "os", "importlib"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('shadowed')\n")
    call(wrapper, cwd=tmp_path, env={"PYTHON": sys.executable})


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_another_interpreter_runs_the_installed_package(call, wrapper, interpreter, version):
    python = interpreter(version)
    executable, argv = call(wrapper, "--help", env={"PYTHON": python})
    assert (executable, argv[1:]) == (python.resolve(), ["--help"])


def test_another_interpreter_sees_ge_and_no_neighbour_of_it(run, install, tmp_path, fake_cann):
    install(sys.executable, tmp_path / "own")
    (site_packages,) = (tmp_path / "own").glob("lib/python3*/site-packages")
    (site_packages / "neighbour.py").touch()
    python = install(sys.executable, tmp_path / "other")
    (site_packages,) = (tmp_path / "other").glob("lib/python3*/site-packages")
    shutil.rmtree(site_packages / "ge")
    (site_packages / "sitecustomize.py").write_text(
        textwrap.dedent("""
            import atexit
            import importlib.util

            def report():
                for name in ("ge", "ge.pyatc", "neighbour"):
                    print(name, importlib.util.find_spec(name) is not None)

            atexit.register(report)
        """)
    )
    env = {"PYTHON": python, "ASCEND_HOME_PATH": fake_cann}
    done = run(tmp_path / "own" / "bin" / "pyatc", env=env)
    assert done.stdout.splitlines()[-3:] == ["ge True", "ge.pyatc True", "neighbour False"]


@pytest.mark.parametrize("form", ["prefix", "target"])
def test_wrapper_finds_the_package_of_other_pip_schemes(call, run, python, wheel, tmp_path, form):
    pip = (python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--ignore-installed")
    assert run(*pip, f"--{form}", tmp_path / "p", wheel).status == 0
    call(tmp_path / "p" / "bin" / "pyatc", env={"PYTHON": Path(sys.executable).resolve()})


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("/nowhere/python3", "is not a command"),
        ("no-such-python", "is not a command"),
        ("/etc", "is not an executable file"),
        (__file__, "is not an executable file"),
    ],
)
def test_unusable_interpreter_gives_one_line(run, wrapper, value, reason):
    done = run(wrapper, "--help", env={"PYTHON": value})
    assert (done.status, done.stdout) == (1, "")
    assert done.stderr == f"pyatc: PYTHON={value} {reason}\n"


def test_no_interpreter_at_all_gives_one_line(run, tree, tmp_path):
    for tool in ("sh", "readlink"):
        (tmp_path / tool).symlink_to(shutil.which(tool))
    done = run(tree / "bin" / "pyatc", env={"PATH": tmp_path})
    assert (done.status, done.stdout) == (1, "")
    assert done.stderr == "pyatc: no python3 on PATH; set PYTHON=/path/to/python3\n"


@pytest.mark.parametrize("version", ["2.7", "3.6", "3.10"])
def test_too_old_interpreter_gives_one_line(run, wrapper, interpreter, version):
    python = interpreter(version)
    done = run(wrapper, env={"PYTHON": python})
    assert (done.status, done.stdout) == (1, "")
    assert done.stderr.startswith(f"pyatc: Python 3.11 or later is needed, and {python} is ")
    assert done.stderr.count("\n") == 1


def test_wrapper_of_a_source_tree_says_how_to_install(run, tmp_path):
    source = Path(__file__).resolve().parents[2]
    env = {"PYTHON": sys.executable, "PYTHONDONTWRITEBYTECODE": "1"}
    done = run(source / "bin" / "pyatc", cwd=tmp_path, env=env)
    assert (done.status, done.stdout) == (1, "")
    assert "(No module named 'ge._pyatc')" in done.stderr
    assert "pip install ." in done.stderr
