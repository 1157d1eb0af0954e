#include "kernels/fourier.h"

#include <complex>
#include <numbers>
#include <utility>
#include <vector>

#include "base/parallel.h"

namespace ge::kernels {
namespace {

using Complex = std::complex<double>;

// std::complex multiplies with care for infinities, which takes a call.
Complex Times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// e^(-2 pi i part / whole)
Complex Root(uint64_t part, uint64_t whole) {
  const double angle =
      -2 * std::numbers::pi * static_cast<double>(part % whole) / static_cast<double>(whole);
  return {std::cos(angle), std::sin(angle)};
}

// Transforms rows whose length is a power of two, in place.
class PowerOfTwo {
 public:
  explicit PowerOfTwo(size_t size) : size_(size), roots_(size / 2), swaps_(size) {
    for (size_t i = 0; i < roots_.size(); ++i) roots_[i] = Root(i, size);
    for (size_t i = 0; i < size; ++i) {
      swaps_[i] = (swaps_[i / 2] / 2) | ((i & 1) != 0 ? size / 2 : 0);
    }
  }

  void Forward(Complex* row) const {
    for (size_t i = 0; i < size_; ++i) {
      if (i < swaps_[i]) std::swap(row[i], row[swaps_[i]]);
    }
    for (size_t half = 1; half < size_; half *= 2) {
      const size_t step = size_ / (2 * half);
      for (size_t start = 0; start < size_; start += 2 * half) {
        for (size_t i = 0; i < half; ++i) {
          Complex &a = row[start + i], &b = row[start + half + i];
          const Complex turned = Times(b, roots_[i * step]);
          b = a - turned;
          a += turned;
        }
      }
    }
  }

 private:
  size_t size_;
  std::vector<Complex> roots_;
  std::vector<size_t> swaps_;  // the index with its bits reversed
};

// Transforms rows of any length.  Where it is no power of two, Bluestein's algorithm makes it a
// convolution with a chirp, which is computed by transforms of a power of two.
class Transform {
 public:
  explicit Transform(size_t size)
      : size_(size), inner_(InnerSize(size)), chirp_(size == inner_ ? 0 : size), fft_(inner_) {
    if (chirp_.empty()) return;
    filter_.resize(inner_);
    for (size_t i = 0; i < size; ++i) {
      const auto square = static_cast<unsigned __int128>(i) * i;
      chirp_[i] = Root(static_cast<uint64_t>(square % (2 * size)), 2 * size);
      filter_[i] = std::conj(chirp_[i]);
      if (i != 0) filter_[inner_ - i] = filter_[i];
    }
    fft_.Forward(filter_.data());
  }

  size_t scratch() const { return chirp_.empty() ? 0 : inner_; }

  void Forward(Complex* row, Complex* scratch) const {
    if (chirp_.empty()) return fft_.Forward(row);
    for (size_t i = 0; i < size_; ++i) scratch[i] = Times(row[i], chirp_[i]);
    std::fill(scratch + size_, scratch + inner_, Complex{});
    fft_.Forward(scratch);
    // The transform back is that of the conjugate.
    for (size_t i = 0; i < inner_; ++i) scratch[i] = std::conj(Times(scratch[i], filter_[i]));
    fft_.Forward(scratch);
    const double scale = 1.0 / static_cast<double>(inner_);
    for (size_t i = 0; i < size_; ++i) row[i] = Times(std::conj(scratch[i]), chirp_[i]) * scale;
  }

 private:
  static size_t InnerSize(size_t size) {
    if ((size & (size - 1)) == 0) return size;
    size_t inner = 1;
    while (inner < 2 * size - 1) inner *= 2;
    return inner;
  }

  size_t size_;
  size_t inner_;
  std::vector<Complex> chirp_;
  std::vector<Complex> filter_;
  PowerOfTwo fft_;
};

template <typename T>
void TransformRows(const KernelContext& ctx, bool inverse) {
  const Shape& shape = ctx.inputs[0].shape;
  const size_t size = static_cast<size_t>(shape[shape.rank() - 1]);
  if (ctx.inputs[0].elements() == 0) return;
  const int64_t rows = ctx.inputs[0].elements() / static_cast<int64_t>(size);
  const Transform transform(size);
  const double scale = inverse ? 1.0 / static_cast<double>(size) : 1.0;
  const auto* x = ctx.inputs[0].as<std::complex<T>>();
  auto* y = ctx.outputs[0].as<std::complex<T>>();
  constexpr int64_t kGrainElements = 4096;
  ParallelFor(
      rows, 1 + kGrainElements / static_cast<int64_t>(size), [&](int64_t begin, int64_t end) {
        std::vector<Complex> row(size), scratch(transform.scratch());
        for (int64_t r = begin; r < end; ++r) {
          const auto* from = x + r * static_cast<int64_t>(size);
          auto* to = y + r * static_cast<int64_t>(size);
          // The inverse is the conjugate of the transform of the conjugate.
          for (size_t i = 0; i < size; ++i) {
            row[i] = {static_cast<double>(from[i].real()),
                      static_cast<double>(inverse ? -from[i].imag() : from[i].imag())};
          }
          transform.Forward(row.data(), scratch.data());
          for (size_t i = 0; i < size; ++i) {
            const double imaginary = inverse ? -row[i].imag() : row[i].imag();
            to[i] = {static_cast<T>(row[i].real() * scale), static_cast<T>(imaginary * scale)};
          }
        }
      });
}

Status Run(KernelContext& ctx, bool inverse) {
  switch (ctx.inputs[0].dtype) {
    case DataType::kComplex64:
      TransformRows<float>(ctx, inverse);
      return Status::Ok();
    case DataType::kComplex128:
      TransformRows<double>(ctx, inverse);
      return Status::Ok();
    default:
      return ctx.NotBuilt();
  }
}

}  // namespace

Status Fft(KernelContext& ctx) {
  return Run(ctx, false);
}

Status Ifft(KernelContext& ctx) {
  return Run(ctx, true);
}

}  // namespace ge::kernels
