"""A sample of onnx's backend test cases; `make conformance` runs all of them."""

import itertools

import onnx
import pytest
from conformance import report
from conformance.cases import Case, file_cases, node_cases, node_modules, out_of_scope
from conformance.check import failure
from onnx import helper

SAMPLE = 8  # every so many modules of node cases


@pytest.fixture(autouse=True)
def same_onnx():
    if onnx.__version__ != report.version():
        pytest.skip(f"docs/onnx-conformance.md is about onnx {report.version()}")


@pytest.mark.parametrize("start", range(0, SAMPLE, 4))
def test_cases_fail_only_where_the_page_says_so(tmp_path, start):
    known = report.listed()
    wrong = []
    cases = node_cases(node_modules()[start::SAMPLE])
    for case in itertools.chain(cases, file_cases() if start == 0 else ()):
        if out_of_scope(case):
            assert case.name not in known
            continue
        reason = failure(case, tmp_path)
        if (reason is not None) != (case.name in known):
            wrong.append(f"{case.name}: {reason or 'is listed, but passes'}")
    assert not wrong, "\n".join(wrong)


def test_a_wrong_value_is_a_failure(tmp_path):
    case = next(case for case in node_cases(["abs"]) if case.name == "test_abs")
    assert failure(case, tmp_path) is None
    ((inputs, (expected,)),) = case.data_sets
    changed = expected.copy()
    changed.flat[0] += 0.01
    wrong = Case("wrong", case.model, [(inputs, [changed])])
    assert failure(wrong, tmp_path) == "wrong result: other values"


def test_a_model_that_is_refused_is_a_failure(tmp_path):
    node = helper.make_node("ImageDecoder", ["x"], ["y"])
    value = [helper.make_tensor_value_info(name, 1, [2, 2]) for name in "xy"]
    model = helper.make_model(helper.make_graph([node], "g", value[:1], value[1:]))
    assert failure(Case("refused", model, [({}, [])]), tmp_path).startswith("E10501: ImageDecoder")
