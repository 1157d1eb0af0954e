#include "backend/host/instance.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>

#include "backend/host/fuse.h"
#include "backend/host/fuse_conv.h"
#include "backend/host/nested.h"
#include "backend/host/poison.h"
#include "base/bools.h"
#include "kernels/finite.h"

namespace ge::host {
namespace {

constexpr size_t kArenaAlignment = 4096;

// Tensors without elements have no bytes; kernels must still see that they are there.
uint8_t no_elements[16];

std::shared_ptr<uint8_t[]> NewMemory(int64_t bytes) {
  auto* const memory = new (std::nothrow) uint8_t[static_cast<size_t>(bytes) + 1];
  if (memory == nullptr) throw std::bad_alloc();
  return std::shared_ptr<uint8_t[]>(memory);
}

// All bits set: NaN in every floating-point type, -1 in integers.
void Fill(uint8_t* begin, uint64_t bytes) {
  std::memset(begin, 0xff, bytes);
}

std::string DescText(DataType dtype, const Shape& shape) {
  return std::string(UserName(dtype)) + " " + shape.ToString();
}

// What the memory of the model gets of an input: any byte but 0 is true, kernels count on 1.
void CopyElements(void* to, const HostTensor& from, size_t bytes) {
  if (from.dtype == DataType::kBool) {
    CopyBools(static_cast<uint8_t*>(to), {from.as<uint8_t>(), bytes});
  } else if (bytes != 0) {
    std::memcpy(to, from.data, bytes);
  }
}

bool MayBeReadInPlace(const HostTensor& input, size_t bytes) {
  if (input.dtype == DataType::kBool && !AreBools({input.as<uint8_t>(), bytes})) return false;
  return reinterpret_cast<uintptr_t>(input.data) % alignof(std::max_align_t) == 0;
}

// The task list of a damaged file runs a node before the one whose result it needs, or without it.
Status NotComputed(const Node& node) {
  const AttrReader attrs(node);
  return KernelContext{{}, {}, attrs}.Fail("one of its inputs has not been computed");
}

}  // namespace

// Gives slots their memory when a kernel knows the size of its result.
class Instance::SlotAllocator : public OutputAllocator {
 public:
  SlotAllocator(Instance& instance, const Step& step)
      : memory(step.outputs.size()), instance_(instance), step_(step) {}

  void* Allocate(size_t output, int64_t bytes) override {
    const Operand& operand = step_.outputs[output];
    if (operand.kind == Operand::kArena) {
      // A place of fixed size; what does not fit goes to memory that nobody reads, and the shape
      // is found to be wrong afterwards.
      if (bytes <= BytesOf(*operand.desc)) return instance_.arena_.get() + operand.offset;
    }
    memory[output] = NewMemory(bytes);
    if (instance_.poison_) Fill(memory[output].get(), static_cast<uint64_t>(bytes));
    return memory[output].get();
  }

  std::vector<std::shared_ptr<uint8_t[]>> memory;  // per output

 private:
  Instance& instance_;
  const Step& step_;
};

Instance::Instance(const Program& program)
    : program_(program), arena_(nullptr, std::free), slots_(program.slots) {
  if (program.arena_bytes != 0) {
    // Fresh pages are zero and only taken when they are written.
    const uint64_t bytes =
        (program.arena_bytes + kArenaAlignment - 1) / kArenaAlignment * kArenaAlignment;
    arena_.reset(static_cast<uint8_t*>(std::aligned_alloc(kArenaAlignment, bytes)));
    if (arena_ == nullptr) throw std::bad_alloc();
  }
  first_tensor_.reserve(program.steps.size());
  for (const Step& step : program.steps) {
    first_tensor_.push_back(tensors_.size());
    const auto add = [&](const Step& kernel) {
      for (const Operand& operand : kernel.inputs) tensors_.push_back(Resolve(operand));
      for (const Operand& operand : kernel.outputs) tensors_.push_back(Resolve(operand));
    };
    for (const Step& part : step.parts) add(part);
    if (step.kind == Step::kKernel && !step.dynamic) add(step);
  }
  first_tensor_.push_back(tensors_.size());
}

HostTensor Instance::Resolve(const Operand& operand) const {
  switch (operand.kind) {
    case Operand::kNone:
      return {};
    case Operand::kArena:
      if (BytesOf(*operand.desc) == 0)
        return {operand.desc->dtype, operand.desc->shape, no_elements};
      return {operand.desc->dtype, operand.desc->shape, arena_.get() + operand.offset};
    case Operand::kWeights:
      return {operand.desc->dtype, operand.desc->shape, const_cast<void*>(operand.weight)};
    case Operand::kSlot:
      return slots_[operand.offset].tensor;
    case Operand::kScratch:
      return {operand.desc->dtype, operand.desc->shape, nullptr};
  }
  return {};
}

void Instance::SetSlot(uint64_t slot, const HostTensor& from) {
  const int64_t bytes = *ge::BytesOf(from.dtype, from.elements());
  Slot& target = slots_[slot];
  std::shared_ptr<uint8_t[]> memory = NewMemory(bytes);
  CopyElements(memory.get(), from, static_cast<size_t>(bytes));
  target.memory = std::move(memory);
  target.tensor = {from.dtype, from.shape, target.memory.get()};
}

Status Instance::Run(std::span<const HostTensor> inputs, const RunControl& control) {
  poison_ = control.poison;
  if (poison_ && arena_ != nullptr) Fill(arena_.get(), program_.arena_bytes);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Operand& operand = program_.inputs[i];
    const HostTensor& input = inputs[i];
    const auto bytes = static_cast<size_t>(*ge::BytesOf(input.dtype, input.elements()));
    if (operand.kind == Operand::kArena) {
      CopyElements(arena_.get() + operand.offset, input, bytes);
    } else if (bytes != 0 && !MayBeReadInPlace(input, bytes)) {
      SetSlot(operand.offset, input);
    } else {
      slots_[operand.offset] = {input, nullptr};
      if (bytes == 0) slots_[operand.offset].tensor.data = no_elements;
    }
  }
  // Constants were seen to when convolutions were fused.
  const bool exactly =
      program_.hides_nan && std::any_of(inputs.begin(), inputs.end(), [](const HostTensor& input) {
        return !kernels::AllFinite(input.dtype, input.data, input.elements());
      });
  for (uint32_t next = 0; next < program_.steps.size();) {
    if (control.cancelled != nullptr && *control.cancelled) {
      return Status(Problem{ErrorId::kInterrupted, "", "", ""});
    }
    const uint32_t index = next++;
    const Step& step = program_.steps[index];
    const auto start = control.nanoseconds != nullptr ? std::chrono::steady_clock::now()
                                                      : std::chrono::steady_clock::time_point();
    switch (step.kind) {
      case Step::kKernel:
        GE_TRY(step.dynamic ? RunDynamic(step) : RunKernel(step, index));
        break;
      case Step::kNested:
        GE_TRY(RunNested(step, control));
        break;
      case Step::kFused:
        GE_TRY(RunFused(step, TensorsOf(index), control.cancelled));
        break;
      case Step::kConv:
        GE_TRY(RunConv(step, TensorsOf(index), exactly));
        break;
      case Step::kCopy:
        GE_TRY(Copy(step));
        break;
      case Step::kSwitch: {
        GE_ASSIGN(next, Choose(step));
        break;
      }
      case Step::kJump:
        next = step.targets[0];
        break;
    }
    for (const uint32_t slot : step.release) slots_[slot] = {};
    if (control.nanoseconds != nullptr) {
      (*control.nanoseconds)[index] += std::chrono::duration_cast<std::chrono::nanoseconds>(
                                           std::chrono::steady_clock::now() - start)
                                           .count();
      ++(*control.calls)[index];
    }
    if (control.poison) Poison(index);
  }
  for (const Operand& operand : program_.outputs) {
    if (!Resolve(operand)) return NotComputed(*program_.results);
  }
  return Status::Ok();
}

void Instance::Clear() {
  for (Slot& slot : slots_) slot = {};
}

void Instance::Poison(size_t index) {
  if (dead_.empty()) dead_ = DeadRanges(program_);
  for (const ArenaRange& range : dead_[index]) {
    Fill(arena_.get() + range.begin, range.end - range.begin);
  }
}

Status Instance::RunKernel(const Step& step, size_t index) {
  const std::span<HostTensor> tensors = TensorsOf(index);
  const auto inputs = tensors.first(step.inputs.size());
  const auto outputs = tensors.last(step.outputs.size());
  if (step.impl->run_host == nullptr) {  // a view that has a place of its own
    std::memcpy(outputs[0].data, inputs[0].data,
                static_cast<size_t>(*ge::BytesOf(inputs[0].dtype, inputs[0].elements())));
    return Status::Ok();
  }
  const AttrReader attrs = step.attr_reader();
  KernelContext context{inputs, outputs, attrs};
  return step.prepared != nullptr ? step.prepared->Run(context) : step.impl->run_host(context);
}

// Works out the shapes, finds memory for the results, and runs the kernel.
Status Instance::RunDynamic(const Step& step) {
  std::vector<HostTensor> inputs, outputs;
  std::vector<TensorDesc> input_descs(step.inputs.size()), output_descs;
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    inputs.push_back(Resolve(step.inputs[i]));
    if (step.inputs[i].kind == Operand::kNone) continue;
    if (!inputs[i]) return NotComputed(*step.node);
    input_descs[i] = {inputs[i].dtype, step.inputs[i].desc->format, inputs[i].shape};
  }
  for (const Operand& operand : step.outputs) output_descs.push_back(*operand.desc);
  const AttrReader attrs(*step.node);
  InferContext infer(attrs, input_descs, inputs, output_descs);
  GE_TRY(InferAtRun(infer));

  SlotAllocator allocator(*this, step);
  KernelContext context{inputs, {}, attrs, &allocator};
  for (size_t i = 0; i < output_descs.size(); ++i) {
    TensorDesc& desc = output_descs[i];
    HostTensor& output = outputs.emplace_back(HostTensor{desc.dtype, desc.shape, nullptr});
    if (const std::optional<int64_t> bytes = BytesOf(desc)) {
      if (step.impl->run_host != nullptr) output.data = allocator.Allocate(i, *bytes);
    } else if (!step.impl->data_sized) {
      return context.Fail("the shape of its result " + desc.shape.ToString() +
                          " cannot be worked out");
    }
  }
  context.outputs = outputs;
  if (step.impl->run_host != nullptr) {
    GE_TRY(step.impl->run_host(context));
  } else {  // a view
    const Operand& from = step.inputs[0];
    const bool shared = from.kind == Operand::kSlot && slots_[from.offset].memory != nullptr &&
                        step.outputs[0].kind == Operand::kSlot;
    const std::optional<int64_t> bytes = BytesOf(output_descs[0]);
    if (bytes != ge::BytesOf(inputs[0].dtype, inputs[0].elements())) {
      return context.Fail("its result " + outputs[0].shape.ToString() +
                          " has not the size of its input " + inputs[0].shape.ToString());
    }
    if (shared) {
      allocator.memory[0] = slots_[from.offset].memory;
      outputs[0].data = inputs[0].data;
    } else {
      outputs[0].data = allocator.Allocate(0, *bytes);
      if (*bytes != 0) {
        std::memcpy(outputs[0].data, inputs[0].data, static_cast<size_t>(*bytes));
      }
    }
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Operand& operand = step.outputs[i];
    if (operand.kind == Operand::kSlot) {
      slots_[operand.offset] = {outputs[i], std::move(allocator.memory[i])};
    } else if (outputs[i].shape != operand.desc->shape) {
      return context.Fail("its result has shape " + outputs[i].shape.ToString() +
                          "; the model was compiled for " + operand.desc->shape.ToString());
    }
  }
  return Status::Ok();
}

Status Instance::RunNested(const Step& step, const RunControl& control) {
  std::vector<HostTensor> inputs;
  for (const Operand& operand : step.inputs) {
    if (operand.kind == Operand::kNone) continue;
    inputs.push_back(Resolve(operand));
    if (!inputs.back()) return NotComputed(*step.node);
  }
  GE_ASSIGN(const Nested::Results results, step.nested->Run(inputs, control));
  for (size_t i = 0; i < step.outputs.size(); ++i) {
    const Operand& operand = step.outputs[i];
    HostTensor result = results.output(i);
    result.dtype = operand.desc->dtype;
    if (operand.kind == Operand::kSlot) {
      SetSlot(operand.offset, result);
      continue;
    }
    const auto bytes = static_cast<size_t>(*BytesOf(*operand.desc));
    if (BytesOf(TensorDesc{result.dtype, Format::kND, result.shape}) !=
        static_cast<int64_t>(bytes)) {
      const AttrReader attrs(*step.node);
      return KernelContext{{}, {}, attrs}.Fail("its kernel gives " + result.shape.ToString() +
                                               "; the model was compiled for " +
                                               operand.desc->shape.ToString());
    }
    CopyElements(arena_.get() + operand.offset, result, bytes);
  }
  return Status::Ok();
}

Status Instance::Copy(const Step& step) {
  const Operand &from = step.inputs[0], &to = step.outputs[0];
  const HostTensor source = Resolve(from);
  if (!source) return NotComputed(*step.node);
  if (to.kind == Operand::kSlot) {
    if (from.kind == Operand::kSlot && slots_[from.offset].memory != nullptr) {
      slots_[to.offset] = slots_[from.offset];
    } else {
      SetSlot(to.offset, source);
    }
    return Status::Ok();
  }
  if (from.kind == Operand::kSlot &&
      (source.shape != to.desc->shape || source.dtype != to.desc->dtype)) {
    const AttrReader attrs(*step.node);
    return KernelContext{{}, {}, attrs}.Fail(
        "a branch gives " + DescText(source.dtype, source.shape) + "; the model was compiled for " +
        DescText(to.desc->dtype, to.desc->shape));
  }
  const auto bytes = static_cast<size_t>(*BytesOf(*to.desc));
  if (bytes != 0) std::memmove(arena_.get() + to.offset, source.data, bytes);
  return Status::Ok();
}

Result<uint32_t> Instance::Choose(const Step& step) const {
  const HostTensor selector = Resolve(step.inputs[0]);
  const AttrReader attrs(*step.node);
  const KernelContext context{{}, {}, attrs};
  if (!selector || selector.elements() != 1 || selector.dtype != DataType::kBool) {
    return context.Fail("its condition has shape " + selector.shape.ToString() +
                        "; one bool is accepted");
  }
  return step.targets[*selector.as<uint8_t>() != 0 ? 1 : 0];
}

}  // namespace ge::host
