// MaxPool, AveragePool, LpPool -> MaxPoolV3 or AvgPoolV2, in 3-D MaxPool3D or AvgPool3D; a 1-D one
// gets a W axis of length 1 around it.  GlobalAveragePool and GlobalLpPool map to themselves,
// GlobalMaxPool to ReduceMax.
//
// SAME_* padding becomes pads when the dims are known, otherwise the padding mode SAME or
// SAME_LOWER.  LpPool is (sum of |x|^p)^(1/p), the sum being an average pool with divisor 1.
#include <cmath>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/pool_indices.h"

namespace ge::onnx {
namespace {

struct PoolKind {
  std::string_view type_2d;
  std::string_view type_3d;
  std::string_view padding_2d;
  std::string_view padding_3d;
};
constexpr PoolKind kMax = {"MaxPoolV3", "MaxPool3D", "padding_mode", "padding"};
constexpr PoolKind kAverage = {"AvgPoolV2", "AvgPool3D", "padding_mode", "auto_pad"};

// Adds the pooling of `x`; `own` are the attributes that this kind of pooling has in 2-D or 3-D.
Result<Value> EmitPool(OnnxOp& op, const PoolKind& kind, Value x, SlidingWindows windows,
                       AttrList own) {
  const bool is_1d = windows.axes.size() == 1, is_3d = windows.axes.size() == 3;
  if (is_1d) {
    InsertUnitAxis(windows, 3);
    GE_ASSIGN(x, op.EmitHelper("Unsqueeze", {x}, {{"axes", std::vector<int64_t>{3}}}));
  }
  AttrList attrs = std::move(own);
  attrs.emplace_back("ksize", KernelOf(windows));
  attrs.emplace_back("strides", StridesOf(windows));
  attrs.emplace_back("pads", PadsOf(windows));
  attrs.emplace_back("data_format", std::string(is_3d ? "NCDHW" : "NCHW"));
  if (windows.has_dilation()) attrs.emplace_back("dilation", DilationsOf(windows));
  const std::string_view padding = is_3d ? kind.padding_3d : kind.padding_2d;
  if (IsSame(windows.padding)) {
    const bool lower = windows.padding == Padding::kSameLower;
    attrs.emplace_back(padding, std::string(lower ? "SAME_LOWER" : "SAME"));
  } else if (padding != "auto_pad") {
    attrs.emplace_back(padding, std::string("CALCULATED"));
  }
  GE_ASSIGN(const std::vector<Value> y,
            op.Emit(is_3d ? kind.type_3d : kind.type_2d, {x}, std::move(attrs)));
  if (!is_1d) return y[0];
  return op.EmitHelper("Squeeze", {y[0]}, {{"axis", std::vector<int64_t>{3}}});
}

Result<SlidingWindows> ReadPool(const OnnxOp& op, unsigned dtypes) {
  GE_TRY(RequireInputs(op, 1));
  GE_TRY(AcceptInputs(op, 1));
  GE_TRY(AcceptDtypes(op, dtypes));
  const std::vector<int64_t> kernel = op.Ints("kernel_shape");
  if (kernel.empty()) return op.Fail("attribute kernel_shape is missing");
  if (kernel.size() > 3) return op.Unsupported("more than 3 spatial axes; 1 to 3 are built");
  GE_ASSIGN(const size_t spatial, SpatialRank(op, 0));
  if (spatial != 0 && spatial != kernel.size()) {
    return op.Fail("kernel_shape is " + Shape(kernel).ToString() + " for input " +
                   op.shape(0).ToString() + "; one entry per spatial axis is accepted");
  }
  for (const int64_t dim : kernel) {
    if (dim < 1) {
      return op.Fail("kernel_shape is " + Shape(kernel).ToString() +
                     "; dims of 1 or more are accepted");
    }
  }
  GE_ASSIGN(SlidingWindows windows, ReadWindows(op, kernel));
  const std::string auto_pad = op.Str("auto_pad", "NOTSET");
  if (windows.has_dilation() && auto_pad.starts_with("SAME")) {
    return op.Unsupported("auto_pad " + auto_pad +
                          " with dilations, for which ONNX and onnxruntime disagree; explicit pads "
                          "are built");
  }
  return windows;
}

// With SAME_* the number of windows does not depend on ceil_mode.
bool CeilMode(const OnnxOp& op) {
  return op.Int("ceil_mode", 0) != 0 && !op.Str("auto_pad", "NOTSET").starts_with("SAME");
}

Status ImportMaxPool(OnnxOp& op) {
  GE_ASSIGN(const SlidingWindows windows, ReadPool(op, kNumbers));
  if (op.wants_output(1)) return ImportMaxPoolWithIndices(op, windows, CeilMode(op));
  AttrList own;
  if (windows.axes.size() == 3) {
    own.emplace_back("ceil_mode", static_cast<int64_t>(CeilMode(op)));
  } else {
    own.emplace_back("ceil_mode", CeilMode(op));
  }
  GE_ASSIGN(const Value y, EmitPool(op, kMax, op.input(0), windows, std::move(own)));
  op.SetOutput(0, y);
  return Status::Ok();
}

Status ImportAveragePool(OnnxOp& op) {
  GE_ASSIGN(const SlidingWindows windows, ReadPool(op, kFloats));
  const bool count_pads = op.Int("count_include_pad", 0) != 0;
  AttrList own = {{"ceil_mode", CeilMode(op)}};
  if (windows.axes.size() == 3) {
    own.emplace_back("count_include_pad", count_pads);
  } else {
    own.emplace_back("exclusive", !count_pads);
  }
  GE_ASSIGN(const Value y, EmitPool(op, kAverage, op.input(0), windows, std::move(own)));
  op.SetOutput(0, y);
  return Status::Ok();
}

// Attribute p, which need not be whole in opset 1.
Result<float> PowerOf(const OnnxOp& op) {
  const float p = op.opset() < 2 ? op.Float("p", 2) : static_cast<float>(op.Int("p", 2));
  if (p >= 1 && std::isfinite(p)) return p;
  return op.Fail("p is " + std::to_string(p) + "; 1 or more is accepted");
}

Status ImportLpPool(OnnxOp& op) {
  GE_ASSIGN(const SlidingWindows windows, ReadPool(op, kFloats));
  GE_ASSIGN(const float p, PowerOf(op));
  const DataType dtype = op.desc(0).dtype;
  const auto cast = [&](Value x, DataType to) {
    return op.EmitHelper("Cast", {x}, {{"dst_type", static_cast<int64_t>(to)}});
  };
  // Powers leave the range of the 16-bit types soon.
  const bool narrow = dtype == DataType::kFloat16 || dtype == DataType::kBf16;
  const DataType wide = narrow ? DataType::kFloat : dtype;
  Value x = op.input(0);
  if (narrow) {
    GE_ASSIGN(x, cast(x, wide));
  }
  GE_ASSIGN(x, op.EmitHelper("Abs", {x}));
  if (p != 1) {
    GE_ASSIGN(x, op.EmitHelper("Pow", {x, op.ConstScalar(static_cast<double>(p), wide)}));
  }
  AttrList own = {{"ceil_mode", CeilMode(op)}, {"divisor_override", int64_t{1}}};
  GE_ASSIGN(x, EmitPool(op, kAverage, x, windows, std::move(own)));
  if (p != 1) {
    GE_ASSIGN(x, op.EmitHelper("Pow", {x, op.ConstScalar(1.0 / static_cast<double>(p), wide)}));
  }
  if (narrow) {
    GE_ASSIGN(x, cast(x, dtype));
  }
  op.SetOutput(0, x);
  return Status::Ok();
}

Status CheckGlobal(const OnnxOp& op) {
  GE_TRY(RequireInputs(op, 1));
  GE_TRY(AcceptInputs(op, 1));
  return AcceptDtypes(op, kFloats);
}

Status ImportGlobalAveragePool(OnnxOp& op) {
  GE_TRY(CheckGlobal(op));
  return op.EmitAs0("GlobalAveragePool", {op.input(0)});
}

Status ImportGlobalLpPool(OnnxOp& op) {
  GE_TRY(CheckGlobal(op));
  GE_ASSIGN(const float p, PowerOf(op));
  return op.EmitAs0("GlobalLpPool", {op.input(0)}, {{"p", p}});
}

Status ImportGlobalMaxPool(OnnxOp& op) {
  GE_TRY(CheckGlobal(op));
  const Shape& x = op.shape(0);
  if (x.unknown_rank()) return op.Unsupported("an input of unknown rank");
  if (x.rank() < 3) {
    return op.Fail("the input has shape " + x.ToString() + "; 3 or more dims are accepted");
  }
  std::vector<int64_t> axes;
  for (size_t axis = 2; axis < x.rank(); ++axis) axes.push_back(static_cast<int64_t>(axis));
  return op.EmitAs0("ReduceMax", {op.input(0), op.ConstList(axes)}, {{"keep_dims", true}});
}

GE_ONNX_OP("MaxPool", ImportMaxPool);
GE_ONNX_OP("AveragePool", ImportAveragePool);
GE_ONNX_OP("LpPool", ImportLpPool);
GE_ONNX_OP("GlobalAveragePool", ImportGlobalAveragePool);
GE_ONNX_OP("GlobalLpPool", ImportGlobalLpPool);
GE_ONNX_OP("GlobalMaxPool", ImportGlobalMaxPool);

}  // namespace
}  // namespace ge::onnx
