"""libpyatc_wrapper.so: one C function around main_impl, callable again and again."""

import pytest

SCRIPT = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
run = library.GeApiWrapper_Atc_Main

def call(*words):
    argv = (ctypes.c_char_p * (len(words) + 1))(*[w.encode() for w in words], None)
    status = run(len(words), argv)
    assert list(argv) == [*[w.encode() for w in words], None]
    return status

"""


@pytest.fixture
def wrapper(run, python, atc, folder):
    """Call as ``wrapper(code)``: runs Python code that may use ``call(*words)`` and ``run``."""
    places = [atc.parent, atc.parent.parent / "lib64"]
    (library,) = (p / "libpyatc_wrapper.so" for p in places if (p / "libpyatc_wrapper.so").exists())
    return lambda code: run(python, "-c", SCRIPT + code, library, cwd=folder)


@pytest.mark.parametrize(
    "arguments",
    [
        "0, None",
        "-1, None",
        "1, None",
        "0, (ctypes.c_char_p * 1)(b'atc')",
        "1, (ctypes.c_char_p * 1)()",
    ],
)
def test_bad_arguments_return_1_and_print_nothing(wrapper, arguments):
    done = wrapper(f"sys.exit(run({arguments}))")
    assert (done.status, done.stdout) == (1, "")


def test_a_null_word_in_the_middle_returns_1(wrapper):
    done = wrapper("sys.exit(run(3, (ctypes.c_char_p * 4)(b'atc', None, b'-h', None)))")
    assert (done.status, done.stdout) == (1, "")


def test_calls_in_one_process_do_not_see_each_other(wrapper):
    done = wrapper(
        "for words in [('-123', '--mode=1', 'a'), ('--log=bug',), ('-h',), ('--framework=5',)]:\n"
        "    print(call('pyatc', *words), flush=True)"
    )
    first, second, third, fourth = done.stdout.split("ATC has started, please wait.\n")[1:]
    assert first.endswith("\n-1\n") and "[--json]" in first
    assert second.endswith("\n-1\n") and "(E10010)" in second
    assert third.endswith("\n0\n") and third.startswith("Usage: pyatc ")
    assert fourth.endswith("\n-1\n") and "(E10054)" in fourth and "bug" not in fourth
    assert done.stderr.count("ERROR: ") == 4  # -1, -2, -3 and the stray word


def test_output_of_python_and_of_atc_keeps_its_order(wrapper):
    done = wrapper("print('before', flush=True); call('atc', '-h'); print('after')")
    assert done.stdout.startswith("before\nATC has started")
    assert done.stdout.endswith("after\n")
