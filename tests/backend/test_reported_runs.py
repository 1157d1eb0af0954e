"""Numbers that users of other compilers got wrong, or did not get at all."""

import numpy as np
from backend.test_loops import info, model_of
from onnx import TensorProto, helper


def node(op, inputs, outputs, **attrs):
    return helper.make_node(op, inputs, outputs, **attrs)


def test_suppression_without_a_score_threshold(check_run):
    rng = np.random.default_rng(0)
    corners = rng.random((1, 100, 4), np.float32)
    boxes = np.concatenate([corners[..., :2], corners[..., :2] + corners[..., 2:]], -1)
    model = model_of(
        [node("NonMaxSuppression", ["boxes", "scores", "most", "iou"], ["picked"])],
        [info("boxes", [1, 100, 4]), info("scores", [1, 1, 100])],
        [info("picked", [None, 3], TensorProto.INT64)],
        [("most", np.array([300])), ("iou", np.array([0.7], np.float32))],
    )
    feed = {"boxes": boxes, "scores": rng.random((1, 1, 100), np.float32)}
    assert 50 < len(check_run(model, feed)["picked"]) < 100


def test_a_number_of_boxes_beyond_32_bits_is_no_limit(check_run):
    model = model_of(
        [node("NonMaxSuppression", ["boxes", "scores", "most"], ["picked"])],
        [info("boxes", [1, 9, 4]), info("scores", [1, 1, 9]), info("most", [1], TensorProto.INT64)],
        [info("picked", [None, 3], TensorProto.INT64)],
        [],
    )
    rng = np.random.default_rng(0)
    boxes, scores = rng.random((1, 9, 4), np.float32), rng.random((1, 1, 9), np.float32)
    feeds = [{"boxes": boxes, "scores": scores, "most": np.array([n])} for n in (2**40, 2, -1)]
    assert len(check_run(model, *feeds)["picked"]) == 0


def test_positions_of_the_largest_stay_64_bits_wide(check_run):
    model = model_of(
        [
            node("TopK", ["x", "k"], ["values", "places"]),
            node("Mul", ["b", "hundred"], ["product"]),
            node("Add", ["places", "product"], ["y"]),
        ],
        [info("x", [8]), info("b", [1], TensorProto.INT64)],
        [info("y", [3], TensorProto.INT64)],
        [("k", np.array([3])), ("hundred", np.array(100))],
    )
    x = np.array([1, 9, 3, 7, 5, 2, 8, 0], np.float32)
    assert check_run(model, {"x": x, "b": np.array([2])})["y"].tolist() == [201, 206, 203]


def test_an_operand_without_elements_is_nothing(check_run):
    model = model_of(
        [
            node("Slice", ["x", "zero", "zero", "one"], ["empty"]),
            node("Concat", ["empty", "x"], ["y"], axis=1),
        ],
        [info("x", [1, 4])],
        [info("y", [1, 4])],
        [("zero", np.array([0])), ("one", np.array([1]))],
    )
    x = np.arange(4, dtype=np.float32)[None]
    assert check_run(model, {"x": x})["y"].tolist() == x.tolist()


def test_ends_beyond_every_axis(check_run):
    most, least = np.iinfo(np.int64).max, np.iinfo(np.int64).min
    model = model_of(
        [
            node("Slice", ["x", "three", "most", "axis"], ["tail"]),
            node("Slice", ["x", "last", "least", "axis", "back"], ["reverse"]),
        ],
        [info("x", [1, 8])],
        [info("tail", [1, 5]), info("reverse", [1, 8])],
        [
            ("three", np.array([3])),
            ("most", np.array([most])),
            ("axis", np.array([1])),
            ("last", np.array([-1])),
            ("least", np.array([least])),
            ("back", np.array([-1])),
        ],
    )
    results = check_run(model, {"x": np.arange(8, dtype=np.float32)[None]})
    assert results["tail"].tolist() == [[3, 4, 5, 6, 7]]
    assert results["reverse"].tolist() == [[7, 6, 5, 4, 3, 2, 1, 0]]


def test_of_equal_scores_the_lowest_class_wins(check_run):
    model = model_of(
        [
            node("ArgMax", ["x"], ["winner"], axis=1, keepdims=0),
            node("Cast", ["winner"], ["y"], to=TensorProto.UINT8),
        ],
        [info("x", [1, 19, 40, 30])],
        [info("y", [1, 40, 30], TensorProto.UINT8)],
    )
    x = np.random.default_rng(0).standard_normal((1, 19, 40, 30)).astype(np.float32)
    x[:, [5, 11]] = 9
    assert (check_run(model, {"x": x})["y"] == 5).all()


def test_quantization_rounds_to_even_and_saturates(check_run):
    model = model_of(
        [
            node("QuantizeLinear", ["x", "scale", "zero"], ["q"]),
            node("DequantizeLinear", ["q", "scale", "zero"], ["y"]),
        ],
        [info("x", [6])],
        [info("y", [6])],
        [("scale", np.array(0.5, np.float32)), ("zero", np.array(0, np.int8))],
    )
    x = np.array([0.25, 0.75, 1.25, -0.25, 100, -100], np.float32)
    assert check_run(model, {"x": x})["y"].tolist() == [0, 1, 1, 0, 63.5, -64]


def test_axes_of_a_volume_are_resized_by_name(check_run):
    model = model_of(
        [node("Resize", ["x", "", "", "sizes"], ["y"], axes=[2, 3, 4], mode="nearest")],
        [info("x", [2, 4, 7, 1, 5])],
        [info("y", [2, 4, 7, 1, 6])],
        [("sizes", np.array([7, 1, 6]))],
    )
    model.opset_import[0].version = 18
    x = np.random.default_rng(0).random((2, 4, 7, 1, 5), np.float32)
    assert check_run(model, {"x": x})["y"].shape == (2, 4, 7, 1, 6)
