#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ge::kernels {

// An activation of a recurrent layer with its parameters.
struct GateFunction {
  enum class Kind {
    kAffine,
    kElu,
    kHardSigmoid,
    kLeakyRelu,
    kRelu,
    kScaledTanh,
    kSigmoid,
    kSoftplus,
    kSoftsign,
    kTanh,
    kThresholdedRelu
  };
  Kind kind = Kind::kSigmoid;
  float alpha = 0;
  float beta = 0;

  // x[i] = f(x[i]).
  void Apply(float* x, int64_t count) const;
  void Apply(double* x, int64_t count) const;
};

// By the names of ONNX.
std::optional<GateFunction::Kind> FindGateFunction(const std::string& name);

}  // namespace ge::kernels
