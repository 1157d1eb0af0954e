#pragma once

#include <cstdint>
#include <vector>

#include "kernels/heavy.h"

// Convolutions and pooling that take each plane by itself, in float32: rows of windows are folded
// in registers, a vector of windows at a time.
namespace ge {

enum class Fold {
  kMultiplyAdd,  // acc + factor * x
  kAdd,          // acc + x
  kMax,          // the greater one; NaN if one is
};

// out[w] = fold of from[t][w * stride] over the taps t, beginning with `start`, for w in
// [0, width).  Whole vectors are read and written: up to kTapSlack more elements of `out`, and
// kTapSlack * stride of each tap.  `factors` is read by kMultiplyAdd alone.
inline constexpr int64_t kTapSlack = 8;
void FoldTaps(Fold fold, int64_t width, int64_t stride, const std::vector<const float*>& from,
              const std::vector<float>& factors, float start, float* out);

// Rows of y that are computed from one padded piece of x.
class Bands {
 public:
  // `planes` planes of x are folded into one of y.
  Bands(const WindowWalk& walk, const Spatial& in, const Spatial& out, int64_t planes);

  // False when padding would be most of the work; then nothing else may be called.
  bool usable() const { return usable_; }
  int64_t count() const { return count_; }  // bands of a plane

  // Memory that one thread works in.
  struct Scratch {
    std::vector<float> padded, folded;
    std::vector<const float*> taps;
  };
  // Folds band `band` of the planes at x and writes its rows of y, each of them through
  // finish(folded row, h, row of y).
  template <typename Finish>
  void Run(Fold fold, const float* x, float fill, const std::vector<float>& factors, float start,
           int64_t band, Scratch& scratch, float* y, const Finish& finish) const {
    const int64_t first = band * rows_, rows = RowsOf(band);
    FoldBand(fold, x, fill, factors, start, first, rows, scratch);
    for (int64_t h = 0; h < rows; ++h) {
      finish(scratch.folded.data() + h * out_step_, first + h, y + (first + h) * out_w_);
    }
  }

 private:
  int64_t RowsOf(int64_t band) const;
  void Pad(const float* x, float fill, int64_t first, int64_t rows, Scratch& scratch) const;
  void FoldBand(Fold fold, const float* x, float fill, const std::vector<float>& factors,
                float start, int64_t first, int64_t rows, Scratch& scratch) const;

  WindowWalk walk_;
  int64_t planes_, in_h_, in_w_, out_h_, out_w_;
  int64_t padded_w_ = 0;  // elements of a padded row that windows reach
  int64_t extent_h_ = 0;  // rows that one window reaches
  int64_t rows_ = 0;      // of y per band
  int64_t count_ = 0;
  int64_t out_step_ = 0;  // between rows of y in Scratch::folded
  bool one_row_ = false;  // rows of y follow each other, with gaps that nobody reads
  bool usable_ = false;
};

}  // namespace ge
