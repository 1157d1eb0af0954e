#include "ops/op_impl.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/name_map.h"
#include "ir/recorded_kernel.h"
#include "kernels/box.h"
#include "kernels/convert.h"
#include "kernels/dispatch.h"
#include "kernels/float8.h"

namespace ge {
namespace {

// What is known about a built type; its table row is looked up once.
struct Registered {
  const OpImpl* impl;
  Table row;
};

NameMap<Registered>& Registry() {
  static NameMap<Registered> registry;
  return registry;
}

Table FindRow(std::string_view type) {
  return Table::Root("ops").Find(type);
}

Table Default(const Node& node, std::string_view name) {
  return OpRow(node.type()).Find("attrs").Find(name).Find("default");
}

// Names of ports, the dynamic one (at most one has a free count) repeated as name0, name1, ...
std::vector<std::string> PortNames(Table ports, size_t count) {
  std::vector<std::string> names;
  names.reserve(count);
  const size_t fixed = ports.size() == 0 ? 0 : ports.size() - 1;
  for (uint32_t i = 0; i < ports.size() && names.size() < count; ++i) {
    const std::string name(ports[i].Find("name").AsString());
    if (ports[i].Find("kind").AsString() == "dynamic") {
      const size_t copies = count > fixed ? count - fixed : 0;
      for (size_t copy = 0; copy < copies; ++copy) names.push_back(name + std::to_string(copy));
    } else {
      names.push_back(name);
    }
  }
  while (names.size() < count) names.push_back("x" + std::to_string(names.size()));
  return names;
}

// A constant for kernels to read.  Its bytes may be a view into a file, at any address: `copy`
// takes them when they are not aligned.
HostTensor ConstTensor(const Node& node, std::vector<uint8_t>& copy) {
  const TensorDesc& desc = node.output(0);
  // A tensor without elements has no bytes; its kernel must still see that the input is there.
  static uint8_t empty;
  const std::span<const uint8_t> bytes = node.value().bytes();
  const uint8_t* data = bytes.empty() ? &empty : bytes.data();
  if (reinterpret_cast<uintptr_t>(data) % alignof(std::max_align_t) != 0 && !bytes.empty()) {
    copy.assign(bytes.begin(), bytes.end());
    data = copy.data();
  }
  return {desc.dtype, desc.shape, const_cast<uint8_t*>(data)};
}

// Whether the strides and bytes of `shape` can be computed without overflow.
bool IsAddressable(const Shape& shape) {
  int64_t bytes = 16;  // of the widest element
  for (const int64_t dim : shape.dims()) {
    if (dim > 0 && __builtin_mul_overflow(bytes, dim, &bytes)) return false;
  }
  return true;
}

// Whether every output is known to have no elements, so that nothing has to be computed.
bool HasNoElements(const Node& node) {
  if (node.output_count() == 0 || !node.subgraphs().empty()) return false;
  for (size_t i = 0; i < node.output_count(); ++i) {
    if (node.output(i).shape.elements() != 0) return false;
  }
  return true;
}

int64_t InputBytes(const Node& node) {
  int64_t total = 0;
  for (size_t i = 0; i < node.input_count(); ++i) {
    if (node.input(i)) total += static_cast<int64_t>(node.input(i).node->value().size());
  }
  return total;
}

// Constants with the given bytes take over the readers of the outputs.  A node with one output
// turns into the constant, so names and order stay as they are.
std::vector<Value> ReplaceByConsts(Node& node, std::vector<Buffer> bytes) {
  if (node.output_count() == 1) {
    node.BecomeConst(std::move(bytes[0]));
    return {node.out()};
  }
  std::vector<Value> values;
  for (size_t i = 0; i < bytes.size(); ++i) {
    Node* folded = node.graph().AddConst(node.name() + ":" + std::to_string(i), node.output(i),
                                         std::move(bytes[i]));
    for (std::string& source : node.source_names()) folded->AddSourceName(std::move(source));
    node.graph().ReplaceUses(node.out(static_cast<int32_t>(i)), folded->out());
    values.push_back(folded->out());
  }
  return values;
}

// Memory of the results of a folded node.
class FoldedOutputs : public OutputAllocator {
 public:
  explicit FoldedOutputs(size_t count) : memory_(count) {}
  void* Allocate(size_t output, int64_t bytes) override {
    memory_[output].resize(static_cast<size_t>(bytes) + 1);  // never a null pointer
    return memory_[output].data();
  }
  std::vector<Buffer> Take() {
    std::vector<Buffer> buffers;
    for (std::vector<uint8_t>& output : memory_) {
      output.pop_back();
      buffers.push_back(Buffer::Own(std::move(output)));
    }
    return buffers;
  }

 private:
  std::vector<std::vector<uint8_t>> memory_;
};

// Runs `kernel` on the constant inputs of `node`.
Result<std::vector<Value>> RunAndReplace(Node& node, KernelFn kernel) {
  std::vector<HostTensor> inputs(node.input_count());
  std::vector<std::vector<uint8_t>> copies(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (node.input(i)) inputs[i] = ConstTensor(*node.input(i).node, copies[i]);
  }
  FoldedOutputs memory(node.output_count());
  std::vector<HostTensor> outputs(node.output_count());
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs[i] = {node.output(i).dtype, node.output(i).shape, nullptr};
    const std::optional<int64_t> size = BytesOf(node.output(i));
    if (size) outputs[i].data = memory.Allocate(i, *size);
  }
  const AttrReader attrs(node);
  KernelContext context{inputs, outputs, attrs, &memory};
  if (Status status = kernel(context); !status.ok()) {
    if (status.id() == ErrorId::kE10055) return std::vector<Value>{};  // no code for this dtype
    return status;
  }
  for (size_t i = 0; i < outputs.size(); ++i) node.output(i).shape = outputs[i].shape;
  return ReplaceByConsts(node, memory.Take());
}

}  // namespace

OpRegistrar::OpRegistrar(const OpImpl& impl) {
  Registry().Insert(impl.type, {&impl, FindRow(impl.type)});
}

OpRegistrar::OpRegistrar(std::span<const OpImpl> impls) {
  for (const OpImpl& impl : impls) {
    Registry().Insert(impl.type, {&impl, FindRow(impl.type)});
  }
}

const OpImpl* FindOpImpl(std::string_view type) {
  const Registered* found = Registry().Find(type);
  return found == nullptr ? nullptr : found->impl;
}

Table OpRow(std::string_view type) {
  const Registered* found = Registry().Find(type);
  return found == nullptr ? FindRow(type) : found->row;
}

std::vector<std::string> InputNames(const Node& node) {
  return PortNames(OpRow(node.type()).Find("inputs"), node.input_count());
}

std::vector<std::string> OutputNames(const Node& node) {
  return OutputNames(node.type(), node.output_count());
}

std::vector<std::string> OutputNames(std::string_view type, size_t count) {
  return PortNames(OpRow(type).Find("outputs"), count);
}

DataType DtypeWithoutKernel(const Node& node) {
  const OpImpl* const impl = FindOpImpl(node.type());
  if (impl == nullptr || KernelNameOf(node) != nullptr) return DataType::kUndefined;
  const DtypeSet set = impl->view ? DtypeSet::kBytes : impl->dtypes;
  const auto is_taken = [set](DataType dtype) {
    if (set == DtypeSet::kAny) return true;
    if (set == DtypeSet::kBytes) return ElementBytes(dtype).has_value();
    return VisitNumbers(dtype, [](auto) {}) || (set == DtypeSet::kNarrow && IsNarrow(dtype));
  };
  if (const Value x = node.input(0)) {
    const DataType dtype = x.desc().dtype;
    const bool fits = set == DtypeSet::kFloats ? VisitFloats(dtype, [](auto) {}) : is_taken(dtype);
    if (!fits) return dtype;
  }
  for (size_t i = 0; i < node.output_count(); ++i) {
    if (!is_taken(node.output(i).dtype)) return node.output(i).dtype;
  }
  return DataType::kUndefined;
}

int64_t AttrReader::Int(std::string_view name) const {
  const int64_t* value = attrs_.Get<int64_t>(name);
  return value != nullptr ? *value : Default(node_, name).AsInt();
}

bool AttrReader::Bool(std::string_view name) const {
  const bool* value = attrs_.Get<bool>(name);
  return value != nullptr ? *value : Default(node_, name).AsBool();
}

float AttrReader::Float(std::string_view name) const {
  const float* value = attrs_.Get<float>(name);
  return value != nullptr ? *value : static_cast<float>(Default(node_, name).AsDouble());
}

std::string AttrReader::Str(std::string_view name) const {
  const std::string* value = attrs_.Get<std::string>(name);
  return value != nullptr ? *value : std::string(Default(node_, name).AsString());
}

std::vector<int64_t> AttrReader::Ints(std::string_view name) const {
  if (const auto* value = attrs_.Get<std::vector<int64_t>>(name)) return *value;
  const Table list = Default(node_, name);
  std::vector<int64_t> values;
  for (uint32_t i = 0; i < list.size(); ++i) values.push_back(list[i].AsInt());
  return values;
}

std::vector<float> AttrReader::Floats(std::string_view name) const {
  if (const auto* value = attrs_.Get<std::vector<float>>(name)) return *value;
  const Table list = Default(node_, name);
  std::vector<float> values;
  for (uint32_t i = 0; i < list.size(); ++i)
    values.push_back(static_cast<float>(list[i].AsDouble()));
  return values;
}

std::optional<std::vector<int64_t>> ConstInts(Value value) {
  if (!value || !value.node->is_const()) return std::nullopt;
  std::vector<uint8_t> copy;
  return ToInts(ConstTensor(*value.node, copy));
}

std::optional<std::vector<double>> ConstDoubles(Value value) {
  if (!value || !value.node->is_const()) return std::nullopt;
  std::vector<uint8_t> copy;
  return ToDoubles(ConstTensor(*value.node, copy));
}

std::optional<std::vector<int64_t>> InferContext::ConstInts(size_t i) const {
  if (target_ != nullptr) {
    asked_unknown_ |= has_input(i) && !target_->input(i).node->is_const();
    return ge::ConstInts(target_->input(i));
  }
  return has_input(i) ? ToInts(values_[i]) : std::nullopt;
}

std::optional<std::vector<double>> InferContext::ConstDoubles(size_t i) const {
  if (target_ != nullptr) {
    asked_unknown_ |= has_input(i) && !target_->input(i).node->is_const();
    return ge::ConstDoubles(target_->input(i));
  }
  return has_input(i) ? ToDoubles(values_[i]) : std::nullopt;
}

void InferContext::SetOutput(size_t i, DataType dtype, Shape shape) {
  if (i >= output_count()) return;  // an optional output that nobody asked for
  TensorDesc& desc = target_ != nullptr ? target_->output(i) : outputs_[i];
  desc.dtype = dtype;
  desc.shape = std::move(shape);
}

Status InferContext::Fail(std::string reason) const {
  return Error(ErrorId::kE14001,
               {{"opname", node().source_name()}, {"optype", node().type()}, {"reason", reason}});
}

namespace {

// Runs the shape rule between the checks that hold for every operator.
Status InferChecked(InferContext& ctx, InferFn infer) {
  const Table ports = OpRow(ctx.node().type()).Find("inputs");
  for (uint32_t i = 0; i < ports.size(); ++i) {
    const bool required = !ports[i].Has("kind");
    if (!required) {
      if (ports[i].Find("kind").AsString() == "dynamic") break;  // positions shift behind it
      continue;
    }
    if (!ctx.has_input(i)) {
      return ctx.Fail("input " + std::string(ports[i].Find("name").AsString()) + " is missing");
    }
  }
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    if (ctx.has_input(i) && !IsAddressable(ctx.shape(i))) {
      return ctx.Fail("input " + std::to_string(i) + " is too large: " + ctx.shape(i).ToString());
    }
  }
  GE_TRY(infer(ctx));
  for (size_t i = 0; i < ctx.output_count(); ++i) {
    if (!IsAddressable(ctx.output(i).shape)) {
      return ctx.Fail("its result would be too large: " + ctx.output(i).shape.ToString());
    }
  }
  return Status::Ok();
}

}  // namespace

Status InferNode(Node& node, bool* asks_values) {
  const OpImpl* impl = FindOpImpl(node.type());
  if (impl == nullptr || impl->infer == nullptr) {
    if (KernelNameOf(node) != nullptr) return Status::Ok();  // its kernel says what it gives
    return Error(ErrorId::kE14001, {{"opname", node.source_name()},
                                    {"optype", node.type()},
                                    {"reason", "this operator is not built yet"}});
  }
  InferContext ctx(node);
  GE_TRY(InferChecked(ctx, impl->infer));
  if (asks_values != nullptr) *asks_values = ctx.asked_unknown();
  return Status::Ok();
}

Status InferAtRun(InferContext& context) {
  return InferChecked(context, FindOpImpl(context.node().type())->infer);
}

Result<std::vector<Value>> FoldNode(Node& node, int64_t limit) {
  if (HasNoElements(node)) {
    return ReplaceByConsts(node, std::vector<Buffer>(node.output_count()));
  }
  const OpImpl* impl = FindOpImpl(node.type());
  if (impl == nullptr || impl->random || (impl->run_host == nullptr && !impl->view))
    return std::vector<Value>{};
  if (node.input_count() == 0) return std::vector<Value>{};  // Unreachable: its kernel fails
  for (size_t i = 0; i < node.input_count(); ++i) {
    const Value input = node.input(i);
    if (input && !input.node->is_const()) return std::vector<Value>{};
  }
  int64_t total = 0;
  for (size_t i = 0; i < node.output_count(); ++i) {
    // A size that depends on the data is at most a few times that of the inputs.
    const std::optional<int64_t> bytes = BytesOf(node.output(i));
    if (!bytes && !impl->data_sized) return std::vector<Value>{};
    total += std::min(bytes ? *bytes : InputBytes(node), limit + 1);
  }
  if (impl->view) {
    const Value input = node.input(0);
    if (!input || BytesOf(input.desc()) != BytesOf(node.output(0))) return std::vector<Value>{};
    return ReplaceByConsts(node, {input.node->value()});
  }
  if (total > limit) return std::vector<Value>{};
  return RunAndReplace(node, impl->run_host);
}

}  // namespace ge
