"""Programs in C and C++ against the headers and the library of the single-operator API."""

import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
INCLUDE = HERE.parents[1] / "include"


@pytest.fixture(scope="session")
def acl_library(atc):
    """The installed libacl_op_compiler.so."""
    places = [atc.parent, atc.parent.parent / "lib64"]
    (library,) = {p / "libacl_op_compiler.so" for p in places if (p / "libge_core.so").exists()}
    return library


@pytest.fixture(scope="session")
def acl_program(acl_library, tmp_path_factory):
    """Call as ``acl_program(name)``: compiles a file of this folder, or one at a path, once."""
    folder = tmp_path_factory.mktemp("acl")

    def build(name):
        source, program = HERE / name, folder / Path(name).stem
        if not program.exists():
            compiler, standard = ("cc", "c99") if source.suffix == ".c" else ("c++", "c++11")
            flags = f"-std={standard} -D_GNU_SOURCE -g -Wall -Wextra -Werror".split()
            flags += ["-Wno-deprecated-declarations", f"-I{INCLUDE}"]
            link = [acl_library, f"-Wl,-rpath,{acl_library.parent}", "-lpthread", "-lm"]
            subprocess.run([compiler, *flags, source, "-o", program, *link], check=True)
        return program

    return build
