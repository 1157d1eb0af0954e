#include "passes/channel_affine.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/dispatch.h"
#include "kernels/simd.h"
#include "ops/op_impl.h"
#include "passes/rewrite.h"

namespace ge {
namespace {

// A convolution whose result one node alone reads, in a layout where the channels are axis 1.
struct ScalableConv {
  Node* node = nullptr;
  size_t filter = 0, bias = 0;  // inputs
  bool transposed = false;      // the filter is [C, O / groups, ...], else [O, C / groups, ...]
  int64_t channels = 0;         // of the result, O
};

bool IsScalableFloat(DataType dtype) {
  return VisitFloats(dtype, [](auto) {});
}

double SmallestNormal(DataType dtype) {
  switch (dtype) {
    case DataType::kFloat16:
      return 0x1p-14;
    case DataType::kDouble:
      return std::numeric_limits<double>::min();
    default:
      return std::numeric_limits<float>::min();  // bfloat16 has the exponents of float32
  }
}

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

// Element i of memory that need not be aligned.
template <typename T>
GE_INLINE inline T At(const uint8_t* data, size_t i) {
  T element;
  std::memcpy(&element, data + i * sizeof(T), sizeof(T));
  return element;
}

template <typename T>
GE_INLINE inline T Scaled(T weight, double scale) {
  return static_cast<T>(static_cast<double>(weight) * scale);
}

// The largest magnitude; NaN if there is one.
template <typename T>
double LargestOf(const uint8_t* weights, size_t count) {
  using Bits = std::conditional_t<sizeof(T) == 2, uint16_t,
                                  std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
  // Bits without the sign sort like the numbers, NaN behind them.
  constexpr Bits kNoSign = static_cast<Bits>(~Bits{0}) >> 1;
  Bits largest = 0;
  Vectorised([&]() GE_INLINE {
    for (size_t i = 0; i < count; ++i) {
      largest = std::max(largest, static_cast<Bits>(At<Bits>(weights, i) & kNoSign));
    }
  });
  return static_cast<double>(std::bit_cast<T>(largest));
}

// Filters are large, so the new one is computed when it is written.
struct ScaledRows {
  Buffer source;
  DataType dtype;
  size_t run;                 // elements of a row
  std::vector<double> scale;  // per row

  void Fill(size_t offset, std::span<uint8_t> out) const {
    VisitFloats(dtype, [&]<typename T>(T) {
      const uint8_t* from = source.bytes().data() + offset;
      size_t element = offset / sizeof(T);
      for (uint8_t *to = out.data(), *end = to + out.size(); to < end;) {
        const size_t row = element / run;
        const size_t count =
            std::min(run - element % run, static_cast<size_t>(end - to) / sizeof(T));
        const double factor = scale[row];
        Vectorised([&]() GE_INLINE {
          for (size_t i = 0; i < count; ++i) {
            const T weight = Scaled(At<T>(from, i), factor);
            std::memcpy(to + i * sizeof(T), &weight, sizeof(T));
          }
        });
        element += count;
        from += count * sizeof(T);
        to += count * sizeof(T);
      }
    });
  }
};

// The filter times `scale`; nullopt when a channel cannot be represented.
std::optional<Buffer> ScaledFilter(const ScalableConv& conv, const std::vector<double>& scale) {
  const Node& filter = *conv.node->input(conv.filter).node;
  const TensorDesc& desc = filter.output(0);
  const size_t channels = scale.size();
  const size_t count = static_cast<size_t>(desc.shape[0] * (conv.transposed ? desc.shape[1] : 1));
  ScaledRows rows = {filter.value(), desc.dtype,
                     static_cast<size_t>(*desc.shape.elements()) / std::max<size_t>(count, 1),
                     std::vector<double>(count)};
  std::vector<double> largest(channels, 0.0);
  bool finite = true;
  VisitFloats(desc.dtype, [&]<typename T>(T) {
    const uint8_t* weights = rows.source.bytes().data();
    const size_t outputs = conv.transposed ? static_cast<size_t>(desc.shape[1]) : 1;
    const size_t inputs =
        conv.transposed ? count / outputs / (channels / outputs) : 1;  // per group
    for (size_t row = 0; row < count; ++row) {
      const size_t group = row / outputs / inputs;
      const size_t channel = conv.transposed ? group * outputs + row % outputs : row;
      rows.scale[row] = scale[channel];
      const T most = static_cast<T>(LargestOf<T>(weights + row * rows.run * sizeof(T), rows.run));
      const double scaled = std::fabs(static_cast<double>(Scaled(most, scale[channel])));
      finite &= std::isfinite(scaled);
      largest[channel] = std::max(largest[channel], scaled);
    }
  });
  const double least = SmallestNormal(desc.dtype);
  const auto is_subnormal = [&](double most) { return most > 0 && most < least; };
  if (!finite || std::any_of(largest.begin(), largest.end(), is_subnormal)) return std::nullopt;
  const size_t size = rows.source.size();
  return Buffer::Compute(size, [rows = std::move(rows)](size_t offset, std::span<uint8_t> out) {
    rows.Fill(offset, out);
  });
}

// Empty when a number cannot be represented.
std::vector<uint8_t> Rounded(const std::vector<double>& numbers, DataType dtype) {
  std::vector<uint8_t> bytes;
  VisitFloats(dtype, [&]<typename T>(T) {
    bytes.resize(numbers.size() * sizeof(T));
    for (size_t i = 0; i < numbers.size(); ++i) {
      const T value = static_cast<T>(numbers[i]);
      if (!std::isfinite(static_cast<double>(value))) {
        bytes.clear();
        return;
      }
      std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
    }
  });
  return bytes;
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

int OperandBesideConst(const Node& node, std::string_view commutative, std::string_view inverse) {
  if (node.type() == inverse) return node.input(1).node->is_const() ? 0 : -1;
  if (node.type() != commutative) return -1;
  return node.input(1).node->is_const() ? 0 : node.input(0).node->is_const() ? 1 : -1;
}

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

Result<bool> FuseIntoConvs(Graph& graph, AffineInputFn input, ReadAffineFn read) {
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
    TakeSourceNames(*conv->node, node);
    graph.ReplaceUses(node.out(), x);
    removal.Add(node);
  }
  return removal.Finish();
}

}  // namespace ge
