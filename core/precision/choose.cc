#include "precision/choose.h"

#include <algorithm>
#include <array>

#include "ops/op_impl.h"

namespace ge {
namespace {

constexpr DataType kF32 = DataType::kFloat, kF16 = DataType::kFloat16, kBf16 = DataType::kBf16;
constexpr DataType kNone = DataType::kUndefined;

// What a port takes, best first; kNone at the end.
using Wishes = std::array<DataType, 3>;

// The dtype of the source, else a wider one, else (where the mode allows it) a narrower one.
Wishes Keep(DataType source, DataType narrower) {
  return source == kF32 ? Wishes{kF32, narrower, kNone} : Wishes{source, kF32, kNone};
}

class Wisher {
 public:
  explicit Wisher(const ChoiceContext& context) : c_(context) {}

  Wishes Input(size_t i) const {
    const DataType source = c_.source.inputs[i];
    const bool is_gray = c_.op->list == MixList::kGray;
    if (!c_.pinned && IsMixed(c_.mode) && is_gray && c_.producers[i] != kNone) {
      return Follow(c_.producers[i]);
    }
    return Port(source);
  }
  Wishes Output(size_t i) const { return Port(c_.source.outputs[i]); }

 private:
  DataType Narrow() const {
    const bool bf16 =
        c_.mode == PrecisionMode::kMixBf16 || c_.mode == PrecisionMode::kAllowFp32ToBf16;
    return bf16 ? kBf16 : kF16;
  }

  // The modes with hifloat8 take what is next behind it: no list of a SoC has it for an operator
  // that front ends make and that computes.
  DataType NarrowOf(DataType source) const {
    const bool hif8 = c_.mode == PrecisionMode::kMixHif8 || c_.mode == PrecisionMode::kCubeHif8;
    return hif8 && source == kBf16 ? kBf16 : Narrow();
  }

  // A dtype risen, then reduced.
  Wishes Follow(DataType producer) const {
    if (producer == kF32) return {kF32, Narrow(), kNone};
    return {producer, kF32, kNone};
  }

  Wishes AllowNarrower(DataType source, bool is_matrix) const {
    if (source == kF32 && is_matrix) return {Narrow(), kF32, kNone};
    if (source == kBf16 && Narrow() == kF16) return {kBf16, kF32, kF16};
    return Keep(source, Narrow());
  }

  Wishes Port(DataType source) const {
    const bool is_matrix = IsMatrixOp(c_.node->type());
    if (c_.pinned) return Keep(source, c_.mode == PrecisionMode::kOrigin ? kNone : Narrow());
    switch (c_.mode) {
      case PrecisionMode::kForceFp16:
        return {kF16, kF32, kNone};
      case PrecisionMode::kAllowFp32ToFp16:
        return AllowNarrower(source, is_matrix);
      case PrecisionMode::kAllowFp32ToBf16:
        return AllowNarrower(source, false);
      case PrecisionMode::kOrigin:
        return Keep(source, kNone);
      case PrecisionMode::kCubeFp16InFp32Out:
        return {kF32, source == kBf16 ? kBf16 : kF16, kNone};
      case PrecisionMode::kMixFp16:
      case PrecisionMode::kMixBf16:
      case PrecisionMode::kMixHif8:
        if (c_.op->list == MixList::kWhite) return {NarrowOf(source), kF32, kNone};
        if (c_.op->list == MixList::kBlack) return Keep(source, kNone);
        return AllowNarrower(source, is_matrix);
      case PrecisionMode::kCubeHif8:
        if (is_matrix) return {NarrowOf(source), kF32, kNone};
        return Keep(source, kNone);
    }
    return {};
  }

  const ChoiceContext& c_;
};

class Narrower {
 public:
  explicit Narrower(const ChoiceContext& context) : c_(context) {
    for (const DtypeColumn& column : c_.op->columns) AddCandidate(column);
    has_cube_candidate_ = !candidates_.empty() && c_.mode == PrecisionMode::kCubeFp16InFp32Out &&
                          IsMatrixOp(c_.node->type());
    if (has_cube_candidate_) AddCubeCandidate();
  }

  bool has_candidates() const { return !candidates_.empty(); }
  // Whether the first candidate has float16 factors and float32 sums.
  bool has_cube_candidate() const { return has_cube_candidate_; }
  const PortDtypes& first() const { return candidates_.front(); }

  // Keeps the candidates whose port is `dtype`, unless there are none.
  bool Narrow(std::vector<DataType> PortDtypes::*ports, size_t i, DataType dtype) {
    const auto fits = [&](const PortDtypes& candidate) { return (candidate.*ports)[i] == dtype; };
    if (std::none_of(candidates_.begin(), candidates_.end(), fits)) return false;
    std::erase_if(candidates_, [&](const PortDtypes& candidate) { return !fits(candidate); });
    return true;
  }
  void Narrow(std::vector<DataType> PortDtypes::*ports, size_t i, const Wishes& wishes) {
    for (const DataType wish : wishes) {
      if (wish != kNone && Narrow(ports, i, wish)) return;
    }
  }
  void Narrow(std::vector<DataType> PortDtypes::*ports, const std::vector<DataType>& wanted) {
    const size_t count = std::min(wanted.size(), (c_.source.*ports).size());
    for (size_t i = 0; i < count; ++i) {
      if (wanted[i] != kNone) Narrow(ports, i, wanted[i]);
    }
  }

 private:
  // A column fits when it has floats where the node has some, and nowhere else.
  void AddCandidate(const DtypeColumn& column) {
    PortDtypes candidate;
    const auto fill = [&](const std::vector<DataType>& source, const std::vector<DataType>& column,
                          std::vector<DataType>& filled, auto port_of) {
      for (size_t i = 0; i < source.size(); ++i) {
        const size_t port = port_of(*c_.node, i);
        const DataType dtype = port < column.size() ? column[port] : kNone;
        if (source[i] != kNone && dtype == kNone) return false;
        filled.push_back(source[i] == kNone ? kNone : dtype);
      }
      return true;
    };
    if (fill(c_.source.inputs, column.inputs, candidate.inputs, InputPort) &&
        fill(c_.source.outputs, column.outputs, candidate.outputs, OutputPort)) {
      candidates_.push_back(std::move(candidate));
    }
  }

  // float16 factors, float32 sums: an addend (port 2 on) is not rounded either.
  void AddCubeCandidate() {
    PortDtypes candidate = c_.source;
    size_t factors = 0;
    for (DataType& dtype : candidate.inputs) {
      if (dtype != kNone) dtype = factors++ < 2 ? kF16 : kF32;
    }
    for (DataType& dtype : candidate.outputs) {
      if (dtype != kNone) dtype = kF32;
    }
    candidates_.insert(candidates_.begin(), std::move(candidate));
  }

  const ChoiceContext& c_;
  std::vector<PortDtypes> candidates_;
  bool has_cube_candidate_ = false;
};

// Columns of operators that work element by element may mix float32 with a narrower operand; the
// host engine reads both as float32, which are the same numbers.
void WidenMixedOperands(const Node& node, PortDtypes& chosen) {
  const OpImpl* const impl = FindOpImpl(node.type());
  if (impl == nullptr || impl->pointwise != Pointwise::kBroadcast) return;
  if (std::ranges::count(chosen.inputs, kF32) == 0) return;
  for (DataType& dtype : chosen.inputs) {
    if (dtype != kNone) dtype = kF32;
  }
}

}  // namespace

PortDtypes ChooseDtypes(const ChoiceContext& context) {
  Narrower narrower(context);
  if (!narrower.has_candidates()) return context.source;
  if (context.custom != nullptr) {
    narrower.Narrow(&PortDtypes::inputs, context.custom->inputs);
    narrower.Narrow(&PortDtypes::outputs, context.custom->outputs);
  }
  if (narrower.has_cube_candidate() && !context.pinned) return narrower.first();
  const Wisher wisher(context);
  for (size_t i = 0; i < context.source.inputs.size(); ++i) {
    if (context.source.inputs[i] != kNone) {
      narrower.Narrow(&PortDtypes::inputs, i, wisher.Input(i));
    }
  }
  for (size_t i = 0; i < context.source.outputs.size(); ++i) {
    if (context.source.outputs[i] != kNone) {
      narrower.Narrow(&PortDtypes::outputs, i, wisher.Output(i));
    }
  }
  PortDtypes chosen = narrower.first();
  WidenMixedOperands(*context.node, chosen);
  return chosen;
}

}  // namespace ge
