"""Layouts of the hardware in NumPy: pad, reshape, transpose."""

import numpy as np

# Axes of a tensor with fewer than its format has.
FEWER = {
    "NCHW": ["", "C", "CH", "CHW"],
    "NHWC": ["", "C", "HW", "HWC"],
    "HWCN": ["", "C", "CN", "WCN"],
    "CHWN": ["", "C", "WN", "HWN"],
}


def c0_of(dtype):
    return 32 if np.dtype(dtype) in (np.int8, np.uint8) else 16


def padded(x, **blocks):
    """Fill each named axis up to a multiple of its block."""
    pads = [(0, -x.shape[axis] % blocks.get(f"axis{axis}", 1)) for axis in range(x.ndim)]
    return np.pad(x, pads)


def in_order(x, axes, wanted):
    """Give a tensor with these axes all the wanted ones."""
    missing = [axis for axis in wanted if axis not in axes]
    x = x.reshape(x.shape + (1,) * len(missing))
    axes = axes + "".join(missing)
    return x.transpose([axes.index(axis) for axis in wanted])


def axes_of(format, ndim):
    return format if ndim == len(format) else FEWER[format][ndim]


def nc1hwc0(x, format, c0=None):
    c0 = c0 or c0_of(x.dtype)
    x = padded(in_order(x, axes_of(format, x.ndim), "NCHW"), axis1=c0)
    n, c, h, w = x.shape
    return x.reshape(n, c // c0, c0, h, w).transpose(0, 1, 3, 4, 2)


def ndc1hwc0(x, format):
    c0 = c0_of(x.dtype)
    x = padded(in_order(x, format, "NDCHW"), axis2=c0)
    n, depth, c, h, w = x.shape
    return x.reshape(n, depth, c // c0, c0, h, w).transpose(0, 1, 2, 4, 5, 3)


def fractal_z(x, format):
    c0 = c0_of(x.dtype)
    axes = "CN" if format == "ND" else axes_of(format, x.ndim)
    x = padded(in_order(x, axes, "CHWN"), axis0=c0, axis3=16)
    c, h, w, n = x.shape
    x = x.reshape(c // c0, c0, h, w, n // 16, 16).transpose(0, 2, 3, 4, 5, 1)
    return x.reshape(-1, n // 16, 16, c0)


def fractal_z_3d(x, format):
    c0 = c0_of(x.dtype)
    x = padded(in_order(x, format, "DCHWN"), axis1=c0, axis4=16)
    depth, c, h, w, n = x.shape
    x = x.reshape(depth, c // c0, c0, h, w, n // 16, 16).transpose(0, 1, 3, 4, 5, 6, 2)
    return x.reshape(-1, n // 16, 16, c0)


def fractal_nz(x, c0=None):
    c0 = c0 or c0_of(x.dtype)
    if x.ndim == 1:
        x = x[None]
    x = padded(x, **{f"axis{x.ndim - 2}": 16, f"axis{x.ndim - 1}": c0})
    *batch, m, n = x.shape
    x = x.reshape(*batch, m // 16, 16, n // c0, c0)
    k = len(batch)
    return x.transpose(*range(k), k + 2, k, k + 1, k + 3)
