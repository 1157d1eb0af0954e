"""SumAndMax: the sum and the maximum over axes of one tensor, as two outputs."""

from tbe import dsl, tvm
from tbe.common.utils import para_check, shape_util


@para_check.check_op_params(
    para_check.REQUIRED_INPUT,
    para_check.REQUIRED_OUTPUT,
    para_check.REQUIRED_OUTPUT,
    para_check.REQUIRED_ATTR_LIST_INT,
    para_check.OPTION_ATTR_BOOL,
    para_check.KERNEL_NAME,
)
def sum_and_max(x, total, greatest, axes, keep_dims=False, kernel_name="sum_and_max"):
    """Reduce; float16 is added up in float32."""
    dtype = x["dtype"].lower()
    para_check.check_dtype(dtype, ("float16", "float32"), param_name="x")
    axes = shape_util.axis_check(len(x["shape"]), list(axes))
    data = tvm.placeholder(x["shape"], name="x", dtype=dtype)
    wide = dsl.cast_to(data, "float32")
    sums = dsl.cast_to(dsl.reduce_sum(wide, axes, keep_dims), dtype)
    maxima = dsl.reduce_max(data, axes, keep_dims)
    with tvm.target.cce():
        schedule = dsl.auto_schedule([sums, maxima])
    dsl.build(schedule, {"name": kernel_name, "tensor_list": [data, sums, maxima]})
