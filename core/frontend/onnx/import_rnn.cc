// LSTM -> CommonLSTM, GRU -> CommonGRU, RNN -> CommonRNN.  DynamicQuantizeLSTM of com.microsoft ->
// CommonLSTM with weights of 8 bits.
//
// The inputs keep their ONNX layout.  With layout 1 (batch first) x and the states are transposed
// on the way in and the results on the way out.  activations, when given, are written in full with
// one alpha and one beta each.
#include <algorithm>
#include <cctype>

#include "frontend/onnx/accept.h"

namespace ge::onnx {
namespace {

struct Cell {
  std::string_view type;
  size_t activations;  // per direction
  size_t states;       // inputs initial_h, initial_c; as many outputs behind Y
};
constexpr Cell kLstm = {"CommonLSTM", 3, 2};
constexpr Cell kGru = {"CommonGRU", 2, 1};
constexpr Cell kRnn = {"CommonRNN", 1, 1};

// Functions of the attribute activations; how many of alpha, beta they take and the defaults.
struct Activation {
  std::string_view name;
  int parameters;
  float alpha;
  float beta;
};
constexpr Activation kActivations[] = {
    {"Affine", 2, 1.0f, 0.0f},
    {"Elu", 1, 1.0f, 0.0f},
    {"HardSigmoid", 2, 0.2f, 0.5f},
    {"LeakyRelu", 1, 0.01f, 0.0f},
    {"Relu", 0, 0.0f, 0.0f},
    {"ScaledTanh", 2, 1.0f, 1.0f},
    {"Sigmoid", 0, 0.0f, 0.0f},
    {"Softplus", 0, 0.0f, 0.0f},
    {"Softsign", 0, 0.0f, 0.0f},
    {"Tanh", 0, 0.0f, 0.0f},
    {"ThresholdedRelu", 1, 1.0f, 0.0f},
};

const Activation* FindActivation(std::string_view name) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  for (const Activation& row : kActivations) {
    if (std::equal(name.begin(), name.end(), row.name.begin(), row.name.end(), same)) return &row;
  }
  return nullptr;
}

// alpha and beta are given to the functions that take them, in order.
Status AddActivations(const OnnxOp& op, const Cell& cell, int64_t directions, AttrList& attrs) {
  const std::vector<std::string> given = op.Strs("activations");
  if (given.empty()) return Status::Ok();
  const size_t count = cell.activations * static_cast<size_t>(directions);
  if (given.size() != count) {
    return op.Fail("attribute activations has " + std::to_string(given.size()) + " names; " +
                   std::to_string(count) + " are accepted");
  }
  std::vector<float> alphas = op.Floats("activation_alpha"), betas = op.Floats("activation_beta");
  std::reverse(alphas.begin(), alphas.end());
  std::reverse(betas.begin(), betas.end());
  const auto next = [](std::vector<float>& values, float fallback) {
    if (values.empty()) return fallback;
    const float value = values.back();
    values.pop_back();
    return value;
  };
  std::vector<std::string> names;
  std::vector<float> alpha, beta;
  for (const std::string& name : given) {
    const Activation* row = FindActivation(name);
    if (row == nullptr) return op.Fail("activation \"" + name + "\" is not known");
    names.emplace_back(row->name);
    alpha.push_back(row->parameters >= 1 ? next(alphas, row->alpha) : row->alpha);
    beta.push_back(row->parameters == 2 ? next(betas, row->beta) : row->beta);
  }
  attrs.emplace_back("activations", std::move(names));
  attrs.emplace_back("activation_alpha", std::move(alpha));
  attrs.emplace_back("activation_beta", std::move(beta));
  return Status::Ok();
}

// The attribute, or the last dim of `r` where it is left out.
Result<int64_t> HiddenSize(const OnnxOp& op, const Shape& r) {
  if (op.HasAttr("hidden_size")) return op.Int("hidden_size", 0);
  if (r.has_rank(3) && r[2] != kUnknownDim) return r[2];
  return op.Fail("attribute hidden_size is missing");
}

Result<Value> Transposed(OnnxOp& op, Value x, std::vector<int64_t> perm) {
  if (!x) return x;
  return op.EmitHelper("Transpose", {x, op.ConstList(perm)});
}

Status EmitCell(OnnxOp& op, const Cell& cell, std::vector<Value> inputs, AttrList attrs) {
  const int64_t layout = op.Int("layout", 0);
  if (layout != 0 && layout != 1) {
    return op.Fail("layout is " + std::to_string(layout) + "; 0 and 1 are accepted");
  }
  const std::string direction = op.Str("direction", "forward");
  GE_ASSIGN(const int64_t hidden, HiddenSize(op, inputs[2].desc().shape));
  attrs.emplace_back("hidden_size", hidden);
  attrs.emplace_back("direction", direction);
  if (op.HasAttr("clip")) attrs.emplace_back("clip", op.Float("clip", -1.0f));
  GE_TRY(AddActivations(op, cell, direction == "bidirectional" ? 2 : 1, attrs));

  if (layout == 1) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (i != 0 && (i < 5 || i >= 5 + cell.states)) continue;
      GE_ASSIGN(inputs[i], Transposed(op, inputs[i], {1, 0, 2}));
    }
  }
  GE_ASSIGN(const std::vector<Value> outputs,
            op.Emit(cell.type, std::move(inputs), std::move(attrs), 1 + cell.states));
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!op.wants_output(i)) continue;
    Value value = outputs[i];
    if (layout == 1) {
      const std::vector<int64_t> perm =
          i == 0 ? std::vector<int64_t>{2, 0, 1, 3} : std::vector<int64_t>{1, 0, 2};
      GE_ASSIGN(value, Transposed(op, value, perm));
    }
    op.SetOutput(i, value);
  }
  return Status::Ok();
}

Status ImportCell(OnnxOp& op, const Cell& cell, AttrList attrs) {
  GE_TRY(RequireInputs(op, 3));
  GE_TRY(AcceptDtypes(op, kFloats, 3));
  std::vector<Value> inputs;
  for (size_t i = 0; i < op.input_count(); ++i) inputs.push_back(op.input(i));
  return EmitCell(op, cell, std::move(inputs), std::move(attrs));
}

// Inputs: those of LSTM, then scale and zero point of w, and of r.  x as a whole, and the state h
// of every step, are rounded to 256 levels that hold them.
Status ImportDynamicQuantizeLstm(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 3));
  GE_TRY(AcceptInputs(op, 12));
  for (size_t i = 8; i < 12; ++i) {
    if (!op.has_input(i)) return op.Fail("input " + std::to_string(i) + " is missing");
  }
  if (op.desc(0).dtype != DataType::kFloat) {
    return op.Fail("x is " + std::string(UserName(op.desc(0).dtype)) + "; float32 is accepted");
  }
  for (size_t i = 1; i < 3; ++i) {
    const DataType dtype = op.desc(i).dtype;
    if (dtype == DataType::kInt8 || dtype == DataType::kUint8) continue;
    return op.Fail("weights are " + std::string(UserName(dtype)) + "; int8 and uint8 are accepted");
  }
  std::vector<Value> inputs;
  for (size_t i = 0; i < 8; ++i) inputs.push_back(op.input(i));
  for (size_t i = 1; i < 3; ++i) {
    GE_ASSIGN(inputs[i], Transposed(op, inputs[i], {0, 2, 1}));
  }
  for (size_t i = 8; i < 12; ++i) inputs.push_back(op.input(i));
  return EmitCell(op, kLstm, std::move(inputs), {{"input_forget", op.Int("input_forget", 0)}});
}

Status ImportLstm(OnnxOp& op) {
  return ImportCell(op, kLstm, {{"input_forget", op.Int("input_forget", 0)}});
}

Status ImportGru(OnnxOp& op) {
  return ImportCell(op, kGru, {{"linear_before_reset", op.Int("linear_before_reset", 0)}});
}

Status ImportRnn(OnnxOp& op) {
  return ImportCell(op, kRnn, {});
}

GE_ONNX_OP("LSTM", ImportLstm);
GE_ONNX_DOMAIN_OP("com.microsoft", "DynamicQuantizeLSTM", ImportDynamicQuantizeLstm);
GE_ONNX_OP("GRU", ImportGru);
GE_ONNX_OP("RNN", ImportRnn);

}  // namespace
}  // namespace ge::onnx
