#include "kernels/max_pool_index.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/parallel.h"
#include "kernels/elementwise.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// One of three spatial axes; those that are not there have size 1.
struct Axis {
  int64_t size = 1, count = 1, kernel = 1, stride = 1, dilation = 1, pad = 0;

  // Elements of the axis that window `i` covers: first, and behind the last, in steps of dilation.
  int64_t first(int64_t i) const {
    const int64_t start = i * stride - pad;
    return start >= 0 ? start : start + (-start + dilation - 1) / dilation * dilation;
  }
  int64_t end(int64_t i) const {
    return std::min(size, i * stride - pad + (kernel - 1) * dilation + 1);
  }
};
using Axes = std::array<Axis, 3>;

template <typename T, typename Index>
void PoolPlane(const T* x, const Axes& axes, T* y, Index* index) {
  const auto& [d, h, w] = axes;
  for (int64_t i = 0; i < d.count; ++i) {
    for (int64_t j = 0; j < h.count; ++j) {
      for (int64_t k = 0; k < w.count; ++k) {
        int64_t best = -1;
        for (int64_t a = d.first(i); a < d.end(i); a += d.dilation) {
          for (int64_t b = h.first(j); b < h.end(j); b += h.dilation) {
            for (int64_t c = w.first(k); c < w.end(k); c += w.dilation) {
              const int64_t at = (a * h.size + b) * w.size + c;
              // A number beats NaN.
              if (best < 0 || x[at] > x[best] || x[best] != x[best]) best = at;
            }
          }
        }
        *y++ = best < 0 ? static_cast<T>(0) : x[best];
        *index++ = static_cast<Index>(std::max<int64_t>(best, 0));
      }
    }
  }
}

Axes AxesOf(const KernelContext& ctx) {
  const Shape &x = ctx.inputs[0].shape, &y = ctx.outputs[0].shape;
  const std::vector<int64_t> ksize = ctx.attrs.Ints("ksize"), strides = ctx.attrs.Ints("strides"),
                             pads = ctx.attrs.Ints("pads"), dilation = ctx.attrs.Ints("dilation");
  Axes axes;
  const size_t spatial = ksize.size();
  for (size_t i = 0; i < spatial; ++i) {
    const int64_t pad = pads.size() == spatial ? pads[i] : pads[2 * i];
    axes[3 - spatial + i] = {x[2 + i], y[2 + i], ksize[i], strides[i], dilation[i], pad};
  }
  return axes;
}

}  // namespace

Status MaxPoolWithIndex(KernelContext& ctx) {
  const HostTensor &x = ctx.inputs[0], &y = ctx.outputs[0], &index = ctx.outputs[1];
  if (y.elements() == 0) return Status::Ok();
  const Axes axes = AxesOf(ctx);
  const int64_t planes = x.shape[0] * x.shape[1];
  const int64_t in = x.elements() / planes, out = y.elements() / planes;
  const auto run = [&]<typename T, typename Index>(T, Index) {
    ParallelFor(planes, 1, [&](int64_t begin, int64_t end) {
      for (int64_t plane = begin; plane < end; ++plane) {
        PoolPlane(x.as<T>() + plane * in, axes, y.as<T>() + plane * out,
                  index.as<Index>() + plane * out);
      }
    });
  };
  const bool built = VisitNumbers(x.dtype, [&]<typename T>(T) {
    index.dtype == DataType::kInt32 ? run(T(), int32_t()) : run(T(), int64_t());
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
