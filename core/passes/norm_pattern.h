#pragma once

#include <optional>

#include "passes/pattern.h"

namespace ge {

// x / sqrt(mean of x^2 over its last axes + epsilon), and what may follow.
struct NormPattern {
  Value x;
  size_t begin = 0;  // first of the axes
  double epsilon = 0;
  Node* square = nullptr;
  Node* mean = nullptr;
  Node* sum = nullptr;  // mean + epsilon
  Node* root = nullptr;
  Node* reciprocal = nullptr;  // of the root; null where x is divided by it
  Node* quotient = nullptr;    // x / root
  Node* scaled = nullptr;      // quotient * gamma; null when nothing multiplies it
  Node* shifted = nullptr;     // scaled + beta; null when nothing is added
  Value gamma, beta;
};

// The pattern around `root`, a Sqrt; the sizes of the axes are known.  gamma and beta have the
// shape of x from axis `begin` on, or are constants that have it but for leading dims of 1.  Only
// the last of the nodes found may have other readers; it looks like x.
std::optional<NormPattern> FindNorm(Node& root);

// A constant of that shape and dtype whose elements all are `number`, or `param` in that shape.
Value NormParam(Graph& graph, const NormPattern& norm, Value param, double number);

}  // namespace ge
