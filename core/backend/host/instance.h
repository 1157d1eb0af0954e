#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "backend/host/poison.h"
#include "backend/host/program.h"

namespace ge::host {

// What one run may need beside its inputs.
struct RunControl {
  const std::atomic<bool>* cancelled = nullptr;
  std::vector<int64_t>* nanoseconds = nullptr;  // per step, added to; and
  std::vector<int64_t>* calls = nullptr;        // how often it ran
  // Fills memory with NaN patterns before the run, and that of the arena again when no later step
  // needs it, so that a step that reads it all the same gives a wrong result.
  bool poison = false;
};

// Memory of one run at a time: the arena, and tensors whose size is found while running.
class Instance {
 public:
  explicit Instance(const Program& program);

  // `inputs` are those of the program, in order, checked, and stay valid until the run ends.
  Status Run(std::span<const HostTensor> inputs, const RunControl& control);
  // Valid until the next run or Clear().
  HostTensor output(size_t i) const { return Resolve(program_.outputs[i]); }
  // Gives back memory beside the arena.
  void Clear();

 private:
  struct Slot {
    HostTensor tensor;
    std::shared_ptr<uint8_t[]> memory;  // null: memory of the caller
  };
  class SlotAllocator;

  HostTensor Resolve(const Operand& operand) const;
  // Inputs and outputs of a step whose shapes are static; of its parts, part by part.
  std::span<HostTensor> TensorsOf(size_t step) {
    return std::span(tensors_).subspan(first_tensor_[step],
                                       first_tensor_[step + 1] - first_tensor_[step]);
  }
  Status RunKernel(const Step& step, size_t index);
  Status RunDynamic(const Step& step);
  Status RunNested(const Step& step, const RunControl& control);
  Status Copy(const Step& step);
  Result<uint32_t> Choose(const Step& step) const;
  void SetSlot(uint64_t slot, const HostTensor& from);
  void Poison(size_t index);

  const Program& program_;
  std::unique_ptr<uint8_t[], void (*)(void*)> arena_;
  std::vector<Slot> slots_;
  // Inputs and outputs of the steps whose shapes are static, one behind the other.
  std::vector<HostTensor> tensors_;
  std::vector<size_t> first_tensor_;           // per step
  std::vector<std::vector<ArenaRange>> dead_;  // per step; filled when first needed
  bool poison_ = false;                        // of the current run
};

}  // namespace ge::host
