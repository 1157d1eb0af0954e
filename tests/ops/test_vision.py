"""GridSample, RoiAlign, NonMaxSuppression, DepthToSpace, SpaceToDepth."""

import numpy as np
import pytest
import strategies as gen
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.oracle import Call, check_refused, check_shapes, import_call
from ops.test_conv import node_of

EXAMPLES = settings(max_examples=20)  # every example is a session of onnxruntime

F32 = np.float32
MODES = {
    16: {"bilinear": "bilinear", "nearest": "nearest", "bicubic": "bicubic"},
    20: {"linear": "bilinear", "nearest": "nearest", "cubic": "bicubic"},
}


@pytest.mark.parametrize("opset", [16, 20])
@EXAMPLES
@given(data=st.data())
def test_grid_sample(opset, data):
    spatial = 2 if opset == 16 else data.draw(st.integers(2, 3))
    names = [m for m in MODES[opset] if spatial == 2 or "cubic" not in m]
    mode = data.draw(st.sampled_from(names))
    dims = data.draw(st.lists(st.integers(1, 4), min_size=2 * spatial, max_size=2 * spatial))
    x = np.zeros((1, 2, *dims[:spatial]), F32)
    grid = np.zeros((1, *dims[spatial:], spatial), F32)
    padding = data.draw(st.sampled_from(["zeros", "border", "reflection"]))
    attrs = {"mode": mode, "padding_mode": padding, "align_corners": 1}
    call = Call("GridSample", [x, grid], attrs, opset)
    hidden = data.draw(gen.hidden_dims(call.inputs))
    if hidden.get(0, ()) is None:
        hidden.pop(0)
    node = node_of(check_shapes(call, hidden=hidden), f"GridSampler{spatial}D")
    assert node["attrs"]["interpolation_mode"] == MODES[opset][mode]
    assert node["attrs"]["align_corners"] is True


@pytest.mark.parametrize(
    ("opset", "attrs", "end_mode"),
    [
        (10, {}, 0),
        (16, {}, 2),
        (16, {"coordinate_transformation_mode": "output_half_pixel"}, 0),
        (22, {"mode": "max", "sampling_ratio": 2}, 2),
    ],
)
def test_roi_align(opset, attrs, end_mode):
    rois, batch = np.array([[0, 0, 2, 2], [1, 1, 3, 3]], F32), np.zeros(2, np.int64)
    attrs = {"output_height": 2, "output_width": 3, "spatial_scale": 0.5, **attrs}
    call = Call("RoiAlign", [np.zeros((1, 2, 4, 4), F32), rois, batch], attrs, opset)
    node = node_of(check_shapes(call), "ROIAlign")
    assert node["attrs"]["roi_end_mode"] == end_mode
    assert node["attrs"]["pool_mode"] == attrs.get("mode", "avg")
    check_shapes(call, hidden={1: (0,), 2: (0,)})


def suppression(count, **attrs):
    rng = np.random.default_rng(0)
    inputs = [
        rng.random((1, 100, 4), np.float32),
        rng.random((1, 1, 100), np.float32),
        np.array([300], np.int64),
        np.array([0.7], F32),
        np.array([0.0], F32),
    ]
    return Call("NonMaxSuppression", inputs[:count], attrs)


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_suppression_with_any_number_of_inputs(count):
    call = suppression(count)
    imported = check_shapes(call, constant=range(2, count), data_dependent=True)
    assert imported["outputs"][0]["shape"] == [-1, 3]
    node = node_of(imported, "NonMaxSuppressionV6")
    values = {n["name"]: n for n in imported["nodes"]}
    limit = values[node["inputs"][2].split(":")[0]]["outputs"][0]
    assert limit["dtype"] == "int32"
    assert bool(node["inputs"][4:] and node["inputs"][4]) == (count == 5)


def test_limit_beyond_int32_is_no_limit():
    call = suppression(3)
    call.inputs[2] = np.array([2**63 - 1], np.int64)
    check_shapes(call, constant=(2,), data_dependent=True)


def test_limit_known_at_run_time_only():
    check_shapes(suppression(5, center_point_box=1), data_dependent=True)


@pytest.mark.parametrize("op_type", ["DepthToSpace", "SpaceToDepth"])
@EXAMPLES
@given(data=st.data())
def test_depth_and_space(op_type, data):
    block = data.draw(st.integers(1, 3))
    n, c, h, w = data.draw(st.tuples(*[st.integers(1, 3)] * 4))
    attrs = {"blocksize": block}
    if op_type == "DepthToSpace":
        x = np.zeros((n, c * block * block, h, w), F32)
        attrs["mode"] = data.draw(st.sampled_from(["DCR", "CRD"]))
    else:
        x = np.zeros((n, c, h * block, w * block), F32)
    check_shapes(Call(op_type, [x], attrs, 13), hidden=data.draw(gen.hidden_dims([x])))


X = np.zeros((1, 4, 4, 4), F32)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (Call("DepthToSpace", [X], {"blocksize": 3}), ["9", "[1,4,4,4]"]),
        (Call("DepthToSpace", [X], {"blocksize": 0}), ["block_size is 0"]),
        (Call("DepthToSpace", [X], {"blocksize": 2**62}), [str(2**62)]),
        (Call("DepthToSpace", [X], {"blocksize": 2, "mode": "X"}), ["mode", "X"]),
        (Call("SpaceToDepth", [X], {"blocksize": 3}), ["3", "[1,4,4,4]"]),
        (Call("SpaceToDepth", [X[0]], {"blocksize": 2}), ["[4,4,4]"]),
        (Call("GridSample", [X, np.zeros((1, 2, 2, 3), F32)]), ["[1,2,2,3]"]),
        (Call("GridSample", [X, np.zeros((2, 2, 2, 2), F32)]), ["[2,2,2,2]", "batch"]),
        (Call("GridSample", [X, np.zeros((1, 2, 2, 2), F32)], {"mode": "area"}), ["area"]),
        (
            Call("NonMaxSuppression", [np.zeros((1, 5, 4), F32), np.zeros((1, 1, 6), F32)]),
            ["[1,1,6]", "[1,5,4]"],
        ),
        (Call("NonMaxSuppression", [X[0], np.zeros((1, 1, 6), F32)]), ["scores"]),
        (
            Call("RoiAlign", [X, np.zeros((2, 4), F32), np.zeros(2, np.int64)], {"mode": "min"}),
            ["min", "avg"],
        ),
    ],
)
def test_wrong_calls_are_refused(call, words):
    check_refused(call, *words)


def test_volumes_have_no_cubic_samples():
    x, grid = np.zeros((1, 1, 2, 2, 2), F32), np.zeros((1, 2, 2, 2, 3), F32)
    check_refused(Call("GridSample", [x, grid], {"mode": "cubic"}, 20), "cubic")
    assert import_call(Call("GridSample", [x, grid], {"mode": "nearest"}, 20))
