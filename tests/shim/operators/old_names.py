"""Two inputs, one addition, in the oldest spelling."""

import te.lang.cce
from te import tvm
from topi import generic
from topi.cce import util


@util.check_input_type((list, tuple), str, str)
def old_names(shape, dtype, kernel_name="old_names"):
    util.check_kernel_name(kernel_name)
    util.check_shape_rule(shape)
    util.check_dtype_rule(dtype.lower(), ["float16", "float32", "int32"])
    data_1 = tvm.placeholder(shape, name="data_1", dtype=dtype)
    data_2 = tvm.placeholder([i.value for i in data_1.shape], name="data_2", dtype=dtype)
    result = te.lang.cce.vadd(data_1, data_2)
    with tvm.target.cce():
        schedule = generic.auto_schedule(result)
    config = {
        "print_ir": False,
        "need_build": True,
        "name": kernel_name,
        "tensor_list": [data_1, data_2, result],
    }
    te.lang.cce.cce_build_code(schedule, config)
