"""Makes a vendor's package of operators in a folder."""

import json

ADD = """
from impl.util.platform_adapter import para_check, register_operator, tbe, tvm


@register_operator("AddDsl")
@para_check.check_op_params(
    para_check.REQUIRED_INPUT, para_check.REQUIRED_INPUT, para_check.REQUIRED_OUTPUT,
    para_check.OPTION_ATTR_FLOAT, para_check.KERNEL_NAME)
def add_dsl(x, y, z, alpha=1.0, kernel_name="add_dsl"):
    a = tvm.placeholder(x["shape"], x["dtype"], "a")
    b = tvm.placeholder(y["shape"], y["dtype"], "b")
    result = tbe.vadd(a, tbe.vmuls(b, tvm.const(alpha, y["dtype"])))
    with tvm.target.cce():
        schedule = tbe.auto_schedule(result)
    tbe.build(schedule, {"name": kernel_name, "tensor_list": [a, b, result]})
"""
PLAIN_ADD = """
from tbe import dsl, tvm


def add_dsl(x, y, z, alpha=1.0, kernel_name="add_dsl"):
    a = tvm.placeholder(x["shape"], x["dtype"], "a")
    b = tvm.placeholder(y["shape"], y["dtype"], "b")
    result = dsl.vadd(a, dsl.vmuls(b, tvm.const(alpha, y["dtype"])))
    with tvm.target.cce():
        schedule = dsl.auto_schedule(result)
    dsl.build(schedule, {"name": kernel_name, "tensor_list": [a, b, result]})
"""


def port(name, dtypes="float16,float,int32", **more):
    count = dtypes.count(",") + 1
    row = {"name": name, "dtype": dtypes, "format": ",".join(["ND"] * count)}
    return {**row, "paramType": "required", "shape": "all", **more}


ADD_INFO = {
    "attr": {"list": "alpha"},
    "attr_alpha": {
        "type": "float",
        "value": "all",
        "paramType": "optional",
        "defaultValue": "1.0",
    },
    "input0": port("x"),
    "input1": port("y"),
    "output0": port("z"),
    "dynamicShapeSupport": {"flag": "true"},
}


class Vendor:
    """A vendor's folder; its path is what ASCEND_CUSTOM_OPP_PATH holds."""

    def __init__(self, folder, soc="ascend310p"):
        self.path = folder
        self.soc = soc
        tbe = folder / "op_impl" / "ai_core" / "tbe"
        self.config = tbe / "config" / soc
        self.implementation = tbe / f"{folder.name}_impl"
        self.config.mkdir(parents=True)
        self.implementation.mkdir(parents=True)

    def write_info(self, operators):
        text = operators if isinstance(operators, str) else json.dumps(operators)
        (self.config / f"aic-{self.soc}-ops-info.json").write_text(text)
        return self

    def write_file(self, name, text):
        path = self.implementation / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return self

    def write_parser(self, text, name="parsers.py"):
        folder = self.path / "framework"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text)
        return self


def add_vendor(folder, text=PLAIN_ADD, **info):
    """A vendor with the operator AddDsl."""
    vendor = Vendor(folder).write_info({"AddDsl": {**ADD_INFO, **info}})
    return vendor.write_file("add_dsl.py", text)
