"""--help: complete, in order, and before everything to its right."""

import os
import re

import pytest
from cli.screen import START, error_block

GROUPS = [
    "General",
    "Input",
    "Output",
    "Target",
    "Feature",
    "Model Tuning",
    "Operator Tuning",
    "Debug",
]
FLAG_LINE = re.compile(r"    --(\w+)=")


@pytest.fixture(scope="module")
def text(cli):
    return cli("--help").stdout


def entries(text):
    """Flag name -> (group, description), in the order of the text."""
    found, group, name = {}, None, None
    for line in text.splitlines():
        if line.startswith("  ") and line.strip() in GROUPS:
            group = line.strip()
        elif match := FLAG_LINE.match(line):
            name = match[1]
            assert name not in found
            found[name] = (group, "")
        elif name and line.startswith(" " * 8):
            found[name] = (found[name][0], f"{found[name][1]} {line.strip()}".strip())
    return found


def test_shows_exactly_the_flags_of_atc_in_its_order(text, flags):
    shown = [flag["name"] for flag in flags if flag["in_help"]]
    assert len(shown) == 86
    assert list(entries(text)) == shown


def test_every_flag_stands_in_its_group(text, flags):
    found = entries(text)
    for flag in flags:
        if flag["in_help"]:
            assert found[flag["name"]][0] == flag["group"]


def test_defaults_and_accepted_values_are_shown(text, flags):
    found = entries(text)
    for flag in flags:
        if not flag["in_help"]:
            continue
        description = found[flag["name"]][1]
        if flag["default"]:
            assert f"Default: {flag['default']}." in description or "host_env" in flag["name"]
        if "choices" in flag:
            assert f"Values: {', '.join(filter(None, flag['choices']))}." in description


def test_lines_have_at_most_100_columns(text):
    assert max(len(line) for line in text.splitlines()) <= 100


@pytest.mark.parametrize("word", ["--help", "-h", "--h", "-help", "--hel", "--help=yes", "--help="])
def test_every_spelling_prints_the_usage_text_and_nothing_more(cli, text, word):
    done = cli(word)
    assert (done.status, done.stderr) == (0, "")
    assert done.stdout == text
    assert text.startswith(START + "Usage: atc ")


def test_help_wins_over_faults_to_its_right(cli, text):
    done = cli("--mode=0", "--help", "--no_such_flag", "--mode=99")
    assert (done.status, done.stdout) == (0, text)


def test_a_fault_to_the_left_of_help_wins(cli):
    done = cli("--log=bug", "--help")
    assert done.status == 255
    assert error_block(done.stdout).code == "E10010"


def test_an_unknown_flag_to_the_left_of_help_wins(cli):
    done = cli("--no_such_flag", "--help")
    assert done.status == 255
    assert done.stderr.startswith("ERROR: ")


def test_help_false_goes_on(cli):
    assert error_block(cli("--help=false").stdout).code == "E10007"


def test_help_with_another_word_is_no_bool(cli):
    assert error_block(cli("--help=maybe").stdout).code == "E10003"


def test_pyatc_as_program_name_shows_in_usage_and_failure_line(run, atc, tmp_path):
    program = tmp_path / "pyatc"
    os.symlink(atc, program)
    assert "Usage: pyatc " in run(program, "--help").stdout
    assert error_block(run(program).stdout, "pyatc").code == "E10007"


def test_other_program_names_are_atc(run, atc, tmp_path):
    program = tmp_path / "atc.bin"
    os.symlink(atc, program)
    assert "Usage: atc " in run(program, "-h").stdout
