"""Fixtures of all tests: the installed programs, small trained networks, one way to run commands.

Set PYATC_ATC to test another native atc, PYATC_MODELS to a folder that holds networks already.
"""

import dataclasses
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a background job of a shell
    signal.signal(signal.SIGINT, signal.default_int_handler)  # else programs under test ignore it

hypothesis.settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
hypothesis.settings.register_profile("explore", deadline=None, max_examples=2000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@dataclasses.dataclass(frozen=True)
class Finished:
    """A command that ended. Process ids and times in its output are masked."""

    status: int
    stdout: str
    stderr: str


def _run(*command, cwd, env=None, timeout=60):
    """Run a command and return how it ended.

    Args:
        command: Words, paths among them.
        cwd: Folder to run it in.
        env: Variables to add; None as a value removes one. Variables that steer the programs
            under test are not handed on unless they are given here.
        timeout: Seconds after which the test fails.
    """
    steering = ("ASCEND_", "DUMP_", "GE_", "PYTHON")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(steering)}
    for name, value in (env or {}).items():
        if value is None:
            environment.pop(name, None)
        else:
            environment[name] = os.fspath(value)
    done = subprocess.run(
        [os.fspath(word) for word in command],
        cwd=cwd,
        env=environment,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return Finished(done.returncode, _masked(done.stdout), _masked(done.stderr))


def _masked(output):
    text = output.decode(errors="surrogateescape")
    text = re.sub(r"\[PID: \d+\]", "[PID: *]", text)
    return re.sub(r"\b\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d{3}\.\d{3}\b", "*time*", text)


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """Call as ``run(*command, cwd=, env=, timeout=)``; returns status, stdout and stderr.

    What programs leave in their current folder is of no interest unless ``cwd`` is given.
    """
    somewhere = tmp_path_factory.mktemp("somewhere")

    def call(*command, cwd=None, env=None, timeout=60):
        return _run(*command, cwd=cwd or somewhere, env=env, timeout=timeout)

    return call


@pytest.fixture(scope="session")
def python():
    """Path of the interpreter that runs the tests."""
    return sys.executable


@pytest.fixture(scope="session")
def package():
    """Folder of the installed package ge."""
    spec = importlib.util.find_spec("ge")
    if spec is None or Path(spec.origin).parent == ROOT / "ge":
        pytest.exit("the package is not installed: run `make test`, or pip install . first", 4)
    return Path(spec.origin).parent


@pytest.fixture(scope="session")
def atc(request):
    """Path of the native program atc."""
    chosen = os.environ.get("PYATC_ATC")
    return Path(chosen) if chosen else request.getfixturevalue("package") / "atc"


@pytest.fixture(scope="session")
def pyatc():
    """Path of the shell wrapper pyatc: beside the interpreter of the tests, or the atc chosen."""
    return Path(os.environ.get("PYATC_ATC", sys.executable)).parent / "pyatc"


@pytest.fixture(scope="session")
def cxx_program(tmp_path_factory):
    """Call as ``cxx_program(*names, options=())``: the program that these files of core/ make."""
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("needs a C++ compiler")
    core = ROOT / "core"

    def build(*names, options=()):
        program = tmp_path_factory.mktemp("program") / "program"
        sources = [core / f"{name}.cc" for name in names]
        flags = ["-std=c++20", "-O1", "-pthread", f"-I{core}"]
        subprocess.run([compiler, *flags, *sources, *options, "-o", program], check=True)
        return program

    return build


@pytest.fixture(scope="session")
def models():
    """Call as ``models(name)``: path of a network of scripts/fetch_model.py, fetched if needed."""
    spec = importlib.util.spec_from_file_location("fetch_model", ROOT / "scripts/fetch_model.py")
    fetch_model = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fetch_model)
    folder = os.environ.get("PYATC_MODELS", ROOT / "build" / "models")

    def get(name):
        try:
            return fetch_model.fetch(name, folder)
        except fetch_model.FetchError as error:
            pytest.fail(f"this test needs the network {name}: {error}", pytrace=False)

    return get
