// AffineGrid: places that a map theta gives to the elements of an image, for GridSample.  Det ->
// MatrixDeterminant.  MaxRoiPool -> ROIPooling.  Col2Im -> Col2ImV2.
#include <numeric>
#include <string>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"

namespace ge::onnx {
namespace {

// Coordinates from -1 to 1 of `count` elements: those of the outer edges, or with align_corners of
// the centers of the outer elements.
Value Coordinates(Formula& f, Value count, DataType dtype, bool align_corners) {
  const Value i = f.Cast(f.Iota(count), dtype), size = f.Cast(count, dtype);
  const Value one = f.Scalar(1, dtype), two = f.Scalar(2, dtype);
  if (!align_corners) {
    return f("Sub", {f("RealDiv", {f("Add", {f("Mul", {i, two}), one}), size}), one});
  }
  const Value steps = f("Maximum", {f("Sub", {size, one}), one});
  return f("Sub", {f("RealDiv", {f("Mul", {i, two}), steps}), one});
}

// theta [N, axes, axes + 1]    size [2 + axes]: N, C, and the spatial dims, of which x is the last
// grid [N, dims.., axes], coordinates in the order x, y, z
Status ImportAffineGrid(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 2));
  GE_TRY(AcceptDtypes(op, kFloats, 0));
  const Shape &theta = op.shape(0), &size = op.shape(1);
  int64_t axes = theta.has_rank(3) && theta[1] != kUnknownDim ? theta[1] : kUnknownDim;
  if (axes == kUnknownDim && size.has_rank(1) && size[0] != kUnknownDim) axes = size[0] - 2;
  if (axes == kUnknownDim) return op.Unsupported("theta and size of unknown dims");
  if (axes != 2 && axes != 3) {
    return op.Fail("theta has shape " + theta.ToString() + ", size " + size.ToString() +
                   "; 2 and 3 spatial axes are accepted");
  }
  Formula f(op);
  const Value dims = f.Cast(op.input(1), DataType::kInt64);
  const bool align_corners = op.Int("align_corners", 0) != 0;
  const DataType dtype = op.desc(0).dtype;
  const Value spatial = f.Slice(dims, 0, 2, INT64_MAX);
  std::vector<Value> columns;
  for (int64_t i = 0; i < axes; ++i) {  // x lies along the last axis
    const int64_t axis = axes - 1 - i;
    const Value line = Coordinates(f, f.Slice(spatial, 0, axis, axis + 1), dtype, align_corners);
    std::vector<int64_t> shape(static_cast<size_t>(axes), 1);
    shape[static_cast<size_t>(axis)] = -1;
    columns.push_back(f.Unsqueeze(f.Expand(f.Reshape(line, shape), spatial), {axes}));
  }
  columns.push_back(f("OnesLike", {columns[0]}));
  // [1, dims.., axes + 1] @ [N, 1.., axes + 1, axes], a product for each line of the image.
  const Value places = f.Unsqueeze(f.Concat(columns, axes), {0});
  std::vector<int64_t> ones(static_cast<size_t>(axes - 1));
  std::iota(ones.begin(), ones.end(), int64_t{1});
  const Value y = f("BatchMatMulV2", {places, f.Unsqueeze(op.input(0), ones)},
                    {{"adj_x1", false}, {"adj_x2", true}});
  GE_TRY(f.status());
  op.SetOutput(0, y);
  return Status::Ok();
}
GE_ONNX_OP("AffineGrid", ImportAffineGrid);

Status ImportDet(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 1));
  GE_TRY(AcceptInputs(op, 1));
  GE_TRY(AcceptDtypes(op, kFloats));
  return op.EmitAs0("MatrixDeterminant", {op.input(0)});
}
GE_ONNX_OP("Det", ImportDet);

Status ImportMaxRoiPool(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 2));
  GE_TRY(AcceptDtypes(op, kFloats));
  const std::vector<int64_t> pooled = op.Ints("pooled_shape");
  if (pooled.size() != 2) {
    return op.Fail("pooled_shape has " + std::to_string(pooled.size()) +
                   " numbers; 2 are accepted");
  }
  const float scale = op.Float("spatial_scale", 1.0f);
  return op.EmitAs0("ROIPooling", {op.input(0), op.input(1)},
                    {{"pooled_h", pooled[0]},
                     {"pooled_w", pooled[1]},
                     {"spatial_scale_h", scale},
                     {"spatial_scale_w", scale}});
}
GE_ONNX_OP("MaxRoiPool", ImportMaxRoiPool);

Status ImportCol2Im(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 3));
  GE_TRY(AcceptInputs(op, 3));
  GE_TRY(AcceptDtypes(op, kNumbers | kBools, 0));
  int64_t axes = kUnknownDim;
  for (size_t i = 1; i <= 2; ++i) {
    if (op.shape(i).has_rank(1) && op.shape(i)[0] != kUnknownDim) axes = op.shape(i)[0];
  }
  for (const char* name : {"strides", "dilations", "pads"}) {
    const int64_t given = static_cast<int64_t>(op.Ints(name).size());
    if (op.HasAttr(name)) axes = name == std::string("pads") ? given / 2 : given;
  }
  if (axes == kUnknownDim) return op.Unsupported("an unknown number of spatial axes");
  if (axes < 1 || axes > 64) return op.Fail("there are " + std::to_string(axes) + " spatial axes");
  const size_t count = static_cast<size_t>(axes);
  const std::vector<int64_t> given = op.Ints("pads", std::vector<int64_t>(2 * count, 0));
  if (given.size() != 2 * count)
    return op.Fail("pads has " + std::to_string(given.size()) + " numbers");
  std::vector<int64_t> pads;
  for (size_t i = 0; i < count; ++i) {
    pads.push_back(given[i]);
    pads.push_back(given[count + i]);
  }
  const std::vector<int64_t> ones(count, 1);
  return op.EmitAs0("Col2ImV2", {op.input(0), op.input(1), op.input(2)},
                    {{"stride", op.Ints("strides", ones)},
                     {"dilation", op.Ints("dilations", ones)},
                     {"padding", pads}});
}
GE_ONNX_OP("Col2Im", ImportCol2Im);

}  // namespace
}  // namespace ge::onnx
