"""Layers of networks, gradients and losses, and what moves elements: cases of test_composed."""

import numpy as np
from aclop.composed_inputs import LARGE, flags, ints, positive, sigmoid, softplus, x

GRADS = (x(), x())
IMAGE = x(2, 4, 5, 3)  # NHWC
CHANNELS = tuple(x(3) for _ in range(2))


def by_channel(v):
    """A vector along axis 1 of a tensor of 4 dims."""
    return v.reshape(1, -1, 1, 1)


def normalized(v, mean, variance, epsilon=1e-4):
    return (v - mean) / np.sqrt(variance + epsilon)


def batch_norm(v, scale, offset):
    mean, variance = v.mean((0, 1, 2)), v.var((0, 1, 2))
    y = normalized(v, mean, variance) * scale + offset
    count = v.size // 3
    return y, mean, variance * count / (count - 1), mean, variance, np.zeros(3)


def batch_update(v, total, squares, scale, offset, mean, variance):
    count = v.size // v.shape[1]
    batch_mean = total / count
    batch_variance = squares / count - batch_mean**2
    y = normalized(v, by_channel(batch_mean), by_channel(batch_variance), 1e-3)
    return (
        y * by_channel(scale) + by_channel(offset),
        mean * 0.9 + batch_mean * 0.1,
        variance * 0.9 + batch_variance * count / (count - 1) * 0.1,
        batch_mean,
        batch_variance,
    )


STATISTICS = (x(2, 3, 4, 5), x(3), positive(3) * 200, *(x(3) for _ in range(2)))


def batch_scale_grad(g, v, mean, variance):
    slope = normalized(v, by_channel(mean), by_channel(variance))
    return (g * slope).sum((0, 2, 3)), g.sum((0, 2, 3))


def batch_input_grad(g, v, scale_grad, offset_grad, scale, mean, variance):
    count = v.size // v.shape[1]
    slope = normalized(v, by_channel(mean), by_channel(variance))
    return by_channel(scale / np.sqrt(variance + 1e-4)) * (
        g - by_channel(offset_grad) / count - slope * by_channel(scale_grad) / count
    )


BATCH = (x(2, 3, 4, 5), x(2, 3, 4, 5))


def depthwise(v, filters):
    """NHWC with a filter of [2, 2, channels, per channel]; a row and a column of zeros."""
    padded = np.pad(v, ((0, 0), (1, 0), (1, 0), (0, 0)))
    n, h, w, c = v.shape
    y = np.zeros((n, h, w, c, filters.shape[3]))
    for i in range(2):
        for j in range(2):
            y += padded[:, i : i + h, j : j + w, :, None] * filters[i, j]
    return y.reshape(n, h, w, -1)


def convolved_back(gradients, filters, shape):
    """The gradient of the input of a convolution in NCHW, strides 2, filters [out, in, h, w]."""
    y = np.zeros(shape)
    _, _, h, w = gradients.shape
    for i in range(filters.shape[2]):
        for j in range(filters.shape[3]):
            y[:, :, i : i + 2 * h : 2, j : j + 2 * w : 2] += np.einsum(
                "nohw,oc->nchw", gradients, filters[:, :, i, j]
            )
    return y


BACK = {"strides": [1, 1, 2, 2], "pads": [0, 0, 0, 0], "data_format": "NCHW"}
OUT = (x(2, 4, 3, 2), x(2, 2, 3, 2))  # filter, gradients


def two_rows(reduce):
    """Windows of 2 x 2, strides 2, in NCHW."""
    return lambda v: reduce(v.reshape(1, 3, 2, 2, 2, 2), (3, 5))


def quantized(v):
    return np.clip(np.rint(v * 20 + 3), -128, 127).astype("int8")


def bce(p, y):
    return -(y * np.log(p) + (1 - y) * np.log(1 - p))


def kl(v, target):
    safe = np.where(target > 0, target, 1)
    return np.where(target > 0, target * (np.log(safe) - v), 0).sum() / v.shape[0]


def smooth_l1(p, label, sigma=0.5):
    distance = np.abs(p - label)
    return np.where(distance < sigma, distance**2 / 2 / sigma, distance - sigma / 2)


def gelu_slope(v):
    c = np.sqrt(2 / np.pi)
    t = np.tanh(c * (v + 0.044715 * v**3))
    return 0.5 * (1 + t) + 0.5 * v * (1 - t * t) * c * (1 + 3 * 0.044715 * v * v)


def silu_slope(v):
    s = sigmoid(v)
    return s + v * s * (1 - s)


def rms(a, b, gamma):
    total = a + b
    scale = 1 / np.sqrt((total * total).mean(-1, keepdims=True) + 1e-6)
    return total * scale * gamma, scale, total


def logits_loss(p, t, w, pw):
    return ((1 - t) * p + (1 + (pw - 1) * t) * softplus(-p)) * w


def rotated(v, a, b):
    first, second = np.split(v, 2, -1)
    return v * a + np.concatenate([-second, first], -1) * b


def of_rows(change):
    """What an update of whole rows makes of a matrix."""

    def run(v, indices, updates):
        y = v.copy()
        change(y, indices, updates)
        return y

    return run


def replace(y, indices, updates):
    y[indices] = updates


def segments(v, ids, count=4):
    y = np.zeros((count, *v.shape[1:]), v.dtype)
    np.add.at(y, ids, v)
    return y


def nearest(v, height, width):
    rows = np.floor(np.arange(height) * v.shape[1] / height).astype(int)
    columns = np.floor(np.arange(width) * v.shape[2] / width).astype(int)
    return v[:, rows][:, :, columns]


def weights(size, wanted, align):
    """Rows of the matrix that interpolates linearly along one axis."""
    y = np.zeros((wanted, size))
    for i in range(wanted):
        at = i * (size - 1) / (wanted - 1) if align else i * size / wanted
        low = int(at)
        y[i, low] += 1 - (at - low)
        y[i, min(low + 1, size - 1)] += at - low
    return y


def bilinear(v, height, width, align=False):
    h, w = weights(v.shape[1], height, align), weights(v.shape[2], width, align)
    return np.einsum("ih,jw,nhwc->nijc", h, w, v).astype("float32")


def cubic_weights(size, wanted):
    """Half-pixel centers, a = -0.5, taps outside left out, as in TensorFlow."""
    y = np.zeros((wanted, size))
    for i in range(wanted):
        at = (i + 0.5) * size / wanted - 0.5
        for tap in range(int(np.floor(at)) - 1, int(np.floor(at)) + 3):
            d = abs(at - tap)
            near = 1.5 * d**3 - 2.5 * d**2 + 1
            far = -0.5 * d**3 + 2.5 * d**2 - 4 * d + 2
            if 0 <= tap < size:
                y[i, tap] = near if d <= 1 else far if d < 2 else 0
    return y / y.sum(1, keepdims=True)


def bicubic(v, _):
    h, w = cubic_weights(v.shape[1], 6), cubic_weights(v.shape[2], 7)
    return np.einsum("ih,jw,nhwc->nijc", h, w, v).astype("float32")


SIZE = ints(6, 7)
VECTOR = ints(0, 2, 1)
SHUFFLE = x(2, 6, 2, 2)

LAYER_CASES = {
    "AcoshGrad": ((positive(), x()), {}, lambda y, dy: dy / np.sinh(y)),
    "AddRmsNorm": ((x(*LARGE), x(*LARGE), x(4)), {}, rms),
    "AscendAntiQuant": (
        (ints(1, -2, 127, dtype="int8"),),
        {"scale": 0.5, "offset": 3.0, "sqrt_mode": True},
        lambda v: (v.astype("float32") + 3) / 4,
    ),
    "AscendQuant": ((3 * x(),), {"scale": 20.0, "offset": 3.0}, quantized),
    "AsinhGrad": (GRADS, {}, lambda y, dy: dy / np.cosh(y)),
    "BNLL": ((x(),), {}, softplus),
    "BNTrainingReduce": (
        (x(2, 3, 4, 5),),
        {},
        lambda v: (v.sum((0, 2, 3)), (v * v).sum((0, 2, 3))),
    ),
    "BNTrainingReduceGrad": ((*BATCH, x(3), x(3), x(3), x(3), positive(3)), {}, batch_input_grad),
    "BNTrainingUpdate": (
        (*STATISTICS, x(3), positive(3)),
        {"factor": 0.1, "epsilon": 1e-3},
        batch_update,
    ),
    "BNTrainingUpdateGrad": ((*BATCH, x(3), positive(3)), {}, batch_scale_grad),
    "BNTrainingUpdateV2": (
        STATISTICS,
        {"epsilon": 1e-3},
        lambda *v: (lambda y: (y[0], y[3], y[4]))(batch_update(*v, 0, 0)),
    ),
    "BatchNorm": ((IMAGE, *CHANNELS), {}, batch_norm),
    "Bias": ((x(2, 3, 4), x(3, 4)), {"axis": -2, "num_axes": 2}, np.add),
    "BiasAddGrad": ((IMAGE,), {}, lambda v: v.sum((0, 1, 2))),
    "BinaryCrossEntropy": (
        (x(least=0.1, most=0.9), x(least=0, most=1), positive()),
        {"reduction": "sum"},
        lambda p, y, w: (bce(p, y) * w).sum(),
    ),
    "Celu": (
        (x(),),
        {"alpha1": 0.5, "alpha2": 2.0, "alpha3": 1.5},
        lambda v: np.where(v > 0, 1.5 * v, 0.5 * np.expm1(v / 2)),
    ),
    "ConfusionTransposeD": (
        (x(2, 3, 4),),
        {"perm": [1, 0], "shape": [6, 4], "transpose_first": False},
        lambda v: v.reshape(6, 4).T,
    ),
    "Conv2DBackpropInput": (
        (ints(2, 4, 7, 5), *OUT),
        BACK,
        lambda _, f, g: convolved_back(g, f, (2, 4, 7, 5)),
    ),
    "Conv2DBackpropInputD": (
        OUT,
        BACK | {"input_size": [2, 4, 7, 5]},
        lambda f, g: convolved_back(g, f, (2, 4, 7, 5)),
    ),
    "Copy": ((x(),), {"N": 2}, lambda v: (v, v)),
    "Crop": ((x(2, 5, 6), x(2, 3, 2)), {"axis": 1, "offsets": [1, 4]}, lambda v, _: v[:, 1:4, 4:]),
    "DepthwiseConv2D": (
        (IMAGE, x(2, 3, 2, 2)),
        {"strides": [1, 1, 1, 1], "pads": [1, 0, 1, 0]},
        lambda v, f: depthwise(v, f.transpose(2, 3, 1, 0)),
    ),
    "Eltwise": (
        (x(), x(), x()),
        {"mode": 2, "N": 3},
        lambda *v: np.maximum.reduce(v),
    ),
    "FastGeluGrad": (GRADS, {}, lambda g, v: g * silu_slope(1.702 * v)),
    "FlattenV2": ((x(2, 3, 4, 5),), {"axis": 1, "end_axis": 2}, lambda v: v.reshape(2, 12, 5)),
    "GatherD": (
        (x(3, 4), ints(1), ints([0, 3], [1, 1], [2, 0])),
        {},
        lambda v, _, at: np.take_along_axis(v, at, 1),
    ),
    "GeluGrad": ((x(), x(), x()), {}, lambda g, v, _: g * gelu_slope(v)),
    "HardShrinkGrad": (GRADS, {"lambd": 0.75}, lambda g, v: np.where(np.abs(v) > 0.75, g, 0)),
    "HardSigmoidGrad": (
        (x(), 2 * x()),
        {"alpha": 0.25, "beta": 0.5},
        lambda g, v: np.where((v / 4 + 0.5 > 0) & (v / 4 + 0.5 < 1), g / 4, 0),
    ),
    "HardSwishGrad": (
        (x(), 2 * x()),
        {},
        lambda g, v: np.where(v <= -3, 0, np.where(v >= 3, g, g * (v / 3 + 0.5))),
    ),
    "IsNegInf": (
        (np.array([1, np.inf, -np.inf, np.nan], "float32"),),
        {},
        lambda v: v == -np.inf,
    ),
    "IsPosInf": (
        (np.array([1, np.inf, -np.inf, np.nan], "float32"),),
        {},
        lambda v: v == np.inf,
    ),
    "KLDiv": ((x(), x(least=-0.25, most=1)), {"reduction": "batchmean"}, kl),
    "L1LossGrad": ((x(), x(), x()), {}, lambda g, p, label: g * np.sign(p - label) / g.size),
    "LogAddExp": (GRADS, {}, np.logaddexp),
    "LogSigmoidGrad": (GRADS, {}, lambda g, v: g * sigmoid(-v)),
    "MaxPoolV2": (
        (x(1, 4, 4, 3), ints(1, 2, 2, 1), ints(1, 2, 2, 1)),
        {"padding": "VALID"},
        lambda v, *_: v.reshape(1, 2, 2, 2, 2, 3).max((2, 4)),
    ),
    "MirrorPad": (
        (x(3, 4), ints([1, 2], [0, 3])),
        {"mode": "REFLECT"},
        lambda v, _: np.pad(v, ((1, 2), (0, 3)), "reflect"),
    ),
    "MseLoss": (GRADS, {}, lambda p, label: ((p - label) ** 2).mean()),
    "MseLossGrad": ((x(), x(), x()), {}, lambda p, label, g: 2 * (p - label) * g / g.size),
    "NanToNum": (
        (np.array([1, np.inf, -np.inf, np.nan], "float32"),),
        {"nan": 0.5, "posinf": 100.0, "neginf": -50.0},
        lambda v: np.nan_to_num(v, nan=0.5, posinf=100, neginf=-50),
    ),
    "PadV3D": (
        (x(2, 3),),
        {"paddings": [[1, 0], [2, 3]], "constant_values": 2},
        lambda v: np.pad(v, ((1, 0), (2, 3)), constant_values=2),
    ),
    "Pooling": (
        (x(1, 3, 4, 4),),
        {"mode": 1, "window": [2, 2], "stride": [2, 2]},
        two_rows(np.mean),
    ),
    "ReduceStd": (
        (x(*LARGE),),
        {"dim": [0, 2]},
        lambda v: (v.std((0, 2), ddof=1), v.mean((0, 2))),
    ),
    "ResizeBicubic": ((IMAGE, SIZE), {"half_pixel_centers": True}, bicubic),
    "ResizeBilinearV2": ((IMAGE, SIZE), {}, lambda v, _: bilinear(v, 6, 7)),
    "ResizeBilinearV2D": (
        (IMAGE,),
        {"size": [6, 7], "align_corners": True},
        lambda v: bilinear(v, 6, 7, align=True),
    ),
    "ResizeNearestNeighborV2": ((IMAGE, SIZE), {}, lambda v, _: nearest(v, 6, 7)),
    "ResizeNearestNeighborV2D": (
        (IMAGE,),
        {"size": [6, 7], "half_pixel_centers": True},
        lambda v: v[:, [0, 1, 1, 2, 3, 3]][:, :, [0, 1, 1, 2, 3, 3, 4]],
    ),
    "Roll": (
        (x(*LARGE),),
        {"shifts": [1, -2], "dims": [1, 2]},
        lambda v: np.roll(v, (1, -2), (1, 2)),
    ),
    "RotaryMul": ((x(*LARGE), x(*LARGE), x(*LARGE)), {}, rotated),
    "Scale": (
        (x(2, 3, 4, 5), x(3), x(3)),
        {},
        lambda v, scale, bias: v * by_channel(scale) + by_channel(bias),
    ),
    "ScatterAdd": ((x(3, 4), VECTOR, x(3, 4)), {}, of_rows(np.add.at)),
    "ScatterMax": ((x(3, 4), VECTOR, x(3, 4)), {}, of_rows(np.maximum.at)),
    "ScatterMin": ((x(3, 4), VECTOR, x(3, 4)), {}, of_rows(np.minimum.at)),
    "ScatterNdSub": (
        (x(3, 4), VECTOR[:, None], x(3, 4)),
        {},
        lambda v, at, u: of_rows(np.subtract.at)(v, at[:, 0], u),
    ),
    "ScatterSub": ((x(3, 4), VECTOR, x(3, 4)), {}, of_rows(np.subtract.at)),
    "ScatterUpdate": ((x(3, 4), VECTOR, x(3, 4)), {}, of_rows(replace)),
    "Select": (
        (flags(3), x(3, 4), x(3, 4)),
        {},
        lambda c, a, b: np.where(c[:, None], a, b),
    ),
    "SeluGrad": (
        GRADS,
        {},
        lambda g, y: g * np.where(y > 0, 1.0507009873554805, y + 1.7580993408473766),
    ),
    "ShuffleChannel": (
        (SHUFFLE,),
        {"group": 3},
        lambda v: v.reshape(2, 3, 2, 2, 2).swapaxes(1, 2).reshape(2, 6, 2, 2),
    ),
    "SigmoidCrossEntropyWithLogitsGrad": (
        (x(), x(least=0, most=1), x()),
        {},
        lambda p, t, g: (sigmoid(p) - t) * g,
    ),
    "SigmoidCrossEntropyWithLogitsV2": (
        (x(), x(least=0, most=1), positive(), positive()),
        {"reduction": "none"},
        logits_loss,
    ),
    "SmoothL1Loss": (GRADS, {"sigma": 0.5}, smooth_l1),
    "SoftShrinkGrad": (GRADS, {"lambd": 0.75}, lambda g, v: np.where(np.abs(v) > 0.75, g, 0)),
    "SoftplusV2": (
        (x(),),
        {"beta": 2.0, "threshold": 3.0},
        lambda v: np.where(2 * v > 3, v, softplus(2 * v) / 2),
    ),
    "Sort": (
        (x(*LARGE),),
        {"axis": 1, "descending": True},
        lambda v: (-np.sort(-v, 1), np.argsort(-v, 1, kind="stable").astype("int32")),
    ),
    "SortV2": ((x(*LARGE),), {}, lambda v: np.sort(v, -1)),
    "StridedSliceV2": (
        (x(5, 6), ints(1, 0), ints(2, 6)),
        {"shrink_axis_mask": 1, "begin_mask": 2},
        lambda v, *_: v[1],
    ),
    "SwishGrad": (
        (x(), x(), x()),
        {"scale": 1.5},
        lambda g, v, _: g * silu_slope(1.5 * v),
    ),
    "TensorScatterSub": (
        (x(3, 4), VECTOR[:, None], x(3, 4)),
        {},
        lambda v, at, u: of_rows(np.subtract.at)(v, at[:, 0], u),
    ),
    "Threshold": ((x(),), {"threshold": 0.5}, lambda v: (v > 0.5).astype("float32")),
    "TileWithAxis": ((x(*LARGE),), {"axis": 1, "tiles": 2}, lambda v: np.tile(v, (1, 2, 1))),
    "TopKD": (
        (x(3, 6), np.zeros(1, "float16")),
        {"k": 2},
        lambda v, _: (-np.sort(-v, -1)[:, :2], np.argsort(-v, -1)[:, :2].astype("int32")),
    ),
    "UnsortedSegmentSum": (
        (x(5, 3), ints(3, 0, 3, 1, 0), ints(4)),
        {},
        lambda v, i, _: segments(v, i),
    ),
    "UnsortedSegmentSumD": ((x(5, 3), ints(3, 0, 3, 1, 0)), {"num_segments": 4}, segments),
    "Where": (
        (np.array([[0, 1.5, 0], [2, 0, -1]], "float32"),),
        {},
        lambda v: np.argwhere(v).astype("int64"),
    ),
    "Xlog1py": (
        (np.array([0, 1, 2], "float32"), np.array([-1, 1, 3], "float32")),
        {},
        lambda a, b: np.where(a == 0, 0, a * np.log1p(np.maximum(b, -0.5))),
    ),
}
LAYER_STEERING = {
    "Conv2DBackpropInput": [0],
    "GatherD": [1],
    "MaxPoolV2": [1, 2],
    "MirrorPad": [1],
    "ResizeBicubic": [1],
    "ResizeBilinearV2": [1],
    "ResizeNearestNeighborV2": [1],
    "StridedSliceV2": [1, 2],
    "UnsortedSegmentSum": [2],
}
