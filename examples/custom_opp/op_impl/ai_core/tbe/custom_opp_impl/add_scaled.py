"""AddScaled: y = x1 + scale * x2, element by element."""

from tbe import dsl, tvm
from tbe.common.register import register_op_compute
from tbe.common.utils import para_check, shape_util


@register_op_compute("add_scaled", op_mode="static")
def add_scaled_compute(x1, x2, y, scale=1.0, kernel_name="add_scaled"):
    """Say what is computed; tensors in, tensor out."""
    return dsl.vadd(x1, dsl.vmuls(x2, tvm.const(scale, x2.dtype)))


@para_check.check_op_params(
    para_check.REQUIRED_INPUT,
    para_check.REQUIRED_INPUT,
    para_check.REQUIRED_OUTPUT,
    para_check.OPTION_ATTR_FLOAT,
    para_check.KERNEL_NAME,
)
def add_scaled(x1, x2, y, scale=1.0, kernel_name="add_scaled"):
    """Check the descriptors, compute, schedule, write the kernel."""
    dtype = x1["dtype"].lower()
    para_check.check_dtype(dtype, ("float16", "float32"), param_name="x1")
    shape_util.compare_tensor_dict_key(x1, x2, "dtype")
    shape_util.compare_tensor_dict_key(x1, x2, "shape")
    # The elements are what matters, so that one dim is enough.
    shape = [shape_util.get_shape_size(x1["shape"])]
    data_x1 = tvm.placeholder(shape, name="x1", dtype=dtype)
    data_x2 = tvm.placeholder(shape, name="x2", dtype=dtype)
    result = add_scaled_compute(data_x1, data_x2, y, scale, kernel_name)
    with tvm.target.cce():
        schedule = dsl.auto_schedule(result)
    dsl.build(schedule, {"name": kernel_name, "tensor_list": [data_x1, data_x2, result]})
