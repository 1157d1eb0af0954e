"""How words become options: ATC's getopt rules."""

import re

import pytest
from cli.facts import GOOD
from cli.screen import DOTS, START, SUCCESS, error_block, mentions
from hypothesis import given
from hypothesis import strategies as st

GOOD_LINE = (
    "atc --model=net.onnx --framework=5 --output=net --soc_version=Ascend310P3"
    " --precision_mode_v2=origin"
)


def stored_line(cli, done):
    """The command line that the compiled model holds."""
    assert done.status == 0, done.stdout + done.stderr
    shown = cli("--mode=6", "--om=out/net.om").stdout
    return re.search(r"^Original Atc command line: (.*)$", shown, re.MULTILINE)[1]


@pytest.mark.parametrize(
    "words",
    [
        ["--soc_version=Ascend310P3"],
        ["--soc_version", "Ascend310P3"],
        ["-soc_version=Ascend310P3"],
        ["-soc_version", "Ascend310P3"],
        ["--soc-version=Ascend310P3"],
        ["--soc-version", "Ascend310P3"],
        ["--soc_ver=Ascend310P3"],
        ["-soc-ver", "Ascend310P3"],
        ["--soc_version=Ascend310", "--soc_version=Ascend310P3"],
    ],
)
def test_spellings_of_one_flag_mean_the_same(cli, build, words):
    assert stored_line(cli, build(*words, soc_version=None)) == GOOD_LINE


def test_order_of_words_does_not_reach_the_model(cli, folder):
    words = [f"--{name}={value}" for name, value in GOOD.items()]
    assert cli(*words).status == 0
    first = (folder / "out/net.om").read_bytes()
    assert cli(*reversed(words)).status == 0
    assert (folder / "out/net.om").read_bytes() == first


def test_a_value_may_hold_equal_signs_and_dashes(build):
    done = build(input_shape="a=b-c:2,3")
    assert mentions(error_block(done.stdout), "a=b-c")


def test_an_exact_name_wins_over_longer_ones(cli):
    # --mode and --output are prefixes of no flag or of several
    done = cli("--output=a", "--mode=1")
    assert error_block(done.stdout).code == "E10004"


@pytest.mark.parametrize(("first", "second", "status"), [("1", "7", 0), ("7", "1", 255)])
def test_registered_options_take_the_first_value(build, first, second, status):
    done = build(f"--topo_sorting_mode={first}", f"--topo_sorting_mode={second}")
    assert done.status == status


def test_ordinary_flags_take_the_last_value(build):
    assert build("--oo_level=O4", "--oo_level=O3").status == 0
    assert build("--oo_level=O3", "--oo_level=O4").status == 255


@pytest.mark.parametrize("value", ["1", "t", "TRUE", "y", "Yes", ""])
def test_words_for_true(build, value):
    done = build(f"--raw_ge_options_ignore_unsupported={value}")
    assert mentions(error_block(done.stdout), "=true is not supported yet")


@pytest.mark.parametrize("value", ["0", "f", "FALSE", "n", "No"])
def test_words_for_false(build, value):
    assert build(f"--raw_ge_options_ignore_unsupported={value}").status == 0


def test_a_bool_takes_no_word_of_its_own(build):
    done = build("--raw_ge_options_ignore_unsupported", "false")
    assert done.status == 255
    assert "ERROR: [false]" in done.stderr


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--no_such_thing=1"], ["--no_such_thing"]),
        (["--sock_version=1"], ["--sock_version", "did you mean --soc_version?"]),
        (["--dynamic=1"], ["--dynamic,", "--dynamic_batch_size", "--dynamic_dims"]),
        (["--Mode=1"], ["--Mode"]),
        (["stray"], ["[stray]"]),
        (["--", "--help"], ["[--help]"]),
        (["-x"], ["-x"]),
        (["--model"], ["--model needs a value", "Network to compile"]),
    ],
)
def test_words_that_are_no_flags_are_reported_on_stderr(cli, words, expected):
    done = cli(*(f"--{name}={value}" for name, value in GOOD.items()), *words)
    assert done.status == 255
    (line,) = done.stderr.splitlines()
    assert line.startswith("ERROR: ")
    assert all(text in line for text in expected)


def test_syntax_faults_alone_give_an_empty_block_and_no_dots(build):
    done = build("stray")
    assert error_block(done.stdout).code == ""
    assert DOTS not in done.stdout


def test_all_syntax_faults_are_reported(build):
    done = build("one", "--no_such_thing=1", "two", "--model")
    assert len(done.stderr.splitlines()) == 4


def test_the_value_of_an_unknown_flag_is_not_reported_again(build):
    done = build("--no_such_thing", "value")
    assert len(done.stderr.splitlines()) == 1


def test_a_misspelt_flag_is_not_reported_as_missing(build):
    done = build("--modle", "net.onnx", model=None)
    assert "did you mean --model?" in done.stderr
    assert error_block(done.stdout).code == ""


def test_value_faults_stand_in_the_order_of_the_words(build):
    block = error_block(build("--log=bug", "--mode=99", "--sparsity=2").stdout)
    assert block.code == "E10010"
    assert [("--mode" in line, "--sparsity" in line) for line in block.others] == [
        (True, False),
        (False, True),
    ]


def test_a_repeated_fault_is_reported_once(build):
    block = error_block(build("--sparsity=2", "--sparsity=2").stdout)
    assert (block.code, block.others) == ("E10006", [])


def test_success_prints_start_dots_and_the_final_line(build):
    done = build()
    assert (done.status, done.stdout, done.stderr) == (0, START + DOTS + SUCCESS + "\n", "")


WORDS = st.one_of(
    st.sampled_from([f"--{name}" for name in ["model", "mode", "h2d", "o", "log", "soc-version"]]),
    st.sampled_from(["--", "-", "-x", "--=", "--input_shape=x:1", "--om", "=", "-1", "-mode=6"]),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12),
)


@given(st.lists(WORDS, max_size=6))
def test_any_words_end_in_a_status_of_atc(cli, words):
    done = cli(*words)
    assert done.status in (0, 255)
    assert done.stdout.startswith(START)
