// Activation functions: one operand, parameters from attributes, one GE operator.
#include <cmath>

#include "frontend/onnx/accept.h"

namespace ge::onnx {
namespace {

Status Activation(OnnxOp& op, std::string_view type, AttrList attrs = {},
                  unsigned accepts = kFloats) {
  GE_TRY(AcceptInputs(op, 1));
  GE_TRY(AcceptDtypes(op, accepts));
  return op.EmitAs0(type, {op.input(0)}, std::move(attrs));
}

Status ImportPlain(OnnxOp& op) {
  return Activation(op, op.node().op_type);
}
GE_ONNX_OP("HardSwish", ImportPlain);
GE_ONNX_OP("Mish", ImportPlain);
GE_ONNX_OP("Sigmoid", ImportPlain);
GE_ONNX_OP("Softplus", ImportPlain);
GE_ONNX_OP("Softsign", ImportPlain);

Status ImportRelu(OnnxOp& op) {
  return Activation(op, "Relu", {}, kNumbers);
}
GE_ONNX_OP("Relu", ImportRelu);

Status ImportLeakyRelu(OnnxOp& op) {
  return Activation(op, "LeakyRelu", {{"negative_slope", op.Float("alpha", 0.01f)}});
}
GE_ONNX_OP("LeakyRelu", ImportLeakyRelu);

Status ImportElu(OnnxOp& op) {
  return Activation(op, "Elu", {{"alpha", op.Float("alpha", 1.0f)}});
}
GE_ONNX_OP("Elu", ImportElu);

// GE Selu has the usual constants built in; with others the function is a scaled Elu.
Status ImportSelu(OnnxOp& op) {
  constexpr float kAlpha = 1.67326319217681884765625f, kGamma = 1.05070102214813232421875f;
  const bool rounded = op.opset() < 6;  // the defaults of opset 1
  const float alpha = op.Float("alpha", rounded ? 1.6732f : kAlpha);
  const float gamma = op.Float("gamma", rounded ? 1.0507f : kGamma);
  const auto usual = [](float value, float wanted) { return std::fabs(value - wanted) < 1e-6f; };
  if (usual(alpha, kAlpha) && usual(gamma, kGamma)) return Activation(op, "Selu");
  return Activation(op, "Elu", {{"alpha", alpha}, {"scale", gamma}});
}
GE_ONNX_OP("Selu", ImportSelu);

Status ImportCelu(OnnxOp& op) {
  const float alpha = op.Float("alpha", 1.0f);
  if (alpha == 0.0f) return op.Fail("attribute alpha is 0; the function divides by it");
  return Activation(op, "CeluV2", {{"alpha", alpha}});
}
GE_ONNX_OP("Celu", ImportCelu);

Status ImportThresholdedRelu(OnnxOp& op) {
  return Activation(op, "ThresholdedRelu", {{"alpha", op.Float("alpha", 1.0f)}});
}
GE_ONNX_OP("ThresholdedRelu", ImportThresholdedRelu);

Status ImportHardSigmoid(OnnxOp& op) {
  return Activation(op, "HardSigmoid",
                    {{"alpha", op.Float("alpha", 0.2f)}, {"beta", op.Float("beta", 0.5f)}});
}
GE_ONNX_OP("HardSigmoid", ImportHardSigmoid);

Status ImportGelu(OnnxOp& op) {
  const std::string approximate = op.Str("approximate", "none");
  if (approximate != "none" && approximate != "tanh") {
    return op.Fail("attribute approximate is \"" + approximate + "\"; none and tanh are accepted");
  }
  return Activation(op, "GeluV2", {{"approximate", approximate}});
}
GE_ONNX_OP("Gelu", ImportGelu);

Status ImportSwish(OnnxOp& op) {
  return Activation(op, "Swish", {{"scale", op.Float("alpha", 1.0f)}});
}
GE_ONNX_OP("Swish", ImportSwish);

Status ImportShrink(OnnxOp& op) {
  return Activation(op, "Shrink",
                    {{"lambd", op.Float("lambd", 0.5f)}, {"bias", op.Float("bias", 0.0f)}},
                    kNumbers);
}
GE_ONNX_OP("Shrink", ImportShrink);

}  // namespace
}  // namespace ge::onnx
