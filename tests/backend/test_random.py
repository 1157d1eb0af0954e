"""Random numbers: drawn when a model runs, and of the distribution that is asked for."""

import math

import numpy as np
import onnx
import pytest
from compile.conftest import compile_command
from onnx import TensorProto, helper

import ge.om
from ge import _testing

DTYPES = {
    "float16": TensorProto.FLOAT16,
    "float32": TensorProto.FLOAT,
    "float64": TensorProto.DOUBLE,
    "bfloat16": TensorProto.BFLOAT16,
}
SEED = {"seed": 5.0}


def model_of(op_type, x, dims=None, opset=22, **attrs):
    """A model of one node; x is its input, or goes its own way where the node takes none."""
    takes = op_type not in ("RandomUniform", "RandomNormal")
    nodes = [helper.make_node(op_type, ["x"] * takes, ["drawn"], name="node", **attrs)]
    outputs = ["drawn"]
    if not takes:
        nodes.append(helper.make_node("Neg", ["x"], ["y"]))
        outputs.append("y")
    elem_type = helper.np_dtype_to_tensor_dtype(x.dtype)
    given = helper.make_tensor_value_info("x", elem_type, dims or x.shape)
    graph = helper.make_graph(nodes, "g", [given], [onnx.ValueInfoProto(name=y) for y in outputs])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


@pytest.fixture
def opened(run, atc, tmp_path):
    """Call as ``opened(model, *flags)``: the model, compiled and loaded."""

    def call(model, *flags):
        onnx.save(model, tmp_path / "model.onnx")
        command = compile_command(atc, tmp_path / "model.onnx", tmp_path / "model")
        done = run(*command, *flags)
        assert done.status == 0, done.stdout
        return ge.om.load(tmp_path / "model.om")

    return call


@pytest.fixture
def draw(opened):
    """Call as ``draw(op_type, x, **attrs)``: the numbers of one run."""

    def call(op_type, x, **attrs):
        with opened(model_of(op_type, x, **attrs)) as model:
            return np.asarray(model.run({"x": x})["drawn"])

    return call


def philox(seed, index):
    """One block of Philox 4x32-10, as its authors describe it."""
    key, counter = list(seed[:2]), [index % 2**32, index >> 32, *seed[2:]]
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * counter[0], 2**32)
        high1, low1 = divmod(0xCD9E8D57 * counter[2], 2**32)
        counter = [high1 ^ counter[1] ^ key[0], low1, high0 ^ counter[3] ^ key[1], low0]
        key = [(key[0] + 0x9E3779B9) % 2**32, (key[1] + 0xBB67AE85) % 2**32]
    return counter


def test_the_generator_is_philox(draw):
    known = philox((0, 0, 0, 0), 0)  # of the authors' table of known answers
    assert known == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    bits = int(np.float32(5).view(np.uint32))
    words = [word for i in range(3) for word in philox((bits, 0, 1, 0), i)][:10]
    drawn = draw("RandomUniform", np.zeros(1, np.float32), shape=[10], **SEED)
    np.testing.assert_array_equal(drawn, [(word >> 8) / 2**24 for word in words])


@pytest.mark.parametrize("opset", [1, 22])
@pytest.mark.parametrize("name", DTYPES)
def test_uniform_numbers_lie_in_their_range_and_fill_it(draw, name, opset):
    attrs = {"low": -1.0, "high": 3.0, "dtype": DTYPES[name], "opset": opset}
    if opset == 1 and name == "bfloat16":
        attrs["opset"] = 22
    drawn = draw("RandomUniform", np.zeros(1, np.float32), shape=[100, 501], **SEED, **attrs)
    assert drawn.dtype.name == name
    assert drawn.shape == (100, 501)
    wide = drawn.astype(np.float64)
    assert wide.min() >= -1
    assert wide.max() < 3 if name in ("float32", "float64") else wide.max() <= 3
    shares = np.histogram(wide, 8, (-1, 3))[0] / wide.size
    np.testing.assert_allclose(shares, 1 / 8, atol=0.01 if name == "bfloat16" else 0.006)
    # neighbours have nothing to do with each other
    assert abs(np.corrcoef(wide.ravel()[:-1], wide.ravel()[1:])[0, 1]) < 0.02


@pytest.mark.parametrize("name", DTYPES)
def test_normal_numbers_have_their_mean_and_deviation(draw, name):
    attrs = {"mean": 2.0, "scale": 0.5, "dtype": DTYPES[name]}
    drawn = draw("RandomNormal", np.zeros(1, np.float32), shape=[50001], **SEED, **attrs)
    assert drawn.dtype.name == name
    wide = (drawn.astype(np.float64) - 2) / 0.5
    assert abs(wide.mean()) < 0.02
    assert abs(wide.std() - 1) < 0.02
    for limit in (0.5, 1, 2, 3):
        share = math.erf(limit / math.sqrt(2))
        assert abs((abs(wide) < limit).mean() - share) < 0.01
    assert abs(np.corrcoef(wide[:-1], wide[1:])[0, 1]) < 0.02


@pytest.mark.parametrize("op_type", ["RandomUniformLike", "RandomNormalLike"])
def test_numbers_like_a_tensor_have_its_shape_and_dtype(draw, opened, op_type):
    x = np.zeros((3, 4), np.float16)
    assert draw(op_type, x).shape == (3, 4)
    assert draw(op_type, x).dtype == np.float16
    assert draw(op_type, x.astype(np.int32), dtype=TensorProto.DOUBLE).dtype == np.float64
    with opened(model_of(op_type, x, dims=["n", 4]), "--input_shape=x:-1,4") as model:
        for rows in (2, 7):
            assert model.run({"x": np.zeros((rows, 4), np.float16)})["drawn"].shape == (rows, 4)


@pytest.mark.parametrize("name", [*DTYPES, "int64", "bool"])
def test_bernoulli_draws_1_as_often_as_told(draw, name):
    x = np.repeat(np.array([[0, 0.25, 0.9, 1]]), 20000, 0).astype(np.float32)
    dtype = DTYPES.get(name) or getattr(TensorProto, name.upper())
    drawn = draw("Bernoulli", x, dtype=dtype, **SEED)
    assert drawn.dtype.name == name
    assert set(np.unique(drawn.astype(float))) == {0, 1}
    np.testing.assert_allclose(drawn.astype(float).mean(0), [0, 0.25, 0.9, 1], atol=0.012)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_multinomial_draws_classes_by_their_logits(draw, kind):
    shares = np.array([[0.1, 0, 0.6, 0.3], [0.25, 0.25, 0.25, 0.25]])
    with np.errstate(divide="ignore"):
        logits = (np.log(shares) + 3).astype(kind)
    drawn = draw("Multinomial", logits, sample_size=20000, dtype=TensorProto.INT64, **SEED)
    assert drawn.dtype == np.int64
    assert drawn.shape == (2, 20000)
    for row, expected in zip(drawn, shares, strict=True):
        found = np.bincount(row, minlength=4) / row.size
        np.testing.assert_allclose(found, expected, atol=0.012)
        assert all(found[expected == 0] == 0)
    assert draw("Multinomial", logits).dtype == np.int32


@pytest.mark.parametrize("row", [[-np.inf, -np.inf], [np.nan, 0], [np.inf, 0]])
def test_a_row_without_a_class_to_draw_fails_when_it_runs(opened, row):
    x = np.array([row], np.float32)
    with (
        opened(model_of("Multinomial", x)) as model,
        pytest.raises(ge.errors.GeError, match="row 0"),
    ):
        model.run({"x": x})


CALLS = [
    ("RandomUniform", {"shape": [20]}),
    ("RandomNormal", {"shape": [20]}),
    ("RandomUniformLike", {}),
    ("RandomNormalLike", {}),
    ("Bernoulli", {}),
    ("Multinomial", {"sample_size": 40}),
]


@pytest.mark.parametrize(("op_type", "attrs"), CALLS)
def test_without_a_seed_every_run_differs(opened, op_type, attrs):
    x = np.full((2, 40), 0.5, np.float32)
    with opened(model_of(op_type, x, **attrs)) as model:
        first, second = (model.run({"x": x})["drawn"] for _ in range(2))
    assert (first != second).any()


@pytest.mark.parametrize(("op_type", "attrs"), CALLS)
def test_a_seed_decides_the_numbers(opened, op_type, attrs):
    x = np.full((2, 40), 0.5, np.float32)
    results = []
    for seed in (0.0, 0.0, 1.0):
        with opened(model_of(op_type, x, seed=seed, **attrs)) as model:
            results += [model.run({"x": x})["drawn"] for _ in range(2)]
    for again in results[1:4]:
        np.testing.assert_array_equal(again, results[0])
    assert (results[4] != results[0]).any()


def test_the_number_of_threads_does_not_matter(opened):
    x = np.zeros((1, 100_003), np.float32)
    with opened(model_of("RandomNormalLike", x, **SEED)) as model:
        one, two = (model.run({"x": x}, threads=n)["drawn"] for n in (1, 2))
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize(
    ("op_type", "attrs", "words"),
    [
        ("RandomUniform", {}, "shape is missing"),
        ("RandomUniform", {"shape": [-1]}, "-1"),
        ("RandomNormal", {"shape": [2], "dtype": TensorProto.INT32}, "int32"),
        ("RandomNormal", {"shape": [2], "dtype": TensorProto.FLOAT8E4M3FN}, "dtype 17"),
        ("RandomNormalLike", {"dtype": TensorProto.BOOL}, "bool"),
        ("Bernoulli", {"dtype": TensorProto.STRING}, "dtype 8"),
        ("Multinomial", {"dtype": TensorProto.FLOAT}, "float32"),
        ("Multinomial", {"sample_size": -1}, "sample_size is -1"),
    ],
)
def test_what_cannot_be_drawn_is_refused(op_type, attrs, words):
    model = model_of(op_type, np.zeros((2, 3), np.float32), **attrs)
    with pytest.raises(_testing.CompileError, match=words):
        _testing.import_onnx(model.SerializeToString(), allow_unknown_inputs=True)
