#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/dtype.h"
#include "base/status.h"
#include "kernels/kernel_context.h"

// Convolutions, matrix products and pooling as plain numbers.  The kernels of this folder and the
// optional library (core/dnnl) work from the same descriptions.  Steps are in elements; all
// numbers come from tensors that exist, so their products fit 63 bits.
namespace ge {

// What byte_heavy.h multiplies.
inline bool IsByte(DataType dtype) {
  return dtype == DataType::kInt8 || dtype == DataType::kUint8;
}

// D, H, W.  A 2-D operator has a D of length 1.
using Spatial = std::array<int64_t, 3>;
// N (or output channels of a filter), C, D, H, W.
using Axes5 = std::array<int64_t, 5>;

// A tensor whose axes lie in memory in any order, without gaps.
struct Tensor5 {
  Axes5 dims = {1, 1, 1, 1, 1};
  Axes5 steps = {1, 1, 1, 1, 1};

  int64_t plane() const { return dims[2] * dims[3] * dims[4]; }
  int64_t elements() const { return dims[0] * dims[1] * dims[2] * dims[3] * dims[4]; }
  Spatial spatial() const { return {dims[2], dims[3], dims[4]}; }
  // Whether the axes lie in the order N, C, D, H, W.
  bool is_dense() const {
    int64_t step = 1;
    for (size_t axis = 5; axis-- > 0;) {
      if (dims[axis] != 1 && steps[axis] != step) return false;
      step *= dims[axis];
    }
    return true;
  }
};

// How windows move over D, H, W.
struct WindowWalk {
  Spatial kernel = {1, 1, 1};
  Spatial stride = {1, 1, 1};
  Spatial dilation = {1, 1, 1};
  Spatial pad = {0, 0, 0};      // in front of the first element
  Spatial pad_end = {0, 0, 0};  // behind the last
};

// y = x convolved with filter, plus bias.  The filter is [O, C / groups, kernel]; of a transposed
// convolution, which spreads x over y, it is [C, O / groups, kernel].
struct ConvProblem {
  bool transposed = false;
  DataType dtype = DataType::kUndefined;  // of x
  DataType filter_dtype = DataType::kUndefined;
  DataType bias = DataType::kUndefined;  // there is none
  DataType result = DataType::kUndefined;
  int32_t x_zero = 0;  // of bytes: what counts as 0, also in the padding
  int64_t groups = 1;
  Tensor5 x, filter, y;
  WindowWalk walk;

  // Whether y[n] = filter @ x[n] + bias as the tensors lie in memory.
  bool is_product() const {
    constexpr Spatial kOnes = {1, 1, 1};
    return !transposed && groups == 1 && walk.kernel == kOnes && walk.stride == kOnes &&
           x.spatial() == y.spatial() && x.is_dense() && filter.is_dense() && y.is_dense();
  }
  int64_t in_channels() const { return x.dims[1] / groups; }   // per group
  int64_t out_channels() const { return y.dims[1] / groups; }  // per group
};

// What becomes of every element y of a convolution behind its bias.
struct PostOp {
  enum class Kind {
    kRelu,
    kLeakyRelu,  // alpha * y below 0
    kClip,       // to [alpha, beta]
    kLinear,     // alpha * y + beta
    kSigmoid,
    kTanh,
    kSwish,       // y * sigmoid(alpha * y)
    kHardSwish,   // y * clip(y + 3, 0, 6) / 6
    kAdd,         // y + element of another tensor, which lies in memory as y does
    kAddInPlace,  // the same; its elements are where those of y will be
  };
  Kind kind = Kind::kRelu;
  float alpha = 0, beta = 0;

  // Whether a NaN may become a number.
  bool hides_nan() const { return kind == Kind::kRelu || kind == Kind::kClip; }
};

// y[i...] = a[i...] @ b[i...] + bias[i...] over leading axes; all steps of an operand that repeats
// are 0.  y is row-major.
struct MatMulProblem {
  struct Operand {
    DataType dtype = DataType::kUndefined;
    int64_t row_step = 0, column_step = 0;
    std::vector<int64_t> batch_steps;  // one per leading axis
  };
  DataType result = DataType::kUndefined;
  int64_t m = 0, n = 0, k = 0;
  std::vector<int64_t> batch;  // leading axes
  Operand a, b, bias;

  int64_t batches() const {
    int64_t product = 1;
    for (const int64_t dim : batch) product *= dim;
    return product;
  }
};

// Maximum or mean over windows of each plane of x [N, C, spatial].
struct PoolProblem {
  enum class Kind { kMax, kMean };
  Kind kind = Kind::kMax;
  DataType dtype = DataType::kUndefined;
  Tensor5 x, y;
  WindowWalk walk;
  bool count_pads = false;  // padding counts in the divisor of a mean
  int64_t divisor = 0;      // of a mean, unless 0
};

// What a node with all its shapes known describes.  Fails, naming the node, where an attribute has
// a value without a kernel.
Result<ConvProblem> ReadConv(const KernelContext& ctx);
Result<ConvProblem> ReadConvTranspose(const KernelContext& ctx);
Result<MatMulProblem> ReadMatMul(const KernelContext& ctx);
Result<PoolProblem> ReadPool(const KernelContext& ctx);

}  // namespace ge
