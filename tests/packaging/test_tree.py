"""The tree that ``cmake --install`` makes, and its set_env.sh."""

import shutil
import sys
from pathlib import Path

import pytest

SHOW = (
    'command -v pyatc; command -v atc; python3 -P -c "import ge; print(ge.__path__[0])";'
    ' echo "$LD_LIBRARY_PATH"'
)


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_set_env_puts_the_tree_first(run, tree, tmp_path, shell):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} on this machine")
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    command = (shell, "-uec", f'. "{tree}/set_env.sh"; {SHOW}')
    done = run(*command, cwd=tmp_path, env={"PATH": path, "LD_LIBRARY_PATH": "/before"})
    assert (done.status, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"{tree}/bin/pyatc",
        f"{tree}/bin/atc",
        f"{tree}/python/site-packages/ge",
        f"{tree}/lib64:/before",
    ]


def test_set_env_by_a_relative_path_gives_absolute_ones(run, tree, python):
    done = run("bash", "-c", '. ./set_env.sh; cd /; echo "$PYTHONPATH"', cwd=tree)
    assert done.stdout == f"{tree}/python/site-packages\n"


def test_set_env_in_another_shell_says_which_are_meant(run, tree):
    if Path("/bin/sh").resolve().name != "dash":
        pytest.skip("/bin/sh is no dash on this machine")
    done = run("dash", "-c", f'. "{tree}/set_env.sh"; echo "status $?"')
    assert done.stdout == "status 1\n"
    assert done.stderr == "set_env.sh: source this file in bash or zsh\n"


def test_tree_can_be_moved(run, tree, tmp_path):
    moved = tmp_path / "moved"
    shutil.copytree(tree, moved, symlinks=True)
    before = run(tree / "bin" / "pyatc", "--help", env={"PYTHON": sys.executable})
    after = run(moved / "bin" / "pyatc", "--help", env={"PYTHON": sys.executable})
    native = run(moved / "bin" / "atc", "--help")
    assert (after.status, native.status) == (0, 0)
    assert after == before
