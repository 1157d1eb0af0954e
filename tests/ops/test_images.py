"""AffineGrid, Col2Im, DeformConv, Det, MaxPool with indices, MaxRoiPool, MaxUnpool."""

import numpy as np
import pytest
from ops.oracle import Call, check_folds, check_refused, check_shapes, folded

F32 = np.float32


def image(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(F32)


@pytest.mark.parametrize("align_corners", [0, 1])
@pytest.mark.parametrize("size", [(2, 3, 4, 5), (2, 3, 2, 4, 3)])
def test_affine_grid(size, align_corners):
    axes = len(size) - 2
    inputs = [image(2, axes, axes + 1), np.array(size, np.int64)]
    call = Call("AffineGrid", inputs, {"align_corners": align_corners}, 20)
    check_folds(call, rtol=1e-5, atol=1e-6)
    check_shapes(call, data_dependent=True)


@pytest.mark.parametrize(
    ("image_shape", "block", "attrs"),
    [
        ((5, 5), (1, 5), {}),
        ((5, 6), (3, 2), {"strides": [2, 1], "pads": [1, 0, 0, 1]}),
        ((6, 6), (2, 2), {"dilations": [1, 3]}),
        ((3, 4, 5), (2, 1, 2), {}),
    ],
)
def test_col2im(image_shape, block, attrs):
    axes = len(block)
    pads = attrs.get("pads", [0] * 2 * axes)
    positions = 1
    for i in range(axes):
        extent = (block[i] - 1) * attrs.get("dilations", [1] * axes)[i] + 1
        room = image_shape[i] + pads[i] + pads[axes + i] - extent
        positions *= room // attrs.get("strides", [1] * axes)[i] + 1
    x = image(2, 3 * int(np.prod(block)), positions)
    inputs = [x, np.array(image_shape, np.int64), np.array(block, np.int64)]
    call = Call("Col2Im", inputs, attrs, 18)
    check_folds(call, rtol=1e-5, atol=1e-6)
    check_shapes(call, data_dependent=True)
    check_shapes(call, constant=(1, 2))
    wrong = [x[:, :, 1:], *inputs[1:]]
    check_refused(Call("Col2Im", wrong, attrs, 18), "positions", constant=(1, 2))


@pytest.mark.parametrize("groups", [(1, 1), (2, 1), (1, 2)])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize(
    "attrs", [{}, {"strides": [2, 1], "pads": [1, 0, 1, 2]}, {"dilations": [2, 1]}]
)
def test_deform_conv(groups, masked, attrs):
    group, offset_group = groups
    x, weight = image(2, 4, 7, 6), image(4, 4 // group, 2, 3, seed=1)
    pads, strides = attrs.get("pads", [0] * 4), attrs.get("strides", [1, 1])
    dilations = attrs.get("dilations", [1, 1])
    rows = (7 + pads[0] + pads[2] - dilations[0] - 1) // strides[0] + 1
    columns = (6 + pads[1] + pads[3] - 2 * dilations[1] - 1) // strides[1] + 1
    offset = 2 * image(2, offset_group * 12, rows, columns, seed=2)
    mask = image(2, offset_group * 6, rows, columns, seed=3) if masked else None
    attrs = {**attrs, "group": group, "offset_group": offset_group}
    call = Call("DeformConv", [x, weight, offset, image(4, seed=4), mask], attrs, 19)
    check_folds(call, rtol=1e-4, atol=1e-5)
    check_shapes(call, hidden={0: (0,), 2: (0, 2, 3)})


@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (3, 2, 5, 5), (2, 0, 0)])
def test_determinants(shape):
    x = image(*shape)
    (got,) = folded(Call("Det", [x], {}, 11))
    np.testing.assert_allclose(got, np.linalg.det(x.astype(np.float64)), 1e-5, 1e-6)


def test_determinants_of_unknown_dims_and_of_no_matrix():
    check_shapes(Call("Det", [image(2, 3, 3)], {}, 11), hidden={0: (0, 1, 2)})
    check_refused(Call("Det", [image(2, 3, 4)], {}, 11), "square")


def test_determinant_of_a_singular_matrix_is_zero():
    x = np.array([[1, 2], [2, 4]], F32)
    assert folded(Call("Det", [x], {}, 11))[0] == 0


@pytest.mark.parametrize("storage_order", [0, 1])
@pytest.mark.parametrize(
    ("dims", "attrs"),
    [
        ((9,), {"kernel_shape": [3]}),
        ((5, 6), {"kernel_shape": [2, 3], "strides": [2, 2], "pads": [1, 0, 0, 1]}),
        ((7, 5), {"kernel_shape": [2, 2], "dilations": [2, 1], "ceil_mode": 1, "strides": [2, 2]}),
        ((4, 5, 3), {"kernel_shape": [2, 2, 2]}),
    ],
)
def test_max_pool_indices(dims, attrs, storage_order):
    x = image(2, 3, *dims)
    call = Call("MaxPool", [x], {**attrs, "storage_order": storage_order}, 12, outputs=2)
    check_folds(call)
    check_shapes(call, hidden={0: (0, 2)})


@pytest.mark.parametrize("dims", [(8,), (6, 4), (4, 4, 2)])
def test_unpooling_puts_the_largest_elements_back(dims):
    x = image(2, 3, *dims)
    attrs = {"kernel_shape": [2] * len(dims), "strides": [2] * len(dims)}
    y, places = folded(Call("MaxPool", [x], attrs, 12, outputs=2))
    call = Call("MaxUnpool", [y, places], attrs, 11)
    (got,) = folded(call)
    want = np.zeros_like(x)
    want.flat[places.ravel()] = y.ravel()
    np.testing.assert_array_equal(got, want)
    check_shapes(call, hidden={0: (0,), 1: (0,)})


def test_unpooling_to_a_size_that_is_given():
    """The places count along the tensor that was pooled."""
    x = image(1, 2, 5, 5)
    attrs = {"kernel_shape": [2, 2], "strides": [2, 2]}
    y, places = folded(Call("MaxPool", [x], attrs, 12, outputs=2))
    (got,) = folded(Call("MaxUnpool", [y, places, np.array(x.shape, np.int64)], attrs, 11))
    want = np.zeros_like(x)
    want.flat[places.ravel()] = y.ravel()
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_max_roi_pool(scale):
    corners = [[0, 0, 0, 5, 6], [1, 2, 1, 2, 1], [1, 1, 2, 9, 11], [0, 3.5, 2.4, 1, 1]]
    inputs = [image(2, 3, 7, 8), np.array(corners, F32)]
    call = Call("MaxRoiPool", inputs, {"pooled_shape": [3, 2], "spatial_scale": scale}, 17)
    check_folds(call)
    check_shapes(call, hidden={0: (0, 1, 2), 1: (0,)})


def test_max_roi_pool_of_an_image_that_is_not_there():
    inputs = [image(2, 3, 7, 8), np.array([[2, 0, 0, 1, 1]], F32)]
    call = Call("MaxRoiPool", inputs, {"pooled_shape": [3, 2]}, 17)
    check_refused(call, "region 0", "batch of 2", constant=(0, 1))
