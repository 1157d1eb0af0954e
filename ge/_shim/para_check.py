"""``para_check``: checks of what operators are called with; each raises a ``RuntimeError``.

They name the operator whose parameters this thread checked last.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import re
import threading
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ge._shim import context
from ge._shim.errors import operator_error
from ge._shim.shape_util import get_shape_size
from ge._shim.words import words

SHAPE_SIZE_LIMIT = DIM_LIMIT = 2**31 - 1
SHAPE_SIZE_LIMIT_INT64 = DIM_LIMIT_INT64 = MAX_UNKNOWN_SHAPE_NUM_INT64 = 2**63 - 1
MAX_UNKNOWN_SHAPE_NUM = 2**31 - 1
SHAPE_SIZE_ZERO = RANK_ZERO = ZERO_DIM = MIN_UNKNOWN_SHAPE_RANK = 0
RANK_LIMIT = DEFAULT_MAX_SHAPE_DIM = 8
DEFAULT_MIN_SHAPE_DIM = 1
DEFAULT_MAX_SHAPE_NUM = 200000000
DYNAMIC_SHAPE_FLAG = -1
MAX_KERNEL_NAME_LEN = 200
NONE_TYPE = type(None)
OP_NAME = ""
PARAM_NAME = ""

KERNEL_NAME = "kernel_name"
REQUIRED_INPUT, OPTION_INPUT, DYNAMIC_INPUT = "required_input", "option_input", "dynamic_input"
REQUIRED_OUTPUT, OPTION_OUTPUT = "required_output", "option_output"
DYNAMIC_OUTPUT = "dynamic_output"
_ATTR_TYPES: dict[str, tuple[type, int]] = {  # of elements, how deep in lists
    "INT": (int, 0),
    "FLOAT": (float, 0),
    "STR": (str, 0),
    "BOOL": (bool, 0),
    "TYPE": (str, 0),
    "LIST_INT": (int, 1),
    "LIST_FLOAT": (float, 1),
    "LIST_BOOL": (bool, 1),
    "LIST_LIST_INT": (int, 2),
}
for _kind in _ATTR_TYPES:
    for _prefix in ("REQUIRED_ATTR_", "OPTION_ATTR_"):
        globals()[_prefix + _kind] = _prefix + _kind
for _number in range(28):
    globals()[f"OP_ERROR_CODE_{_number:03}"] = f"E80{_number:03}"

ALL_FORMAT_LIST = words(
    "ND NC NCL NCHW NHWC NDHWC NCDHW CHWN NC1HWC0 NC1HWC0_C04 NDC1HWC0 FRACTAL_NZ C1HWC0 HWCN"
    " DHWCN FRACTAL_Z FRACTAL_Z_C04 C1HWNCoC0 FRACTAL_Z_3D FRACTAL_ZN_LSTM FRACTAL_ZN_RNN"
    " ND_RNN_BIAS"
)
ALL_DTYPE_LIST = tuple(
    words(
        "int4 int8 uint8 int16 uint16 int32 uint32 bfloat16 int64 uint64 float16 float32 float64"
        " bool uint1 double complex32 complex64"
    )
)
_ENTRIES = ("shape", "format", "ori_shape", "ori_format", "dtype")
_KERNEL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class _Checked(threading.local):
    operator = ""


_checked = _Checked()


def _fail(code: str, text: str, param_name: str = "", **values: object) -> NoReturn:
    operator = _checked.operator
    named = f"operator [{operator}]" + (f", parameter [{param_name}]" if param_name else "")
    raise operator_error(
        code, f"{named}: {text}", op_name=operator, param_name=param_name, **values
    )


def _fail_type(param_name: str, wanted: str, value: object) -> NoReturn:
    seen = type(value).__name__
    _fail(
        "E80003",
        f"its type should be {wanted}, but is {seen}",
        param_name,
        param_type=wanted,
        actual_type=seen,
    )


def check_op_params(
    *type_args: str | tuple[str, ...], **type_kwargs: object
) -> Callable[[Any], Any]:
    """Check the parameters of an operator function by their kinds, one per formal parameter."""

    def decorator(function: Any) -> Any:
        kinds = dict(zip(function.__code__.co_varnames, type_args, strict=False))
        names = list(kinds)

        @functools.wraps(function)
        def checked(*args: Any, **keywords: Any) -> Any:
            _checked.operator = function.__name__
            if len(args) > len(names):
                _fail("E80001", f"it takes {len(names)} parameters, but is given {len(args)}")
            for name, value in [*zip(names, args, strict=False), *keywords.items()]:
                if name in kinds:
                    _check_one(value, name, kinds[name])
            return function(*args, **keywords)

        return checked

    return decorator


def _check_one(value: Any, name: str, kind: str | tuple[str, ...]) -> None:
    if not isinstance(kind, str):
        _check_any(value, name, kind)
        return
    if kind in (REQUIRED_INPUT, REQUIRED_OUTPUT):
        if value is None:
            _fail("E80001", "it is mandatory, but missing", name)
        _check_descriptor(value, name)
    elif kind in (OPTION_INPUT, OPTION_OUTPUT):
        if value is not None:
            _check_descriptor(value, name)
    elif kind in (DYNAMIC_INPUT, DYNAMIC_OUTPUT):
        if not isinstance(value, list | tuple):
            _fail_type(name, "list or tuple", value)
        if not value:
            _fail("E80001", "it needs at least one tensor", name)
        for one in value:
            _check_descriptor(one, name)
    elif kind == KERNEL_NAME:
        if value is not None:
            _check_name(value, name)
    else:
        _check_attr(value, name, kind)


def _check_any(value: Any, name: str, kinds: tuple[str, ...]) -> None:
    """Pass what one of several kinds lets pass."""
    for kind in kinds[:-1]:
        with contextlib.suppress(RuntimeError):
            return _check_one(value, name, kind)
    return _check_one(value, name, kinds[-1])


def _check_descriptor(one: Any, name: str) -> None:
    if not isinstance(one, dict):
        _fail_type(name, "dict", one)
    if -2 in one.get("shape", ()):
        one["range"] = [(0, None)]
    for key in _ENTRIES:
        if key not in one:
            _fail("E80004", f"it has no entry [{key}]", name, key=key)
    unknown = context.in_dynamic() and DYNAMIC_SHAPE_FLAG in tuple(one["ori_shape"])
    if unknown and "range" not in one:
        _fail("E80004", "it has no entry [range]", name, key="range")
    check_shape(one["shape"], param_name=name)
    check_shape(one["ori_shape"], param_name=name)
    if unknown:
        check_range(one["shape"], one["range"], param_name=name)
    check_format(one["format"], param_name=name)
    if one["ori_format"] not in ALL_FORMAT_LIST:
        _fail_format("E80014", one["ori_format"], ALL_FORMAT_LIST, name)
    if not isinstance(one["dtype"], str):
        _fail_type(name, "str", one["dtype"])
    # The operator information may say float where operators know float32.
    if one["dtype"].lower() != "float":
        check_dtype(one["dtype"], param_name=name)
    one.setdefault("param_name", name)


def _check_name(value: object, name: str) -> None:
    if not isinstance(value, str):
        _fail_type(name, "str", value)
    if len(value) > MAX_KERNEL_NAME_LEN:
        _fail(
            "E80002",
            f"it has {len(value)} characters; {MAX_KERNEL_NAME_LEN} are the most",
            name,
            min_value=0,
            max_value=MAX_KERNEL_NAME_LEN,
            real_value=len(value),
        )
    if not _KERNEL_NAME.match(value):
        _fail(
            "E80020",
            f"[{value}] has other characters than letters, digits and underscores, or begins with"
            " a digit",
            name,
        )


def _check_attr(value: Any, name: str, kind: str) -> None:
    required, _, element = kind.partition("_ATTR_")
    if element not in _ATTR_TYPES:
        _fail("E80003", f"[{kind}] is no kind of parameter", name, param_type="", actual_type=kind)
    if value is None and required == "REQUIRED":
        _fail("E80001", "it is mandatory, but missing", name)
    if not value:  # None, 0, "", False and empty lists pass, as in the toolkit
        return
    wanted, depth = _ATTR_TYPES[element]
    if element == "TYPE":
        if value not in ALL_DTYPE_LIST:
            _fail_type(name, " ".join(ALL_DTYPE_LIST), value)
        return
    level = [value]
    for _ in range(depth):
        for one in level:
            if not isinstance(one, list | tuple):
                _fail_type(name, "list or tuple", one)
        level = [item for one in level for item in one]
    for one in level:
        if not isinstance(one, wanted):
            _fail_type(name, wanted.__name__, one)


def check_range(
    shape: Sequence[int],
    shape_range: Any,
    min_dim: int = 0,
    max_dim: int = RANK_LIMIT,
    max_shape_num: int = MAX_UNKNOWN_SHAPE_NUM_INT64,
    param_name: str = PARAM_NAME,
) -> None:
    """Check the least and greatest sizes of a shape."""
    if not isinstance(shape_range, list | tuple):
        _fail_type(param_name, "list or tuple", shape_range)
    if len(shape) != len(shape_range):
        _fail(
            "E80021",
            f"its shape has {len(shape)} dims, its range {len(shape_range)}",
            param_name,
            shape_len=len(shape),
            range_len=len(shape_range),
        )
    for pair in shape_range:
        if len(pair) != 2:
            _fail("E80023", "each element of its range must have two numbers", param_name)
        low, high = pair
        for number in (low, *([] if high is None else [high])):
            if not isinstance(number, int):
                _fail_type(param_name, "int", number)
        if not 0 <= low <= (max_shape_num if high is None else high) <= max_shape_num:
            _fail(
                "E80022",
                f"its range has [{low}, {high}]",
                param_name,
                first_real_value=low,
                second_real_value=high,
                min_range_value=0,
                max_range_value=max_shape_num,
            )


def check_shape(
    shape: Any,
    min_dim: int = 0,
    max_dim: int = DIM_LIMIT_INT64,
    min_rank: int = 0,
    max_rank: int = RANK_LIMIT,
    min_size: int = 0,
    max_size: int = SHAPE_SIZE_LIMIT,
    param_name: str = PARAM_NAME,
) -> None:
    """Check rank, dims and number of elements; for unknown sizes -1 and -2 are dims."""
    if not isinstance(shape, list | tuple):
        _fail_type(param_name, "list or tuple", shape)
    for dim in shape:
        if not isinstance(dim, int):
            _fail_type(param_name, "int", dim)
    dynamic = context.in_dynamic()
    least = MIN_UNKNOWN_SHAPE_RANK if dynamic else min_rank
    if not least <= len(shape) <= max_rank:
        _fail(
            "E80012",
            f"it has {len(shape)} dims; accepted are {least} to {max_rank}",
            param_name,
            min_value=least,
            max_value=max_rank,
            real_value=len(shape),
        )
    lowest = -2 if dynamic else min_dim
    for dim in shape:
        if not lowest <= dim <= max_dim:
            _fail(
                "E80002",
                f"it has a dim of {dim}; accepted are {lowest} to {max_dim}",
                param_name,
                min_value=lowest,
                max_value=max_dim,
                real_value=dim,
            )
    size = get_shape_size(shape)
    if not dynamic and size < min_size:
        _fail(
            "E80011",
            f"it has {size} elements; {min_size} are the least",
            param_name,
            min_value=min_size,
            real_value=size,
        )


def check_dtype(
    dtype: Any, check_list: Sequence[str] = ALL_DTYPE_LIST, param_name: str = PARAM_NAME
) -> None:
    if dtype is None:
        _fail("E80007", "its dtype is missing", param_name)
    if not isinstance(dtype, str):
        _fail_type(param_name, "str", dtype)
    if dtype.lower() not in check_list:
        accepted = ",".join(check_list)
        _fail(
            "E80008",
            f"its dtype should be one of {accepted}, but is {dtype.lower()}",
            param_name,
            excepted_dtype_list=accepted,
            dtype=dtype.lower(),
        )


def check_format(
    data_format: Any, check_list: Sequence[str] | None = None, param_name: str = PARAM_NAME
) -> None:
    accepted = ALL_FORMAT_LIST if check_list is None else check_list
    if data_format is None:
        _fail("E80017", "its format is missing", param_name)
    if data_format not in accepted:
        _fail_format("E80015", data_format, accepted, param_name)


def _fail_format(code: str, seen: object, accepted: Sequence[str], name: str) -> NoReturn:
    listed = ",".join(accepted)
    text = f"its format should be one of {listed}, but is {seen}"
    _fail(code, text, name, excepted_format_list=listed, format=seen)


def check_elewise_shape_range(inputs: Sequence[Any], support_broadcast: bool = False) -> None:
    """Check that sizes of neighbouring inputs can be equal, or broadcast."""
    if not context.in_dynamic():
        return
    for one in inputs:
        if not isinstance(one, dict):
            _fail_type("input", "dict", one)
        for key in ("shape", "range"):
            if key not in one:
                _fail("E80004", f"it has no entry [{key}]", "input", key=key)
    for one, other in itertools.pairwise(inputs):
        rows = (one["shape"], other["shape"], one["range"], other["range"])
        for x, y, a, b in zip(*(reversed(list(row)) for row in rows), strict=False):
            lows = [pair[0] for pair in (a, b)]
            highs = [SHAPE_SIZE_LIMIT_INT64 if pair[1] is None else pair[1] for pair in (a, b)]
            free = support_broadcast and (1 in (x, y) or min(lows) <= 1)
            if not free and max(lows) > min(highs):
                _fail("E80024", f"the ranges {list(a)} and {list(b)} of two inputs do not meet")


# Checks of older operators, with codes of their own.


def _fail_old(code: str, text: str, **values: object) -> NoReturn:
    raise operator_error(code, text, op_name=_checked.operator, **values)


def check_input_type(*type_args: Any, **type_kwargs: object) -> Callable[[Any], Any]:
    """Check the types of parameters."""

    def decorator(function: Any) -> Any:
        wanted = dict(zip(function.__code__.co_varnames, type_args, strict=False))

        @functools.wraps(function)
        def checked(*args: Any, **keywords: Any) -> Any:
            for name, value in [*zip(wanted, args, strict=False), *keywords.items()]:
                if name in wanted and not isinstance(value, wanted[name]):
                    text = f"parameter [{name}] should be {wanted[name]}, but is {type(value)}"
                    _fail_old("E60038", text, desc=text)
            return function(*args, **keywords)

        return checked

    return decorator


def check_dtype_rule(dtype: Any, check_list: Sequence[str], param_name: str = "default") -> None:
    if dtype is None:
        _fail_old("E60038", "the dtype is missing", desc="dtype is None")
    if dtype.lower() not in check_list:
        _fail_old(
            "E60005",
            f"the dtype of [{param_name}] should be one of {list(check_list)}, but is {dtype}",
            param_name=param_name,
            expected_dtype_list=list(check_list),
            dtype=dtype.lower(),
        )


def check_shape_rule(
    shape: Any,
    min_dim: int | None = None,
    max_dim: int | None = None,
    max_shape_num: int | None = None,
) -> None:
    if not isinstance(shape, list | tuple):
        text = f"a shape is a list or tuple, not a {type(shape).__name__}"
        _fail_old("E60037", text, param_name="shape", type_list="[tuple, list]", type=type(shape))
    least = DEFAULT_MIN_SHAPE_DIM if min_dim is None else min_dim
    most = DEFAULT_MAX_SHAPE_DIM if max_dim is None else max_dim
    if not least <= len(shape) <= most:
        _fail_old(
            "E60011",
            f"the shape {list(shape)} has {len(shape)} dims; accepted are {least} to {most}",
            attr_name="shape dim",
            range=f"[{least}, {most}]",
            value=len(shape),
        )
    for dim in shape:
        if type(dim) is not int:
            text = f"the dim [{dim}] is no int"
            _fail_old("E60037", text, param_name="shape axis", type_list="[int]", type=type(dim))
        if dim <= 0:
            _fail_limit("axis", "shape", "more", 0, dim)


def _fail_limit(attr: str, param: str, comparator: str, expected: object, seen: object) -> NoReturn:
    _fail_old(
        "E60039",
        f"the {attr} of [{param}] should be {comparator} than {expected}, but is {seen}",
        attr_name=attr,
        param_name=param,
        comparator=comparator,
        expected_value=expected,
        input_value=seen,
    )


def check_shape_size(shape: Sequence[int], limit: int = SHAPE_SIZE_LIMIT + 1) -> None:
    size = get_shape_size(shape)
    if size >= limit:
        _fail_limit("size", "shape", "less", limit, size)


def check_tensor_shape_size(shape: Sequence[int]) -> int:
    check_shape_size(shape)
    size: int = get_shape_size(shape)
    return size


def check_kernel_name(kernel_name: Any) -> None:
    if kernel_name is None:
        return
    text = str(kernel_name)
    if len(text) > MAX_KERNEL_NAME_LEN:
        _fail_limit("length", "kernel_name", "less", MAX_KERNEL_NAME_LEN, len(text))
    if not _KERNEL_NAME.match(text):
        reason = (
            f"kernel_name [{text}] has other characters than letters, digits and underscores, or"
            " begins with a digit"
        )
        _fail_old("E60038", reason, desc=reason)


def check_and_init_5hdc_reduce_support(input_tensor: dict[str, Any], axis: Sequence[int]) -> bool:
    """Say whether a reduction over C1 and C0 of NC1HWC0 knows how many channels there are."""
    special = input_tensor.get("format") == "NC1HWC0" and input_tensor.get("dtype") == "float16"
    if not special or 1 not in axis or 4 not in axis:
        return False
    if "ori_shape" not in input_tensor or "ori_format" not in input_tensor:
        _fail_old(
            "E60040",
            "the input has no ori_shape or ori_format",
            param_name="input tensor",
            attr_name="ori_shape and ori_format",
        )
    return True


def is_scalar(shape: Any) -> bool:
    return isinstance(shape, list | tuple) and list(shape) == [1]
