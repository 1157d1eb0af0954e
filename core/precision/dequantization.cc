#include "precision/dequantization.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ops/op_impl.h"

namespace ge {
namespace {

// Longer ways from a Cast to a scale, and from a scale to what it is made of, are not followed.
constexpr size_t kMostNodes = 8;

constexpr double kLeastNormalFp16 = 0x1p-14;

bool IsOneOf(const Node& node, std::initializer_list<std::string_view> types) {
  return std::find(types.begin(), types.end(), node.type()) != types.end();
}

bool IsView(const Node& node) {
  const OpImpl* const impl = FindOpImpl(node.type());
  return impl != nullptr && impl->view && node.type() != "Bitcast";
}

bool IsFloat32(const Node& node) {
  return node.output_count() == 1 && node.output(0).dtype == DataType::kFloat;
}

bool IsFromInteger(const Node& node) {
  return node.type() == "Cast" && IsFloat32(node) && IsInteger(node.input(0).desc().dtype);
}

// Whether integers of 8 bits and less become floats: float16 holds them, and what they are
// multiplied by alone matters.
bool IsFromByte(const Node& cast) {
  return RowOf(cast.input(0).desc().dtype).bits <= 8;
}

// What a product or quotient multiplies the operand `use` by.
std::optional<Value> ScaleOf(const Use& use) {
  const Node& reader = *use.node;
  if (!IsFloat32(reader)) return std::nullopt;
  if (reader.type() == "Mul") return reader.input(1 - use.input);
  if (reader.type() == "RealDiv" && use.input == 0) return reader.input(1);
  return std::nullopt;
}

bool FitsFp16(Value scale) {
  const std::optional<std::vector<double>> values = ConstDoubles(scale);
  return values && std::none_of(values->begin(), values->end(), [](double value) {
           return value != 0 && std::abs(value) < kLeastNormalFp16;
         });
}

// Whether a reader takes a zero point off: what is left may need fewer digits than both.
bool Centres(const Use& use) {
  if (use.node->type() != "Sub" || !IsFloat32(*use.node)) return false;
  const Value other = use.node->input(1 - use.input);
  return other.node->is_const() || IsFromInteger(*other.node);
}

// Whether a scaled number may be scaled once more by this.
bool IsSecondScale(Value scale) {
  return scale.node->is_const() || scale.desc().shape.elements() == 1;
}

// Whether a reader of an integer gives one that the same scale counts for.
bool IsBeforeScale(const Use& use) {
  const Node& reader = *use.node;
  if (!IsFloat32(reader)) return false;
  if (IsView(reader)) return use.input == 0;
  return IsOneOf(reader, {"Add", "ClipByValue", "Expand", "Maximum", "Minimum", "Neg", "Relu",
                          "Sub", "Tile", "Transpose"});
}

class Finder {
 public:
  // Keeps what lies between `node`, an integer as float32, and the scales that it is multiplied by.
  // False when there are none.
  bool FollowInteger(const Node& node, bool is_byte, size_t way = 0) {
    const auto [known, is_new] = is_scaled_[is_byte].try_emplace(&node, false);
    if (!is_new) return known->second;
    bool& is_scaled = known->second;
    for (const Use& use : node.uses(0)) {
      const Node& reader = *use.node;
      if (const std::optional<Value> scale = ScaleOf(use)) {
        if (is_byte && FitsFp16(*scale)) continue;
        KeepScaled(reader, *scale);
        is_scaled = true;
      } else if (IsBeforeScale(use) && way < kMostNodes) {
        if (!FollowInteger(reader, is_byte, way + 1)) continue;
        kept_.insert(&reader);
        is_scaled = true;
      }
    }
    return is_scaled;
  }

  void KeepCentred(const Node& integer) {
    for (const Use& use : integer.uses(0)) {
      if (Centres(use)) kept_.insert(use.node);
    }
  }

  std::unordered_set<const Node*> Take() { return std::move(kept_); }

 private:
  void KeepScaled(const Node& product, Value scale) {
    if (!kept_.insert(&product).second) return;
    KeepScale(scale, 0);
    FollowScaled(product, 0);
  }

  // Products of which a scale is made.
  void KeepScale(Value scale, size_t way) {
    const Node& node = *scale.node;
    if (way >= kMostNodes || node.is_const() || !IsFloat32(node)) return;
    const bool is_product = IsOneOf(node, {"Mul", "RealDiv"});
    if (!is_product && !IsView(node) && !IsOneOf(node, {"Expand", "Reciprocal"})) return;
    kept_.insert(&node);
    KeepScale(node.input(0), way + 1);
    if (is_product) KeepScale(node.input(1), way + 1);
  }

  // Further scales, and operators that round.
  void FollowScaled(const Node& node, size_t way) {
    for (const Use& use : node.uses(0)) {
      const Node& reader = *use.node;
      const std::optional<Value> scale = ScaleOf(use);
      if (scale && IsSecondScale(*scale)) {
        KeepScaled(reader, *scale);
      } else if (use.input == 0 && IsOneOf(reader, {"Floor", "Round"})) {
        kept_.insert(&reader);
      } else if (use.input == 0 && IsView(reader) && way < kMostNodes) {
        FollowScaled(reader, way + 1);
      }
    }
  }

  std::unordered_set<const Node*> kept_;
  std::unordered_map<const Node*, bool> is_scaled_[2];  // results of FollowInteger
};

}  // namespace

std::unordered_set<const Node*> FindDequantizations(const Graph& graph) {
  Finder finder;
  for (const auto& node : graph.nodes()) {
    if (!IsFromInteger(*node)) continue;
    finder.FollowInteger(*node, IsFromByte(*node));
    if (!IsFromByte(*node)) finder.KeepCentred(*node);
  }
  return finder.Take();
}

}  // namespace ge
