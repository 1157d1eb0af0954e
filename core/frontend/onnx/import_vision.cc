// GridSample -> GridSampler2D or GridSampler3D, RoiAlign -> ROIAlign, NonMaxSuppression ->
// NonMaxSuppressionV6 and Cast, DepthToSpace and SpaceToDepth to themselves.
#include <algorithm>
#include <limits>

#include "frontend/onnx/accept.h"

namespace ge::onnx {
namespace {

// The names of opset 16 are GE's; 20 renamed two.
Status ImportGridSample(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 2));
  GE_TRY(AcceptDtypes(op, kFloats));
  const Shape& x = op.shape(0).unknown_rank() ? op.shape(1) : op.shape(0);
  if (x.unknown_rank()) return op.Unsupported("an input and a grid of unknown rank");
  if (x.rank() != 4 && x.rank() != 5) {
    return op.Unsupported("inputs of " + std::to_string(x.rank()) + " dims; 4 and 5 are built");
  }
  const bool is_3d = x.rank() == 5;
  std::string mode = op.Str("mode", op.opset() < 20 ? "bilinear" : "linear");
  if (mode == "linear") mode = "bilinear";
  if (mode == "cubic") mode = "bicubic";
  if (is_3d && mode == "bicubic") {
    return op.Unsupported("mode cubic over 3 spatial axes; linear and nearest are built");
  }
  return op.EmitAs0(is_3d ? "GridSampler3D" : "GridSampler2D", {op.input(0), op.input(1)},
                    {{"interpolation_mode", mode},
                     {"padding_mode", op.Str("padding_mode", "zeros")},
                     {"align_corners", op.Int("align_corners", 0) != 0}});
}

// GE takes the index in the batch as the first of five columns.
Status ImportRoiAlign(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 3));
  GE_TRY(AcceptInputs(op, 3));
  GE_TRY(AcceptDtypes(op, kFloats, 1));
  const std::string coordinates = op.Str("coordinate_transformation_mode",
                                         op.opset() < 16 ? "output_half_pixel" : "half_pixel");
  if (coordinates != "half_pixel" && coordinates != "output_half_pixel") {
    return op.Fail("coordinate_transformation_mode is \"" + coordinates +
                   "\"; half_pixel and output_half_pixel are accepted");
  }
  GE_ASSIGN(Value index,
            op.EmitHelper("Unsqueeze", {op.input(2)}, {{"axes", std::vector<int64_t>{1}}}));
  GE_ASSIGN(index,
            op.EmitHelper("Cast", {index}, {{"dst_type", static_cast<int64_t>(op.desc(1).dtype)}}));
  GE_ASSIGN(const Value rois, op.EmitHelper("ConcatD", {index, op.input(1)},
                                            {{"concat_dim", int64_t{1}}, {"N", int64_t{2}}}));
  return op.EmitAs0("ROIAlign", {op.input(0), rois},
                    {{"spatial_scale", op.Float("spatial_scale", 1.0f)},
                     {"pooled_height", op.Int("output_height", 1)},
                     {"pooled_width", op.Int("output_width", 1)},
                     {"sample_num", op.Int("sampling_ratio", 0)},
                     {"roi_end_mode", int64_t{coordinates == "half_pixel" ? 2 : 0}},
                     {"pool_mode", op.Str("mode", "avg")}});
}

// max_output_boxes_per_class as int32, the dtype of GE; left out it is 0, as ONNX says.
Result<Value> BoxLimit(OnnxOp& op) {
  if (!op.has_input(2)) return op.ConstScalar(0, DataType::kInt32);
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (const std::optional<std::vector<int64_t>> limit = op.ConstInts(2);
      limit && limit->size() == 1) {
    return op.ConstScalar(static_cast<double>(std::clamp<int64_t>(limit->front(), 0, kMost)),
                          DataType::kInt32);
  }
  GE_ASSIGN(const Value limit,
            op.EmitHelper("ClipByValue", {op.input(2), op.ConstScalar(0, DataType::kInt64),
                                          op.ConstScalar(kMost, DataType::kInt64)}));
  return op.EmitHelper("Cast", {limit}, {{"dst_type", static_cast<int64_t>(DataType::kInt32)}});
}

// Without score_threshold every score counts; the other two are 0 when they are left out.
Status ImportNonMaxSuppression(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 5));
  GE_TRY(AcceptDtypes(op, kFloats, 1));
  GE_ASSIGN(const Value limit, BoxLimit(op));
  const Value overlap = op.has_input(3) ? op.input(3) : op.ConstScalar(0, DataType::kFloat);
  GE_ASSIGN(const std::vector<Value> picked,
            op.Emit("NonMaxSuppressionV6", {op.input(0), op.input(1), limit, overlap, op.input(4)},
                    {{"center_point_box", op.Int("center_point_box", 0)}}));
  GE_ASSIGN(
      const Value wide,
      op.EmitHelper("Cast", {picked[0]}, {{"dst_type", static_cast<int64_t>(DataType::kInt64)}}));
  op.SetOutput(0, wide);
  return Status::Ok();
}

Status ImportDepthToSpace(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 1));
  GE_TRY(AcceptDtypes(op, kNumbers | kBools));
  return op.EmitAs0("DepthToSpace", {op.input(0)},
                    {{"block_size", op.Int("blocksize", 0)},
                     {"mode", op.Str("mode", "DCR")},
                     {"data_format", std::string("NCHW")}});
}

Status ImportSpaceToDepth(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 1));
  GE_TRY(AcceptDtypes(op, kNumbers | kBools));
  AttrList attrs = {{"block_size", op.Int("blocksize", 0)}, {"data_format", std::string("NCHW")}};
  if (op.HasAttr("mode")) attrs.emplace_back("mode", op.Str("mode", "DCR"));
  return op.EmitAs0("SpaceToDepth", {op.input(0)}, std::move(attrs));
}

GE_ONNX_OP("GridSample", ImportGridSample);
GE_ONNX_OP("RoiAlign", ImportRoiAlign);
GE_ONNX_OP("NonMaxSuppression", ImportNonMaxSuppression);
GE_ONNX_OP("DepthToSpace", ImportDepthToSpace);
GE_ONNX_OP("SpaceToDepth", ImportSpaceToDepth);

}  // namespace
}  // namespace ge::onnx
