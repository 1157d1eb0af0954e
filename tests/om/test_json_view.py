"""--mode=1 on OM files, against google.protobuf's reading of the same bytes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from om.json_oracle import HIDDEN, restore_dictionary, sort_maps, to_json
from om.om_files import build_om, message, om_of_model, read_om

SAMPLE_NAMES = ("flow_model", "gemm_singleop", "hiai_softmax", "three_blocks")


def expected(model):
    """What the dump of a ModelDef holds."""
    if model.attr["om_compress_version"].i == 1:
        restore_dictionary(model)
    else:
        del model.attr["om_compress_version"]  # reading made it
    return to_json(model, HIDDEN)


def attrs(entries):
    """The array of an attribute map as a dict."""
    return {entry["key"]: entry["value"] for entry in entries}


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_real_file_shows_what_protobuf_reads(name, dump, samples):
    path = samples / f"{name}.om"
    assert sort_maps(dump(path)) == sort_maps(expected(read_om(path).model_def()))


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_text_has_sorted_keys_and_two_spaces(name, run, atc, samples, tmp_path):
    out = tmp_path / "out.json"
    assert run(atc, "--mode=1", f"--om={samples / name}.om", f"--json={out}").status == 0
    text = out.read_text(encoding="utf-8")
    pretty = json.dumps(json.loads(text), indent=2, sort_keys=True, ensure_ascii=False)
    assert text == pretty + "\n"


def test_names_and_texts_of_the_attribute_dictionary_are_restored(dump, samples):
    shown = dump(samples / "gemm_singleop.om")
    assert not {"om_compress_version", "attr_name_enum"} & attrs(shown["attr"]).keys()
    names = {name for op in shown["graph"][0]["op"] for name in attrs(op.get("attr", []))}
    assert "_ge_attr_op_kernel_lib_name" in names
    assert not any(name.startswith("\0") for name in names)
    gemm = next(op for op in shown["graph"][0]["op"] if op["type"] == "GEMM")
    assert attrs(gemm["attr"])["_ge_attr_op_kernel_lib_name"] == {"s": "AIcoreEngine"}


def test_attribute_written_in_plain_beats_its_coded_twin(dump):
    model = message("ModelDef")
    model.attr["om_compress_version"].i = 1
    model.attr["attr_name_enum"].list.s.append(b"format_for_int")
    model.attr["attr_value_enum"].list.s.append(b"unused")
    model.attr["attrs_use_string_value"].list.b.append(False)
    desc = model.graph.add().op.add(name="x").input_desc.add(layout="NCHW")
    desc.attr["\0\1"].i = 0
    desc.attr["format_for_int"].i = 3
    shown = dump(om_of_model(model))["graph"][0]["op"][0]["input_desc"][0]
    assert shown["attr"] == [{"key": "format_for_int", "value": {"i": 3}}]


def test_code_outside_the_dictionary_stays_as_it_is(dump):
    model = message("ModelDef")
    model.attr["om_compress_version"].i = 1
    model.graph.add().op.add(name="x").attr["\0\7"].i = 5
    shown = dump(om_of_model(model))["graph"][0]["op"][0]
    assert shown["attr"] == [{"key": "\0\7", "value": {"i": 5}}]


def test_fused_operators_are_marked_with_their_group(dump):
    model = message("ModelDef")
    scopes = (0x00020003, 0x00000005, None, 0)
    for number, scope in enumerate(scopes):
        fused = message("OpDef")
        fused.name = "known"
        if scope is not None:
            fused.attr["fusion_scope"].i = scope
        model.attr["fm"].list.bt.append(fused.SerializeToString())
        graph = model.graph[0] if model.graph else model.graph.add()
        graph.op.add(name=f"op{number}", stream_id=number)
    ops = dump(om_of_model(model))["graph"][0]["op"]
    groups = [attrs(op.get("attr", [])).get("group_op_name") for op in ops]
    assert groups == [{"s": "group_op_l1_2_0"}, {"s": "group_op_ub_5_1"}, None, None]


def test_list_of_fused_operators_may_end_early(dump):
    model = message("ModelDef")
    model.attr["fm"].list.bt.append(b"")
    model.graph.add().op.extend([message("OpDef", b"\x0a\x01a"), message("OpDef", b"\x0a\x01b")])
    assert dump(om_of_model(model))["graph"][0]["op"] == [{"name": "a"}, {"name": "b"}]


def test_zero_of_a_oneof_is_shown_and_other_zeros_are_not(dump):
    model = message("ModelDef")
    model.graph.add().op.add(name="x", id=0).attr["a"].i = 0
    op = dump(om_of_model(model))["graph"][0]["op"][0]
    assert op == {"name": "x", "attr": [{"key": "a", "value": {"i": 0}}]}


def test_message_of_hidden_fields_alone_is_null(dump):
    model = message("ModelDef")
    model.attr["tasks"].bt = b"some task"
    assert dump(om_of_model(model)) == {"attr": [{"key": "tasks", "value": None}]}


def test_nesting_is_cut_below_twenty_messages(dump):
    model = message("ModelDef")
    graph = model.graph.add(name="0")
    for level in range(1, 9):
        graph = graph.op.add(name="sub").attr["body"].g
        graph.name = str(level)
    shown, depth = dump(om_of_model(model))["graph"][0], 0
    while shown is not None:
        assert shown["name"] == str(depth)
        shown = shown["op"][0]["attr"][0]["value"]
        shown, depth = shown and shown["g"], depth + 1
    assert depth == 5  # a graph in an attribute is four messages below its owner


def test_only_the_first_block_is_shown(dump):
    first, second = message("ModelDef"), message("ModelDef")
    first.name, second.name = "root", "part"
    blocks = [[(0, model.SerializeToString()), (2, b"")] for model in (first, second)]
    assert dump(build_om(blocks)) == {"name": "root"}


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
floats = st.floats(width=32)


@st.composite
def attr_values(draw, depth=2):
    """AttrDef messages of every kind."""
    attr = message("AttrDef")
    kinds = ["s", "i", "f", "b", "list", "llf", "td", "func"]
    kind = draw(st.sampled_from(kinds if depth else kinds[:4]))
    if kind == "s":
        attr.s = draw(st.binary(max_size=12))
    elif kind == "i":
        attr.i = draw(st.integers(-(2**63), 2**63 - 1))
    elif kind == "f":
        attr.f = draw(floats)
    elif kind == "b":
        attr.b = draw(st.booleans())
    elif kind == "list":
        attr.list.s.extend(draw(st.lists(st.binary(max_size=8), max_size=3)))
        attr.list.i.extend(draw(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=3)))
        attr.list.f.extend(draw(st.lists(floats, max_size=3)))
        attr.list.b.extend(draw(st.lists(st.booleans(), max_size=3)))
        attr.list.val_type = draw(st.integers(0, 12))
    elif kind == "llf":
        for values in draw(st.lists(st.lists(floats, max_size=2), max_size=3)):
            attr.list_list_float.list_list_f.add(list_f=values)
    elif kind == "td":
        attr.td.dtype = draw(st.integers(0, 60))
        attr.td.shape.dim.extend(draw(st.lists(st.integers(-2, 9), max_size=3)))
    else:
        attr.func.name = draw(texts)
        attr.func.attr["inner"].CopyFrom(draw(attr_values(depth=depth - 1)))
    return attr


@given(st.dictionaries(texts, attr_values(), max_size=4), texts)
def test_any_model_shows_what_protobuf_reads(dump, values, name):
    model = message("ModelDef")
    model.name = name
    model.graph.add().op.add(name=name, id=7)
    for key, value in values.items():
        model.graph[0].op[0].attr[key].CopyFrom(value)
    assert sort_maps(dump(om_of_model(model))) == sort_maps(to_json(model, HIDDEN))


def test_bytes_that_are_not_utf8_are_dropped_from_texts(dump):
    # Written by hand: protobuf refuses to write such a name.
    op = b"\x0a\x05a\xffb\xc3\xa4" + b"\x12\x04\xe2\x82T\x80"
    graph = b"\x32" + bytes([len(op)]) + op
    model = message("ModelDef").SerializeToString() + b"\x3a" + bytes([len(graph)]) + graph
    shown = dump(build_om([[(0, model), (2, b"")]]))
    assert shown["graph"][0]["op"] == [{"name": "abä", "type": "T"}]
