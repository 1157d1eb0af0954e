// Resize, Upsample -> Resize with all attributes of ONNX.
//
// Before opset 11 there is one way to find coordinates, called asymmetric since, and "simple" for
// the nearest sample.
#include "frontend/onnx/accept.h"

namespace ge::onnx {
namespace {

// Null when the input has no elements, which ONNX allows for "left out".
Value GivenInput(const OnnxOp& op, size_t i) {
  return op.has_input(i) && op.shape(i).elements() != 0 ? op.input(i) : Value{};
}

AttrList LegacyAttrs(const std::string& mode) {
  return {{"mode", mode},
          {"coordinate_transformation_mode", std::string("asymmetric")},
          {"nearest_mode", std::string("simple")}};
}

Status ImportResize(OnnxOp& op) {
  GE_TRY(RequireInputs(op, op.opset() < 11 ? 2 : 1));
  GE_TRY(AcceptInputs(op, op.opset() < 11 ? 2 : 4));
  GE_TRY(AcceptDtypes(op, kNumbers | kBools));
  if (op.opset() < 11) {
    return op.EmitAs0("Resize", {op.input(0), Value{}, op.input(1)},
                      LegacyAttrs(op.Str("mode", "nearest")));
  }
  AttrList attrs = {
      {"mode", op.Str("mode", "nearest")},
      {"coordinate_transformation_mode", op.Str("coordinate_transformation_mode", "half_pixel")},
      {"nearest_mode", op.Str("nearest_mode", "round_prefer_floor")},
      {"cubic_coeff_a", op.Float("cubic_coeff_a", -0.75f)},
      {"exclude_outside", op.Int("exclude_outside", 0)},
      {"extrapolation_value", op.Float("extrapolation_value", 0.0f)}};
  if (op.Int("antialias", 0) != 0) attrs.emplace_back("antialias", int64_t{1});
  if (op.HasAttr("axes")) attrs.emplace_back("axes", op.Ints("axes"));
  if (op.HasAttr("keep_aspect_ratio_policy")) {
    attrs.emplace_back("keep_aspect_ratio_policy", op.Str("keep_aspect_ratio_policy", "stretch"));
  }
  return op.EmitAs0("Resize",
                    {op.input(0), GivenInput(op, 1), GivenInput(op, 2), GivenInput(op, 3)},
                    std::move(attrs));
}

// Scales of all axes: an input from opset 9 on, a list from 7 on, before two numbers for the last
// axes of an image.
Result<Value> UpsampleScales(OnnxOp& op) {
  if (op.opset() >= 9) return op.input(1);
  if (op.opset() >= 7) return op.ConstFloats(op.Floats("scales"));
  for (const char* name : {"height_scale", "width_scale"}) {
    if (!op.HasAttr(name)) return op.Fail("attribute " + std::string(name) + " is missing");
  }
  return op.ConstFloats(
      {{1.0f, 1.0f, op.Float("height_scale", 1.0f), op.Float("width_scale", 1.0f)}});
}

Status ImportUpsample(OnnxOp& op) {
  const bool has_input = op.opset() >= 9;
  GE_TRY(RequireInputs(op, has_input ? 2 : 1));
  GE_TRY(AcceptInputs(op, has_input ? 2 : 1));
  GE_TRY(AcceptDtypes(op, kNumbers | kBools));
  const std::string mode = op.Str("mode", "nearest");
  const std::string linear = op.opset() < 7 ? "bilinear" : "linear";
  if (mode != "nearest" && mode != linear) {
    return op.Fail("mode is \"" + mode + "\"; nearest and " + linear + " are accepted");
  }
  GE_ASSIGN(const Value scales, UpsampleScales(op));
  return op.EmitAs0("Resize", {op.input(0), Value{}, scales},
                    LegacyAttrs(mode == linear ? "linear" : mode));
}

GE_ONNX_OP("Resize", ImportResize);
GE_ONNX_OP("Upsample", ImportUpsample);

}  // namespace
}  // namespace ge::onnx
