"""erf by the rational approximation of Abramowitz and Stegun 7.1.26, some 40 vector steps."""

from te import platform as tbe_platform
from te import tvm
from te.lang import cce as dsl
from te.platform.fusion_manager import fusion_manager
from te.utils import para_check
from topi import generic

P = 0.3275911
COEFFICIENTS = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


@fusion_manager.register("long_chain")
def long_chain_compute(x, y, kernel_name="long_chain"):
    dtype = x.dtype
    if dtype == "float16" and tbe_platform.api_check_support("te.lang.cce.vexp", "float32"):
        x = dsl.cast_to(x, "float32")
    shape = x.shape
    one = dsl.broadcast(tvm.const(1.0, x.dtype), shape)
    negative = dsl.vcmp(x, dsl.broadcast(tvm.const(0.0, x.dtype), shape), "lt")
    size = dsl.vabs(x)
    t = dsl.vdiv(one, dsl.vadds(dsl.vmuls(size, P), 1.0))
    result = dsl.vmuls(t, 0.0)
    for coefficient in COEFFICIENTS:
        result = dsl.vmul(dsl.vadds(result, coefficient), t)
    gauss = dsl.vexp(dsl.vmuls(dsl.vmul(size, size), -1.0))
    result = dsl.vsub(one, dsl.vmul(result, gauss))
    for _ in range(4):  # changes nothing, in steps
        result = dsl.vmaxs(dsl.vmins(dsl.vadds(dsl.vadds(result, 1.0), -1.0), 1.0), -1.0)
    result = dsl.vsel(negative, dsl.vmuls(result, -1.0), result)
    return dsl.cast_to(result, dtype)


@para_check.check_op_params(
    para_check.REQUIRED_INPUT, para_check.REQUIRED_OUTPUT, para_check.KERNEL_NAME
)
def long_chain(x, y, kernel_name="long_chain"):
    data = tvm.placeholder(x["shape"], name="data", dtype=x["dtype"])
    result = long_chain_compute(data, y, kernel_name)
    with tvm.target.cce():
        schedule = generic.auto_schedule(result)
    dsl.cce_build_code(schedule, {"name": kernel_name, "tensor_list": [data, result]})
