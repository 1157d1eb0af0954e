"""Sequences and optionals: followed while a model is imported, so that only tensors remain."""

import numpy as np
import onnx
import pytest
from onnx import parser

import ge.om
from ge import _testing


def model(text, opset=17):
    return parser.parse_model(f'<ir_version: 8, opset_import: ["": {opset}]> {text}')


def floats(*shape):
    return np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)


def refused(text, *words, opset=17):
    with pytest.raises(_testing.CompileError) as caught:
        _testing.import_onnx(model(text, opset).SerializeToString(), allow_unknown_inputs=True)
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize(
    ("insert", "erase", "at"),
    [
        ("{0}", "{1}", "{0}"),
        ("{-1}", "{-3}", "{-1}"),
        ("{3}", "{0}", "{2}"),
        ("{-3}", "{2}", "{1}"),
    ],
)
def test_tensors_are_inserted_erased_and_read_by_position(check_run, insert, erase, at):
    text = f"""
    agraph (float[2, 3] x, float[1, 3] y) => (float[n, m] z, int64 length)
      <int64 insert = {insert}, int64 erase = {erase}, int64 at = {at}>
    {{
      x2 = Neg(x)
      three = SequenceConstruct(x, y, x2)
      same = Identity(three)
      y2 = Exp(y)
      four = SequenceInsert(same, y2, insert)
      left = SequenceErase(four, erase)
      z = SequenceAt(left, at)
      length = SequenceLength(left)
    }}"""
    check_run(model(text), {"x": floats(2, 3), "y": -floats(1, 3)})


def test_positions_left_out_are_the_end(check_run):
    text = """
    agraph (float[2, 3] x, float[1, 3] y) => (float[n, 3] z) {
      none = SequenceEmpty()
      one = SequenceInsert(none, x)
      two = SequenceInsert(one, y)
      three = SequenceInsert(two, x)
      left = SequenceErase(three)
      z = ConcatFromSequence<axis = 0>(left)
    }"""
    check_run(model(text), {"x": floats(2, 3), "y": -floats(1, 3)})


@pytest.mark.parametrize(
    ("axis", "new_axis"), [(0, 0), (1, 0), (-1, 0), (0, 1), (1, 1), (2, 1), (-1, 1), (-2, 1)]
)
@pytest.mark.parametrize("names", ["x", "x, y", "x, y, x"])
def test_a_sequence_is_joined(check_run, axis, new_axis, names):
    text = f"""
    agraph (float[2, 3] x, float[2, 3] y) => (float[a, b{", c" * new_axis}] z) {{
      sequence = SequenceConstruct({names})
      joined = ConcatFromSequence<axis = {axis}, new_axis = {new_axis}>(sequence)
      rest = ReduceSum<keepdims = 0>(y)
      z = Add(joined, rest)
    }}"""
    check_run(model(text), {"x": floats(2, 3), "y": -floats(2, 3)})


@pytest.mark.parametrize(
    ("split", "attrs", "count"),
    [
        ("", "axis = 0", 5),
        ("", "axis = -1, keepdims = 0", 3),
        ("int64 split = {2}", "axis = 0", 3),
        ("int64 split = {5}", "axis = 0", 1),
        ("int32 split = {7}", "axis = 0", 1),
        ("int64[3] split = {1, 0, 4}", "axis = 0", 3),
        ("int64[1] split = {3}", "axis = 1, keepdims = 0", 1),
    ],
)
def test_a_tensor_is_split_into_a_sequence(check_run, split, attrs, count):
    reads = "".join(
        f"at{i} = Constant<value_int = {i}>() z{i} = SequenceAt(parts, at{i}) y{i} = Neg(z{i})"
        for i in range(count)
    )
    outputs = ", ".join(
        f"float[{','.join('ab' if 'keepdims' not in attrs or split else 'a')}] y{i}"
        for i in range(count)
    )
    text = f"""
    agraph (float[5, 3] x) => ({outputs}, int64 length) {f"<{split}>" if split else ""} {{
      parts = SplitToSequence<{attrs}>(x{", split" if split else ""})
      length = SequenceLength(parts)
      {reads}
    }}"""
    check_run(model(text), {"x": floats(5, 3)})


@pytest.mark.parametrize("shape", ["", "[1]"])
def test_a_position_may_be_an_input_where_all_shapes_are_equal(compile_to, shape):
    text = f"""
    agraph (float[2, 3] x, float[2, 3] y, int64{shape} at) => (float[2, 3] z) {{
      sequence = SequenceConstruct(x, y)
      z = SequenceAt(sequence, at)
    }}"""
    x, y = floats(2, 3), -floats(2, 3)
    with compile_to(model(text)) as opened:
        for position, expected in ((0, x), (1, y), (-1, y), (-2, x)):
            at = np.full((1,) if shape else (), position)
            np.testing.assert_array_equal(opened.run({"x": x, "y": y, "at": at})["z"], expected)
        with pytest.raises(ge.errors.GeError):
            opened.run({"x": x, "y": y, "at": np.full((1,) if shape else (), 2)})


@pytest.fixture
def compile_to(run, atc, tmp_path):
    def call(proto):
        from compile.conftest import compile_command

        onnx.save(proto, tmp_path / "model.onnx")
        done = run(*compile_command(atc, tmp_path / "model.onnx", tmp_path / "model"))
        assert done.status == 0, done.stdout
        return ge.om.load(tmp_path / "model.om")

    return call


def test_a_graph_is_mapped_over_a_sequence(check_run):
    text = """
    agraph (float[2, 3] x, float[3] y) => (float[n, 3] z, float[m, 3] w) {
      rows = SplitToSequence<axis = 0>(x)
      again = SplitToSequence<axis = 0>(x)
      sums, products = SequenceMap<body = body (float[1, 3] row, float[3] y_in, float[1, 3] other)
        => (float[1, 3] sum, float[1, 3] product) {
          shifted = Add(row, y_in)
          sum = Mul(shifted, y)
          product = Mul(row, other)
      }>(rows, y, again)
      z = ConcatFromSequence<axis = 0>(sums)
      w = ConcatFromSequence<axis = 0>(products)
    }"""
    check_run(model(text), {"x": floats(2, 3), "y": floats(3)})


def test_branches_read_sequences_from_around_them(check_run):
    text = """
    agraph (bool flag, float[2, 3] x, float[2, 3] y) => (float[2, 3] z) {
      sequence = SequenceConstruct(x, y)
      z = If (flag) <
        then_branch = yes () => (float[2, 3] a) {
          first = Constant<value_int = 0>()
          head = SequenceAt(sequence, first)
          a = Neg(head)
        },
        else_branch = no () => (float[2, 3] b) {
          second = Constant<value_int = 1>()
          longer = SequenceInsert(sequence, x)
          tail = SequenceAt(longer, second)
          b = Exp(tail)
        }
      >
    }"""
    feeds = {"x": floats(2, 3), "y": -floats(2, 3)}
    check_run(model(text), *(feeds | {"flag": np.array(flag)} for flag in (True, False)))


def test_optionals_are_their_elements(check_run):
    text = """
    agraph (float[2, 3] x) => (float[2, 3] y, bool has, bool has_not, float[2, 3] z) {
      optional = Optional(x)
      has = OptionalHasElement(optional)
      nothing = Optional<type = float[2]>()
      has_not = OptionalHasElement(nothing)
      element = OptionalGetElement(optional)
      y = Neg(element)
      sequence = SequenceConstruct(x)
      wrapped = Optional(sequence)
      same = OptionalGetElement(wrapped)
      z = ConcatFromSequence<axis = 0>(same)
    }"""
    proto = model(text)
    (node,) = [node for node in proto.graph.node if node.output[0] == "nothing"]
    del node.attribute[:]
    node.attribute.append(
        onnx.helper.make_attribute(
            "type", onnx.helper.make_tensor_type_proto(onnx.TensorProto.FLOAT, [2])
        )
    )
    check_run(proto, {"x": floats(2, 3)})


BODY = "agraph (float[2, 3] x, int64 at, int64[k] sizes) => (float[n, m] z)"


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ("s = SequenceEmpty() z = SequenceAt(s, at)", ["no tensors"]),
        ("s = SequenceEmpty() z = ConcatFromSequence<axis = 0>(s)", ["no tensors"]),
        ("s = SequenceConstruct(x) t = SequenceErase(s, at) z = SequenceAt(t, at)", ["constant"]),
        ("s = SequenceConstruct(x) t = SequenceInsert(s, x, at) z = SequenceAt(t, at)",
         ["constant"]),
        ("y = Transpose(x) s = SequenceConstruct(x, y) z = SequenceAt(s, at)",
         ["different shapes"]),
        ("s = SequenceConstruct(x) p = Constant<value_int = 1>() z = SequenceAt(s, p)",
         ["position 1", "1 tensors"]),
        ("s = SequenceConstruct(x) p = Constant<value_int = -3>() t = SequenceInsert(s, x, p) "
         "z = ConcatFromSequence<axis = 0>(t)", ["position -3"]),
        ("s = SequenceConstruct(x) z = Neg(s)", ["Neg", "sequence"]),
        ("z = SequenceAt(x, at)", ["input 0 is not a sequence"]),
        ("s = SequenceConstruct(x) t = SequenceInsert(s, s) z = SequenceAt(t, at)", ["input 1"]),
        ("s = SequenceConstruct(x, at) z = SequenceAt(s, at)", ["float32", "int64"]),
        ("s = SequenceConstruct(x) z = Identity(s)", ["output of the model", "z"]),
        ("s = SplitToSequence(x, at) z = SequenceAt(s, at)", ["scalar split", "constant"]),
        ("s = SplitToSequence(x, sizes) z = SequenceAt(s, at)", ["unknown length"]),
        ("p = Constant<value_int = 0>() s = SplitToSequence(x, p) z = SequenceAt(s, at)",
         ["split is 0"]),
        ("s = SplitToSequence<axis = 2>(x) z = SequenceAt(s, at)", ["axis 2"]),
        ("s = SequenceConstruct(x) z = ConcatFromSequence(s)", ["axis is missing"]),
        ("s = SequenceConstruct(x) z = ConcatFromSequence<axis = 0, new_axis = 2>(s)",
         ["new_axis"]),
        ("e = Optional() z = OptionalGetElement(e)", ["no element"]),
        ("e = Optional() z = Neg(e)", ["Neg", "empty optional"]),
    ],
)  # fmt: skip
def test_what_cannot_be_followed_is_refused(nodes, words):
    refused(f"{BODY} {{ {nodes} }}", *words)


@pytest.mark.parametrize(
    "node",
    [
        """s = SequenceConstruct(x)
        t = If (flag) <then_branch = yes () => (seq(float[2, 3]) a) { a = Identity(s) },
                       else_branch = no () => (seq(float[2, 3]) b) { b = SequenceEmpty() }>""",
        """s = SequenceConstruct(x)
        limit = Constant<value_int = 3>()
        t = Loop (limit, flag, s) <body = body (int64 i, bool go, seq(float[2, 3]) before)
              => (bool go_on, seq(float[2, 3]) after) {
                go_on = Identity(go) after = SequenceInsert(before, x)
              }>""",
    ],
)
def test_sequences_that_depend_on_the_run_are_refused(node):
    refused(
        f"agraph (bool flag, float[2, 3] x, int64 at) => (float[2, 3] z) {{ {node} "
        "z = SequenceAt(t, at) }",
        "sequence",
        "tensors are built",
    )


def test_a_sequence_of_millions_of_elements_is_refused():
    chain = "x0 = SequenceConstruct(x)" + "".join(
        f" x{i + 1} = SequenceInsert(x{i}, x)" for i in range(3000)
    )
    refused(f"{BODY} {{ {chain} z = SequenceAt(x3000, at) }}", "millions of elements")
