// DeformConv: a convolution whose kernel points are moved by offsets that an input gives ->
// DeformableOffsets, and Conv2D of what it gathers.
//
//   X [N, C, H, W]    W [M, C / group, kh, kw]    B [M]
//   offset [N, offset_group * kh * kw * 2, rows, columns], per point its move along H, then W
//   mask [N, offset_group * kh * kw, rows, columns], factors
#include <string>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"
#include "frontend/onnx/window_attrs.h"

namespace ge::onnx {
namespace {

// Input `input` as moves along W, moves along H, and factors.
Value SortedOffsets(Formula& f) {
  OnnxOp& op = f.op();
  const Value offset = op.input(2);
  const Value along_h = f.Slice(offset, 1, 0, INT64_MAX, 2),
              along_w = f.Slice(offset, 1, 1, INT64_MAX, 2);
  if (op.has_input(4)) return f.Concat({along_w, along_h, op.input(4)}, 1);
  return f.Concat({along_w, along_h}, 1);
}

Status ImportDeformConv(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 3));
  GE_TRY(AcceptInputs(op, 5));
  GE_TRY(AcceptDtypes(op, kFloats));
  const Shape& filter = op.shape(1);
  if (!filter.has_rank(4) || filter[2] == kUnknownDim || filter[3] == kUnknownDim) {
    return op.Unsupported("a filter of shape " + filter.ToString() +
                          "; 2 spatial axes of known size are built");
  }
  const std::vector<int64_t> kernel = {filter[2], filter[3]};
  if (op.Ints("kernel_shape", kernel) != kernel) {
    return op.Fail("kernel_shape does not fit the filter " + filter.ToString());
  }
  GE_ASSIGN(const SlidingWindows windows, ReadWindows(op, kernel));
  Formula f(op);
  const Value seen = f("DeformableOffsets", {op.input(0), SortedOffsets(f)},
                       {{"strides", StridesOf(windows)},
                        {"pads", PadsOf(windows)},
                        {"dilations", DilationsOf(windows)},
                        {"ksize", kernel},
                        {"data_format", std::string("NCHW")},
                        {"deformable_groups", op.Int("offset_group", 1)},
                        {"modulated", op.has_input(4)}});
  GE_TRY(f.status());
  return op.EmitAs0("Conv2D", {seen, op.input(1), op.input(3)},
                    {{"strides", std::vector<int64_t>{1, 1, kernel[0], kernel[1]}},
                     {"pads", std::vector<int64_t>{0, 0, 0, 0}},
                     {"dilations", std::vector<int64_t>{1, 1, 1, 1}},
                     {"groups", op.Int("group", 1)},
                     {"data_format", std::string("NCHW")}});
}
GE_ONNX_OP("DeformConv", ImportDeformConv);

}  // namespace
}  // namespace ge::onnx
