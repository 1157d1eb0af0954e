#include "kernels/einsum.h"

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <string>

#include "kernels/box.h"
#include "kernels/gemm.h"
#include "ops/einsum_equation.h"

namespace ge::kernels {
namespace {

// Axes are named by one character each: letters as in the equation, the axes of "..." by numbers
// from kEllipsis down, the last one first, so that they align at the back.
using Names = std::string;
constexpr unsigned char kEllipsis = 255;

// A dense tensor with named axes, all names different and no axis of length 1.
template <typename C>
struct Named {
  Names names;
  std::vector<int64_t> dims;
  std::unique_ptr<C[]> data;

  int64_t dim(char name) const { return dims[names.find(name)]; }
  bool has(char name) const { return names.find(name) != Names::npos; }
};

// Lengths of the axes; 1 for a name that no operand has.
using Lengths = std::array<int64_t, 256>;

Names NamesOf(const EinsumTerm& term, size_t rank) {
  Names names;
  const size_t extra = rank - term.letters.size();
  for (size_t i = 0; i <= term.letters.size(); ++i) {
    if (term.ellipsis == i) {
      for (size_t axis = 0; axis < extra; ++axis) {
        names += static_cast<char>(kEllipsis - (extra - 1 - axis));
      }
    }
    if (i < term.letters.size()) names += term.letters[i];
  }
  return names;
}

int64_t Product(const std::vector<int64_t>& dims) {
  const std::optional<int64_t> product = Shape(dims).elements();
  if (!product) throw std::bad_alloc();  // what asking for that memory would do
  return *product;
}

// An operand with its diagonals taken and without axes of length 1.
template <typename T, typename C>
Named<C> Read(const HostTensor& tensor, const Names& names) {
  const std::vector<int64_t> strides = StridesOf(tensor.shape);
  Named<C> result;
  std::vector<int64_t> steps;
  for (size_t axis = 0; axis < names.size(); ++axis) {
    if (tensor.shape[axis] == 1) continue;
    const size_t known = result.names.find(names[axis]);
    if (known != Names::npos) {
      steps[known] += strides[axis];
      continue;
    }
    result.names += names[axis];
    result.dims.push_back(tensor.shape[axis]);
    steps.push_back(strides[axis]);
  }
  const int64_t count = Product(result.dims);
  result.data = std::make_unique_for_overwrite<C[]>(static_cast<size_t>(count));
  if (count == 0) return result;
  const Shape shape(result.dims);
  IndexCounter index(shape);
  for (int64_t i = 0; i < count; ++i, index.Next()) {
    int64_t from = 0;
    for (size_t axis = 0; axis < steps.size(); ++axis) from += index[axis] * steps[axis];
    result.data[i] = static_cast<C>(tensor.as<T>()[from]);
  }
  return result;
}

// The same elements with the axes in the order of `names`, which are all of them.
template <typename C>
Named<C> Ordered(Named<C> x, const Names& names) {
  if (x.names == names) return x;
  const std::vector<int64_t> strides = StridesOf(Shape(x.dims));
  Named<C> result{names, {}, nullptr};
  std::vector<AxisOffsets> axes;
  for (const char name : names) {
    const size_t axis = x.names.find(name);
    result.dims.push_back(x.dims[axis]);
    axes.push_back(SteppedOffsets(0, 1, x.dims[axis], strides[axis]));
  }
  result.data = std::make_unique_for_overwrite<C[]>(static_cast<size_t>(Product(result.dims)));
  GatherBox(x.data.get(), axes, sizeof(C), nullptr, result.data.get());
  return result;
}

// The sum over the axes that are not in `kept`.
template <typename C>
Named<C> SumOthers(Named<C> x, const Names& kept) {
  Names stay, go;
  for (const char name : x.names) (kept.find(name) != Names::npos ? stay : go) += name;
  if (go.empty()) return x;
  const Named<C> ordered = Ordered(std::move(x), stay + go);
  const auto split = ordered.dims.begin() + static_cast<ptrdiff_t>(stay.size());
  Named<C> result{stay, {ordered.dims.begin(), split}, nullptr};
  const int64_t rows = Product(result.dims);
  const int64_t size = Product({split, ordered.dims.end()});
  result.data = std::make_unique<C[]>(static_cast<size_t>(rows));
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < size; ++i) result.data[row] += ordered.data[row * size + i];
  }
  return result;
}

// The product of a and b, summed over the axes that both have and `kept` has not.
template <typename C>
Named<C> Multiply(Named<C> a, Named<C> b, const Names& kept) {
  a = SumOthers(std::move(a), kept + b.names);
  b = SumOthers(std::move(b), kept + a.names);
  Names batch, rows, columns, summed;
  for (const char name : a.names) {
    if (!b.has(name)) {
      rows += name;
    } else {
      (kept.find(name) != Names::npos ? batch : summed) += name;
    }
  }
  for (const char name : b.names) {
    if (!a.has(name)) columns += name;
  }
  gemm::Sizes sizes{1, 1, 1, 1};
  for (const char name : batch) sizes.batches *= a.dim(name);
  for (const char name : rows) sizes.m *= a.dim(name);
  for (const char name : summed) sizes.k *= a.dim(name);
  for (const char name : columns) sizes.n *= b.dim(name);
  a = Ordered(std::move(a), batch + rows + summed);
  b = Ordered(std::move(b), batch + summed + columns);
  Named<C> y{batch + rows + columns, {}, nullptr};
  for (const char name : y.names) y.dims.push_back(a.has(name) ? a.dim(name) : b.dim(name));
  const int64_t count = Product(y.dims);
  y.data = std::make_unique_for_overwrite<C[]>(static_cast<size_t>(count));
  if (count == 0) return y;
  gemm::Multiply<C>(
      sizes,
      [&](int64_t i, int64_t row, int64_t height, int64_t k, int64_t depth, C* out) {
        gemm::PackColumns(a.data.get() + (i * sizes.m + row) * sizes.k + k, 1, sizes.k, depth,
                          height, gemm::kRows, out);
      },
      [&](int64_t i, int64_t column, int64_t width, int64_t k, int64_t depth, C* out) {
        gemm::PackColumns(b.data.get() + (i * sizes.k + k) * sizes.n + column, sizes.n, 1, depth,
                          width, gemm::kColumns<C>, out);
      },
      [&](int64_t i, int64_t row, int64_t height, int64_t column, int64_t width, const C* sums,
          int64_t stride) {
        for (int64_t r = 0; r < height; ++r) {
          std::copy_n(sums + r * stride, width,
                      y.data.get() + (i * sizes.m + row + r) * sizes.n + column);
        }
      });
  return y;
}

// Writes `x` to a tensor with the axes of `names`; one that `x` has not repeats its elements.
template <typename C, typename T>
void Write(const Named<C>& x, const Names& names, const HostTensor& y) {
  const std::vector<int64_t> strides = StridesOf(Shape(x.dims));
  std::vector<int64_t> steps;
  for (const char name : names) steps.push_back(x.has(name) ? strides[x.names.find(name)] : 0);
  const int64_t count = y.elements();
  if (count == 0) return;
  IndexCounter index(y.shape);
  for (int64_t i = 0; i < count; ++i, index.Next()) {
    int64_t from = 0;
    for (size_t axis = 0; axis < steps.size(); ++axis) from += index[axis] * steps[axis];
    y.as<T>()[i] = static_cast<T>(x.data[from]);
  }
}

}  // namespace

Status Einsum(KernelContext& ctx) {
  std::vector<TensorDesc> descs;
  for (const HostTensor& input : ctx.inputs) {
    descs.push_back({.dtype = input.dtype, .shape = input.shape});
  }
  const InferContext rule(ctx.attrs, descs, ctx.inputs, {});
  GE_ASSIGN(const EinsumEquation equation, ParseEinsum(rule));
  constexpr size_t kMostAxes = 64;  // far fewer than there are names
  std::vector<Names> names;
  for (size_t i = 0; i < ctx.inputs.size(); ++i) {
    if (ctx.inputs[i].shape.rank() > kMostAxes) return ctx.NotBuilt();
    names.push_back(NamesOf(equation.inputs[i], ctx.inputs[i].shape.rank()));
  }
  const Names result = NamesOf(equation.output, ctx.outputs[0].shape.rank());
  const bool built = VisitNumbers(ctx.inputs[0].dtype, [&]<typename T>(T) {
    using C = gemm::SumType<T>;
    if (ctx.outputs[0].elements() == 0) return;
    Named<C> y = Read<T, C>(ctx.inputs[0], names[0]);
    for (size_t i = 1; i < ctx.inputs.size(); ++i) {
      Names kept = result;
      for (size_t later = i + 1; later < names.size(); ++later) kept += names[later];
      y = Multiply(std::move(y), Read<T, C>(ctx.inputs[i], names[i]), kept);
    }
    Write<C, T>(SumOthers(std::move(y), result), result, ctx.outputs[0]);
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
