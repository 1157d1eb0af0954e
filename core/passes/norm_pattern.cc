#include "passes/norm_pattern.h"

#include <cmath>
#include <cstring>

#include "kernels/dispatch.h"

namespace ge {
namespace {

// Dims of x from the first normalised axis on.
Shape TailOf(const NormPattern& norm) {
  return Shape(norm.x.desc().shape.dims().subspan(norm.begin));
}

bool IsTail(Value param, const NormPattern& norm) {
  const Shape tail = TailOf(norm);
  const Shape& shape = param.desc().shape;
  if (shape.unknown_rank() || param.desc().dtype != norm.x.desc().dtype) return false;
  if (shape == tail) return true;
  if (!param.node->is_const() || shape.rank() <= tail.rank()) return false;
  const size_t extra = shape.rank() - tail.rank();
  for (size_t i = 0; i < shape.rank(); ++i) {
    if (shape[i] != (i < extra ? 1 : tail[i - extra])) return false;
  }
  return true;
}

// x when `value` is x^2.
Value SquareOf(Value value) {
  if (const Node* power = MadeBy(value, "Pow")) {
    return IsScalar(power->input(1), 2) ? power->input(0) : Value{};
  }
  const Node* product = MadeBy(value, "Mul");
  return product != nullptr && product->input(0) == product->input(1) ? product->input(0) : Value{};
}

// Whether the axes are the last ones of x.
bool AreLast(const std::vector<size_t>& axes, Value x) {
  return axes.back() + 1 == x.desc().shape.rank() && axes.back() - axes.front() + 1 == axes.size();
}

// The operand of an only reader of `node` of this type beside it.
Value ParamOf(Node& node, std::string_view type, const NormPattern& norm, Node** reader) {
  *reader = OnlyReaderOfType(node, type);
  if (*reader == nullptr) return {};
  const Value param = Beside(**reader, node.out());
  if (param && IsTail(param, norm) && LooksLike(**reader, norm.x)) return param;
  *reader = nullptr;
  return {};
}

}  // namespace

std::optional<NormPattern> FindNorm(Node& root) {
  NormPattern norm;
  norm.root = &root;
  norm.sum = MadeBy(root.input(0), "Add");
  if (norm.sum == nullptr || OnlyReader(norm.sum->out()) == nullptr) return std::nullopt;
  for (size_t i = 0; i < 2 && norm.mean == nullptr; ++i) {
    const std::optional<double> epsilon = ScalarOf(norm.sum->input(i));
    if (!epsilon) continue;
    norm.epsilon = *epsilon;
    norm.mean = MadeBy(norm.sum->input(1 - i), "ReduceMean");
  }
  const std::optional<std::vector<size_t>> axes = KeptAxes(norm.mean, "ReduceMean");
  if (!axes || OnlyReader(norm.mean->out()) == nullptr) return std::nullopt;
  norm.square = norm.mean->input(0).node;
  norm.x = SquareOf(norm.mean->input(0));
  if (!norm.x || !AreLast(*axes, norm.x) || OnlyReader(norm.square->out()) == nullptr) {
    return std::nullopt;
  }
  norm.begin = axes->front();
  if (!TailOf(norm).is_static()) return std::nullopt;

  Node* divisor = &root;
  norm.reciprocal = OnlyReaderOfType(root, "Reciprocal");
  if (norm.reciprocal != nullptr) divisor = norm.reciprocal;
  norm.quotient = OnlyReaderOfType(*divisor, norm.reciprocal != nullptr ? "Mul" : "RealDiv");
  if (norm.quotient == nullptr || !LooksLike(*norm.quotient, norm.x)) return std::nullopt;
  const bool divides = norm.reciprocal != nullptr ? Beside(*norm.quotient, divisor->out()) == norm.x
                                                  : norm.quotient->input(0) == norm.x;
  if (!divides) return std::nullopt;
  norm.gamma = ParamOf(*norm.quotient, "Mul", norm, &norm.scaled);
  if (norm.scaled != nullptr) norm.beta = ParamOf(*norm.scaled, "Add", norm, &norm.shifted);
  return norm;
}

Value NormParam(Graph& graph, const NormPattern& norm, Value param, double number) {
  const TensorDesc desc = {
      .dtype = norm.x.desc().dtype, .format = Format::kND, .shape = TailOf(norm)};
  if (param && param.desc().shape == desc.shape) return param;
  const std::string name = norm.quotient->name() + (number == 0 ? "/beta" : "/gamma");
  if (param) return graph.AddConst(name, desc, param.node->value())->out();
  std::vector<uint8_t> bytes(static_cast<size_t>(*BytesOf(desc)));
  VisitFloats(desc.dtype, [&]<typename T>(T) {
    const T element = static_cast<T>(number);
    for (size_t at = 0; at < bytes.size(); at += sizeof(T)) {
      std::memcpy(&bytes[at], &element, sizeof(T));
    }
  });
  return graph.AddConst(name, desc, Buffer::Own(std::move(bytes)))->out();
}

}  // namespace ge
