#include "kernels/fold_taps.h"

#include <algorithm>
#include <cstring>

namespace ge {
namespace {

typedef float Vector __attribute__((vector_size(32)));
constexpr int64_t kLanes = kTapSlack;

template <Fold kFold>
[[gnu::always_inline]] inline void Take(Vector& acc, const Vector& x, float factor) {
  if constexpr (kFold == Fold::kMultiplyAdd) {
    acc += factor * x;
  } else if constexpr (kFold == Fold::kAdd) {
    acc += x;
  } else {
    acc = (x > acc) | (x != x) ? x : acc;
  }
}

// kStride 0: any stride.
template <int kStride>
[[gnu::always_inline]] inline void Load(const float* from, int64_t stride, Vector& x) {
  if constexpr (kStride == 1) {
    std::memcpy(&x, from, sizeof(x));
  } else if constexpr (kStride == 2) {
    Vector low, high;
    std::memcpy(&low, from, sizeof(low));
    std::memcpy(&high, from + kLanes, sizeof(high));
    x = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
  } else {
    for (int64_t lane = 0; lane < kLanes; ++lane) x[lane] = from[lane * stride];
  }
}

// kVectors vectors of windows.
template <Fold kFold, int kStride, int kVectors>
[[gnu::always_inline]] inline void FoldBlock(int64_t first, int64_t stride, size_t taps,
                                             const float* const* from, const float* factors,
                                             float start, float* out) {
  Vector acc[kVectors];
  for (Vector& vector : acc) vector = start - Vector{};
  for (size_t t = 0; t < taps; ++t) {
    const float factor = kFold == Fold::kMultiplyAdd ? factors[t] : 0;
    const float* const x = from[t] + first * stride;
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      Vector loaded;
      Load<kStride>(x + v * kLanes * stride, stride, loaded);
      Take<kFold>(acc[v], loaded, factor);
    }
  }
  std::memcpy(out + first, acc, sizeof(acc));
}

template <Fold kFold, int kStride>
[[gnu::always_inline]] inline void FoldRow(int64_t width, int64_t stride, size_t taps,
                                           const float* const* from, const float* factors,
                                           float start, float* out) {
  int64_t w = 0;
  for (; w + 8 * kLanes <= width; w += 8 * kLanes) {
    FoldBlock<kFold, kStride, 8>(w, stride, taps, from, factors, start, out);
  }
  for (; w + 4 * kLanes <= width; w += 4 * kLanes) {
    FoldBlock<kFold, kStride, 4>(w, stride, taps, from, factors, start, out);
  }
  for (; w < width; w += kLanes) {
    FoldBlock<kFold, kStride, 1>(w, stride, taps, from, factors, start, out);
  }
}

template <Fold kFold, int kStride>
void FoldRowBaseline(int64_t width, int64_t stride, size_t taps, const float* const* from,
                     const float* factors, float start, float* out) {
  FoldRow<kFold, kStride>(width, stride, taps, from, factors, start, out);
}

#if defined(__x86_64__)
// Without "fma", as in gemm.cc.
template <Fold kFold, int kStride>
[[gnu::target("avx2")]] void FoldRowAvx2(int64_t width, int64_t stride, size_t taps,
                                         const float* const* from, const float* factors,
                                         float start, float* out) {
  FoldRow<kFold, kStride>(width, stride, taps, from, factors, start, out);
}
const bool has_avx2 = [] {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") != 0;
}();
#endif

template <Fold kFold, int kStride>
auto Choose() {
#if defined(__x86_64__)
  if (has_avx2) return &FoldRowAvx2<kFold, kStride>;
#endif
  return &FoldRowBaseline<kFold, kStride>;
}

template <Fold kFold>
auto Choose(int64_t stride) {
  return stride == 1 ? Choose<kFold, 1>() : stride == 2 ? Choose<kFold, 2>() : Choose<kFold, 0>();
}

}  // namespace

void FoldTaps(Fold fold, int64_t width, int64_t stride, const std::vector<const float*>& from,
              const std::vector<float>& factors, float start, float* out) {
  const auto run = fold == Fold::kMultiplyAdd ? Choose<Fold::kMultiplyAdd>(stride)
                   : fold == Fold::kAdd       ? Choose<Fold::kAdd>(stride)
                                              : Choose<Fold::kMax>(stride);
  run(width, stride, from.size(), from.data(), factors.data(), start, out);
}

Bands::Bands(const WindowWalk& walk, const Spatial& in, const Spatial& out, int64_t planes)
    : walk_(walk), planes_(planes), in_h_(in[1]), in_w_(in[2]), out_h_(out[1]), out_w_(out[2]) {
  constexpr int64_t kMostElements = 1 << 20, kBandElements = 1 << 12;
  if (in[0] != 1 || out[0] != 1 || walk.kernel[0] != 1 || walk.pad[0] != 0) return;
  padded_w_ = (out_w_ - 1) * walk.stride[2] + (walk.kernel[2] - 1) * walk.dilation[2] + 1;
  extent_h_ = (walk.kernel[1] - 1) * walk.dilation[1] + 1;
  const int64_t row = padded_w_ * planes_;
  if (row < 1 || extent_h_ < 1 || padded_w_ > 2 * in_w_ + 64 || extent_h_ > 2 * in_h_ + 64 ||
      row > kMostElements / extent_h_ || walk.stride[2] > padded_w_) {
    return;
  }
  usable_ = true;
  rows_ = std::clamp<int64_t>((kBandElements / row - extent_h_) / walk.stride[1] + 1, 1, out_h_);
  count_ = (out_h_ - 1) / rows_ + 1;
  // Without strides all rows of a band are one long row.
  one_row_ = walk.stride[1] == 1 && walk.stride[2] == 1;
  out_step_ = one_row_ ? padded_w_ : out_w_ + kTapSlack;
}

int64_t Bands::RowsOf(int64_t band) const {
  return std::min(rows_, out_h_ - band * rows_);
}

void Bands::Pad(const float* x, float fill, int64_t first, int64_t rows, Scratch& scratch) const {
  const int64_t padded_rows = (rows - 1) * walk_.stride[1] + extent_h_;
  scratch.padded.resize(
      static_cast<size_t>(planes_ * padded_rows * padded_w_ + kTapSlack * walk_.stride[2]));
  float* to = scratch.padded.data();
  const int64_t left = std::min(walk_.pad[2], padded_w_);
  const int64_t inside = std::min(in_w_, padded_w_ - left);
  for (int64_t plane = 0; plane < planes_; ++plane) {
    for (int64_t r = 0; r < padded_rows; ++r) {
      const int64_t h = first * walk_.stride[1] - walk_.pad[1] + r;
      if (h < 0 || h >= in_h_) {
        to = std::fill_n(to, padded_w_, fill);
        continue;
      }
      to = std::fill_n(to, left, fill);
      to = std::copy_n(x + (plane * in_h_ + h) * in_w_, inside, to);
      to = std::fill_n(to, padded_w_ - left - inside, fill);
    }
  }
  std::fill_n(to, kTapSlack * walk_.stride[2], 0.0f);
}

void Bands::FoldBand(Fold fold, const float* x, float fill, const std::vector<float>& factors,
                     float start, int64_t first, int64_t rows, Scratch& scratch) const {
  Pad(x, fill, first, rows, scratch);
  scratch.folded.resize(static_cast<size_t>(rows * out_step_ + kTapSlack));
  const int64_t padded_rows = (rows - 1) * walk_.stride[1] + extent_h_;
  const int64_t calls = one_row_ ? 1 : rows;
  const int64_t width = one_row_ ? (rows - 1) * padded_w_ + out_w_ : out_w_;
  for (int64_t call = 0; call < calls; ++call) {
    scratch.taps.clear();
    for (int64_t plane = 0; plane < planes_; ++plane) {
      for (int64_t kh = 0; kh < walk_.kernel[1]; ++kh) {
        const int64_t row = plane * padded_rows + call * walk_.stride[1] + kh * walk_.dilation[1];
        for (int64_t kw = 0; kw < walk_.kernel[2]; ++kw) {
          scratch.taps.push_back(scratch.padded.data() + row * padded_w_ + kw * walk_.dilation[2]);
        }
      }
    }
    FoldTaps(fold, width, walk_.stride[2], scratch.taps, factors, start,
             scratch.folded.data() + call * out_step_);
  }
}

}  // namespace ge
