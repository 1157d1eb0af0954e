"""No flag is accepted and ignored: it works, is recorded, or is refused."""

import pytest
from cli.facts import FLAGS
from cli.screen import error_block, mentions

# What a value means that this version cannot do.
NOT_BUILT = {
    "mode": "3",
    "framework": "3",
    "raw_ge_options": "net.onnx",
    "raw_ge_options_ignore_unsupported": "true",
    "input_hint_shape": "0:[2,3]",
    "input_shape_range": "x:[1~2,3]",
    "output_type": "HIF8",
    "check_report": "report.json",
    "insert_op_conf": "net.onnx",
    "op_name_map": "net.onnx",
    "is_input_adjust_hw_layout": "true",
    "is_output_adjust_hw_layout": "true",
    "external_weight": "2",
    "enable_scope_fusion_passes": "pass",
    "multi_stream_parallel_mode": "cv",
    "save_original_model": "true",
    "status_check": "1",
}

REFUSED = {
    "cluster_config": "net.onnx",
    "hccl_sub_comm_config": "net.onnx",
    "enable_compress_weight": "true",
    "compress_weight_conf": "net.onnx",
    "compression_optimize_conf": "net.onnx",
    "sparsity": "1",
    "cal_conf": "net.onnx",
}

RECORDED = {
    "virtual_type": "1",
    "core_type": "VectorCore",
    "aicore_num": "4",
    "ac_parallel_enable": "1",
    "tiling_schedule_optimize": "1",
    "quant_dumpable": "1",
    "enable_small_channel": "1",
    "enable_attr_compression": "FALSE",
    "buffer_optimize": "off_optimize",
    "mdl_bank_path": "some/bank",
    "op_precision_mode": "net.onnx",
    "allow_hf32": "true",
    "op_bank_path": "some/bank/",
    "jit_compile": "2",
    "static_model_ops_lower_limit": "-1",
    "h2d_overlapped_with_compute": "1",
    "op_select_implmode": "high_precision",
    "op_debug_level": "3",
    "debug_dir": "/some/dir",
    "shape_generalized_build_mode": "shape_precise",
    "op_debug_config": "debug.cfg",
    "atomic_clean_policy": "1",
    "deterministic": "1",
    "target": "words",
    "device_id": "7",
}


@pytest.mark.parametrize(("flag", "value"), NOT_BUILT.items(), ids=NOT_BUILT)
def test_what_is_not_built_is_said_with_flag_and_value(build, flag, value):
    block = error_block(build(**{flag: value}).stdout)
    assert (block.code, block.others) == ("E10055", [])
    assert f"--{flag}={value} is not supported yet" in block.lines[0]


@pytest.mark.parametrize(("flag", "value"), REFUSED.items(), ids=REFUSED)
def test_what_the_host_cannot_mean_is_refused(build, flag, value):
    block = error_block(build(**{flag: value}).stdout)
    assert (block.code, block.others) == ("E10055", [])
    assert f"--{flag}={value} is refused: " in block.lines[0]


def test_tuning_is_refused_with_the_code_of_atc(build):
    block = error_block(build(auto_tune_mode="RL,GA").stdout)
    assert (block.code, block.others) == ("E10001", [])


def typed_defaults():
    """(flag, default) of the flags above that have a default which is a word."""
    for flag in FLAGS:
        name, default = flag["name"], flag["default"]
        if name in {**NOT_BUILT, **REFUSED} and (default or "choices" not in flag):
            yield name, default


@pytest.mark.parametrize(("flag", "default"), list(typed_defaults()))
def test_a_default_that_is_typed_changes_nothing(build, flag, default):
    assert build(**{flag: default}).status == 0


def test_recorded_flags_are_those_of_the_table(flags):
    recorded = {flag["name"] for flag in flags if flag["effect"] == "recorded"}
    others = {"optypelist_for_implmode", "deterministic_level", "build_config"}
    assert set(RECORDED) | others == recorded


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"precision_mode_v2": "fp16"},
        {"precision_mode_v2": "cube_fp16in_fp32out"},
        {"precision_mode_v2": "mixed_float16"},
        {"precision_mode_v2": "mixed_bfloat16", "soc_version": "Ascend910B1"},
        {"precision_mode_v2": "cube_hif8", "soc_version": "Ascend910_95"},
        {"precision_mode_v2": "mixed_hif8", "soc_version": "Ascend910_5591"},
        {"precision_mode": "force_fp16"},
        {"precision_mode": "force_fp32"},
        {"precision_mode": "cube_fp16in_fp32out"},
        {"precision_mode": "allow_mix_precision"},
        {"precision_mode": "allow_mix_precision_fp16"},
        {"precision_mode": "allow_mix_precision_bf16", "soc_version": "Ascend910B1"},
        {"precision_mode": "allow_fp32_to_fp16"},
        {"precision_mode": "allow_fp32_to_bf16", "soc_version": "Ascend910B1"},
        {"precision_mode": "must_keep_origin_dtype"},
    ],
)
def test_precision_modes_compile(build, changes):
    assert build(**{"precision_mode_v2": None} | changes).status == 0


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"modify_mixlist": "net.onnx"}, "E10001"),
        ({"modify_mixlist": "net.onnx", "precision_mode_v2": None}, "E10001"),
        ({"modify_mixlist": "net.onnx", "precision_mode_v2": "mixed_float16"}, "E21002"),
        ({"modify_mixlist": "none", "precision_mode_v2": "mixed_float16"}, "E21001"),
        ({"precision_mode_v2": "mixed_bfloat16"}, "E20101"),
        ({"precision_mode_v2": "mixed_hif8"}, "E20101"),
        ({"precision_mode_v2": "cube_hif8", "soc_version": "Ascend910B1"}, "E20101"),
    ],
)
def test_mixed_precision(build, changes, code):
    assert error_block(build(**changes).stdout).code == code


@pytest.mark.parametrize("word", ["enable_single_stream=true"])
def test_what_models_made_here_are_anyway_is_accepted(build, word):
    assert build(f"--{word}").status == 0


@pytest.mark.parametrize("flag", ["om", "json", "dump_mode"])
def test_a_flag_of_another_mode_is_answered_with_a_warning(build, flag):
    done = build(f"--{flag}=1")
    assert done.status == 0
    assert f"Flag_Without_Effect(W10001): [--{flag}] has no effect: --mode=0" in done.stdout


def test_weights_beside_an_onnx_model_are_answered_with_a_warning(build):
    done = build(weight="net.onnx")
    assert (done.status, "[--weight] has no effect" in done.stdout) == (0, True)


def test_host_environment_is_answered_with_a_note(build):
    done = build(host_env_os="linux", host_env_cpu="aarch64")
    assert (done.status, "have no effect" in done.stdout) == (0, True)


def test_deprecated_generalized_build_prints_its_line(build):
    assert "[WARNING][GE]" in build(shape_generalized_build_mode="shape_generalized").stdout


@pytest.mark.parametrize(
    ("words", "good"),
    [
        ("--deterministic=1 --deterministic_level=2", True),
        ("--deterministic_level=2", False),
        ("--deterministic=1 --deterministic_level=0", False),
        ("--deterministic=1", True),
        ("--optypelist_for_implmode=Add", False),
        ("--optypelist_for_implmode=Add --op_select_implmode=high_precision", True),
        ("--enable_single_stream=true --multi_stream_parallel_mode=cv", False),
        ("--static_model_ops_lower_limit=9223372036854775807", True),
        ("--static_model_ops_lower_limit=9223372036854775808", False),
    ],
)
def test_flags_that_depend_on_each_other(build, words, good):
    assert (build(*words.split()).status == 0) is good


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("op_debug_config=oom\n# comment\n\nop_debug_list=Add", ""),
        ("op_debug_config", "E20003"),
        ("op_debug_config=", "E20003"),
    ],
)
def test_content_of_the_debug_file(build, folder, text, code):
    (folder / "other.cfg").write_text(text)
    done = build(op_debug_config="other.cfg")
    assert (error_block(done.stdout).code if done.status else "") == code


def test_output_type_and_out_nodes_are_checked_first(build):
    assert error_block(build(output_type="FP31").stdout).code == "E10001"
    assert error_block(build(output_type="y:0:FP32").stdout).code == "E10001"
    assert build(output_type="act:0:FP32", out_nodes="act:0").status == 0
    assert mentions(error_block(build(out_nodes="a:0;t").stdout), "cannot be mixed")
    assert mentions(error_block(build(out_nodes="a:x").stdout), "[a:x] of [--out_nodes]")
    assert error_block(build(out_nodes="a:99999999999999999999").stdout).code == "E10013"
    assert error_block(build(is_output_adjust_hw_layout="true,yes").stdout).code == "E10005"


@pytest.mark.parametrize("nodes", ["act:0", "act:0;", "y", " y "])
def test_out_nodes_compile(build, nodes):
    assert build(out_nodes=nodes).status == 0


def test_operators_of_a_network_have_no_cache(build):
    done = build(op_compiler_cache_mode="enable", op_compiler_cache_dir="ops")
    assert done.status == 0
    assert done.stdout.count("--mode=0 does not use it") == 2
