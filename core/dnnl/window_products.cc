#include <algorithm>

#include "dnnl_api.h"
#include "makers.h"
#include "threads.h"
#include "workspace.h"

// Convolutions of one channel by long windows, such as a Fourier transform of pieces of a signal,
// as products of the filter and a copy of the windows: oneDNN's own code wants many channels.
namespace ge::onednn {
namespace {

bool IsForWindows(const ConvProblem& problem) {
  constexpr Spatial kOnes = {1, 1, 1}, kZeros = {0, 0, 0};
  constexpr int64_t kLong = 32, kManyOutputs = 32, kManyWindows = 16;
  const WindowWalk& walk = problem.walk;
  return !problem.transposed && problem.x.dims[1] == 1 && problem.x.plane() == problem.x.dims[4] &&
         walk.dilation == kOnes && walk.pad == kZeros && walk.pad_end == kZeros &&
         walk.kernel[0] * walk.kernel[1] == 1 && walk.kernel[2] >= kLong &&
         problem.y.dims[1] >= kManyOutputs &&
         problem.y.dims[0] * problem.y.plane() >= kManyWindows && problem.x.is_dense() &&
         problem.y.is_dense() && problem.filter.is_dense();
}

class WindowProducts : public HeavyPrimitive {
 public:
  explicit WindowProducts(const ConvProblem& problem)
      : outputs_(problem.y.dims[1]),
        taps_(problem.walk.kernel[2]),
        stride_(problem.walk.stride[2]),
        row_(problem.x.dims[4]),
        windows_(problem.y.plane()),
        count_(problem.y.dims[0] * windows_) {}

  uint64_t bytes() const override { return 0; }

  bool Run(int threads, const HeavyArgs& args) const override {
    return AllOf(threads, (count_ - 1) / kTile + 1, [&](int64_t tile) {
      return RunTile(tile * kTile, std::min(kTile, count_ - tile * kTile), args);
    });
  }

 private:
  static constexpr int64_t kTile = 32;  // windows, counted over all images

  bool RunTile(int64_t first, int64_t count, const HeavyArgs& args) const {
    const int64_t step = taps_ + 16;  // no power of two
    const auto floats = [](int64_t size) { return static_cast<size_t>(size) * sizeof(float); };
    Workspace space(Workspace::Padded(floats(count * step)) + floats(outputs_ * count));
    if (!space.ok()) return false;
    auto* const copies = static_cast<float*>(space.Take(floats(count * step)));
    auto* const products = static_cast<float*>(space.Take(floats(outputs_ * count)));
    const auto* const x = static_cast<const float*>(args.x);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t image = (first + i) / windows_, window = (first + i) % windows_;
      std::copy_n(x + image * row_ + window * stride_, taps_, copies + i * step);
    }
    const auto* const filter = static_cast<const float*>(args.filter);
    if (dnnl_sgemm('N', 'T', outputs_, count, taps_, 1.0f, filter, taps_, copies, step, 0.0f,
                   products, count) != dnnl_success) {
      return false;
    }
    const auto* const bias = static_cast<const float*>(args.bias);
    for (int64_t i = 0; i < count;) {
      const int64_t image = (first + i) / windows_, window = (first + i) % windows_;
      const int64_t here = std::min(windows_ - window, count - i);
      float* const y = static_cast<float*>(args.y) + image * outputs_ * windows_ + window;
      for (int64_t o = 0; o < outputs_; ++o) {
        const float start = bias != nullptr ? bias[o] : 0.0f;
        const float* const from = products + o * count + i;
        float* const to = y + o * windows_;
        int64_t w = 0;
        for (; w + 4 <= here; w += 4) {  // rows are often as short as that
          for (int64_t lane = w; lane < w + 4; ++lane) to[lane] = from[lane] + start;
        }
        for (; w < here; ++w) to[w] = from[w] + start;
      }
      i += here;
    }
    return true;
  }

  const int64_t outputs_, taps_, stride_;
  const int64_t row_;      // elements of an image of x
  const int64_t windows_;  // of an image
  const int64_t count_;    // of all
};

}  // namespace

std::unique_ptr<const HeavyPrimitive> MakeWindowProducts(const ConvProblem& problem) {
  return IsForWindows(problem) ? std::make_unique<WindowProducts>(problem) : nullptr;
}

}  // namespace ge::onednn
