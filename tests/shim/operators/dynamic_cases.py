"""Operators for unknown sizes: elementwise, a reduction, a softmax."""

from impl.util.platform_adapter import (
    OpPatternMode,
    classify,
    operation,
    register_operator,
    shape_util,
    tbe,
    tbe_context,
    tvm,
)


@register_operator("Softsquare", pattern="ElemWise")
def softsquare(x, y, kernel_name="softsquare"):
    schedules, tensors = [], []
    for (_x,) in classify([x], OpPatternMode.ELEWISE):
        with tbe.compute():
            (shape,) = shape_util.variable_shape([_x])
            data = tvm.placeholder(shape, name="data", dtype=x["dtype"])
            square = tbe.vmul(data, data)
            result = tbe.vdiv(square, tbe.vadds(square, tvm.const(1, square.dtype)))
            tensors.append([data, result])
        with tvm.target.cce():
            schedules.append(tbe.auto_schedule(result))
    tbe.build(schedules, {"name": kernel_name, "tensor_list": tensors})


@register_operator("RowMean")
def row_mean(x, y, axes=(-1,), keep_dims=True, kernel_name="row_mean"):
    axes = shape_util.wrap_axes_to_positive(axes, len(x["shape"]))
    reduced = {"shape": [len(axes)], "value": axes, "rel_pos_to_reduce": "axis"}
    x["rel_pos_to_reduce"] = "before"
    schedules, tensors = [], []
    for _x, _axes in classify([x, reduced], OpPatternMode.REDUCE, {"keepdims": keep_dims}):
        with tbe.compute():
            shape = shape_util.variable_shape([_x, _axes], op_mode="reduce")[0]
            data = tvm.placeholder(shape, name="data", dtype=x["dtype"])
            count = 1
            for axis in _axes["value"]:
                count = count * shape[axis]
            total = tbe.reduce_sum(data, axis=_axes["value"], keepdims=keep_dims)
            counts = tbe.broadcast(tvm.div(tvm.const(1.0), count), total.shape, x["dtype"])
            tensors.append([data, tbe.vmul(total, counts)])
        with tvm.target.cce():
            schedules.append(tbe.auto_schedule(tensors[-1][-1]))
    operation.add_compile_info("keep_dims", keep_dims)
    tbe.build(schedules, {"name": kernel_name, "tensor_list": tensors})


@register_operator("RowSoftmax")
def row_softmax(x, y, axis=-1, kernel_name="row_softmax"):
    assert tbe_context.get_context().get_op_mode() == "dynamic"
    schedules, tensors = [], []
    for _x, _axis in classify([x, [axis]], OpPatternMode.NORM):
        with tbe.compute():
            shape = shape_util.variable_shape([_x], op_mode="norm")[0]
            data = tvm.placeholder(shape, name="data", dtype=x["dtype"])
            peak = tbe.broadcast(tbe.reduce_max(data, axis=_axis, keepdims=True), shape)
            power = tbe.vexp(tbe.vsub(data, peak))
            total = tbe.broadcast(tbe.reduce_sum(power, axis=_axis, keepdims=True), shape)
            tensors.append([data, tbe.vdiv(power, total)])
        with tvm.target.cce():
            schedules.append(tbe.auto_schedule(tensors[-1][-1]))
    tbe.build(schedules, {"name": kernel_name, "tensor_list": tensors})


@register_operator("GreatestOf")
def greatest_of(x, axes, y, keep_dims=False, kernel_name="greatest_of"):
    """Reduces over axes that are an input."""
    x["rel_pos_to_reduce"], axes["rel_pos_to_reduce"] = "before", "axis"
    if "const_value" in axes:
        axes["value"] = list(axes["const_value"])
    schedules, tensors = [], []
    for _x, _axes in classify([x, axes], OpPatternMode.REDUCE, {"keepdims": keep_dims is True}):
        with tbe.compute():
            shape_x, shape_axes = shape_util.variable_shape([_x, _axes], op_mode="reduce")
            data = tvm.placeholder(shape_x, name="data", dtype=x["dtype"])
            data_axes = tvm.placeholder(shape_axes, name="axes", dtype=axes["dtype"])
            wanted = shape_util.axis_check(len(shape_x), _axes.get("value"))
            tensors.append([data, data_axes, tbe.reduce_max(data, wanted, keep_dims)])
        with tvm.target.cce():
            schedules.append(tbe.auto_schedule(tensors[-1][-1]))
    tbe.build(schedules, {"name": kernel_name, "tensor_list": tensors})


def quotient(x1, x2, y, kernel_name="quotient"):
    """Broadcasts, but asks for shapes without saying so."""
    schedules, tensors = [], []
    for _x1, _x2 in classify([x1, x2], OpPatternMode.ELEWISE_WITH_BROADCAST):
        with tbe.compute():
            shapes = shape_util.variable_shape([_x1, _x2])
            data = [tvm.placeholder(shape, x1["dtype"], "data") for shape in shapes]
            *_, full = shape_util.broadcast_shapes(data[0].shape, data[1].shape)
            result = tbe.vdiv(*(tbe.broadcast(one, full) for one in data))
            tensors.append([*data, result])
        schedules.append(tbe.auto_schedule(result))
    tbe.build(schedules, {"name": kernel_name, "tensor_list": tensors, "need_build": False})


def pick(x, indices, y, axis=0, batch_dims=0, kernel_name="pick"):
    schedules, tensors = [], []
    for case in classify([x, indices, axis, batch_dims], OpPatternMode.GATHER):
        with tbe.compute():
            shape_x, shape_i, along, batch = shape_util.variable_shape(case, "gather")
            data = tvm.placeholder(shape_x, name="data", dtype=x["dtype"])
            places = tvm.placeholder(shape_i, name="places", dtype=indices["dtype"])
            tensors.append([data, places, tbe.gather(data, places, along, batch)])
        schedules.append(tbe.auto_schedule(tensors[-1][-1]))
    tbe.build(schedules, {"name": kernel_name, "tensor_list": tensors})


def cut(x, offsets, size, y, kernel_name="cut"):
    schedules, tensors = [], []
    for case in classify([x, offsets, size], "slice", {"end_mode": "size"}):
        with tbe.compute():
            shape_x, begin, end = shape_util.variable_shape(case, "slice")
            data = tvm.placeholder(shape_x, name="data", dtype=x["dtype"])
            inputs = [tvm.placeholder([len(n)], "int32", "n") for n in (begin, end)]
            tensors.append([data, *inputs, tbe.slice(data, begin, end)])
        schedules.append(tbe.auto_schedule(tensors[-1][-1]))
    tbe.build(schedules, {"name": kernel_name, "tensor_list": tensors})


def group_max(x, ids, count, y, kernel_name="group_max"):
    schedules, tensors = [], []
    for case in classify([x, ids, count], OpPatternMode.SEGMENT, {"impl_mode": "high_precision"}):
        with tbe.compute():
            shape_x, shape_ids, groups = shape_util.variable_shape(case, op_mode="segment")
            data = tvm.placeholder(shape_x, name="data", dtype=x["dtype"])
            data_ids = tvm.placeholder(shape_ids, name="ids", dtype=ids["dtype"])
            data_count = tvm.placeholder([1], name="count", dtype="int32")
            result = tbe.segment(data, data_ids, groups, -1, "segmentensor_max", False)
            tensors.append([data, data_ids, data_count, result])
        schedules.append(tbe.auto_schedule(tensors[-1][-1]))
    tbe.build(schedules, {"name": kernel_name, "tensor_list": tensors})


def sums(x, total, squares, axes=(0,), kernel_name="sums"):
    schedules, tensors = [], []
    for _x, _axes in classify([x, list(axes)], OpPatternMode.TUPLE_REDUCE):
        with tbe.compute():
            (shape,) = shape_util.variable_shape([_x])
            data = tvm.placeholder(shape, name="data", dtype=x["dtype"])
            both = tbe.tuple_sum([data, tbe.vmul(data, data)], _axes, True)
            tensors.append([data, *both])
        schedules.append(tbe.auto_schedule(both))
    tbe.build(schedules, {"name": kernel_name, "tensor_list": tensors})


def needs_tiling(x, y, kernel_name="needs_tiling"):
    factor = tbe.var("factor", dtype="float32")
    data = tvm.placeholder(x["shape"], name="data", dtype=x["dtype"])
    result = tbe.vmuls(data, factor)
    schedule = tbe.auto_schedule(result)
    tbe.build(schedule, {"name": kernel_name, "tensor_list": [data, result]})
