#include "backend/host/conv_tail.h"

#include <algorithm>
#include <mutex>

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
  size_t whole = 0;
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    const Operand& read = step.inputs[i];
    if (read.kind != Operand::kArena && read.kind != Operand::kWeights) return false;
    if (read.desc->dtype != dtype) return false;
    const Span span = SpanOfShape(read.desc->shape, y.desc->shape, channels_last);
    if (i == port ? span != Span::kWhole : span == Span::kOther) return false;
    if (span == Span::kWhole && read.channels_last != channels_last) return false;
    whole += span == Span::kWhole ? 1 : 0;
  }
  return whole <= 2;
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
        const HostTensor& tensor = tensors[at + k];
        Input& input = inputs_.emplace_back();
        input.is_before = part.node->input(k).node == step.parts[i - 1].node;
        input.span = SpanOfShape(tensor.shape, y.desc->shape, channels_last_);
        input.data = tensor.data;
        if (input.span == Span::kWhole) continue;
        input.wide.resize(static_cast<size_t>(tensor.elements()));
        WidenRow(y_.dtype, tensor.data, 0, tensor.elements(), input.wide.data());
      }
      at += part.inputs.size() + 1;
    }
    has_limits_ = HasLimits();
  }

  void Store(int64_t first, int64_t count, float* sums) const override {
    if (parts_.size() == 1) return NarrowRow(sums, y_.dtype, y_.data, first, count);
    const int64_t tile = std::max<int64_t>(kTile / channels_, 1) * channels_;
    std::vector<float> operand(static_cast<size_t>(std::min(tile, count)));
    for (int64_t at = 0; at < count; at += tile) {
      const int64_t size = std::min(tile, count - at);
      if (Status status = RunParts(first + at, size, sums + at, operand); !status.ok()) {
        const std::lock_guard lock(mutex_);
        failure_ = std::move(status);
        return;
      }
      NarrowRow(sums + at, y_.dtype, y_.data, first + at, size);
    }
  }

  Status TakeFailure() { return std::move(failure_); }

 private:
  struct Input {
    bool is_before = false;  // the result of the part before
    Span span = Span::kWhole;
    const void* data = nullptr;
    std::vector<float> wide;  // unless whole
  };

  // On `sums` in place, which are rounded before each part.  A part has one whole operand beside.
  Status RunParts(int64_t first, int64_t count, float* sums, std::vector<float>& operand) const {
    const Shape shape = channels_last_ ? Shape{count / channels_, channels_} : Shape{count};
    HostTensor result = {DataType::kFloat, shape, sums};
    const Input* input = inputs_.data();
    std::vector<HostTensor> read;
    for (const Step& part : parts_.subspan(1)) {
      const bool is_first = &part == &parts_[1];
      if (!is_first || !has_limits_) Round(sums, count);
      read.clear();
      for (size_t k = 0; k < part.inputs.size(); ++k, ++input) {
        HostTensor& tensor = read.emplace_back(result);
        if (input->is_before) continue;
        if (input->span == Span::kWhole) {
          WidenRow(y_.dtype, input->data, first, count, operand.data());
          tensor.data = operand.data();
        } else {
          tensor.data = const_cast<float*>(input->wide.data());
          tensor.shape = input->span == Span::kOne ? Shape() : Shape{channels_};
        }
      }
      const AttrReader attrs = part.attr_reader();
      KernelContext context{read, std::span(&result, 1), attrs};
      GE_TRY(part.impl->run_host(context));
    }
    return Status::Ok();
  }

  void Round(float* row, int64_t count) const {
    y_.dtype == DataType::kFloat16 ? RoundRow<Half>(row, count) : RoundRow<Bf16>(row, count);
  }

  // Limits at numbers of the dtype of y give the same before rounding and behind it.
  bool HasLimits() const {
    if (parts_.size() == 1) return false;
    const std::string& type = parts_[1].node->type();
    const auto is_one = [](const Input& input) {
      return input.is_before || input.wide.size() == 1;
    };
    return type == "Relu" ||
           (type == "ClipByValue" && std::all_of(inputs_.begin(), inputs_.begin() + 3, is_one));
  }

  const std::span<const Step> parts_;
  const HostTensor y_;
  bool channels_last_ = false;
  int64_t channels_ = 1;
  std::vector<Input> inputs_;  // of all parts behind the convolution
  bool has_limits_ = false;    // of the first part: the sums need no rounding before it
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
