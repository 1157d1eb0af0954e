#include "passes/channel_affine.h"

#include <algorithm>

#include "ops/op_impl.h"
#include "passes/rewrite.h"
#include "passes/scaled_const.h"

namespace ge {
namespace {

// A convolution whose result one node alone reads, in a layout where the channels are axis 1.
struct ScalableConv {
  Node* node = nullptr;
  size_t filter = 0, bias = 0;  // inputs
  bool transposed = false;      // the filter is [C, O / groups, ...], else [O, C / groups, ...]
  int64_t channels = 0;         // of the result, O
};

bool KeepsChannels(const Node& squeeze) {
  if (squeeze.type() != "Squeeze") return false;
  const Shape& x = squeeze.input(0).desc().shape;
  if (x.unknown_rank()) return false;
  const std::vector<int64_t> axes = AttrReader(squeeze).Ints("axis");
  return !axes.empty() && std::all_of(axes.begin(), axes.end(), [&](int64_t axis) {
    const std::optional<size_t> at = NormalizeAxis(axis, x.rank());
    return at && *at >= 2;
  });
}

// The filter times `scale`; nullopt when a channel cannot be represented.
std::optional<Buffer> ScaledFilter(const ScalableConv& conv, const std::vector<double>& scale) {
  const Node& filter = *conv.node->input(conv.filter).node;
  const Shape& shape = filter.output(0).shape;
  const size_t channels = scale.size();
  const size_t outputs = conv.transposed ? static_cast<size_t>(shape[1]) : 1;
  std::vector<RowScale> rows(static_cast<size_t>(shape[0]) * outputs);
  const size_t inputs = conv.transposed ? rows.size() / channels : 1;  // per group
  for (size_t row = 0; row < rows.size(); ++row) {
    const size_t group = row / outputs / inputs;
    const size_t channel = conv.transposed ? group * outputs + row % outputs : row;
    rows[row] = {scale[channel], channel};
  }
  return ScaledConst(filter, std::move(rows), channels);
}

// The convolution that gives `value`, directly or through a Squeeze.  Its filter is a constant of
// floats, its bias one too or left out.
std::optional<ScalableConv> FindScalableConv(Value value) {
  while (KeepsChannels(*value.node) && OnlyReader(value) != nullptr) value = value.node->input(0);
  Node& node = *value.node;
  ScalableConv conv{.node = &node};
  conv.transposed = node.type() == "Conv2DTranspose" || node.type() == "Conv3DTranspose";
  if (!conv.transposed && node.type() != "Conv2D" && node.type() != "Conv3D") return std::nullopt;
  conv.filter = conv.transposed ? 2 : 1;
  conv.bias = conv.filter + 1;
  const AttrReader attrs(node);
  const std::string layout = attrs.Str("data_format");
  const Value filter = node.input(conv.filter), bias = node.input(conv.bias);
  if (OnlyReader(value) == nullptr || (layout != "NCHW" && layout != "NCDHW")) return std::nullopt;
  if (!filter.node->is_const() || !IsScalableFloat(filter.desc().dtype)) return std::nullopt;
  if (filter.desc().format != Format::kND && filter.desc().format != Format::kNCHW) {
    return std::nullopt;
  }
  if (bias && (!bias.node->is_const() || !IsScalableFloat(bias.desc().dtype))) return std::nullopt;
  const Shape& shape = filter.desc().shape;
  conv.channels = conv.transposed ? shape[1] * attrs.Int("groups") : shape[0];
  if (conv.channels < 1 || *shape.elements() == 0) return std::nullopt;
  return conv;
}

// Makes the convolution give y instead of x.  Computed in double and rounded once, to the dtype of
// each constant.  False, with nothing changed, when a new constant is not finite, or when the
// largest weight of a channel would lose bits as a subnormal number.
bool Rescale(const ScalableConv& conv, const ChannelAffine& affine) {
  Node& node = *conv.node;
  const Value filter = node.input(conv.filter), bias = node.input(conv.bias);
  std::vector<double> shift = affine.shift;
  if (bias) {
    const std::vector<double> before = *ConstDoubles(bias);
    for (size_t i = 0; i < shift.size(); ++i) shift[i] += before[i] * affine.scale[i];
  }
  const TensorDesc bias_desc = {.dtype = (bias ? bias : filter).desc().dtype,
                                .format = Format::kND,
                                .shape = Shape{conv.channels}};
  std::vector<uint8_t> new_bias = Rounded(shift, bias_desc.dtype);
  if (new_bias.empty()) return false;
  const bool scales = std::any_of(affine.scale.begin(), affine.scale.end(),
                                  [](double scale) { return scale != 1; });
  if (scales) {
    std::optional<Buffer> new_filter = ScaledFilter(conv, affine.scale);
    if (!new_filter) return false;
    SetConst(node, conv.filter, node.name() + "/filter", filter.desc(), std::move(*new_filter));
  }
  const bool shifts =
      std::any_of(shift.begin(), shift.end(), [](double number) { return number != 0; });
  if (bias || shifts) {
    SetConst(node, conv.bias, node.name() + "/bias", bias_desc, Buffer::Own(std::move(new_bias)));
  }
  return true;
}

}  // namespace

std::optional<std::vector<double>> PerChannel(Value operand, Value x, int64_t channels) {
  if (!operand || !operand.node->is_const() || x.desc().shape.unknown_rank()) return std::nullopt;
  const Shape& shape = operand.desc().shape;
  const size_t rank = x.desc().shape.rank();
  if (shape.rank() > rank) return std::nullopt;
  for (size_t i = 0; i < shape.rank(); ++i) {
    const size_t axis = rank - shape.rank() + i;
    if (shape[i] != 1 && (axis != 1 || shape[i] != channels)) return std::nullopt;
  }
  std::optional<std::vector<double>> values = ConstDoubles(operand);
  if (values && values->size() == 1) values->resize(static_cast<size_t>(channels), values->front());
  return values;
}

Result<size_t> FuseIntoConvs(Graph& graph, const AffineInputFn& input, const ReadAffineFn& read) {
  Removal removal(graph);
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& node = *graph.nodes()[i];
    if (removal.Has(node)) continue;
    const int side = input(node);
    if (side < 0) continue;
    const Value x = node.input(static_cast<size_t>(side));
    const std::optional<ScalableConv> conv = FindScalableConv(x);
    if (!conv || x.desc().dtype != node.output(0).dtype) continue;
    const std::optional<ChannelAffine> affine = read(node, x, conv->channels);
    if (!affine || !Rescale(*conv, *affine)) continue;
    removal.TakeNames(*conv->node, node);
    graph.ReplaceUses(node.out(), x);
    removal.Add(node);
  }
  return removal.Finish();
}

Result<size_t> FuseOperandsIntoConvs(Graph& graph, std::string_view commutative,
                                     std::string_view inverse, Affine (*affine)(double, bool)) {
  const auto input = [=](const Node& node) {
    if (node.type() == inverse) return node.input(1).node->is_const() ? 0 : -1;
    if (node.type() != commutative) return -1;
    return node.input(1).node->is_const() ? 0 : node.input(0).node->is_const() ? 1 : -1;
  };
  const auto read = [=](const Node& node, Value x,
                        int64_t channels) -> std::optional<ChannelAffine> {
    const Value operand = node.input(node.input(0) == x ? 1 : 0);
    const std::optional<std::vector<double>> numbers = PerChannel(operand, x, channels);
    if (!numbers) return std::nullopt;
    ChannelAffine all;
    for (const double number : *numbers) {
      const Affine one = affine(number, node.type() == inverse);
      all.scale.push_back(one.scale);
      all.shift.push_back(one.shift);
    }
    return all;
  };
  return FuseIntoConvs(graph, input, read);
}

}  // namespace ge
