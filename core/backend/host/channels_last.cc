#include "backend/host/channels_last.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "backend/host/conv_tail.h"
#include "backend/host/operands.h"

namespace ge::host {
namespace {

constexpr size_t kRank = 4;
// Where axes N, C, H, W are when the channels are last, and the axis that is at each place.
constexpr int64_t kPlaceOf[kRank] = {0, 3, 1, 2};
constexpr size_t kAxisAt[kRank] = {0, 2, 3, 1};

Shape Turned(const Shape& shape) {
  Shape turned = shape;
  for (size_t place = 0; place < kRank; ++place) turned[place] = shape[kAxisAt[place]];
  return turned;
}

std::vector<int64_t> Turned(const std::vector<int64_t>& list) {
  std::vector<int64_t> turned;
  for (const size_t axis : kAxisAt) turned.push_back(list[axis]);
  return turned;
}

// Whether the order of the axes makes a difference in memory.
bool HasOrder(const Shape& shape) {
  return shape.rank() == kRank && shape[1] != 1 && shape[2] * shape[3] != 1;
}

// What a step does with tensors whose channels are last.
struct Form {
  enum Kind : uint8_t {
    kAny,      // takes each tensor in either order
    kTogether  // all in one order, with `attrs` and `impl` when the channels are last
  };
  Kind kind = kTogether;
  std::optional<AttrMap> attrs;
  const OpImpl* impl = nullptr;  // null: that of the step
};

Form WithAttr(const Step& step, std::string_view name, Attr value) {
  Form form;
  form.attrs = step.node->attrs();
  form.attrs->Set(name, std::move(value));
  return form;
}

std::optional<Form> FormOfWindows(const Step& step) {
  const AttrReader reader(*step.node);
  if (reader.Str("data_format") != "NCHW") return std::nullopt;
  Form form = WithAttr(step, "data_format", std::string("NHWC"));
  for (const std::string_view name : {"ksize", "strides", "dilation"}) {
    const auto* list = step.node->attrs().Get<std::vector<int64_t>>(name);
    if (list != nullptr && list->size() == kRank) form.attrs->Set(name, Turned(*list));
  }
  return form;
}

std::optional<Form> FormOfConcat(const Step& step) {
  const auto axis = NormalizeAxis(AttrReader(*step.node).Int("concat_dim"), kRank);
  if (!axis) return std::nullopt;
  return WithAttr(step, "concat_dim", kPlaceOf[*axis]);
}

std::optional<Form> FormOfResize(const Step& step) {
  std::vector<int64_t> axes = AttrReader(*step.node).Ints("axes");
  if (axes.empty()) axes = {0, 1, 2, 3};
  for (int64_t& axis : axes) axis = kPlaceOf[*NormalizeAxis(axis, kRank)];
  return WithAttr(step, "axes", std::move(axes));
}

std::optional<Form> FormOfGlobalPool(const Step& step) {
  return WithAttr(step, "data_format", std::string("NHWC"));
}

// A mean over H and W.
std::optional<Form> FormOfMean(const Step& step) {
  const std::optional<std::vector<int64_t>> axes = ConstInts(step.node->input(1));
  if (!axes || axes->size() != 2) return std::nullopt;
  std::vector<size_t> places;
  for (const int64_t axis : *axes) places.push_back(NormalizeAxis(axis, kRank).value_or(0));
  std::sort(places.begin(), places.end());
  if (places != std::vector<size_t>{2, 3}) return std::nullopt;
  Form form = *FormOfGlobalPool(step);
  form.impl = FindOpImpl("GlobalAveragePool");
  return form;
}

std::optional<Form> FormOfConv(const Step& step) {
  const DataType dtype = step.outputs[0].desc->dtype;
  const bool is_built = dtype == DataType::kFloat || IsNarrowConv(step) || IsByteConv(step);
  if (!is_built || AttrReader(*step.node).Str("data_format") != "NCHW") return std::nullopt;
  Form form;
  form.kind = Form::kAny;
  return form;
}

struct Capable {
  std::string_view type;
  std::optional<Form> (*form_of)(const Step& step);
};
constexpr Capable kCapable[] = {
    {"AvgPoolV2", FormOfWindows}, {"ConcatD", FormOfConcat},
    {"Conv2D", FormOfConv},       {"Conv2DTranspose", FormOfConv},
    {"MaxPoolV3", FormOfWindows}, {"GlobalAveragePool", FormOfGlobalPool},
    {"ReduceMean", FormOfMean},   {"Resize", FormOfResize},
};

// nullopt: the step needs the order of the graph.
std::optional<Form> FormOf(const Step& step) {
  if (step.kind != Step::kKernel || step.dynamic) return std::nullopt;
  if (PointwiseOf(step) == Pointwise::kBroadcast) {
    const Shape& y = step.outputs[0].desc->shape;
    return y.rank() == kRank ? std::optional<Form>(Form{}) : std::nullopt;
  }
  const auto found =
      std::find_if(std::begin(kCapable), std::end(kCapable),
                   [&](const Capable& row) { return row.type == step.node->type(); });
  if (found == std::end(kCapable) || step.inputs[0].desc->shape.rank() != kRank) {
    return std::nullopt;
  }
  return found->form_of(step);
}

// Tensors with an order, in sets that change together.
class Orders {
 public:
  explicit Orders(Program& program) : program_(program), tensor_of_(program), forms_() {}

  void Decide() {
    for (size_t id = 0; id < tensor_of_.size(); ++id) sets_.push_back({id, false, false});
    for (const Step& step : program_.steps) {
      const std::optional<Form>& form = forms_.emplace_back(FormOf(step));
      if (form && form->kind == Form::kAny) {
        NoteConv(step);
      } else if (form) {
        NoteTogether(step);
      } else {
        ForEachTensor(step, [&](const Operand&, size_t id) { Root(id).fixed = true; });
      }
    }
  }

  void Apply() {
    for (size_t i = 0; i < program_.steps.size(); ++i) {
      if (!forms_[i]) continue;
      Step& step = program_.steps[i];
      if (forms_[i]->kind == Form::kAny) {
        ForEachTensor(step, [&](Operand& operand, size_t id) {
          operand.channels_last = id != kUnknown && Changes(id);
        });
      } else if (IsTurned(step)) {
        Turn(step, *forms_[i]);
      }
    }
  }

 private:
  static constexpr size_t kUnknown = TensorIds::kUnknown;

  struct Set {
    size_t parent;
    bool fixed;    // some step needs the order of the graph
    bool is_conv;  // some convolution touches it
  };

  // Visits the operands that have an order.
  template <typename StepType, typename Visit>
  void ForEachTensor(StepType& step, const Visit& visit) {
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      auto& operand = step.inputs[i];
      if (operand.kind == Operand::kNone || !HasOrder(operand.desc->shape)) continue;
      visit(operand, tensor_of_.Find(step.node->input(i)));
    }
    for (size_t i = 0; i < step.outputs.size(); ++i) {
      auto& operand = step.outputs[i];
      if (!HasOrder(operand.desc->shape)) continue;
      visit(operand, tensor_of_.Find({const_cast<Node*>(step.node), static_cast<int32_t>(i)}));
    }
  }

  Set& Root(size_t id) {
    if (id == kUnknown) return nowhere_;
    while (sets_[id].parent != id) id = sets_[id].parent = sets_[sets_[id].parent].parent;
    return sets_[id];
  }

  bool Changes(size_t id) { return !Root(id).fixed && Root(id).is_conv; }

  void NoteConv(const Step& step) {
    ForEachTensor(step, [&](const Operand& operand, size_t id) {
      (IsConvolved(step, operand) ? Root(id).is_conv : Root(id).fixed) = true;
    });
  }

  // Whether the operand of a convolution is x or y.
  static bool IsConvolved(const Step& step, const Operand& operand) {
    const size_t x = step.node->type() == "Conv2D" ? 0 : 1;
    return &operand == &step.inputs[x] || &operand == &step.outputs[0];
  }

  void NoteTogether(const Step& step) {
    Set* first = nullptr;
    ForEachTensor(step, [&](const Operand&, size_t id) {
      Set& set = Root(id);
      if (first == nullptr) first = &set;
      if (&set == first) return;
      first->fixed |= set.fixed;
      first->is_conv |= set.is_conv;
      if (&set == &nowhere_) {
        first->fixed = true;
      } else if (first == &nowhere_) {
        set.fixed = true;
        first = &set;
      } else {
        set.parent = first->parent;
      }
    });
    // Operands that repeat along axes in the middle have no turned shape of their own.
    for (const Operand& operand : step.inputs) {
      if (operand.kind == Operand::kNone || operand.desc->shape.rank() == kRank) continue;
      const bool is_pointwise = PointwiseOf(step) == Pointwise::kBroadcast;
      if (is_pointwise && !IsPerChannel(operand.desc->shape) && first != nullptr) {
        first->fixed = true;
      }
    }
  }

  // Of fewer than four axes: one number, or one per channel.
  static bool IsPerChannel(const Shape& shape) {
    const size_t rank = shape.rank();
    for (size_t axis = 0; axis < rank; ++axis) {
      if (shape[axis] != 1 && (axis + 3 != rank || rank > 3)) return false;
    }
    return true;
  }

  bool IsTurned(const Step& step) {
    bool turned = false;
    ForEachTensor(step,
                  [&](const Operand&, size_t id) { turned |= id != kUnknown && Changes(id); });
    return turned;
  }

  void Turn(Step& step, Form& form) {
    for (auto* operands : {&step.inputs, &step.outputs}) {
      for (Operand& operand : *operands) {
        if (operand.kind == Operand::kNone) continue;
        const Shape& shape = operand.desc->shape;
        const bool is_list = PointwiseOf(step) != Pointwise::kBroadcast;
        if (shape.rank() == kRank) {
          SetShape(operand, Turned(shape));
        } else if (!is_list && shape.rank() == 3) {
          SetShape(operand, Turned(Shape{1, shape[0], shape[1], shape[2]}));
        }
        operand.channels_last = HasOrder(shape);
      }
    }
    if (form.attrs) step.attrs = std::make_unique<const AttrMap>(std::move(*form.attrs));
    if (form.impl != nullptr) step.impl = form.impl;
  }

  void SetShape(Operand& operand, Shape shape) {
    auto& desc = program_.descs.emplace_back(std::make_unique<TensorDesc>(*operand.desc));
    desc->shape = std::move(shape);
    operand.desc = desc.get();
  }

  Program& program_;
  const TensorIds tensor_of_;
  std::vector<std::optional<Form>> forms_;  // per step
  std::vector<Set> sets_;
  Set nowhere_ = {0, true, false};  // of tensors that are not known to the steps alone
};

}  // namespace

void UseChannelsLast(Program& program) {
  Orders orders(program);
  orders.Decide();
  orders.Apply();
}

}  // namespace ge::host
