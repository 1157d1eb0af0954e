"""Operator information in the file of the operator."""

from mindspore.ops.op_info_register import DataType, TBERegOp, op_info_register
from tbe import dsl, tvm

square_op_info = (
    TBERegOp("Square")
    .fusion_type("OPAQUE")
    .async_flag(False)
    .binfile_name("square.so")
    .compute_cost(10)
    .kernel_name("square")
    .partial_flag(True)
    .attr("mode", "required", "int", "all")
    .input(0, "x", False, "required", "all")
    .output(0, "y", False, "required", "all")
    .dtype_format(DataType.F32_Default, DataType.F32_Default)
    .dtype_format(DataType.F16_5HD, DataType.F16_5HD)
    .get_op_info()
)


@op_info_register(square_op_info)
def square(x, y, mode=0, kernel_name="square"):
    data = tvm.placeholder(x["shape"], name="data", dtype=x["dtype"].lower())
    result = dsl.vmul(data, data)
    with tvm.target.cce():
        schedule = dsl.auto_schedule(result)
    dsl.build(schedule, {"name": kernel_name, "tensor_list": [data, result]})
