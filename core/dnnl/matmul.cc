#include <algorithm>

#include "dnnl_api.h"
#include "makers.h"
#include "products.h"
#include "threads.h"
#include "workspace.h"

// Matrix products of float32, and the convolutions that are nothing else.  Operands stay in their
// own layouts: packed weights would be a second copy of most of a model, and gain little where
// there are many rows.
//
// oneDNN sums in another order for every number of threads.  So a product is cut into tiles by its
// own sizes alone, and a tile is the work of one thread.
namespace ge::onednn {
namespace {

class TiledProducts : public HeavyPrimitive {
 public:
  explicit TiledProducts(Products products) : p_(std::move(products)) {
    columns_ = TileColumns(p_.n);
    down_ = (p_.m - 1) / kRows + 1;
    across_ = (p_.n - 1) / columns_ + 1;
    // Rows that lie a power of two apart fall on the same few lines of the caches.
    constexpr int64_t kBadStep = 512;
    copies_b_ = !p_.b.transposed && p_.b.step % kBadStep == 0 && p_.n > 1;
  }

  uint64_t bytes() const override { return 0; }

  bool Run(int threads, const HeavyArgs& args) const override {
    const Call call = {static_cast<const float*>(args.x), static_cast<const float*>(args.filter),
                       static_cast<const float*>(args.bias), static_cast<float*>(args.y)};
    return AllOf(threads, static_cast<int64_t>(p_.a.starts.size()) * down_ * across_,
                 [&](int64_t tile) { return RunTile(call, tile); });
  }

 private:
  static constexpr int64_t kRows = kTileRows;

  struct Call {
    const float* a;
    const float* b;
    const float* bias;
    float* y;
  };

  bool RunTile(const Call& call, int64_t tile) const {
    const auto batch = static_cast<size_t>(tile / (down_ * across_));
    const int64_t row = tile % down_ * kRows, column = tile / down_ % across_ * columns_;
    const int64_t rows = std::min(kRows, p_.m - row), columns = std::min(columns_, p_.n - column);
    const float* const a = call.a + p_.a.starts[batch] + row * (p_.a.transposed ? 1 : p_.a.step);
    const float* b = call.b + p_.b.starts[batch] + column * (p_.b.transposed ? p_.b.step : 1);
    float* const y = call.y + (static_cast<int64_t>(batch) * p_.m + row) * p_.n + column;
    int64_t b_step = p_.b.step;
    const int64_t copied_step = columns + 16;
    Workspace space(copies_b_ ? static_cast<size_t>(p_.k * copied_step) * sizeof(float) : 0);
    if (!space.ok()) return false;
    if (copies_b_) {
      auto* const copy = static_cast<float*>(space.Take(0));
      for (int64_t k = 0; k < p_.k; ++k) {
        std::copy_n(b + k * b_step, columns, copy + k * copied_step);
      }
      b = copy;
      b_step = copied_step;
    }
    StartWithBias(call, row, rows, column, columns, y);
    const float kept = p_.bias == Products::Bias::kNone ? 0.0f : 1.0f;
    return dnnl_sgemm(p_.a.transposed ? 'T' : 'N', p_.b.transposed ? 'T' : 'N', rows, columns, p_.k,
                      1.0f, a, p_.a.step, b, b_step, kept, y, p_.n) == dnnl_success;
  }

  void StartWithBias(const Call& call, int64_t row, int64_t rows, int64_t column, int64_t columns,
                     float* y) const {
    for (int64_t r = 0; r < rows; ++r) {
      if (p_.bias == Products::Bias::kPerRow) {
        std::fill_n(y + r * p_.n, columns, call.bias[row + r]);
      } else if (p_.bias == Products::Bias::kPerColumn) {
        std::copy_n(call.bias + column, columns, y + r * p_.n);
      }
    }
  }

  const Products p_;
  int64_t columns_ = 0;            // of a tile
  int64_t down_ = 0, across_ = 0;  // tiles of one product
  bool copies_b_ = false;
};

// Where the products of an operand begin.
std::vector<int64_t> Starts(const std::vector<int64_t>& dims, const std::vector<int64_t>& steps) {
  std::vector<int64_t> starts = {0};
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    std::vector<int64_t> longer;
    for (const int64_t start : starts) {
      for (int64_t i = 0; i < dims[axis]; ++i) longer.push_back(start + i * steps[axis]);
    }
    starts = std::move(longer);
  }
  return starts;
}

Matrix MatrixOf(const MatMulProblem& problem, const MatMulProblem::Operand& operand) {
  const bool transposed = operand.column_step != 1;
  return {transposed, transposed ? operand.column_step : operand.row_step,
          Starts(problem.batch, operand.batch_steps)};
}

// Whether the plain kernel, which reads the matrix of few rows or columns once, is the faster one.
bool IsForPlainKernel(const MatMulProblem& problem) {
  constexpr int64_t kLarge = 1 << 21;  // elements; beyond the caches of one core
  const int64_t few = std::min(problem.m, problem.n);
  const int64_t others = std::max(problem.m, problem.n);
  const bool reads_rows =
      problem.m < problem.n ? problem.b.column_step == 1 : problem.a.row_step == 1;
  return few <= 4 || (few <= (reads_rows ? 16 : 8) && problem.k > kLarge / others);
}

bool HasColumnBias(const MatMulProblem& problem) {
  const auto& steps = problem.bias.batch_steps;
  return problem.bias.row_step == 0 && problem.bias.column_step == 1 &&
         std::all_of(steps.begin(), steps.end(), [](int64_t step) { return step == 0; });
}

// Below this the plain kernel is done before the tiles are cut.
constexpr int64_t kLeastProducts = 20'000;

}  // namespace

std::optional<Products> ProductsOf(const MatMulProblem& problem) {
  const bool has_bias = problem.bias.dtype != DataType::kUndefined;
  if ((has_bias && !HasColumnBias(problem)) || problem.k == 0 || problem.batches() == 0 ||
      problem.m * problem.n < kLeastProducts / problem.k || IsForPlainKernel(problem)) {
    return std::nullopt;
  }
  const auto is_plain = [](const MatMulProblem::Operand& operand) {
    return operand.row_step == 1 || operand.column_step == 1;
  };
  if (!is_plain(problem.a) || !is_plain(problem.b)) return std::nullopt;
  return Products{.m = problem.m,
                  .n = problem.n,
                  .k = problem.k,
                  .a = MatrixOf(problem, problem.a),
                  .b = MatrixOf(problem, problem.b),
                  .bias = has_bias ? Products::Bias::kPerColumn : Products::Bias::kNone};
}

std::unique_ptr<const HeavyPrimitive> MakeMatMul(const MatMulProblem& problem) {
  const bool is_float =
      problem.a.dtype == DataType::kFloat &&
      (problem.bias.dtype == DataType::kFloat || problem.bias.dtype == DataType::kUndefined);
  std::optional<Products> products = is_float ? ProductsOf(problem) : std::nullopt;
  return products ? std::make_unique<TiledProducts>(std::move(*products)) : nullptr;
}

std::unique_ptr<const HeavyPrimitive> MakePointwise(const ConvProblem& problem) {
  const int64_t windows = problem.y.plane(), channels = problem.x.dims[1];
  Products products;
  products.m = problem.y.dims[1];
  products.n = windows;
  products.k = channels;
  products.a.step = channels;
  products.b.step = windows;
  for (int64_t i = 0; i < problem.y.dims[0]; ++i) {
    products.a.starts.push_back(0);
    products.b.starts.push_back(i * channels * windows);
  }
  if (problem.bias != DataType::kUndefined) products.bias = Products::Bias::kPerRow;
  // The caller's filter is the left operand.
  class Swapped : public HeavyPrimitive {
   public:
    explicit Swapped(Products products) : products_(std::move(products)) {}
    bool Run(int threads, const HeavyArgs& args) const override {
      HeavyArgs swapped = args;
      std::swap(swapped.x, swapped.filter);
      return products_.Run(threads, swapped);
    }
    uint64_t bytes() const override { return 0; }

   private:
    TiledProducts products_;
  };
  return std::make_unique<Swapped>(std::move(products));
}

namespace {

// Each window of y belongs to one element of x, and windows cover y.
bool CoversOnce(const ConvProblem& problem) {
  constexpr Spatial kOnes = {1, 1, 1}, kZeros = {0, 0, 0};
  const WindowWalk& walk = problem.walk;
  for (size_t axis = 0; axis < 3; ++axis) {
    if (problem.y.dims[axis + 2] != problem.x.dims[axis + 2] * walk.stride[axis]) return false;
  }
  return problem.groups == 1 && problem.x.dims[2] == 1 && walk.kernel == walk.stride &&
         walk.dilation == kOnes && walk.pad == kZeros && problem.filter.is_dense();
}

// Row h of x, [W, C], times row i of the filter, [C, kernel width * O], is row h * stride + i of y
// when the channels of y are last.
class Spread : public HeavyPrimitive {
 public:
  Spread(const ConvProblem& problem, const float* filter)
      : outputs_(problem.y.dims[1]),
        width_(problem.walk.kernel[2]),
        packed_(Pack(problem, filter)),
        products_(ProductsOf(problem)) {}

  uint64_t bytes() const override { return packed_.size() * sizeof(float); }

  bool Run(int threads, const HeavyArgs& args) const override {
    HeavyArgs rows = args;
    rows.filter = packed_.data();
    std::vector<float> bias;
    if (args.bias != nullptr) {
      const auto* const given = static_cast<const float*>(args.bias);
      for (int64_t i = 0; i < width_; ++i) bias.insert(bias.end(), given, given + outputs_);
      rows.bias = bias.data();
    }
    return products_.Run(threads, rows);
  }

 private:
  // [C, O, height, width] to [height, C, width, O]
  static std::vector<float> Pack(const ConvProblem& problem, const float* filter) {
    const auto& [channels, outputs, depth, height, width] = problem.filter.dims;
    std::vector<float> packed(static_cast<size_t>(problem.filter.elements()));
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t o = 0; o < outputs; ++o) {
        for (int64_t i = 0; i < height; ++i) {
          for (int64_t j = 0; j < width; ++j) {
            packed[static_cast<size_t>(((i * channels + c) * width + j) * outputs + o)] = *filter++;
          }
        }
      }
    }
    return packed;
  }

  static Products ProductsOf(const ConvProblem& problem) {
    const Tensor5& x = problem.x;
    const int64_t channels = x.dims[1], columns = problem.walk.kernel[2] * problem.y.dims[1];
    Products products;
    products.m = x.dims[4];
    products.n = columns;
    products.k = channels;
    products.a.transposed = x.steps[1] != 1;
    products.a.step = products.a.transposed ? x.steps[1] : x.steps[4];
    products.b.step = columns;
    for (int64_t n = 0; n < x.dims[0]; ++n) {
      for (int64_t h = 0; h < x.dims[3]; ++h) {
        for (int64_t i = 0; i < problem.walk.kernel[1]; ++i) {
          products.a.starts.push_back(n * x.steps[0] + h * x.steps[3]);
          products.b.starts.push_back(i * channels * columns);
        }
      }
    }
    if (problem.bias != DataType::kUndefined) products.bias = Products::Bias::kPerColumn;
    return products;
  }

  const int64_t outputs_, width_;
  const std::vector<float> packed_;
  const TiledProducts products_;
};

}  // namespace

std::unique_ptr<const HeavyPrimitive> MakeSpread(const ConvProblem& problem, const void* filter) {
  const Tensor5& y = problem.y;
  const bool rows_follow = y.dims[1] == 1 || y.steps[1] == 1;
  // Elements of a row of x, or of a channel, must follow each other.
  const bool rows_lie = problem.x.steps[1] == 1 || problem.x.steps[4] == 1;
  if (!CoversOnce(problem) || !rows_follow || !rows_lie) return nullptr;
  return std::make_unique<Spread>(problem, static_cast<const float*>(filter));
}

}  // namespace ge::onednn
