"""Matrix products and windows, for tensors in plain layouts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ge._shim import dtypes, expr
from ge._shim.dsl.broadcast import broadcast
from ge._shim.dsl.elementwise import vadd, vmuls
from ge._shim.errors import dsl_error, refused
from ge._shim.ops import normal_axis, pad, reshape
from ge._shim.tensor import Tensor, as_tensor, cast, record, show
from ge._shim.words import words

_PLAIN = "keep the tensors in the format ND"


def matmul(
    tensor_a: object,
    tensor_b: object,
    trans_a: bool = False,
    trans_b: bool = False,
    format_a: str = "ND",
    format_b: str = "ND",
    alpha_num: float = 1.0,
    beta_num: float = 1.0,
    dst_dtype: str = "float16",
    tensor_bias: object = None,
    quantize_params: object = None,
    format_out: str | None = None,
    compress_index: object = None,
    attrs: Mapping[str, Any] | None = None,
    kernel_name: str = "MatMul",
) -> Tensor:
    """Return the product of two matrices, or of stacks of them, plus a bias."""
    for what, given in (("quantize_params", quantize_params), ("compress_index", compress_index)):
        if given is not None:
            raise refused(f"matmul with {what}", "leave it out")
    for given in (format_a, format_b, format_out or "ND"):
        if given != "ND":
            raise refused(f"matmul of tensors in the format [{given}]", _PLAIN)
    a, b = as_tensor(tensor_a, "tensor_a of matmul"), as_tensor(tensor_b, "tensor_b of matmul")
    if a.dtype != b.dtype or len(a.shape) != len(b.shape) or len(a.shape) < 2:
        raise dsl_error(
            f"matmul: {a.dtype}{show(a.shape)} and {b.dtype}{show(b.shape)} must have one dtype and"
            " one rank of at least 2"
        )
    rows, left = a.shape[-2:][::-1] if trans_a else a.shape[-2:]
    right, columns = b.shape[-2:][::-1] if trans_b else b.shape[-2:]
    if not expr.same_size(left, right):
        raise dsl_error(f"matmul: {show(a.shape)} and {show(b.shape)} share no inner dim")
    wide = "int32" if dtypes.is_int(a.dtype) else "float32"
    # The unit adds up in the wide type and rounds once.
    shape = [*a.shape[:-2], rows, columns]
    flags = {"adj_x1": ("bool", bool(trans_a)), "adj_x2": ("bool", bool(trans_b))}
    product = record("BatchMatMulV2", [cast(a, wide), cast(b, wide)], shape, wide, **flags)
    if alpha_num != 1.0:
        product = vmuls(product, alpha_num)
    if tensor_bias is not None:
        bias = cast(as_tensor(tensor_bias, "tensor_bias of matmul"), wide)
        product = vadd(product, broadcast(_scaled(bias, beta_num), shape))
    return cast(product, dst_dtype)


def _scaled(x: Tensor, factor: float) -> Tensor:
    return x if factor == 1.0 else vmuls(x, factor)


def gemm(tensor_a: object, tensor_b: object, para_dict: Mapping[str, Any]) -> Tensor:
    """Return ``alpha * A * B + beta * C``; para_dict names the parts."""
    known = {"alpha": 1.0, "beta": 1.0, "dst_dtype": "float16", "trans_a": False, "trans_b": False}
    values = {name: para_dict.get(name, default) for name, default in known.items()}
    for name in ("alpha", "beta"):
        if isinstance(values[name], Tensor):
            raise refused(f"gemm whose {name} is a tensor", "multiply with vmul")
    return matmul(
        tensor_a,
        tensor_b,
        values["trans_a"],
        values["trans_b"],
        para_dict.get("format_a", "ND"),
        para_dict.get("format_b", "ND"),
        values["alpha"],
        values["beta"],
        values["dst_dtype"],
        para_dict.get("tensor_c"),
        para_dict.get("quantize_params"),
        para_dict.get("format_out"),
    )


def reduce_window(
    input_tensor: object,
    reduction: str,
    window_axes: Sequence[int],
    window_dimensions: Sequence[int],
    window_strides: Sequence[int],
    window_dilations: Sequence[int],
    padding_mode: str = "SAME",
    padding_dimensions: Sequence[Sequence[int]] | None = None,
    rounding_mode: str = "FLOOR",
    return_indices: bool = False,
) -> Tensor:
    """Return the maximum of each window over two axes."""
    x = as_tensor(input_tensor, "input of reduce_window")
    if reduction not in ("MAX", "GMP") or return_indices:
        raise refused(
            f"reduce_window with reduction [{reduction}], return_indices [{return_indices}]",
            "use the reduction MAX without indices",
        )
    if any(int(step) != 1 for step in window_dilations):
        raise refused(f"reduce_window with dilations {list(window_dilations)}", "use 1")
    axes = [normal_axis("reduce_window", axis, len(x.shape)) for axis in window_axes]
    if len(axes) != 2 or axes[1] != axes[0] + 1 or not x.is_static:
        raise refused(f"reduce_window over axes {axes}", "use two neighbouring axes of known size")
    if padding_mode not in ("SAME", "VALID", "CALCULATED"):
        raise dsl_error(f"reduce_window: padding_mode [{padding_mode}] is not known")
    size, stride = list(window_dimensions), list(window_strides)
    lengths = [int(x.shape[axis]) for axis in axes]  # type: ignore[arg-type]
    if reduction == "GMP":
        size, stride, padding_mode = lengths, [1, 1], "VALID"
    widths = [(0, 0), (0, 0)]
    if padding_mode == "SAME":
        for k in (0, 1):
            total = max(0, (-(-lengths[k] // stride[k]) - 1) * stride[k] + size[k] - lengths[k])
            widths[k] = (total // 2, total - total // 2)
    elif padding_mode == "CALCULATED" and padding_dimensions is not None:
        widths = [(int(low), int(high)) for low, high in padding_dimensions]
        if rounding_mode == "CEIL":
            for k in (0, 1):
                low, high = widths[k]
                widths[k] = low, high + -(lengths[k] + low + high - size[k]) % stride[k]
    return _max_windows(x, axes[0], size, stride, widths)


def _max_windows(
    x: Tensor, axis: int, size: list[int], stride: list[int], widths: list[tuple[int, int]]
) -> Tensor:
    """Return the maxima; the axes are made H and W of an NCHW tensor and back."""
    padded = pad(
        x,
        [widths[k - axis] if k in (axis, axis + 1) else (0, 0) for k in range(len(x.shape))],
        dtypes.lowest(x.dtype),
    )
    before, behind = list(x.shape[:axis]), list(x.shape[axis + 2 :])
    height, width = padded.shape[axis : axis + 2]
    lead, tail = _count(before), _count(behind)
    flat = reshape(padded, [lead, height, width, tail])
    out = [
        (int(length) - size[k]) // stride[k] + 1  # type: ignore[arg-type]
        for k, length in enumerate((height, width))
    ]
    pooled = record(
        "MaxPoolV3",
        [flat],
        [lead, *out, tail],
        x.dtype,
        ksize=("ints", [1, *size, 1]),
        strides=("ints", [1, *stride, 1]),
        padding_mode=("str", "VALID"),
        data_format=("str", "NHWC"),
    )
    return reshape(pooled, [*before, *out, *behind])


def _count(dims: list[Any]) -> int:
    product = 1
    for dim in dims:
        product *= int(dim)
    return product


def _refuser(name: str) -> Any:
    def refuse(*args: object, **keywords: object) -> Tensor:
        raise refused(
            f"[{name}], which works on the fractal layouts of the cube unit,",
            "express it with matmul and vector functions, or use the graph operator",
        )

    refuse.__name__ = name
    return refuse


REFUSED = {
    name: _refuser(name)
    for name in words(
        "conv conv_compress depthwise_conv2d conv2d_backprop_filter conv2d_backprop_input conv3d"
        " conv3d_backprop_filter conv3d_backprop_input depthwise_conv2d_backprop_filter"
        " depthwise_conv2d_backprop_input pooling2d pooling3d max_pooling3d_grad_grad"
        " max_pool_compute deq_cast vdeq_cast"
    )
}
