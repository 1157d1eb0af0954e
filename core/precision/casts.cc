#include "precision/casts.h"

#include "kernels/narrow.h"
#include "precision/op_precision.h"

namespace ge {
namespace {

// Constants up to this size are converted at once, larger ones while the model is written.
constexpr size_t kMostConverted = 64 * 1024;

// Whether every `from` is a `to`, or is made into narrower floats by way of it.
bool Widens(DataType from, DataType to) {
  const bool by_float = IsInteger(from) || from == DataType::kBool;
  return to == DataType::kFloat &&
         (from == DataType::kFloat16 || from == DataType::kBf16 || by_float);
}

// The value before Casts that only widen it.
Value BeforeWidening(Value value) {
  while (value.node->type() == "Cast") {
    const Value before = value.node->input(0);
    if (!before || !Widens(before.desc().dtype, value.desc().dtype)) break;
    value = before;
  }
  return value;
}

}  // namespace

void Casts::Read(Node& node, size_t i, DataType dtype) {
  const Value value = node.input(i);
  if (value.desc().dtype == dtype) return;
  Node* const before = value.node;
  if (before->is_const() && IsLowerable(value.desc().dtype) && IsLowerable(dtype)) {
    node.SetInput(i, Converted(*before, dtype));
  } else {
    node.SetInput(i, CastTo(BeforeWidening(value), dtype));
  }
  if (!before->has_uses() && (before->is_const() || before->type() == "Cast")) {
    removal_.Add(*before);
  }
}

DataType Casts::ProducerOf(Value value) const {
  if (value.node->is_const() || value.node->type() == "Data") return DataType::kUndefined;
  const DataType before = BeforeWidening(value).desc().dtype;
  return IsLowerable(before) ? before : value.desc().dtype;
}

void Casts::Finish() {
  for (Node* cast : noops_) {
    if (!removal_.Has(*cast)) removal_.Bypass(*cast, cast->input(0));
  }
  if (!removal_.Finish()) graph_.SortTopologically();
}

Value Casts::Converted(Node& constant, DataType dtype) {
  const auto [made, is_new] = made_.try_emplace({constant.index(), 0, dtype});
  if (!is_new) return made->second;
  TensorDesc desc = constant.output(0);
  const DataType from = desc.dtype;
  desc.dtype = dtype;
  // The only reader takes the constant itself.
  Node* node = &constant;
  if (constant.uses(0).size() > 1) {
    node = graph_.AddConst(constant.name() + "/" + std::string(UserName(dtype)), constant.output(0),
                           constant.value());
    removal_.TakeNames(*node, constant);
  }
  made->second = node->out();
  if (constant.value().size() > kMostConverted) {
    node->ConvertWhenWritten(dtype);
    return made->second;
  }
  const auto elements =
      static_cast<int64_t>(constant.value().size() * 8 / static_cast<size_t>(RowOf(from).bits));
  std::vector<uint8_t> bytes(static_cast<size_t>(BytesOf(dtype, elements).value_or(0)));
  const kernels::NarrowLoss loss = kernels::ConvertFloats(from, constant.value().bytes().data(),
                                                          dtype, bytes.data(), elements, clip_);
  node->output(0) = desc;
  node->SetValue(Buffer::Own(std::move(bytes)));
  if (loss.beyond + loss.vanished != 0) {
    losses_.push_back({constant.source_name(), dtype, static_cast<uint64_t>(elements), loss.beyond,
                       loss.vanished});
  }
  return made->second;
}

Value Casts::CastTo(Value value, DataType dtype) {
  if (value.desc().dtype == dtype) return value;
  const auto [made, is_new] = made_.try_emplace({value.node->index(), value.index, dtype});
  if (!is_new) return made->second;
  Node* cast = graph_.Add("Cast", "trans_Cast_" + std::to_string(casts_++), {value});
  cast->attrs().Set("dst_type", static_cast<int64_t>(dtype));
  cast->output(0) = value.desc();
  cast->output(0).dtype = dtype;
  made->second = cast->out();
  return made->second;
}

}  // namespace ge
