"""--mode=6: sizes, versions and the command line that a model was made with."""

import pytest
from om.om_files import build_om, message


@pytest.fixture(scope="session")
def show(run, atc, tmp_path_factory):
    """Call as ``show(model)`` with a path or bytes: the lines between and with the banners."""
    path = tmp_path_factory.mktemp("show") / "model.om"

    def call(model):
        if isinstance(model, bytes):
            path.write_bytes(model)
            model = path
        done = run(atc, "--mode=6", f"--om={model}")
        assert done.status == 0, done.stdout + done.stderr
        lines = done.stdout.splitlines()
        start = lines.index("============ Display Model Info start ============")
        return lines[start : lines.index("============ Display Model Info end   ============") + 1]

    return call


def test_model_made_by_atc(show, samples):
    assert show(samples / "gemm_singleop.om")[1:-1] == [
        "Original Atc command line: /usr/local/Ascend/ascend-toolkit/7.0.0/aarch64-linux/bin/"
        "atc.bin --singleop=run/out/test_data/config/gemm.json --soc_version=Ascend910B"
        " --output=run/out/op_models",
        "system   info: atc_version[7.1.0.3.220], soc_version[Ascend910B], framework_type[].",
        "resource info: memory_size[5120 B], weight_size[1024 B], stream_num[1], event_num[0].",
        "om       info: modeldef_size[12436 B], weight_data_size[1024 B],"
        " tbe_kernels_size[2839 B], cust_aicpu_kernel_store_size[0 B], task_info_size[244 B],"
        " so_store_size[0 B].",
    ]


@pytest.mark.parametrize("name", ["flow_model", "hiai_softmax", "three_blocks"])
def test_every_kind_of_file_is_described(name, show, samples):
    lines = show(samples / f"{name}.om")
    assert len(lines) == 6
    assert "modeldef_size[0 B]" not in lines[4]


def om_with(attrs, *parts):
    model = message("ModelDef")
    for name, value in attrs.items():
        if isinstance(value, list):
            model.attr[name].list.i.extend(value)
        else:
            setattr(model.attr[name], "i" if isinstance(value, int) else "s", value)
    return build_om([[(0, model.SerializeToString()), *parts]]), model.ByteSize()


def test_missing_numbers_are_minus_one_and_missing_texts_empty(show):
    om, _ = om_with({}, (2, b""))
    lines = show(om)
    assert lines[1] == "Original Atc command line: "
    assert lines[2] == "system   info: atc_version[], soc_version[], framework_type[]."
    assert lines[3] == (
        "resource info: memory_size[-1 B], weight_size[-1 B], stream_num[-1], event_num[-1]."
    )


def sizes(*values):
    names = ["modeldef", "weight_data", "tbe_kernels", "cust_aicpu_kernel_store", "task_info"]
    pairs = zip([*names, "so_store"], values, strict=True)
    return "om       info: " + ", ".join(f"{name}_size[{value} B]" for name, value in pairs) + "."


PARTS = ((1, b"w" * 10), (3, b"k" * 20), (4, b"c" * 30), (2, b"t" * 40), (5, b"s" * 50))


def test_stored_sizes_are_printed_as_they_are(show):
    om, model_bytes = om_with({"om_info_list": [1, 2, 3, 4, 5]}, *PARTS)
    assert show(om)[4] == sizes(model_bytes, 1, 2, 3, 4, 5)


def test_size_that_an_older_list_lacks_comes_from_the_table(show):
    om, model_bytes = om_with({"om_info_list": [1, 2, 3, 4]}, *PARTS)
    assert show(om)[4] == sizes(model_bytes, 1, 2, 3, 4, 50)


def test_sizes_come_from_the_table_when_none_are_stored(show):
    om, model_bytes = om_with({}, *PARTS)
    assert show(om)[4] == sizes(model_bytes, 10, 20, 30, 40, 50)


def test_control_characters_do_not_reach_the_terminal(show):
    om, _ = om_with({"atc_cmdline": b"atc\x1b[2J\n--x"}, (2, b""))
    assert show(om)[1] == "Original Atc command line: atc?[2J?--x"
