"""Blend: y = x1 * weight + x2 * (1 - weight), for sizes that are known when the model runs.

The three inputs broadcast to one another.
"""

from impl.util.platform_adapter import (
    OpPatternMode,
    classify,
    para_check,
    register_operator,
    shape_util,
    tbe,
    tvm,
)


def blend_compute(x1, x2, weight):
    """Say what is computed for tensors of one shape."""
    return tbe.vadd(x2, tbe.vmul(weight, tbe.vsub(x1, x2)))


@register_operator("Blend")
@para_check.check_op_params(
    para_check.REQUIRED_INPUT,
    para_check.REQUIRED_INPUT,
    para_check.REQUIRED_INPUT,
    para_check.REQUIRED_OUTPUT,
    para_check.KERNEL_NAME,
)
def blend(x1, x2, weight, y, kernel_name="blend"):
    """Compute each case that classify gives, and build them into one kernel."""
    dtype = x1["dtype"].lower()
    para_check.check_dtype(dtype, ("float16", "float32"), param_name="x1")
    schedules, tensors = [], []
    for case in classify([x1, x2, weight], OpPatternMode.ELEWISE_WITH_BROADCAST):
        with tbe.compute():
            shapes = shape_util.variable_shape(case, op_mode="broadcast")
            *_, full = shape_util.unify_broadcast_shapes(shapes)
            inputs = [
                tvm.placeholder(shape, name=name, dtype=dtype)
                for shape, name in zip(shapes, ("x1", "x2", "weight"), strict=True)
            ]
            result = blend_compute(*(tbe.broadcast(data, full) for data in inputs))
            tensors.append([*inputs, result])
        with tvm.target.cce():
            schedules.append(tbe.auto_schedule(result))
    tbe.build(schedules, {"name": kernel_name, "tensor_list": tensors})
