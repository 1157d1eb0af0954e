"""Models of single operators in the folder that compiled operators are kept in."""

import pytest
from singleop.words import add, op, tensor

CACHE = ("--op_compiler_cache_mode=enable", "--op_compiler_cache_dir=ops")


@pytest.fixture
def kept(tmp_path):
    """Call as ``kept()``: the files of the cache with the times of their last use."""
    return lambda: {
        path.name: path.stat().st_mtime_ns for path in sorted(tmp_path.glob("ops/*.op"))
    }


def model(tmp_path, name="a"):
    return (tmp_path / "out" / f"{name}.om").read_bytes()


def test_a_model_from_the_cache_is_the_one_that_was_compiled(compile_ops, kept, tmp_path):
    entries = [add(name="a"), op("Relu", [tensor(5)], [tensor(5)], name="b")]
    assert compile_ops(entries).status == 0
    compiled = model(tmp_path)
    for _ in range(2):
        assert compile_ops(entries, *CACHE).status == 0
        assert model(tmp_path) == compiled
        assert len(kept()) == 2


def test_the_cache_is_read(compile_ops, kept, tmp_path):
    assert compile_ops([add(name="a")], *CACHE).status == 0
    compiled = model(tmp_path)
    (name,) = kept()
    path = tmp_path / "ops" / name
    # The file of another operator is none of this one.
    path.write_bytes(path.read_bytes()[:-1])
    assert compile_ops([add(name="a")], *CACHE).status == 0
    assert model(tmp_path) == compiled
    before = kept()
    assert compile_ops([add(name="a")], *CACHE).status == 0
    assert kept()[name] > before[name]  # it was used


def test_force_renews(compile_ops, kept, tmp_path):
    assert compile_ops([add(name="a")], *CACHE).status == 0
    inodes = {path.stat().st_ino for path in tmp_path.glob("ops/*.op")}
    assert compile_ops([add(name="a")], "--op_compiler_cache_mode=force", CACHE[1]).status == 0
    assert len(kept()) == 1
    assert {path.stat().st_ino for path in tmp_path.glob("ops/*.op")} != inodes


@pytest.mark.parametrize(
    "words",
    [
        ("--precision_mode=force_fp16",),
        ("--soc_version=Ascend310P1",),
        ("--optimization_switch=FuseGelu:off",),
    ],
)
def test_what_makes_another_model(compile_ops, kept, words):
    assert compile_ops([add(name="a")], *CACHE).status == 0
    assert compile_ops([add(name="a")], *CACHE, *words).status == 0
    assert len(kept()) == 2


@pytest.mark.parametrize(
    "words",
    [
        ("--op_compiler_cache_mode=disable", CACHE[1]),
        (CACHE[1],),
        (*CACHE, "--op_debug_level=1"),
    ],
)
def test_without_the_cache(compile_ops, kept, words):
    assert compile_ops([add(name="a")], *words).status == 0
    assert kept() == {}


def test_where_the_folder_is_otherwise(compile_ops, tmp_path):
    done = compile_ops([add(name="a")], CACHE[0], env={"ASCEND_CACHE_PATH": tmp_path / "other"})
    assert done.status == 0
    assert len(list(tmp_path.glob("other/*.op"))) == 1


def test_a_folder_that_cannot_be_written_is_a_warning(compile_ops, models, tmp_path):
    (tmp_path / "ops").write_text("")
    done = compile_ops([add(name="a"), add(name="b")], *CACHE)
    assert (done.status, models()) == (0, ["a.om", "b.om"])
    assert done.stdout.count("compiled operators are not kept in the cache folder") == 1
