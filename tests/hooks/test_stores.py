"""Operator stores: where they are looked for, what their libraries say, and what is refused."""

import json
import string

import pytest
from hooks.vendor import ADD_INFO, Vendor, add_vendor, port
from hypothesis import given
from hypothesis import strategies as st

from ge._testing import CompileError, operator_stores, snake_case

# python-hooks: the vectors of the rule that finds the file of a type.
VECTORS = {
    "ReduceSumD": "reduce_sum_d",
    "BatchMatMulV2": "batch_mat_mul_v2",
    "Conv2D": "conv2d",
    "Conv2DBackpropInput": "conv2d_backprop_input",
    "FillV2D": "fill_v2d",
    "AvgPool3DGradD": "avg_pool3d_grad_d",
    "L2Loss": "l2_loss",
    "TopKV2D": "top_kv2d",
    "AddDSL": "add_dsl",
    "Abc2DEf": "abc2d_ef",
    "PRelu": "p_relu",
    "BNTrainingUpdate": "b_n_training_update",
    "ROIAlign": "r_oi_align",
    "IOU": "i_ou",
    "LSTMCell": "l_stm_cell",
}


@pytest.mark.parametrize(("op_type", "name"), VECTORS.items())
def test_file_of_a_type(op_type, name):
    assert snake_case(op_type) == name


@given(st.text(string.ascii_letters + string.digits + "_", max_size=12))
def test_name_of_a_file_is_the_type_with_underscores(op_type):
    name = snake_case(op_type)
    assert name == name.lower()
    assert name.replace("_", "") == op_type.lower().replace("_", "")
    assert not name.startswith("_") or op_type.startswith("_")


@given(st.lists(st.from_regex(r"[A-Z][a-z]+", fullmatch=True), min_size=1, max_size=5))
def test_words_that_begin_with_a_capital_are_joined_by_underscores(words):
    assert snake_case("".join(words)) == "_".join(word.lower() for word in words)


def test_operator_is_found_with_file_and_function(tmp_path):
    vendor = add_vendor(tmp_path / "acme", opInterface={"value": "run"})
    assert operator_stores(vendor.path) == {
        "operators": [
            {
                "type": "AddDsl",
                "file": str(vendor.config / "aic-ascend310p-ops-info.json"),
                "folder": str(vendor.implementation),
                "module": "add_dsl",
                "function": "run",
                "priority": 0,
            }
        ],
        "warnings": [],
    }


def test_first_entry_of_the_path_counts(tmp_path):
    first = add_vendor(tmp_path / "a" / "one")
    second = add_vendor(tmp_path / "b" / "two").write_info({"AddDsl": ADD_INFO, "Sub": ADD_INFO})
    rows = operator_stores(f"{first.path}:{second.path}/")["operators"]
    assert [(row["type"], row["folder"], row["priority"]) for row in rows] == [
        ("AddDsl", str(first.implementation), 0),
        ("Sub", str(second.implementation), 1),
    ]


def test_vendors_come_after_the_path_by_load_priority(tmp_path):
    custom = Vendor(tmp_path / "custom").write_info({"A": ADD_INFO})
    for name, types in (("x", "ABC"), ("y", "BCD"), ("unlisted", "E")):
        Vendor(tmp_path / "opp" / "vendors" / name).write_info(dict.fromkeys(types, ADD_INFO))
    config = tmp_path / "opp" / "vendors" / "config.ini"
    config.write_text("# comment\n\nload_priority = y, x\nload_priority=unlisted\n")
    rows = operator_stores(custom.path, tmp_path / "opp")["operators"]
    assert {row["type"]: row["folder"].rsplit("/", 1)[1] for row in rows} == {
        "A": "custom_impl",
        "B": "y_impl",
        "C": "y_impl",
        "D": "y_impl",
    }


def test_load_priority_without_an_equals_sign_is_refused(tmp_path):
    (tmp_path / "vendors").mkdir()
    (tmp_path / "vendors" / "config.ini").write_text("load_priority x\n")
    with pytest.raises(CompileError, match=r"load_priority x.*has no ="):
        operator_stores("", tmp_path)


def test_vector_core_stores_count_as_well(tmp_path):
    vendor = add_vendor(tmp_path / "acme")
    (vendor.path / "op_impl" / "ai_core").rename(vendor.path / "op_impl" / "vector_core")
    assert [row["type"] for row in operator_stores(vendor.path)["operators"]] == ["AddDsl"]


@pytest.mark.parametrize("lacks", ["config", "acme_impl"])
def test_entry_that_is_no_vendor_is_skipped_with_a_warning(tmp_path, lacks):
    vendor = add_vendor(tmp_path / "acme")
    missing = vendor.path / "op_impl" / "ai_core" / "tbe" / lacks
    missing.rename(tmp_path / "moved")
    found = operator_stores(vendor.path)
    assert found["operators"] == []
    (warning,) = found["warnings"]
    assert str(vendor.path) in warning
    assert str(missing) in warning


def test_operators_of_another_soc_do_not_count(tmp_path):
    vendor = add_vendor(tmp_path / "acme")
    found = operator_stores(vendor.path, family="Ascend910B")
    assert found["operators"] == []
    assert "ascend910b" in found["warnings"][0]


def test_operator_without_a_kernel_is_left_out(tmp_path):
    vendor = Vendor(tmp_path / "acme")
    vendor.write_info({"A": {**ADD_INFO, "opFile": {"value": "Null"}}, "B": ADD_INFO})
    assert [row["type"] for row in operator_stores(vendor.path)["operators"]] == ["B"]


def test_ini_form_says_the_same(tmp_path):
    vendor = Vendor(tmp_path / "acme")
    lines = ["# a comment", "[AddDsl]"]
    lines += [
        f"{item}.{key}={value}" for item, keys in ADD_INFO.items() for key, value in keys.items()
    ]
    (vendor.config / "aic-ascend310p-ops-info.ini").write_text("\n".join(lines))
    (row,) = operator_stores(vendor.path)["operators"]
    assert (row["type"], row["module"]) == ("AddDsl", "add_dsl")


def faults_of(vendor):
    with pytest.raises(CompileError) as raised:
        operator_stores(vendor.path)
    return [problem["message"] for problem in raised.value.problems]


FAULTS = {
    "input0.paramType": (
        {"input0": port("x", paramType="needed")},
        "[needed]; accepted are required",
    ),
    "input0.name": ({"input0": {**port("x"), "name": ""}}, "it is missing"),
    "input0.dtype": ({"input0": port("x", "float17,float,int32")}, "[float17] is no data type"),
    "output0.dtype": ({"output0": {"name": "z", "paramType": "required"}}, "it is missing"),
    "input1.format": ({"input1": {**port("y"), "format": "ND"}}, "1 entries"),
    "op.pattern": ({"op": {"pattern": "formatAgnostic"}}, "one input and one output"),
    "attr_alpha.type": ({"attr_alpha": {**ADD_INFO["attr_alpha"], "type": "double"}}, "[double]"),
    "attr_alpha.value": ({"attr_alpha": {**ADD_INFO["attr_alpha"], "value": ""}}, "is missing"),
    "attr_alpha.defaultValue": (
        {"attr_alpha": {"type": "float", "value": "all", "paramType": "optional"}},
        "is missing",
    ),
    "attr.list": ({"attr": {"list": "alpha,beta"}}, "no item attr_beta"),
    "attr_beta": ({"attr_beta": ADD_INFO["attr_alpha"]}, "not in attr.list"),
    "needCheckSupport.flag": ({"needCheckSupport": {"flag": "yes"}}, "[yes]; accepted are true"),
    "input2": ({"input3": port("w")}, "it is missing"),
}


@pytest.mark.parametrize("key", FAULTS)
def test_fault_names_file_type_and_key(tmp_path, key):
    change, shown = FAULTS[key]
    vendor = add_vendor(tmp_path / "acme", **change)
    (message,) = faults_of(vendor)
    file = vendor.config / "aic-ascend310p-ops-info.json"
    assert f"{file}: operator [AddDsl], key [{key}]: " in message
    assert shown in message


def test_all_faults_of_all_files_come_at_once(tmp_path):
    first = add_vendor(
        tmp_path / "a" / "one", needCheckSupport={"flag": "x"}, heavyOp={"flag": "y"}
    )
    second = add_vendor(tmp_path / "b" / "two", needCheckSupport={"flag": "z"})
    with pytest.raises(CompileError) as raised:
        operator_stores(f"{first.path}:{second.path}")
    assert len(raised.value.problems) == 3


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{", "not valid JSON"),
        ("[1]", "no JSON object"),
        ('{"A": 3}', "operator [A]: its value is 3"),
        ('{"A": {"input0": "x"}}', "key [input0]"),
        ('{"A": {"input0": {"name": true}}}', "key [input0.name]: its value is true"),
    ],
)
def test_file_that_is_no_library_is_refused(tmp_path, text, shown):
    messages = faults_of(Vendor(tmp_path / "acme").write_info(text))
    assert any(shown in message for message in messages)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[A]\ninput0.name=x\ninput0.name=y\n", "key [input0.name] twice"),
        ("input0.name=x\n", "before the first [OpType]"),
        ("[A]\nnonsense\n", "not like item.key=value"),
    ],
)
def test_line_of_an_ini_file_that_cannot_be_read_is_named(tmp_path, text, shown):
    vendor = Vendor(tmp_path / "acme")
    (vendor.config / "aic-ascend310p-ops-info.ini").write_text(text)
    assert any(shown in message for message in faults_of(vendor))


scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=4)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=9,
)


@given(value=json_values)
def test_any_json_is_read_or_refused(tmp_path_factory, value):
    vendor = Vendor(tmp_path_factory.mktemp("any") / "acme").write_info(json.dumps(value))
    try:
        operator_stores(vendor.path)
    except CompileError as error:
        assert all(str(vendor.config) in problem["message"] for problem in error.problems)
