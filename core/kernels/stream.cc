#include "kernels/stream.h"

#include "kernels/conv.h"
#include "kernels/elementwise.h"
#include "kernels/half_rows.h"
#include "kernels/matmul.h"
#include "kernels/widened.h"

namespace ge::kernels {
namespace {

// Tensors where they lie, in their own dtypes.
struct Source {
  DataType dtype = DataType::kUndefined;
  const void* data = nullptr;
};

class ProductStream : public HeavyStream {
 public:
  ProductStream(const MatMulProblem& problem, const void* a, const void* b, const void* bias,
                void* y)
      : sources_{{problem.a.dtype, a}, {problem.b.dtype, b}, {problem.bias.dtype, bias}},
        result_(problem.result),
        y_(y) {}

  void Load(Operand operand, int64_t first, int64_t count, float* to) const override {
    WidenRow(sources_[operand].dtype, sources_[operand].data, first, count, to);
  }
  void Store(int64_t first, int64_t count, float* y) const override {
    NarrowRow(y, result_, y_, first, count);
  }

 private:
  const Source sources_[3];
  const DataType result_;
  void* const y_;
};

class StreamedMatMul : public PreparedKernel {
 public:
  StreamedMatMul(const MatMulProblem& problem, std::unique_ptr<const StreamPrimitive> primitive)
      : problem_(problem), primitive_(std::move(primitive)) {}

  Status Run(KernelContext& ctx) const override {
    const void* const bias = ctx.has_input(2) ? ctx.inputs[2].data : nullptr;
    const void *const a = ctx.inputs[0].data, *const b = ctx.inputs[1].data;
    void* const y = ctx.outputs[0].data;
    if (primitive_->Run(ThreadCount(), ProductStream(problem_, a, b, bias, y))) return Status::Ok();
    return RunMatMul(problem_, a, b, bias, y) ? Status::Ok() : ctx.NotBuilt();
  }

 private:
  const MatMulProblem problem_;
  const std::unique_ptr<const StreamPrimitive> primitive_;
};

// x and the results of a convolution.
class ConvStream : public HeavyStream {
 public:
  ConvStream(Source x, const ConvSink& sink) : x_(x), sink_(sink) {}
  void Load(Operand, int64_t first, int64_t count, float* to) const override {
    WidenRow(x_.dtype, x_.data, first, count, to);
  }
  void Store(int64_t first, int64_t count, float* y) const override {
    sink_.Store(first, count, y);
  }

 private:
  const Source x_;
  const ConvSink& sink_;
};

// A tensor in float32; empty for one that is not there.
std::vector<float> Wide(const HostTensor& tensor) {
  std::vector<float> wide;
  if (tensor.data == nullptr) return wide;
  wide.resize(static_cast<size_t>(tensor.elements()));
  WidenRow(tensor.dtype, tensor.data, 0, tensor.elements(), wide.data());
  return wide;
}

// With x and y as a whole in float32.
class WideConv : public StreamedConv {
 public:
  WideConv(ConvProblem problem, size_t x, std::vector<float> filter)
      : problem_(std::move(problem)), first_(x), filter_(std::move(filter)) {
    const HeavyTable* const library = HeavyLibrary();
    if (library == nullptr || filter_.empty()) return;
    primitive_ = library->conv(problem_, filter_.data(), {});
  }

  Status Run(const KernelContext& conv, const ConvSink& sink) const override {
    const HostTensor& x = conv.inputs[first_];
    const int64_t size = problem_.y.elements();
    const auto wide_x = std::make_unique_for_overwrite<float[]>(static_cast<size_t>(x.elements()));
    const auto y = std::make_unique_for_overwrite<float[]>(static_cast<size_t>(size));
    ParallelFor(x.elements(), kElementGrain, [&](int64_t begin, int64_t end) {
      WidenRow(x.dtype, x.data, begin, end - begin, wide_x.get() + begin);
    });
    const std::vector<float> own_filter =
        filter_.empty() ? Wide(conv.inputs[first_ + 1]) : std::vector<float>();
    const float* const filter = filter_.empty() ? own_filter.data() : filter_.data();
    const std::vector<float> bias =
        conv.has_input(first_ + 2) ? Wide(conv.inputs[first_ + 2]) : std::vector<float>();
    const HeavyArgs args = {.x = wide_x.get(),
                            .filter = filter,
                            .bias = bias.empty() ? nullptr : bias.data(),
                            .y = y.get()};
    if (primitive_ == nullptr || !primitive_->Run(ThreadCount(), args)) {
      const auto run = problem_.transposed ? RunConvTranspose : RunConv;
      if (!run(problem_, args.x, args.filter, args.bias, args.y)) return conv.NotBuilt();
    }
    const int64_t unit = problem_.y.steps[1] == 1 ? problem_.y.dims[1] : 1;
    ParallelFor(size / unit, kElementGrain / unit + 1, [&](int64_t begin, int64_t end) {
      sink.Store(begin * unit, (end - begin) * unit, y.get() + begin * unit);
    });
    return Status::Ok();
  }

  uint64_t bytes() const override {
    return filter_.size() * sizeof(float) + (primitive_ != nullptr ? primitive_->bytes() : 0);
  }

 private:
  const ConvProblem problem_;  // of float32
  const size_t first_;         // the input that x is
  const std::vector<float> filter_;
  std::unique_ptr<const HeavyPrimitive> primitive_;
};

// By pieces of x and y.
class PieceConv : public StreamedConv {
 public:
  PieceConv(std::unique_ptr<const StreamPrimitive> primitive, ConvProblem problem)
      : primitive_(std::move(primitive)), problem_(std::move(problem)) {}

  Status Run(const KernelContext& conv, const ConvSink& sink) const override {
    const ConvStream stream({conv.inputs[0].dtype, conv.inputs[0].data}, sink);
    if (primitive_->Run(ThreadCount(), stream)) return Status::Ok();
    return WideConv(problem_, 0, {}).Run(conv, sink);
  }
  uint64_t bytes() const override { return primitive_->bytes(); }

 private:
  const std::unique_ptr<const StreamPrimitive> primitive_;
  const ConvProblem problem_;  // of float32
};

}  // namespace

Result<std::unique_ptr<const StreamedConv>> FormStreamedConv(const KernelContext& ctx,
                                                             const ConvForm& form) {
  std::unique_ptr<const StreamedConv> streamed;
  GE_ASSIGN(ConvProblem problem, ReadFormedConv(ctx, form));
  constexpr int64_t kFewColumns = 4;
  if (problem.is_product() && problem.y.plane() <= kFewColumns) return streamed;
  problem.dtype = problem.result = DataType::kFloat;
  if (problem.bias != DataType::kUndefined) problem.bias = DataType::kFloat;
  const size_t x = problem.transposed ? 1 : 0;
  std::vector<float> filter = Wide(ctx.inputs[x + 1]);
  const bool has_bias = problem.bias != DataType::kUndefined;
  const std::vector<float> bias = has_bias ? Wide(ctx.inputs[x + 2]) : std::vector<float>();
  const HeavyTable* const library = HeavyLibrary();
  if (library != nullptr && !filter.empty() && has_bias == !bias.empty()) {
    if (auto primitive =
            library->stream_conv(problem, filter.data(), has_bias ? bias.data() : nullptr)) {
      streamed = std::make_unique<PieceConv>(std::move(primitive), std::move(problem));
      return streamed;
    }
  }
  streamed = std::make_unique<WideConv>(std::move(problem), x, std::move(filter));
  return streamed;
}

std::unique_ptr<const PreparedKernel> PrepareStreamedMatMul(const MatMulProblem& problem) {
  const HeavyTable* const library = HeavyLibrary();
  if (library == nullptr) return nullptr;
  auto primitive = library->stream_matmul(problem);
  if (primitive == nullptr) return nullptr;
  return std::make_unique<StreamedMatMul>(problem, std::move(primitive));
}

}  // namespace ge::kernels
