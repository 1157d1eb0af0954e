"""ATC's order of checks: the first fault is the headline, the others follow."""

import pytest
from cli.facts import GOOD
from cli.screen import DOTS, error_block, mentions


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("--auto_tune_mode=RL --deterministic_level=1", "E10001"),
        ("--deterministic_level=1 --weight=none", "E10001"),
        ("--weight=none --framework=0", "E10001"),
        ("--framework=0", "E10008"),
        ("--framework=0 --mode=30", "E10008"),
        ("--mode=30 --soc_version=", "E10055"),
        ("--soc_version=Ascend035 --input_format=X", "E10055"),
        ("--input_format=X --soc_version=", "E10001"),
        ("--soc_version= --output=", "E10054"),
        ("--output= --model=", "E10054"),
        ("--model=none --op_precision_mode=none", "E10001"),
        ("--output=out/ --is_weight_clip=2", "E10022"),
        ("--is_weight_clip=2 --precision_mode=force_fp16", "E10006"),
        ("--precision_mode=force_fp16 --input_shape=x", "E10056"),
        ("--input_shape=x --cal_conf=none", "E10002"),
        ("--enable_compress_weight=1 --compress_weight_conf=net.onnx", "E10005"),
        ("--enable_compress_weight=true --compress_weight_conf=net.onnx", "E10047"),
        ("--save_original_model=1 --enable_single_stream=1 --allow_hf32=1", "E10005"),
        ("--enable_attr_compression=1 --static_model_ops_lower_limit=-2", "E10005"),
        ("--static_model_ops_lower_limit=x --oo_level=O2", "E10001"),
        ("--oo_level=O2 --soc_version=X", "E10001"),
        ("--soc_version=X --enable_small_channel=true", "E20101"),
        ("--enable_small_channel=true --external_weight=1", "E20101"),
    ],
)
def test_headline_is_the_first_fault_in_atcs_order(build, words, code):
    assert error_block(build(*words.split()).stdout).code == code


def test_an_empty_command_line_reports_all_that_is_missing(cli):
    done = cli()
    block = error_block(done.stdout)
    assert (done.status, block.code) == (255, "E10007")
    for flag in ("soc_version", "output", "model"):
        assert mentions(block, f"--{flag}")


def test_faults_of_words_and_of_checks_come_together(cli):
    block = error_block(cli("--log=bug", "--input_format=NZ", "--framework=9").stdout)
    assert block.code == "E10010"
    assert mentions(block, "--framework", "[9]", "[0] [1] [3] [5]")
    assert mentions(block, "--input_format", "[NZ]", "did you mean [ND]?")


def test_all_conflicts_of_a_line_are_reported(build):
    block = error_block(
        build(
            precision_mode="force_fp16",
            input_shape="x:-1,3",
            dynamic_batch_size="1,2",
            dynamic_dims="1;2",
            insert_op_conf="net.onnx",
        ).stdout
    )
    assert block.code == "E10056"
    assert mentions(block, "[--dynamic_batch_size] [--dynamic_dims]")
    assert mentions(block, "[--insert_op_conf]", "--dynamic_dims")


def test_a_fault_after_parsing_prints_the_dots(build):
    assert DOTS in build(model="none").stdout
    assert DOTS not in build(log="bug").stdout


def test_nothing_is_created_when_a_check_fails(build, folder):
    assert build(output="fresh/net", oo_level="O2").status == 255
    assert not (folder / "fresh").exists()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("", "E10004"),
        ("--om=net.onnx", "E10004"),
        ("--om=none --json=x.json", "E10001"),
        ("--om=net.onnx --json=. --framework=5", "E10001"),
        ("--om=net.onnx --json=x.json --framework=1", "E10001"),
        ("--om=net.onnx --json=x.json --framework=3", "E10055"),
        ("--om=net.onnx --json=x.json --framework=5 --dump_mode=1", "E10055"),
        ("--om=net.onnx --json=x.json --soc_version=Ascend035", "E10055"),
        ("--om=net.onnx --json=x.json", "E10041"),
    ],
)
def test_mode_1(cli, words, code):
    assert error_block(cli("--mode=1", *words.split()).stdout).code == code


def test_mode_1_reports_both_missing_files(cli):
    block = error_block(cli("--mode=1").stdout)
    assert mentions(block, "[--om]") and mentions(block, "[--json]")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("--om=net.onnx --json=x.json", "E10001"),
        ("", "E10004"),
        ("--om=none.txt --json=x.json", "E10001"),
    ],
)
def test_mode_5(cli, words, code):
    assert error_block(cli("--mode=5", *words.split()).stdout).code == code


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("", "E10004"),
        ("--om=none", "E10001"),
        ("--om=net.onnx --framework=5", "E10057"),
        ("--om=net.onnx", "E10041"),
    ],
)
def test_mode_6(cli, words, code):
    assert error_block(cli("--mode=6", *words.split()).stdout).code == code


@pytest.mark.parametrize(
    "flag", ["om", "check_report", "json", "virtual_type", "dump_mode", "enable_attr_compression"]
)
def test_mode_7_refuses_some_flags_even_with_their_default(build, flag):
    default = {"virtual_type": "0", "dump_mode": "0", "enable_attr_compression": "true"}
    block = error_block(build(**{flag: default.get(flag, "x")}, mode="7").stdout)
    assert mentions(block, f"of [{flag}]", "--mode=7")


@pytest.mark.parametrize(
    "word",
    ["--framework=5", "--insert_op_conf=net.onnx", "--display_model_info=1", "--mode=3"],
)
def test_singleop_goes_with_none_of_these(cli, word):
    block = error_block(
        cli("--singleop=net.onnx", "--output=o", "--soc_version=Ascend310P3", word).stdout
    )
    flag, _, value = word.partition("=")
    assert (block.code, f"Value [{value}] of [{flag}]" in block.lines[0]) == ("E10001", True)


def test_singleop_needs_output_soc_and_file(cli):
    block = error_block(cli("--singleop=none").stdout)
    assert block.code == "E10054"
    assert mentions(block, "[--soc_version]") and mentions(block, "[none] of [--singleop]")


@pytest.mark.parametrize("name", sorted(GOOD.keys() - {"precision_mode_v2"}))
def test_leaving_out_a_needed_flag_is_one_fault(build, name):
    block = error_block(build(**{name: None}).stdout)
    assert (block.others, name in " ".join(block.lines)) == ([], True)
