#include <algorithm>
#include <mutex>
#include <vector>

#include "backend/host/fuse.h"
#include "base/parallel.h"
#include "ops/op_impl.h"

namespace ge::host {
namespace {

// One thread's view of a fused step: the operands of all parts, cut to the present tile.
class TileRunner {
 public:
  TileRunner(const Step& step, std::span<const HostTensor> whole, const Tiling& tiling)
      : step_(step), whole_(whole), shape_(step.parts[0].outputs[0].desc->shape), tiling_(tiling) {
    tile_.assign(whole.begin(), whole.end());
    size_t index = 0;
    int64_t inner = 1;
    for (size_t axis = tiling.axis + 1; axis < shape_.rank(); ++axis) inner *= shape_[axis];
    for (const Step& part : step.parts) {
      for (size_t i = 0; i < part.inputs.size(); ++i, ++index) {
        const bool channels = part.impl->pointwise == Pointwise::kChannels && i > 0;
        cuts_.push_back(CutOf(whole[index], channels));
      }
      cuts_.push_back(CutOf(whole[index++], false));
    }
    // Scratch buffers, one behind the other, for the longest tile.
    index = 0;
    std::vector<size_t> starts;
    size_t bytes = 0;
    const auto reserve = [&](const Operand& operand) {
      if (operand.kind == Operand::kScratch && operand.offset == starts.size()) {
        starts.push_back(bytes);
        const auto size =
            static_cast<size_t>(*ge::BytesOf(operand.desc->dtype, inner * tiling.length));
        bytes += (size + 63) / 64 * 64;
      }
    };
    for (const Step& part : step.parts) reserve(part.outputs[0]);
    scratch_.resize(bytes);
    for (const Step& part : step.parts) {
      for (const Operand& operand : part.inputs) Place(operand, starts, index++);
      Place(part.outputs[0], starts, index++);
    }
  }

  Status Run(int64_t tile) {
    const int64_t begin = tile % tiling_.count * tiling_.length;
    const int64_t length = std::min(tiling_.length, Dim(tiling_.axis) - begin);
    const int64_t position = tile / tiling_.count;
    for (size_t i = 0; i < cuts_.size(); ++i) Move(i, position, begin, length);
    size_t first = 0;
    for (const Step& part : step_.parts) {
      const AttrReader attrs = part.attr_reader();
      KernelContext context{std::span(tile_).subspan(first, part.inputs.size()),
                            std::span(tile_).subspan(first + part.inputs.size(), 1), attrs};
      GE_TRY(part.impl->run_host(context));
      first += part.inputs.size() + 1;
    }
    return Status::Ok();
  }

 private:
  // How an operand moves with the tile; steps in bytes.
  struct Cut {
    bool scratch = false;
    size_t axis = SIZE_MAX;            // its own axis that is cut, if any
    int64_t step = 0;                  // along that axis
    std::vector<int64_t> outer_steps;  // per axis of the result before the cut one
  };

  int64_t Dim(size_t axis) const { return shape_.rank() == 0 ? 1 : shape_[axis]; }

  // Also shortens the axes before the cut one.
  Cut CutOf(const HostTensor& tensor, bool channels) {
    Cut cut;
    HostTensor& tile = tile_[cuts_.size()];
    if (tensor.dtype == DataType::kUndefined) return cut;  // left out
    const Shape& shape = tensor.shape;
    const std::vector<int64_t> strides = StridesOf(shape);
    const int64_t bytes = RowOf(tensor.dtype).bits / 8;
    cut.outer_steps.assign(tiling_.axis, 0);
    for (size_t axis = 0; axis < shape.rank(); ++axis) {
      // The axis of the result that this one lies along.
      const size_t along = channels ? 1 : shape_.rank() - shape.rank() + axis;
      if (shape[axis] == 1 && Dim(along) != 1) continue;  // repeats
      if (along < tiling_.axis) {
        cut.outer_steps[along] = strides[axis] * bytes;
        tile.shape[axis] = 1;
      } else if (along == tiling_.axis) {
        cut.axis = axis;
        cut.step = strides[axis] * bytes;
      }
    }
    return cut;
  }

  void Place(const Operand& operand, const std::vector<size_t>& starts, size_t index) {
    if (operand.kind != Operand::kScratch) return;
    tile_[index].data = scratch_.data() + starts[operand.offset];
    cuts_[index].scratch = true;
  }

  void Move(size_t i, int64_t position, int64_t begin, int64_t length) {
    const Cut& cut = cuts_[i];
    if (cut.axis != SIZE_MAX) tile_[i].shape[cut.axis] = length;
    if (cut.scratch || whole_[i].data == nullptr) return;
    int64_t offset = begin * cut.step;
    for (size_t axis = cut.outer_steps.size(); axis-- > 0;) {
      offset += position % shape_[axis] * cut.outer_steps[axis];
      position /= shape_[axis];
    }
    tile_[i].data = static_cast<uint8_t*>(whole_[i].data) + offset;
  }

  const Step& step_;
  const std::span<const HostTensor> whole_;
  const Shape& shape_;
  const Tiling tiling_;
  std::vector<HostTensor> tile_;
  std::vector<Cut> cuts_;
  std::vector<uint8_t> scratch_;
};

}  // namespace

Status RunFused(const Step& step, std::span<const HostTensor> tensors,
                const std::atomic<bool>* cancelled) {
  const Tiling tiling = TilesOf(step.parts[0].outputs[0].desc->shape);
  std::mutex mutex;
  Status fault;
  ParallelFor(tiling.outer * tiling.count, 4, [&](int64_t begin, int64_t end) {
    const ThreadScope alone(1);
    TileRunner runner(step, tensors, tiling);
    for (int64_t tile = begin; tile < end; ++tile) {
      if (cancelled != nullptr && *cancelled) return;
      Status status = runner.Run(tile);
      if (status.ok()) continue;
      const std::lock_guard lock(mutex);
      fault = std::move(status);
      return;
    }
  });
  return fault;
}

}  // namespace ge::host
