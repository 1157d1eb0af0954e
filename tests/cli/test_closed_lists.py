"""Flags with a list of accepted words."""

import pytest
from cli.facts import FLAGS
from cli.screen import error_block, mentions

LISTS = [flag for flag in FLAGS if "choices" in flag]
AT_PARSING = [flag for flag in LISTS if flag["checked"] == "at parsing"]


def named(flags):
    return pytest.mark.parametrize("flag", flags, ids=lambda flag: flag["name"])


@named(LISTS)
def test_another_word_has_the_code_of_the_flag_and_the_list(build, flag):
    done = build(f"--{flag['name']}=zzzzz")
    block = error_block(done.stdout)
    assert done.status == 255
    assert block.code == flag["list_code"]
    assert "zzzzz" in block.lines[0]
    if flag["list_code"] != "E10005":
        for word in filter(None, flag["choices"]):
            assert f"[{word}]" in block.lines[0]


@named(LISTS)
def test_accepted_words_are_accepted(build, flag):
    level = flag["name"] == "deterministic_level"
    for word in flag["choices"]:
        agreeing = {"deterministic": str(min(int(word), 1))} if level else {}
        block_code = error_block_code(
            build(f"--{flag['name']}={word}", precision_mode_v2=None, **agreeing)
        )
        assert block_code != flag["list_code"], word


def error_block_code(done):
    return error_block(done.stdout).code if done.status else ""


@named([flag for flag in LISTS if "" not in flag["choices"]])
def test_an_empty_value_is_refused(build, flag):
    if flag["name"] == "precision_mode":
        done = build(f"--{flag['name']}=", precision_mode_v2=None)
    else:
        done = build(f"--{flag['name']}=")
    assert error_block(done.stdout).code == flag["list_code"]


@named(AT_PARSING)
def test_lists_of_parsing_are_checked_in_every_mode(cli, flag):
    done = cli("--mode=6", "--om=net.onnx", f"--{flag['name']}=zzzzz")
    assert error_block(done.stdout).code == flag["list_code"]


@pytest.mark.parametrize(
    ("flag", "value", "meant"),
    [
        ("op_select_implmode", "high_preformance", "high_performance"),
        ("precision_mode", "fp32", "force_fp32"),
        ("precision_mode_v2", "Origin", "origin"),
        ("log", "bug", "debug"),
        ("core_type", "aicore", "AiCore"),
        ("enable_single_stream", "True", "true"),
        ("oo_level", "o3", "O3"),
    ],
)
def test_a_misspelt_word_is_told_the_right_one(build, flag, value, meant):
    block = error_block(build(f"--{flag}={value}").stdout)
    assert mentions(block, f"--{flag}", f"did you mean [{meant}]?")


def test_letter_case_of_enable_attr_compression_is_free(build):
    assert build(enable_attr_compression="FALSE").status == 0


@pytest.mark.parametrize("value", ["-1", "05", "5 ", "+5", "0x5", "99999999999999999999"])
def test_integers_are_words_of_their_list(build, value):
    assert error_block(build(framework=value).stdout).code == "E10007"
