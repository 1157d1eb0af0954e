// FuseQuantizedProduct:  x = (Cast(xq) - xz) * xs,  w = (Cast(wq) - wz) * ws,  product of x and w
//                becomes  Cast(product of xq and wq less their zero points) * (xs * ws) (+ bias)
// for Conv2D, Conv3D, MatMulV2 and BatchMatMulV2: networks whose tensors are quantized and
// dequantized again around every operator.
//
// Applies to float32 when xq and wq have 8 bits, scales and zero points are constant, those of x
// and of a factor that is not constant are one number, those of w one number or one per column or
// output channel, and sums fit 32 bits.  An Unsqueeze between w or x and the product, as around a
// 1-D convolution, moves to xq and wq.  The sums of integers are exact; what is left is rounded
// once less often.  Stands before constants are folded, which would make float32 of weights.
#include <algorithm>
#include <cmath>

#include "kernels/heavy.h"
#include "ops/op_impl.h"
#include "passes/pass.h"
#include "passes/pattern.h"
#include "passes/scaled_const.h"

namespace ge {
namespace {

constexpr size_t kBias = 2, kOffsetW = 3;
constexpr int64_t kMostTerms = 1 << 15;  // 255 * 255 times as many fit 32 bits

// (codes - zeros) * scales.
struct Dequantized {
  Value codes;
  std::vector<double> zeros, scales;  // one number, or several along `axis`
  size_t axis = 0;                    // of codes
  Node* view = nullptr;               // Unsqueeze behind it
  Node* last = nullptr;               // which gives the result, without the view
};

// The elements of a constant behind operators that change its dtype and add axes.
std::optional<std::vector<double>> NumbersBehind(Value value) {
  while (value && (value.node->type() == "Cast" || value.node->type() == "Unsqueeze")) {
    value = value.node->input(0);
  }
  return value && value.node->is_const() ? ConstDoubles(value) : std::nullopt;
}

// The axis of a tensor of `rank` dims that a list of `count` numbers lies along; nullopt when it is
// no list.
std::optional<size_t> AxisOf(const Shape& list, size_t count, size_t rank) {
  if (!list.is_static() || list.rank() > rank) return std::nullopt;
  for (size_t i = 0; i < list.rank(); ++i) {
    if (list[i] == static_cast<int64_t>(count)) return rank - list.rank() + i;
  }
  return std::nullopt;
}

// Whether a tensor of bytes can hold the numbers.
bool AreCodes(const std::vector<double>& numbers, DataType dtype) {
  const double least = dtype == DataType::kInt8 ? -128 : 0;
  return std::ranges::all_of(numbers, [least](double number) {
    return number >= least && number <= least + 255 && number == std::trunc(number);
  });
}

std::optional<Dequantized> FindDequantized(Value value) {
  Dequantized found;
  found.view = MadeBy(value, "Unsqueeze");
  if (found.view != nullptr) value = found.view->input(0);
  found.last = MadeBy(value, "Mul");
  if (found.last == nullptr || value.desc().dtype != DataType::kFloat) return std::nullopt;
  Value centered = found.last->input(0), zeros;
  if (const Node* sub = MadeBy(centered, "Sub")) {
    centered = sub->input(0);
    zeros = sub->input(1);
  }
  const Node* cast = MadeBy(centered, "Cast");
  const Value scales = found.last->input(1);
  const auto zero_list = zeros ? NumbersBehind(zeros) : std::vector<double>{0};
  const auto scale_list = NumbersBehind(scales);
  if (cast == nullptr || !zero_list || !scale_list || scale_list->empty()) return std::nullopt;
  found.codes = cast->input(0);
  found.zeros = *zero_list;
  found.scales = *scale_list;
  const TensorDesc& codes = found.codes.desc();
  if (!IsByte(codes.dtype) || codes.shape.unknown_rank()) return std::nullopt;
  if (found.zeros.empty() || !AreCodes(found.zeros, codes.dtype)) return std::nullopt;
  if (found.scales.size() == 1 && found.zeros.size() == 1) return found;
  if (found.zeros.size() != 1 && zeros.desc().shape != scales.desc().shape) return std::nullopt;
  const auto axis = AxisOf(scales.desc().shape, found.scales.size(), codes.shape.rank());
  if (!axis) return std::nullopt;
  found.axis = *axis;
  return found;
}

// The zero points of w: one, or one per column.
Value AddZeros(Node& node, const Dequantized& w) {
  std::vector<uint8_t> bytes;
  for (const double zero : w.zeros) bytes.push_back(static_cast<uint8_t>(static_cast<int>(zero)));
  const Shape shape = bytes.size() == 1 ? Shape{} : Shape{static_cast<int64_t>(bytes.size())};
  return node.graph()
      .AddConst(node.name() + "/zero_point", {w.codes.desc().dtype, Format::kND, shape},
                Buffer::Own(std::move(bytes)))
      ->out();
}

// A product, and where its factors differ from one another.
class Product {
 public:
  explicit Product(Node& node) : node_(node) {
    const AttrReader attrs(node);
    if (is_conv()) return;
    turned_ = attrs.Bool(node.type() == "BatchMatMulV2" ? "adj_x2" : "transpose_x2");
  }
  static bool Is(const Node& node) {
    return node.type() == "Conv2D" || node.type() == "Conv3D" || node.type() == "MatMulV2" ||
           node.type() == "BatchMatMulV2";
  }
  bool is_conv() const { return node_.type() == "Conv2D" || node_.type() == "Conv3D"; }

  // Whether sums over `w`, of which one is known by now, fit.
  bool Fits(const Dequantized& x, const Dequantized& w) const {
    const Shape &left = x.codes.desc().shape, &right = w.codes.desc().shape;
    if (x.scales.size() != 1 || (x.view != nullptr && !is_conv())) return false;
    if (is_conv()) {
      const auto filter = right.elements();
      const bool per_output = w.scales.size() == 1 || w.axis == 0;
      return per_output && filter && right[0] > 0 && *filter / right[0] <= kMostTerms &&
             AxesStayBehind(x.view) && AxesStayBehind(w.view);
    }
    if (w.view != nullptr || left.rank() < 2 || right.rank() < 2) return false;
    const size_t columns = right.rank() - (turned_ ? 2 : 1);
    const int64_t terms = right[right.rank() - (turned_ ? 1 : 2)];
    return (w.scales.size() == 1 || w.axis == columns) && terms >= 0 && terms <= kMostTerms;
  }

  // The factor behind the sums: one number, or one per column.
  Shape FactorShape(size_t count) const {
    if (count == 1) return {};
    std::vector<int64_t> dims = {static_cast<int64_t>(count)};
    if (is_conv()) dims.resize(node_.type() == "Conv2D" ? 3 : 4, 1);
    return Shape(std::move(dims));
  }

 private:
  // An axis that is added in front would move channels.
  static bool AxesStayBehind(const Node* view) {
    if (view == nullptr) return true;
    const std::vector<int64_t> axes = AttrReader(*view).Ints("axes");
    return std::ranges::all_of(axes, [](int64_t axis) { return axis >= 2; });
  }

  const Node& node_;
  bool turned_ = false;  // x2 is [columns, terms]
};

// Puts nodes behind one that is rewritten; each is named after it.
class Chain {
 public:
  explicit Chain(Node& node) : node_(node) {}

  Result<Value> Add(std::string_view type, const std::vector<Value>& inputs, const char* attr = "",
                    Attr value = int64_t{0}) {
    Node* added = node_.graph().Add(type, node_.name() + "/" + std::string(type), inputs);
    added->AddSourceName(node_.source_name());
    if (*attr != 0) added->attrs().Set(attr, std::move(value));
    GE_TRY(InferNode(*added));
    return added->out();
  }

 private:
  Node& node_;
};

Result<Value> CodesOf(Chain& chain, const Dequantized& factor) {
  if (factor.view == nullptr) return factor.codes;
  return chain.Add("Unsqueeze", {factor.codes}, "axes", AttrReader(*factor.view).Ints("axes"));
}

Status Rewrite(Node& node, const Dequantized& x, const Dequantized& w, Value factor) {
  const Product product(node);
  const std::vector<Use> readers(node.uses(0).begin(), node.uses(0).end());
  Value bias = node.input(kBias);
  Chain chain(node);
  GE_ASSIGN(const Value left, CodesOf(chain, x));
  GE_ASSIGN(const Value right, CodesOf(chain, w));
  node.SetInput(0, left);
  node.SetInput(1, right);
  if (bias) node.SetInput(kBias, {});
  const auto is_zero = [](double zero) { return zero == 0; };
  if (!is_zero(x.zeros.front())) {
    node.attrs().Set("offset_x", static_cast<int64_t>(x.zeros.front()));
  }
  if (!std::ranges::all_of(w.zeros, is_zero)) {
    while (node.input_count() <= kOffsetW) node.AddInput({});
    node.SetInput(kOffsetW, AddZeros(node, w));
  }
  GE_TRY(InferNode(node));
  GE_ASSIGN(Value y,
            chain.Add("Cast", {node.out()}, "dst_type", static_cast<int64_t>(DataType::kFloat)));
  GE_ASSIGN(y, chain.Add("Mul", {y, factor}));
  if (bias) {
    if (product.is_conv()) {
      std::vector<int64_t> axes = {1, 2};
      if (node.type() == "Conv3D") axes.push_back(3);
      GE_ASSIGN(bias, chain.Add("Unsqueeze", {bias}, "axes", std::move(axes)));
    }
    GE_ASSIGN(y, chain.Add("Add", {y, bias}));
  }
  for (const Use& use : readers) use.node->SetInput(static_cast<size_t>(use.input), y);
  return Status::Ok();
}

}  // namespace

Result<size_t> FuseQuantizedProduct(Graph& graph) {
  Removal removal(graph);
  size_t places = 0;
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& node = *graph.nodes()[i];
    if (!Product::Is(node) || node.input(kOffsetW)) continue;
    const std::optional<Dequantized> x = FindDequantized(node.input(0));
    const std::optional<Dequantized> w = FindDequantized(node.input(1));
    if (!x || !w || !Product(node).Fits(*x, *w)) continue;
    std::vector<double> factors = w->scales;
    for (double& factor : factors) factor *= x->scales.front();
    std::vector<uint8_t> bytes = Rounded(factors, DataType::kFloat);
    if (bytes.empty()) continue;
    const TensorDesc desc = {DataType::kFloat, Format::kND,
                             Product(node).FactorShape(factors.size())};
    Node* const scale = graph.AddConst(node.name() + "/scale", desc, Buffer::Own(std::move(bytes)));
    GE_TRY(Rewrite(node, *x, *w, scale->out()));
    for (const Dequantized* factor : {&*x, &*w}) {
      Node* const end = factor->view != nullptr ? factor->view : factor->last;
      if (!end->has_uses() && !removal.Has(*end)) removal.Add(*end);
    }
    ++places;
  }
  if (places != 0) removal.Finish();
  return places;
}

}  // namespace ge
