#include "backend/host/post_op.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ge::host {
namespace {

using Kind = PostOp::Kind;

// The one element of a constant.
std::optional<float> Number(const Step& step, size_t input) {
  if (input >= step.inputs.size()) return std::nullopt;
  const Operand& operand = step.inputs[input];
  if (operand.kind != Operand::kWeights || operand.desc->dtype != DataType::kFloat ||
      operand.desc->shape.elements() != 1) {
    return std::nullopt;
  }
  return *static_cast<const float*>(operand.weight);
}

std::vector<PostOp> Linear(float alpha, float beta) {
  if (!std::isfinite(alpha) || !std::isfinite(beta)) return {};
  return {{Kind::kLinear, alpha, beta}};
}

std::vector<PostOp> Clip(const Step& step, size_t port) {
  const std::optional<float> low = Number(step, 1), high = Number(step, 2);
  if (port != 0 || !low || !high || !(*low <= *high)) return {};
  return {{Kind::kClip, *low, *high}};
}

std::vector<PostOp> Sum(const Step& step, size_t port) {
  if (const std::optional<float> number = Number(step, 1 - port)) return Linear(1, *number);
  const Operand& other = step.inputs[1 - port];
  if (other.kind != Operand::kArena || other.desc->shape != step.outputs[0].desc->shape ||
      other.channels_last != step.outputs[0].channels_last) {
    return {};
  }
  return {{Kind::kAdd}};
}

std::vector<PostOp> Difference(const Step& step, size_t port) {
  const std::optional<float> number = Number(step, 1 - port);
  if (!number) return {};
  return port == 0 ? Linear(1, -*number) : Linear(-1, *number);
}

std::vector<PostOp> Product(const Step& step, size_t port) {
  const std::optional<float> number = Number(step, 1 - port);
  return number ? Linear(*number, 0) : std::vector<PostOp>{};
}

std::vector<PostOp> Quotient(const Step& step, size_t port) {
  const std::optional<float> number = Number(step, 1);
  return port == 0 && number ? Linear(1 / *number, 0) : std::vector<PostOp>{};
}

std::vector<PostOp> HardSigmoid(const Step& step, size_t) {
  const AttrReader attrs(*step.node);
  std::vector<PostOp> ops = Linear(attrs.Float("alpha"), attrs.Float("beta"));
  if (!ops.empty()) ops.push_back({Kind::kClip, 0, 1});
  return ops;
}

template <Kind kKind>
std::vector<PostOp> Function(const Step&, size_t) {
  return {{kKind}};
}

struct Row {
  std::string_view type;
  std::vector<PostOp> (*ops_of)(const Step& step, size_t port);
};
constexpr Row kRows[] = {
    {"Add", Sum},
    {"ClipByValue", Clip},
    {"HardSigmoid", HardSigmoid},
    {"HardSwish", Function<Kind::kHardSwish>},
    {"LeakyRelu",
     [](const Step& step, size_t) -> std::vector<PostOp> {
       return {{Kind::kLeakyRelu, AttrReader(*step.node).Float("negative_slope")}};
     }},
    {"Mul", Product},
    {"RealDiv", Quotient},
    {"Relu", Function<Kind::kRelu>},
    {"Sigmoid", Function<Kind::kSigmoid>},
    {"Sub", Difference},
    {"Swish",
     [](const Step& step, size_t) -> std::vector<PostOp> {
       return {{Kind::kSwish, AttrReader(*step.node).Float("scale")}};
     }},
    {"Tanh", Function<Kind::kTanh>},
};

}  // namespace

std::vector<PostOp> PostOpsOf(const Step& step, size_t port) {
  const TensorDesc &x = *step.inputs[port].desc, &y = *step.outputs[0].desc;
  if (x.dtype != DataType::kFloat || y.dtype != DataType::kFloat || x.shape != y.shape) return {};
  const auto row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& one) { return one.type == step.node->type(); });
  return row != std::end(kRows) ? row->ops_of(step, port) : std::vector<PostOp>{};
}

bool Append(std::vector<PostOp>& ops, const std::vector<PostOp>& next) {
  for (const PostOp& op : next) {
    if (op.kind == Kind::kLinear && !ops.empty() && ops.back().kind == Kind::kLinear) {
      ops.back().alpha *= op.alpha;
      ops.back().beta = ops.back().beta * op.alpha + op.beta;
      continue;
    }
    if (std::any_of(ops.begin(), ops.end(),
                    [&](const PostOp& other) { return other.kind == op.kind; })) {
      return false;
    }
    ops.push_back(op);
  }
  return true;
}

}  // namespace ge::host
