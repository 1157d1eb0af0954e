"""OMs whose convolutions hold activations that are not such as the compiler writes."""

import numpy as np
import pytest
from om.om_files import message, rewritten
from onnx import helper

import ge.om
from ge.errors import ModelFileError

HELD = "pyatc_activation"


@pytest.fixture(scope="session")
def clip_om(compiled):
    """OM of ``y = Clip(Conv(x, w), 0, 6)``; the convolution holds the Clip."""
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], name="conv"),
        helper.make_node("Clip", ["c", "low", "high"], ["y"], name="clip"),
    ]
    weights = {"w": np.ones((2, 3, 1, 1), np.float32)}
    weights |= {"low": np.float32(0), "high": np.float32(6)}
    dims = {"x": [1, 3, 4, 4]}, {"y": [1, 2, 4, 4]}
    return compiled(nodes, *dims, weights, name="clip", flags=["--precision_mode_v2=origin"])


def of_type(model, name):
    (row,) = [op for op in model.graph[0].op if op.type == name]
    return row


def conv_in(model):
    return of_type(model, "Conv2D")


def attr(**value):
    result = message("AttrDef")
    for name, part in value.items():
        setattr(result, name, part)
    return result


def other_type(model, tasks):
    conv_in(model).attr[HELD].CopyFrom(attr(s=b"Conv2D"))


def other_kind(model, tasks):
    conv_in(model).attr[HELD].CopyFrom(attr(i=3))


def no_bound(model, tasks):
    del conv_in(model).attr[f"{HELD}.clip_value_max"]


def bound_of_other_kind(model, tasks):
    conv_in(model).attr[f"{HELD}.clip_value_min"].CopyFrom(attr(s=b"0"))


def parameter_of_other_kind(model, tasks):
    conv_in(model).attr[HELD].CopyFrom(attr(s=b"LeakyRelu"))
    conv_in(model).attr[f"{HELD}.negative_slope"].CopyFrom(attr(b=True))


@pytest.mark.parametrize(
    "change", [other_type, other_kind, no_bound, bound_of_other_kind, parameter_of_other_kind]
)
def test_an_activation_that_is_not_known_is_refused(clip_om, change):
    with pytest.raises(ModelFileError, match=r"\[conv\] of type Conv2D holds an activation"):
        ge.om.load(rewritten(clip_om, change))


@pytest.mark.parametrize("holder", ["Data", "Const", "NetOutput"])
def test_nodes_that_compute_nothing_cannot_hold_one(clip_om, holder):
    def change(model, tasks):
        of_type(model, holder).attr[HELD].CopyFrom(attr(s=b"Relu"))

    with pytest.raises(ModelFileError, match="holds an activation"):
        ge.om.load(rewritten(clip_om, change))


def test_a_task_without_arguments_is_refused(clip_om):
    def change(model, tasks):
        tasks.task[0].kernel.args = b""
        tasks.task[0].kernel.args_size = 0

    with pytest.raises(ModelFileError, match="arguments"):
        ge.om.load(rewritten(clip_om, change))


def test_a_graph_in_a_circle_is_refused(clip_om):
    def change(model, tasks):
        conv_in(model).input[0] = f"{conv_in(model).name}:0"

    with pytest.raises(ModelFileError):
        ge.om.load(rewritten(clip_om, change))


def test_the_graph_is_shown_as_the_file_has_it(clip_om):
    with ge.om.load(clip_om) as model:
        assert model.graph.operators() == {"Conv2D": 1}
        (conv,) = [node for node in model.graph.nodes if node.type == "Conv2D"]
        assert conv.attrs[HELD] == "ClipByValue"
        assert conv.attrs[f"{HELD}.clip_value_max"] == 6
        (y,) = model(np.full((1, 3, 4, 4), 3, np.float32))
    assert (y == 6).all()
