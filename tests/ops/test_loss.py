"""NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss."""

import numpy as np
import pytest
from ops.oracle import Call, check_folds, check_refused, check_shapes

F32 = np.float32


def loss(op_type, spatial=(), weight=False, **attrs):
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, (3, 4, *spatial)).astype(F32)
    target = rng.integers(0, 4, (3, *spatial)).astype(np.int64)
    if "ignore_index" in attrs:
        target.flat[1] = attrs["ignore_index"]
    inputs = [x, target]
    if weight:
        inputs.append(rng.uniform(0.1, 1, 4).astype(F32))
    return Call(op_type, inputs, attrs, 13, outputs=2 if op_type.startswith("Softmax") else 1)


OPERATORS = ["NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"]


@pytest.mark.parametrize("op_type", OPERATORS)
@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize("weight", [False, True])
@pytest.mark.parametrize("ignored", [None, 2, -5])
@pytest.mark.parametrize("spatial", [(), (2, 3)])
def test_losses(op_type, reduction, weight, ignored, spatial):
    attrs = {"reduction": reduction}
    if ignored is not None:
        attrs["ignore_index"] = ignored
    check_folds(loss(op_type, spatial, weight, **attrs), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("op_type", OPERATORS)
@pytest.mark.parametrize("reduction", ["none", "mean"])
def test_losses_of_unknown_dims(op_type, reduction):
    check_shapes(loss(op_type, (2,), True, reduction=reduction), hidden={0: (0, 2), 1: (0, 1)})


@pytest.mark.parametrize("op_type", OPERATORS)
def test_what_is_no_loss(op_type):
    check_refused(loss(op_type, reduction="average"), "reduction", "average")
    call = loss(op_type)
    call.inputs[1] = call.inputs[1][:, None]
    check_refused(call, "classes")
