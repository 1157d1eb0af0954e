"""Compiled operators that outlive the process, in a folder that processes share."""

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

CMAKE = (Path(__file__).parents[2] / "CMakeLists.txt").read_text()
VERSION = re.search(r"project\(\w+ VERSION (\S+)", CMAKE)[1].encode()
LIMIT, RATIO = "ASCEND_MAX_OP_CACHE_SIZE", "ASCEND_REMAIN_CACHE_SIZE_RATIO"
SETUP = """
import os
import numpy as np
from pathlib import Path
os.dup2(1, 2)
def keep(mode="enable", folder="ops"):
    aclop.set_compile_option(CompileOpt.OP_COMPILER_CACHE_MODE, mode)
    if folder:
        aclop.set_compile_option(CompileOpt.OP_COMPILER_CACHE_DIR, folder)
def files(folder="ops"):
    return sorted(Path(folder).glob("[0-9a-f]*.op"))
def relu(n=8, **fields):
    x = d(n, **fields)
    return "Relu", [x], [x]
def plus(value=1, n=8):
    x, c = d(n), d(n, constant=np.full(n, value, np.float16))
    return "Add", [x, c], [x]
"""


def build_id(library):
    """The build id of a library, as the linker has noted it."""
    notes = subprocess.run(["readelf", "-n", library], check=True, capture_output=True, text=True)
    return bytes.fromhex(re.search(r"Build ID: (\w+)", notes.stdout)[1])


# Only the operator that was compiled last stays in memory.
FORGET = "aclop.set_max_op_queue_num(1)\nforget = lambda: compile_only(*relu(99))\n"


@pytest.fixture
def process(fresh_process):
    """Call as ``process(code, **env)``: the words that a process prints, on stderr too."""
    return lambda code, **env: fresh_process(f"{SETUP}\n{code}", **env)


def test_another_process_finds_the_operator(process):
    code = """
keep()
x = np.arange(6, dtype=np.float32).reshape(2, 3)
axes = np.array([1], np.int32)
sums = ["ReduceSum", [x, TensorDesc("int32", (1,), constant=axes)], [TensorDesc("float32", (2,))]]
print(built(compile_only, "ReduceSum", [TensorDesc.of(x), sums[1][1]], sums[2]))
print(*aclop.execute(*sums))
print(built(compile_only, "Relu", [d(-1, -1, shape_range=[(1, 9), (1, None)])], [d(-1, -1)]))
print(*aclop.execute("Relu", [x.astype(np.float16) - 2], [d(2, 3)]).ravel())
"""
    code = "from ge.aclop import TensorDesc\n" + code
    results = ["3.0", "12.0"], ["0.0", "0.0", "0.0", "1.0", "2.0", "3.0"]
    for builds in "10":
        assert process(code) == [builds, *results[0], builds, *results[1]]


def test_operators_for_all_sizes_are_found(process):
    code = """
keep()
print(built(compile_only, *relu(8)), built(compile_only, *relu(9)))
print(built(compile_only, "ReduceSumD", [d(2, 3)], [d(2)], {"axes": [1]}))
"""
    for builds in "10":
        assert process(code, ASCEND_SOC_VERSION="Ascend910B1") == [builds, "0", builds]


def test_without_a_mode_no_file_is_touched(process, tmp_path):
    assert process(
        """
compile_only(*relu(1))
for n, mode in enumerate(["disable", "ENABLE", "", "other"], 2):
    keep(mode)
    print(built(compile_only, *relu(n)))
print(os.listdir())
""",
        HOME=tmp_path,
    ) == ["1", "1", "1", "1", "[]"]


def test_a_debug_level_switches_the_cache_off(process):
    assert process("""
keep()
for level in "014x":
    aclop.set_compile_option(CompileOpt.OP_DEBUG_LEVEL, level)
    compile_only(*relu(ord(level)))
    print(len(files()))
""") == ["1", "1", "1", "2"]


def test_what_makes_another_operator(process, tmp_path):
    code = f"""
keep()
{FORGET}
variants = plus(), plus(2), plus(n=9), (*plus(), {{"a": 1}}), (*plus(), {{"a": True}}), plus()
print(*(built(compile_only, *variant) for variant in variants))
for option, value in [("OP_SELECT_IMPL_MODE", "any"), ("PRECISION_MODE", "force_fp16")]:
    aclop.set_compile_option(CompileOpt[option], value)
    forget()
    print(built(compile_only, *plus()))
"""
    assert process(code) == ["1", "1", "1", "1", "1", "0", "1", "1"]
    assert process(code) == ["0"] * 8
    other_soc = {"ASCEND_SOC_VERSION": "Ascend310P1"}
    assert process("keep()\nprint(built(compile_only, *plus()))", **other_soc) == ["1"]
    (library,) = process("""
words = Path("/proc/self/maps").read_text().split()
print({word for word in words if word.endswith("libge_core.so")}.pop())
""")
    build = build_id(library)
    parts = VERSION, build, b"Ascend310P1"
    start = b"".join(len(word).to_bytes(8, "little") + word for word in parts)
    assert sum(start in path.read_bytes() for path in (tmp_path / "ops").iterdir()) == 1


def test_a_damaged_or_foreign_file_is_built_again(process):
    assert (
        process(f"""
keep()
{FORGET}
compile_only(*plus())
(path,) = files()
content = path.read_bytes()
compile_only(*plus(2))
(other,) = set(files()) - {{path}}
damages = [b"", b"no operator", content[:-1], content + b"x", content[1:], other.read_bytes()]
damages += [content[:n] for n in range(0, len(content), 151)]
for n in [*range(0, len(content), 97), *range(len(content) - 300, len(content), 3)]:
    damages.append(content[:n] + bytes([content[n] ^ 1]) + content[n + 1 :])
for damage in damages:
    path.write_bytes(damage)
    forget()
    assert built(compile_only, *plus()) == 1, damage
    assert path.read_bytes() == content
    forget()
    assert built(compile_only, *plus()) == 0
    x = np.ones(8, np.float16)
    assert aclop.execute("Add", [x, plus()[1][1]], [d(8)])[0] == 2
mine = Path("mine")
mine.write_text("mine")
for make in (lambda: path.symlink_to(mine), lambda: os.mkfifo(path)):
    path.unlink()
    make()
    forget()
    assert built(compile_only, *plus()) == 1
    assert path.read_bytes() == content
assert mine.read_text() == "mine"
""")
        == []
    )


def test_a_file_with_a_right_digest_may_hold_any_model(process):
    assert (
        process(f"""
from digests import xxh64
keep()
{FORGET}
compile_only(*plus())
(path,) = files()
content = path.read_bytes()
# Behind the model: the key, then a footer of two sizes, 16 digits and 8 bytes.
size = int.from_bytes(content[-40:-32], "little")
def with_model(model):
    sealed = model + content[size:-24]
    return sealed + xxh64(sealed).encode() + content[-8:]
model = content[:size]
assert with_model(model) == content
name = b"pyatc_op_results"
for other in bytes(size), model.replace(name, name[::-1]):
    path.write_bytes(with_model(other))
    forget()
    assert built(compile_only, *plus()) == 1
    assert path.read_bytes() == content
x, c, y = np.ones(8, np.float16), plus()[1][1], plus()[2]
for n in range(0, size, 5):
    path.write_bytes(with_model(model[:n] + bytes([model[n] ^ 65]) + model[n + 1 :]))
    forget()
    compile_only(*plus())
    code(aclop.execute, "Add", [x, c], y)
""")
        == []
    )


def test_force_builds_and_renews(process, tmp_path):
    assert process("keep()\nprint(built(compile_only, *relu()))") == ["1"]
    (path,) = (tmp_path / "ops").glob("*.op")
    content = path.read_bytes()
    path.write_bytes(b"old")
    for _ in range(2):
        before = path.stat().st_ino, path.stat().st_mtime_ns
        assert process("keep('force')\nprint(built(compile_only, *relu()))") == ["1"]
        assert path.read_bytes() == content
        assert (path.stat().st_ino, path.stat().st_mtime_ns) != before
    assert process("keep()\nprint(built(compile_only, *relu()))") == ["0"]


def test_eight_processes_on_one_folder(process):
    code = """
import random
keep()
order = list(range(1, 41))
random.Random({seed}).shuffle(order)
for n in order:
    compile_only(*plus(n))
    x = np.ones(8, np.float16)
    assert aclop.execute("Add", [x, plus(n)[1][1]], [d(8)])[0] == n + 1
"""
    with ThreadPoolExecutor(8) as threads:
        outputs = list(threads.map(lambda seed: process(code.format(seed=seed)), range(8)))
    assert outputs == [[]] * 8
    assert process("""
keep()
print(len(files()), sum(built(compile_only, *plus(n)) for n in range(1, 41)))
""") == ["40", "0"]


def test_a_killed_process_leaves_a_usable_folder(process):
    code = "keep()\nprint(sum(code(compile_only, *plus(n)) for n in range(1, 21)))"
    assert process(f"""
import signal, time
keep("force")
{FORGET}
for round in range(12):
    child = os.fork()
    if child == 0:
        while True:
            for n in range(1, 21):
                compile_only(*plus(n))
    time.sleep(0.01 + round / 700)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
{code}
""") == ["0"]
    assert process(
        f"{code}\nprint(built(lambda: [compile_only(*plus(n)) for n in range(1, 21)]))"
    ) == [
        "0",
        "0",
    ]


def test_what_was_used_longest_ago_goes(process):
    cases = [
        ({}, {}, [0, 1, 2, 3, 4, 5]),
        ({"max_op_cache_size": 1}, {}, [0, 5]),
        ({"max_op_cache_size": 1, "remain_cache_size_ratio": 100}, {}, [0, 2, 3, 4, 5]),
        ({}, {LIMIT: "1"}, [0, 5]),
        ({}, {LIMIT: "1", RATIO: "60"}, [0, 4, 5]),
        ({"remain_cache_size_ratio": 60}, {LIMIT: "1", RATIO: "20"}, [0, 4, 5]),
        ({"max_op_cache_size": -1}, {LIMIT: "1"}, [0, 1, 2, 3, 4, 5]),
        ({"max_op_cache_size": "x", "remain_cache_size_ratio": 0}, {LIMIT: "1"}, [0, 5]),
    ]
    assert (
        process(f"""
{FORGET}
def numbers_kept(folder, ini, env):
    Path(folder).mkdir()
    lines = ["[other]", "max_op_cache_size=2", "[op_compiler_cache]"]
    lines += [f"{{key}} = {{value}}" for key, value in ini.items()]
    Path(folder, "op_cache.ini").write_text("\\n".join(lines))
    Path(folder, "mine.op").write_bytes(bytes(1 << 20))
    for name in ("{LIMIT}", "{RATIO}"):
        os.environ.pop(name, None)
    os.environ.update(env)
    keep(folder=folder)
    numbers = {{}}
    def store(n):
        # Files of 200 kB and a little, constants in the key and in the model: 5 are below 1 MiB.
        before = set(files(folder))
        compile_only(*plus(n, 50_000))
        numbers.update({{path: n for path in set(files(folder)) - before}})
    for n in range(5):
        store(n)
    for path, n in numbers.items():
        os.utime(path, (1000 + n, 1000 + n))
    store(0)
    store(5)
    assert Path(folder, "mine.op").exists()
    forget()
    return sorted(numbers[path] for path in files(folder) if path in numbers)
for n, (ini, env, kept) in enumerate({cases}):
    seen = numbers_kept(f"ops{{n}}", ini, env)
    assert seen == kept, (ini, env, seen)
""")
        == []
    )


def test_an_operator_beyond_the_limit_is_not_kept(process, tmp_path):
    env = {LIMIT: "1"}
    assert process("keep()\ncompile_only(*plus())\ncompile_only(*plus(n=300_000))", **env) == []
    assert len(list((tmp_path / "ops").glob("*.op"))) == 1


def test_where_the_folder_is(process, tmp_path):
    code = "keep(folder='')\ncompile_only(*relu())"
    assert process(code, HOME=tmp_path / "home") == []
    assert len(list((tmp_path / "home" / "atc_data").glob("*.op"))) == 1
    named = {"HOME": tmp_path / "home", "ASCEND_CACHE_PATH": tmp_path / "path"}
    assert process(code.replace("relu()", "relu(9)"), **named) == []
    assert process("keep(folder='a/b')\ncompile_only(*relu(10))", **named) == []
    counts = [
        len(list((tmp_path / name).glob("*.op"))) for name in ("home/atc_data", "path", "a/b")
    ]
    assert counts == [1, 1, 1]


def test_a_folder_that_cannot_be_written_is_read(process, tmp_path):
    assert process("keep()\ncompile_only(*relu())") == []
    lock = tmp_path / "ops" / "op_cache.lock"
    lock.unlink()
    lock.mkdir()
    words = process("keep()\nprint(*(built(compile_only, *relu(n)) for n in (8, 9, 10)))")
    assert words[-3:] == ["0", "1", "1"]
    assert words.count("RuntimeWarning:") == 1
    assert "[ops]:" in words


def test_a_folder_that_cannot_be_made(process, tmp_path):
    (tmp_path / "file").write_text("")
    words = process("keep(folder='file/ops')\nprint(built(compile_only, *relu()))")
    assert ("RuntimeWarning:" in words, words[-1]) == (True, "1")


def test_what_is_in_memory_is_not_looked_for(process):
    assert process("""
keep()
compile_only(*relu())
(path,) = files()
path.unlink()
print(built(compile_only, *relu()), len(files()))
""") == ["0", "0"]
