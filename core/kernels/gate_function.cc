#include "kernels/gate_function.h"

#include <utility>

#include "kernels/vector_math.h"

namespace ge::kernels {
namespace {

template <typename T, typename F>
void Map(T* x, int64_t count, F f) {
  Vectorised([&]() GE_INLINE {
    for (int64_t i = 0; i < count; ++i) x[i] = f(x[i]);
  });
}

template <typename T>
void ApplyTo(const GateFunction& gate, T* x, int64_t count) {
  using Kind = GateFunction::Kind;
  const T a = static_cast<T>(gate.alpha), b = static_cast<T>(gate.beta);
  switch (gate.kind) {
    case Kind::kAffine:
      return Map(x, count, [=](T v) GE_INLINE { return a * v + b; });
    case Kind::kElu:
      return Map(x, count, [=](T v) GE_INLINE {
        const T low = a * vec::Expm1(v);
        return v < T{0} ? low : v;
      });
    case Kind::kHardSigmoid:
      return Map(x, count, [=](T v) GE_INLINE {
        const T line = a * v + b;
        const T raised = line < T{0} ? T{0} : line;
        return raised > T{1} ? T{1} : raised;
      });
    case Kind::kLeakyRelu:
      return Map(x, count, [=](T v) GE_INLINE { return v < T{0} ? a * v : v; });
    case Kind::kRelu:
      return Map(x, count, [](T v) GE_INLINE { return v < T{0} ? T{0} : v; });
    case Kind::kScaledTanh:
      return Map(x, count, [=](T v) GE_INLINE { return a * vec::Tanh(b * v); });
    case Kind::kSigmoid:
      return Map(x, count, [](T v) GE_INLINE { return vec::Sigmoid(v); });
    case Kind::kSoftplus:
      return Map(x, count, [](T v) GE_INLINE { return vec::Softplus(v); });
    case Kind::kSoftsign:
      return Map(x, count, [](T v) GE_INLINE { return v / (T{1} + std::fabs(v)); });
    case Kind::kTanh:
      return Map(x, count, [](T v) GE_INLINE { return vec::Tanh(v); });
    case Kind::kThresholdedRelu:
      return Map(x, count, [=](T v) GE_INLINE { return v > a ? v : T{0}; });
  }
}

}  // namespace

void GateFunction::Apply(float* x, int64_t count) const {
  ApplyTo(*this, x, count);
}

void GateFunction::Apply(double* x, int64_t count) const {
  ApplyTo(*this, x, count);
}

std::optional<GateFunction::Kind> FindGateFunction(const std::string& name) {
  using Kind = GateFunction::Kind;
  constexpr std::pair<const char*, Kind> kNames[] = {{"Affine", Kind::kAffine},
                                                     {"Elu", Kind::kElu},
                                                     {"HardSigmoid", Kind::kHardSigmoid},
                                                     {"LeakyRelu", Kind::kLeakyRelu},
                                                     {"Relu", Kind::kRelu},
                                                     {"ScaledTanh", Kind::kScaledTanh},
                                                     {"Sigmoid", Kind::kSigmoid},
                                                     {"Softplus", Kind::kSoftplus},
                                                     {"Softsign", Kind::kSoftsign},
                                                     {"Tanh", Kind::kTanh},
                                                     {"ThresholdedRelu", Kind::kThresholdedRelu}};
  for (const auto& [known, kind] : kNames) {
    if (name == known) return kind;
  }
  return std::nullopt;
}

}  // namespace ge::kernels
