"""A product of two shapes that broadcast, with checks, through the adapter."""

from impl.util.platform_adapter import para_check, register_operator_compute, shape_util, tbe, tvm


@register_operator_compute("broadcast_static", op_mode="static", support_fusion=True)
def broadcast_static_compute(x1, x2, y, kernel_name="broadcast_static"):
    shape1, shape2 = shape_util.shape_to_list(x1.shape), shape_util.shape_to_list(x2.shape)
    shape1, shape2, shape_max = shape_util.broadcast_shapes(
        shape1, shape2, param_name_input1="x1", param_name_input2="x2"
    )
    return tbe.vmul(tbe.broadcast(x1, shape_max), tbe.broadcast(x2, shape_max))


@para_check.check_op_params(
    para_check.REQUIRED_INPUT,
    para_check.REQUIRED_INPUT,
    para_check.REQUIRED_OUTPUT,
    para_check.KERNEL_NAME,
)
def broadcast_static(x1, x2, y, kernel_name="broadcast_static"):
    dtypes = []
    for one in (x1, x2):
        para_check.check_shape(one["shape"], param_name=one["param_name"])
        dtype = one["dtype"].lower()
        para_check.check_dtype(dtype, ("float16", "float32", "int32"), one["param_name"])
        dtypes.append(dtype)
    if dtypes[0] != dtypes[1]:
        from impl.util.platform_adapter import error_manager_vector

        error_manager_vector.raise_err_inputs_dtype_not_equal(
            kernel_name, "x1", "x2", dtypes[0], dtypes[1]
        )
    shape1, shape2 = shape_util.refine_shapes_for_broadcast(x1["shape"], x2["shape"])
    data1 = tvm.placeholder(shape1, name="x1", dtype=dtypes[0])
    data2 = tvm.placeholder(shape2, name="x2", dtype=dtypes[1])
    result = broadcast_static_compute(data1, data2, y, kernel_name)
    with tvm.target.cce():
        schedule = tbe.auto_schedule(result)
    tbe.build(schedule, {"name": kernel_name, "tensor_list": (data1, data2, result)})
