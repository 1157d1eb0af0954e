"""What the packaging tests share: the wheel, both install forms, and a made-up CANN."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def interpreter():
    """Call as ``interpreter("3.12")``: path of that Python; skips without one."""
    # pyenv has a shim on PATH for every version it knows of, and most of them only print an error.
    folders = [p for p in os.environ["PATH"].split(os.pathsep) if not p.endswith("shims")]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))

    def find(version):
        on_path = shutil.which(f"python{version}", path=os.pathsep.join(folders))
        found = [on_path] if on_path else sorted(pyenv.glob(f"versions/{version}.*/bin/python"))
        if not found:
            pytest.skip(f"there is no Python {version} on this machine")
        return Path(found[0])

    return find


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The wheel that `make test` has built and installed, else one built now."""
    built = sorted(ROOT.glob("dist/pyatc-*.whl"))
    if not built:
        folder = tmp_path_factory.mktemp("wheel")
        command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT]
        subprocess.run(command, check=True)
        built = list(folder.glob("pyatc-*.whl"))
    (wheel,) = built
    return wheel


@pytest.fixture(scope="session")
def install(wheel):
    """Call as ``install(interpreter, folder)``: a new environment with the wheel, nothing else."""

    def make(interpreter, folder):
        subprocess.run([interpreter, "-m", "venv", "--without-pip", folder], check=True)
        python = folder / "bin" / "python3"
        pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps"]
        subprocess.run([*pip, "--no-index", wheel], check=True)
        return python

    return make


@pytest.fixture(scope="session")
def environment(install, tmp_path_factory):
    """An environment of the tests' own Python with the wheel; its path has spaces and umlauts."""
    folder = tmp_path_factory.mktemp("wheel form") / "Größe 1"
    install(sys.executable, folder)
    return folder


@pytest.fixture(scope="session")
def tree(wheel, tmp_path_factory):
    """The tree that ``cmake --install`` makes of the wheel's build; spaces and umlauts as well."""
    root = tmp_path_factory.mktemp("tree form") / "Größe 2"
    (build,) = ROOT.glob("build/cp311-abi3-*")
    command = ["cmake", "--install", build, "--prefix", root, "--component", "tree", "--strip"]
    subprocess.run(command, check=True)
    return root


@pytest.fixture(scope="session")
def fake_cann(tmp_path_factory):
    """Root of a made-up CANN whose wrapper library tells how it was called (fake_wrapper.c)."""
    root = tmp_path_factory.mktemp("cann")
    (root / "lib64").mkdir()
    package = root / "python" / "site-packages" / "ge"
    package.mkdir(parents=True)
    (package / "only_in_cann.py").write_text("answer = 42\n")
    library = root / "lib64" / "libpyatc_wrapper.so"
    flags = ["-shared", "-fPIC", "-Wall", "-Werror"]
    subprocess.run(["cc", *flags, HERE / "fake_wrapper.c", "-o", library], check=True)
    return root
