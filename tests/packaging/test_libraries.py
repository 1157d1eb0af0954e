"""The installed libraries: what they export, what they need, and what they must not tell."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SYSTEM = {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libdl.so.2"}
# Of libge_dnnl.so, which is only loaded where they are there.
OPTIONAL = {"libdnnl.so.2", "libdnnl.so.3", "libgomp.so.1"}
LOADERS = ("ld-linux", "libpthread")


def exported(run, library):
    """Demangled names of the symbols that a library defines for others."""
    done = run("nm", "-DC", "--defined-only", library)
    assert done.status == 0
    names = [line.split(" ", 2)[2] for line in done.stdout.splitlines()]
    return {name for name in names if not name.startswith(("__bss_", "_edata", "_end"))}


def dynamic(run, binary, tag):
    """Values of one tag of the dynamic section."""
    done = run("readelf", "-dW", binary)
    assert done.status == 0
    return re.findall(rf"\({tag}\).*\[(.*)\]", done.stdout)


@pytest.fixture(params=["environment", "tree"])
def binaries(request):
    """All compiled files of one install form, by name."""
    root = request.getfixturevalue(request.param)
    files = [*root.glob("**/ge/*.so"), *root.glob("lib64/*.so*"), *root.glob("**/ge/atc")]
    files += root.glob("bin/atc")
    return {file.name: file for file in files if not file.is_symlink()}


def test_both_forms_hold_the_same_binaries(environment, tree):
    compiled = [path for path in tree.rglob("*.so") if not path.is_symlink()]
    in_tree = {path.name for path in compiled}
    in_wheel = {path.name for path in environment.glob("lib/**/ge/**/*.so")}
    assert in_tree == in_wheel
    modules = {"_pyatc.abi3.so", "_compiler.abi3.so", "_model.abi3.so", "_aclop.abi3.so"}
    libraries = {"libge_core.so", "libpyatc_wrapper.so", "libacl_op_compiler.so"}
    assert libraries | modules <= in_tree
    assert (tree / "bin" / "atc").exists()


def test_core_exports_only_its_api(run, binaries):
    names = exported(run, binaries["libge_core.so"])
    assert any(name.startswith("ge::api::Compile(") for name in names)
    assert {name for name in names if not name.startswith("ge::api::")} == set()


def test_wrapper_exports_only_its_entry(run, binaries):
    entries = {"GeApiWrapper_Atc_Main", "GeApiWrapper_SetHookLoader"}
    assert exported(run, binaries["libpyatc_wrapper.so"]) == entries


def test_operator_library_exports_only_the_functions_of_its_headers(run, binaries):
    headers = "".join(path.read_text() for path in (ROOT / "include" / "acl").glob("*.h"))
    declared = set(re.findall(r"ACL_FUNC_VISIBILITY[^;(]*?\b(acl\w+)\(", headers))
    assert exported(run, binaries["libacl_op_compiler.so"]) == declared


def test_programs_may_link_the_names_of_the_vendor(tree):
    for name in ("libascendcl.so", "libacl_op_executor.so"):
        assert (tree / "lib64" / name).readlink() == Path("libacl_op_compiler.so")


def test_optional_library_exports_only_its_entry(run, binaries):
    if "libge_dnnl.so" not in binaries:
        pytest.skip("waits for a build with libdnnl-dev")
    assert exported(run, binaries["libge_dnnl.so"]) == {"ge_dnnl_register"}


def test_modules_export_only_their_init_function(run, binaries):
    modules = {name: file for name, file in binaries.items() if name.endswith(".abi3.so")}
    assert "_pyatc.abi3.so" in modules
    for name, file in modules.items():
        assert exported(run, file) == {f"PyInit_{name.partition('.')[0]}"}


def test_nothing_but_system_libraries_and_our_own_is_needed(run, binaries):
    for name, file in binaries.items():
        needed = {lib for lib in dynamic(run, file, "NEEDED") if not lib.startswith(LOADERS)}
        optional = OPTIONAL if name == "libge_dnnl.so" else set()
        assert needed - SYSTEM - optional <= set(binaries), name
        assert "libge_dnnl.so" not in needed, name


def test_entry_module_needs_none_of_our_libraries(run, binaries):
    assert not set(dynamic(run, binaries["_pyatc.abi3.so"], "NEEDED")) & set(binaries)


def test_libraries_are_looked_for_relative_to_the_file(run, binaries):
    for name, file in binaries.items():
        paths = dynamic(run, file, "RUNPATH") + dynamic(run, file, "RPATH")
        for path in ":".join(paths).split(":"):
            assert re.fullmatch(r"|\$ORIGIN(/\.\.)*(/lib64)?", path), name


def test_no_binary_holds_a_path_of_the_build(binaries):
    for name, file in binaries.items():
        assert str(ROOT).encode() not in file.read_bytes(), name
