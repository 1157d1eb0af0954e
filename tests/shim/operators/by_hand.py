"""Programs for the device itself: imported without trouble, refused when they begin to program."""

import numpy
from tbe import tvm
from tbe.dsl.instrinsic import cce_util
from te import tik
from te.platform.cce_build import build_config


def tik_program(x, y, kernel_name="tik_program"):
    tik_instance = tik.Tik(tik.Dprofile("v100", "mini"))
    data = tik_instance.Tensor("float16", (128,), scope=tik.scope_ubuf, name="data")
    tik_instance.BuildCCE(kernel_name, inputs=[data], outputs=[data])


def own_instructions(y, kernel_name="own_instructions"):
    numpy.zeros(1)
    builder = tvm.ir_builder.create()
    builder.emit(tvm.call_extern("float16", "vector_dup"))


def own_schedule(x, y, kernel_name="own_schedule"):
    data = tvm.placeholder((16,), name="data", dtype="float16")
    schedule = tvm.create_schedule(data.op)
    with build_config():
        schedule[data].emit_insn(data.op.axis[0], "dma_copy")


def vector_intrinsic(x, y, kernel_name="vector_intrinsic"):
    return cce_util.get_const(1)
