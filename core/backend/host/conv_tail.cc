#include "backend/host/conv_tail.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "backend/host/operands.h"
#include "kernels/half_rows.h"
#include "kernels/stream.h"

namespace ge::host {
namespace {

constexpr int64_t kTile = 4096;  // elements that the steps work on at a time

bool IsNarrow(DataType dtype) {
  return dtype == DataType::kFloat16 || dtype == DataType::kBf16;
}

// How a step sees an operand beside the result it is behind.
enum class Span { kWhole, kOne, kPerChannel, kOther };

// `y` is the shape of the result, with the channels last if so.
Span SpanOfShape(const Shape& shape, const Shape& y, bool channels_last) {
  if (shape == y) return Span::kWhole;
  if (shape.elements() == 1) return Span::kOne;
  const size_t rank = shape.rank();
  const bool per_channel = channels_last && rank > 0 && shape[rank - 1] == y[y.rank() - 1] &&
                           shape.elements() == shape[rank - 1];
  return per_channel ? Span::kPerChannel : Span::kOther;
}

// Whether `step` can follow, reading the result before it at `port`.
bool MayFollow(const Step& step, size_t port, DataType dtype, bool channels_last) {
  const Operand& y = step.outputs[0];
  if (y.kind != Operand::kArena || y.desc->dtype != dtype || y.channels_last != channels_last) {
    return false;
  }
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    const Operand& read = step.inputs[i];
    if (read.kind != Operand::kArena && read.kind != Operand::kWeights) return false;
    if (read.desc->dtype != dtype) return false;
    const Span span = SpanOfShape(read.desc->shape, y.desc->shape, channels_last);
    if (i == port ? span != Span::kWhole : span == Span::kOther) return false;
    if (span == Span::kWhole && read.channels_last != channels_last) return false;
  }
  return true;
}

// Whether the last result may be written while the others are still read: what lies there is read
// element by element.
bool MayWrite(std::span<const Step> steps) {
  const Operand& y = steps.back().outputs[0];
  for (size_t i = 0; i < steps.size(); ++i) {
    for (const Operand& read : steps[i].inputs) {
      if (read.kind != Operand::kArena || !SpanOf(read).Meets(SpanOf(y))) continue;
      const Node& node = *steps[i].node;
      const auto input = static_cast<size_t>(&read - steps[i].inputs.data());
      if (i != 0 && node.input(input).node == steps[i - 1].node) continue;  // never written
      if (i == 0 || SpanOf(read) != SpanOf(y) || read.desc->shape != y.desc->shape) return false;
    }
  }
  return true;
}

class Tail : public kernels::ConvSink {
 public:
  Tail(const Step& step, std::span<HostTensor> tensors) : parts_(step.parts), y_(tensors.back()) {
    const Operand& y = step.parts.back().outputs[0];
    channels_last_ = step.parts[0].outputs[0].channels_last;
    channels_ = channels_last_ ? step.parts[0].outputs[0].desc->shape[1] : 1;
    for (size_t i = 1, at = step.parts[0].inputs.size() + 1; i < step.parts.size(); ++i) {
      const Step& part = step.parts[i];
      for (size_t k = 0; k < part.inputs.size(); ++k) {
        Input& input = inputs_.emplace_back();
        input.tensor = tensors[at + k];
        input.is_before = part.node->input(k).node == step.parts[i - 1].node;
        input.span = SpanOfShape(input.tensor.shape, y.desc->shape, channels_last_);
        if (input.span == Span::kOne) input.tensor.shape = Shape();
        if (input.span == Span::kPerChannel) input.tensor.shape = Shape{channels_};
      }
      at += part.inputs.size() + 1;
    }
    FindLimits();
  }

  void Store(int64_t first, int64_t count, float* sums) const override {
    const int64_t tile = std::max<int64_t>(kTile / channels_, 1) * channels_;
    std::vector<uint16_t> results(parts_.size() > 1 ? static_cast<size_t>(std::min(tile, count))
                                                    : 0);
    for (int64_t at = 0; at < count; at += tile) {
      const int64_t size = std::min(tile, count - at);
      if (Status status = Finish(first + at, size, sums + at, results.data()); !status.ok()) {
        const std::lock_guard lock(mutex_);
        failure_ = std::move(status);
        return;
      }
    }
  }

  Status TakeFailure() { return std::move(failure_); }

 private:
  struct Input {
    HostTensor tensor;
    bool is_before = false;  // the result of the part before
    Span span = Span::kWhole;
  };

  // The parts work in place, the last one from there to y.
  Status Finish(int64_t first, int64_t count, float* sums, uint16_t* results) const {
    const Shape shape = channels_last_ ? Shape{count / channels_, channels_} : Shape{count};
    const Input* input = inputs_.data();
    size_t next = 1;
    if (limits_) {
      HostTensor limited = {DataType::kFloat, shape, sums};
      GE_TRY(RunPart(parts_[next], *limits_, limited, limited, 0));
      input += parts_[next++].inputs.size();
    }
    if (next == parts_.size()) {
      NarrowRow(sums, y_.dtype, y_.data, first, count);
      return Status::Ok();
    }
    NarrowRow(sums, y_.dtype, results, 0, count);
    const HostTensor before = {y_.dtype, shape, results};
    for (; next < parts_.size(); ++next) {
      const Step& part = parts_[next];
      HostTensor result = before;
      if (&part == &parts_.back()) result.data = y_.as<uint16_t>() + first;
      GE_TRY(RunPart(part, {input, part.inputs.size()}, before, result, first));
      input += part.inputs.size();
    }
    return Status::Ok();
  }

  // On elements first, first + 1, ... of whole operands.
  static Status RunPart(const Step& part, std::span<const Input> inputs, const HostTensor& before,
                        HostTensor result, int64_t first) {
    std::vector<HostTensor> read;
    for (const Input& input : inputs) {
      HostTensor& tensor = read.emplace_back(input.is_before ? before : input.tensor);
      if (input.is_before || input.span != Span::kWhole) continue;
      tensor.shape = before.shape;
      tensor.data = input.tensor.as<uint16_t>() + first;
    }
    const AttrReader attrs = part.attr_reader();
    KernelContext context{read, std::span(&result, 1), attrs};
    return part.impl->run_host(context);
  }

  // Limits at numbers of the dtype of y give the same before rounding and behind it: then the first
  // part works on the sums.
  void FindLimits() {
    const std::string& type = parts_.size() > 1 ? parts_[1].node->type() : parts_[0].node->type();
    if (type != "Relu" && type != "ClipByValue") return;
    std::vector<Input> inputs(inputs_.begin(), inputs_.begin() + parts_[1].inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].is_before) continue;
      if (inputs[i].span != Span::kOne) return;
      WidenRow(y_.dtype, inputs[i].tensor.data, 0, 1, &numbers_[i]);
      inputs[i].tensor.dtype = DataType::kFloat;
      inputs[i].tensor.data = &numbers_[i];
    }
    limits_ = std::move(inputs);
  }

  const std::span<const Step> parts_;
  const HostTensor y_;
  bool channels_last_ = false;
  int64_t channels_ = 1;
  std::vector<Input> inputs_;  // of all parts behind the convolution
  // Of the first of them in float32, when it works on the sums.
  std::optional<std::vector<Input>> limits_;
  float numbers_[3] = {};
  mutable std::mutex mutex_;
  mutable Status failure_;
};

}  // namespace

bool IsNarrowConv(const Step& conv) {
  const Operand& filter = conv.inputs[conv.node->type() == "Conv2D" ? 1 : 2];
  return filter.desc != nullptr && IsNarrow(filter.desc->dtype);
}

size_t TailLength(std::span<const Step> steps, const std::vector<bool>& is_target, size_t first) {
  const DataType dtype = steps[0].outputs[0].desc->dtype;
  const bool channels_last = steps[0].outputs[0].channels_last;
  size_t length = 1;
  if (!IsNarrow(dtype)) return length;
  const Node* before = steps[0].node;
  for (size_t i = 1; i < steps.size() && !is_target[first + i]; ++i) {
    const Step& step = steps[i];
    const bool is_next = step.kind == Step::kKernel && !step.dynamic && step.outputs.size() == 1 &&
                         step.impl->pointwise == Pointwise::kBroadcast &&
                         before->uses(0).size() == 1 && before->uses(0)[0].node == step.node;
    if (!is_next) break;
    const auto port = static_cast<size_t>(before->uses(0)[0].input);
    if (!MayFollow(step, port, dtype, channels_last)) break;
    if (MayWrite(steps.first(i + 1))) length = i + 1;
    before = step.node;
  }
  return length;
}

Status RunStreamedConv(const Step& step, std::span<HostTensor> tensors) {
  const auto inputs = tensors.first(step.parts[0].inputs.size());
  const auto outputs = tensors.subspan(inputs.size(), 1);
  const AttrReader attrs = step.parts[0].attr_reader();
  Tail tail(step, tensors);
  GE_TRY(step.streamed->Run(KernelContext{inputs, outputs, attrs}, tail));
  return tail.TakeFailure();
}

}  // namespace ge::host
