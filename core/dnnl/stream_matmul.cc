#include "dnnl_api.h"
#include "makers.h"
#include "products.h"
#include "threads.h"
#include "workspace.h"

// Matrix products of streams: blocks of both factors are loaded into memory of a tile, and its sums
// stay there until they are complete.
namespace ge::onednn {
namespace {

class StreamProducts : public StreamPrimitive {
 public:
  explicit StreamProducts(Products products)
      : p_(std::move(products)),
        columns_(TileColumns(p_.n)),
        down_((p_.m - 1) / kTileRows + 1),
        across_((p_.n - 1) / columns_ + 1) {}

  uint64_t bytes() const override { return 0; }

  bool Run(int threads, const HeavyStream& stream) const override {
    return AllOf(threads, static_cast<int64_t>(p_.a.starts.size()) * down_ * across_,
                 [&](int64_t tile) { return RunTile(stream, tile); });
  }

 private:
  static constexpr int64_t kDepth = 256;
  // Behind each row, so that rows do not lie a power of two apart.
  static constexpr int64_t kGap = 16;

  struct Range {
    int64_t first, count;
  };
  // Writes a piece of a factor, in the order of the factor; the distance of its rows, or columns.
  static int64_t Load(const HeavyStream& stream, HeavyStream::Operand operand, const Matrix& matrix,
                      size_t batch, Range rows, Range columns, float* to) {
    if (matrix.transposed) std::swap(rows, columns);
    const int64_t step = columns.count + kGap;
    const int64_t start = matrix.starts[batch] + rows.first * matrix.step + columns.first;
    for (int64_t r = 0; r < rows.count; ++r) {
      stream.Load(operand, start + r * matrix.step, columns.count, to + r * step);
    }
    return step;
  }

  bool RunTile(const HeavyStream& stream, int64_t tile) const {
    const auto batch = static_cast<size_t>(tile / (down_ * across_));
    const int64_t row = tile % down_ * kTileRows, column = tile / down_ % across_ * columns_;
    const int64_t rows = std::min(kTileRows, p_.m - row);
    const int64_t columns = std::min(columns_, p_.n - column);
    const int64_t depth = std::min(kDepth, p_.k);
    const auto floats = [](int64_t count) {
      return Workspace::Padded(static_cast<size_t>(count) * sizeof(float));
    };
    const int64_t a_size = (rows + kGap) * (depth + kGap);
    const int64_t b_size = (columns + kGap) * (depth + kGap);
    Workspace space(floats(rows * columns) + floats(a_size) + floats(b_size));
    if (!space.ok()) return false;
    auto* const y = static_cast<float*>(space.Take(floats(rows * columns)));
    auto* const a = static_cast<float*>(space.Take(floats(a_size)));
    auto* const b = static_cast<float*>(space.Take(floats(b_size)));
    const bool has_bias = p_.bias == Products::Bias::kPerColumn;
    if (has_bias) {
      stream.Load(HeavyStream::kBias, column, columns, y);
      for (int64_t r = 1; r < rows; ++r) std::copy_n(y, columns, y + r * columns);
    }
    for (int64_t k = 0; k < p_.k; k += depth) {
      const int64_t here = std::min(depth, p_.k - k);
      const int64_t a_step = Load(stream, HeavyStream::kX, p_.a, batch, {row, rows}, {k, here}, a);
      const int64_t b_step =
          Load(stream, HeavyStream::kFilter, p_.b, batch, {k, here}, {column, columns}, b);
      const float kept = has_bias || k != 0 ? 1.0f : 0.0f;
      const bool done =
          dnnl_sgemm(p_.a.transposed ? 'T' : 'N', p_.b.transposed ? 'T' : 'N', rows, columns, here,
                     1.0f, a, a_step, b, b_step, kept, y, columns) == dnnl_success;
      if (!done) return false;
    }
    for (int64_t r = 0; r < rows; ++r) {
      stream.Store((static_cast<int64_t>(batch) * p_.m + row + r) * p_.n + column, columns,
                   y + r * columns);
    }
    return true;
  }

  const Products p_;
  const int64_t columns_;        // of a tile
  const int64_t down_, across_;  // tiles of one product
};

}  // namespace

std::unique_ptr<const StreamPrimitive> MakeStreamMatMul(const MatMulProblem& problem) {
  std::optional<Products> products = ProductsOf(problem);
  return products ? std::make_unique<StreamProducts>(std::move(*products)) : nullptr;
}

}  // namespace ge::onednn
