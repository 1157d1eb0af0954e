#pragma once

#include <array>
#include <optional>
#include <vector>

#include "passes/pattern.h"

namespace ge {

// One step of an LSTM that is written out:
//
//   gates = x @ w + h @ r + bias                four parts of equal width, in any order
//   c' = Sigmoid(f) * c + Sigmoid(i) * Tanh(g)
//   h' = Sigmoid(o) * Tanh(c')
struct LstmPattern {
  enum Gate : uint8_t { kInput, kOutput, kForget, kCell };  // as CommonLSTM orders them

  Value x, h, c;
  int64_t hidden = 0, inputs = 0;
  std::array<int64_t, 4> part = {};  // of each gate, in the columns of the products
  std::array<double, 4> shift = {};  // of each gate, added to its part
  Node* new_c = nullptr;             // the Add that gives c'
  Node* new_h = nullptr;             // the Mul that gives h'
  std::vector<Node*> nodes;          // those that go, in order
  // Constants of 4 * hidden columns: what x and h are multiplied by, by row of the result, and
  // what is added.
  std::vector<double> w, r;  // [inputs, 4 * hidden], [hidden, 4 * hidden]
  std::vector<double> bias;  // [4 * hidden]
};

// The step whose Tanh(c') is `tanh`.  Nobody else reads values between, but c'.
std::optional<LstmPattern> FindLstm(Node& tanh);

}  // namespace ge
