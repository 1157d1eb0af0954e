"""Exceptions of operators: ``RuntimeError(dict, text)``, as the toolkit raises them.

The dict has ``errCode``; the other entries are what the message of that code names. The functions
``raise_err_...`` are those of ``error_manager_vector``.
"""

from collections.abc import Callable
from typing import NoReturn

# Function without "raise_err_": code, names of the entries in order, message.
_ROWS: dict[str, tuple[str, str, str]] = {
    "input_value_invalid": (
        "E80000",
        "op_name param_name excepted_value real_value",
        "the parameter [{param_name}] of operator [{op_name}] should be [{excepted_value}],"
        " but is [{real_value}]",
    ),
    "miss_mandatory_parameter": (
        "E80001",
        "op_name param_name",
        "the parameter [{param_name}] of operator [{op_name}] is missing",
    ),
    "input_param_not_in_range": (
        "E80001",
        "op_name param_name min_value max_value value",
        "the parameter [{param_name}] of operator [{op_name}] should be between [{min_value}] and"
        " [{max_value}], but is [{value}]",
    ),
    "input_dtype_not_supported": (
        "E80008",
        "op_name param_name expected_data_type_list dtype",
        "the dtype of [{param_name}] of operator [{op_name}] should be one of"
        " [{expected_data_type_list}], but is [{dtype}]",
    ),
    "check_params_rules": (
        "E80009",
        "op_name rule_desc param_name param_value",
        "operator [{op_name}] has the rule: {rule_desc}; but [{param_name}] is [{param_value}]",
    ),
    "input_param_range_invalid": (
        "E80012",
        "op_name param_name min_value max_value real_value",
        "the number of dims of [{param_name}] of operator [{op_name}] should be between"
        " [{min_value}] and [{max_value}], but is [{real_value}]",
    ),
    "input_format_invalid": (
        "E80015",
        "op_name param_name excepted_format_list format",
        "the format of [{param_name}] of operator [{op_name}] should be one of"
        " [{excepted_format_list}], but is [{format}]",
    ),
    "inputs_shape_not_equal": (
        "E80017",
        "op_name param_name1 param_name2 param1_shape param2_shape expect_shape",
        "the shape [{param1_shape}] of [{param_name1}] and [{param2_shape}] of [{param_name2}] of"
        " operator [{op_name}] do not match; [{expect_shape}] is expected",
    ),
    "inputs_dtype_not_equal": (
        "E80018",
        "op_name param_name1 param_name2 param1_dtype param2_dtype",
        "the dtypes of [{param_name1}] and [{param_name2}] of operator [{op_name}] differ:"
        " [{param1_dtype}] and [{param2_dtype}]",
    ),
    "input_shape_invalid": (
        "E80028",
        "op_name param_name error_detail",
        "the shape of [{param_name}] of operator [{op_name}] is not valid: {error_detail}",
    ),
    "two_input_shape_invalid": (
        "E80029",
        "op_name param_name1 param_name2 error_detail",
        "the shapes of [{param_name1}] and [{param_name2}] of operator [{op_name}] are not valid:"
        " {error_detail}",
    ),
    "two_input_dtype_invalid": (
        "E80030",
        "op_name param_name1 param_name2 error_detail",
        "the dtypes of [{param_name1}] and [{param_name2}] of operator [{op_name}] are not valid:"
        " {error_detail}",
    ),
    "two_input_format_invalid": (
        "E80031",
        "op_name param_name1 param_name2 error_detail",
        "the formats of [{param_name1}] and [{param_name2}] of operator [{op_name}] are not valid:"
        " {error_detail}",
    ),
    "specific_reson": ("E61001", "op_name reason", "operator [{op_name}]: {reason}"),
    "pad_mode_invalid": (
        "E60021",
        "op_name expected_pad_mode actual_pad_mode",
        "operator [{op_name}] pads with [{expected_pad_mode}], not with [{actual_pad_mode}]",
    ),
    "dtype_invalid": (
        "E60005",
        "op_name param_name expected_dtype_list dtype",
        "the dtype of [{param_name}] of operator [{op_name}] should be one of"
        " [{expected_dtype_list}], but is [{dtype}]",
    ),
}
_MESSAGES = {code: text for code, _, text in _ROWS.values()}


def operator_error(code: str, text: str, **values: object) -> RuntimeError:
    """Return the exception of an error code; entries of its dict are strings."""
    entries = {"errCode": code} | {name: str(value) for name, value in values.items()}
    return RuntimeError(entries, text)


def dsl_error(cause: str) -> RuntimeError:
    """Return the exception for a wrong call of a compute function."""
    entries = {"errCode": "E90001", "type": "2", "detailed_cause": cause}
    return RuntimeError(entries, cause)


def refused(what: str, instead: str) -> RuntimeError:
    """Return the exception for what the built-in engine cannot record."""
    cause = f"{what} cannot be compiled by the built-in engine; {instead}"
    entries = {"errCode": "E90003", "type": "2", "detailed_cause": cause}
    return RuntimeError(entries, cause)


def get_error_message(args: dict[str, object]) -> str:
    """Return the text for the dict of an exception."""
    code = str(args.get("errCode"))
    text = _MESSAGES.get(code) or str(args.get("detailed_cause", "operator error"))
    for name, value in args.items():
        text = text.replace("{" + name + "}", str(value))
    return f"{code}: {text}"


def raise_runtime_error(args: dict[str, object], *more: dict[str, object]) -> NoReturn:
    entries: object = (args, *more) if more else args
    raise RuntimeError(entries, get_error_message(args))


def _raiser(code: str, names: list[str], text: str) -> Callable[..., NoReturn]:
    def raise_error(*args: object, **keywords: object) -> NoReturn:
        given = dict(zip(names, args, strict=False))
        # The toolkit's own parameter names differ from those of the dict in two places.
        renamed = {"excepted_dtype_list": "expected_data_type_list", "actual_format": "format"}
        renamed["expected_list"] = "expected_dtype_list"
        for name, value in keywords.items():
            given[name if name in names else renamed.get(name, name)] = value
        missing = [name for name in names if name not in given]
        if missing or len(given) > len(names):
            raise TypeError(f"raise_err_...({', '.join(names)}): got {', '.join(given)}")
        entries: dict[str, object] = {"errCode": code} | given
        raise operator_error(code, get_error_message(entries), **given)

    return raise_error


FUNCTIONS: dict[str, Callable[..., NoReturn]] = {
    f"raise_err_{name}": _raiser(code, names.split(), text)
    for name, (code, names, text) in _ROWS.items()
}
