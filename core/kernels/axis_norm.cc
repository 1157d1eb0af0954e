#include "kernels/axis_norm.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/elementwise.h"
#include "kernels/reduce_walk.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// Groups of input 0, with one accumulator each.
struct Groups {
  Groups(const Shape& shape, const std::vector<int64_t>& axes)
      : shape(shape), kept(KeepDims(shape, axes)), count(static_cast<size_t>(*kept.elements())) {}

  // acc[group] = fold(acc[group], element) over all elements.
  template <typename Fold>
  std::vector<double> Accumulate(double start, Fold fold) const {
    std::vector<double> acc(count, start);
    WalkGroups(shape, kept, [&](int64_t group, int64_t element) {
      double& value = acc[static_cast<size_t>(group)];
      value = fold(value, group, element);
    });
    return acc;
  }

  Shape shape;
  Shape kept;
  size_t count;
};

}  // namespace

Status HardMax(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const AxisSplit split = SplitAt(x.shape, *NormalizeAxis(ctx.attrs.Int("axis"), x.shape.rank()));
  const bool built = VisitFloats(x.dtype, [&]<typename T>(T) {
    using C = ComputeType<T>;
    const int64_t count = x.elements();
    T* out = ctx.outputs[0].as<T>();
    std::fill_n(out, count, static_cast<T>(C{0}));
    for (int64_t row = 0; count != 0 && row < split.outer * split.inner; ++row) {
      const int64_t start = row / split.inner * split.size * split.inner + row % split.inner;
      int64_t best = start;
      for (int64_t i = 1; i < split.size; ++i) {
        const int64_t element = start + i * split.inner;
        if (static_cast<C>(x.as<T>()[element]) > static_cast<C>(x.as<T>()[best])) best = element;
      }
      out[best] = static_cast<T>(C{1});
    }
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

Status MVNV2(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const Groups groups(x.shape, ctx.attrs.Ints("axes"));
  const double eps = static_cast<double>(ctx.attrs.Float("eps"));
  const double size = static_cast<double>(groups.count == 0 ? 0 : x.elements()) /
                      static_cast<double>(std::max<size_t>(groups.count, 1));
  const bool built = VisitFloats(x.dtype, [&]<typename T>(T) {
    const T* in = x.as<T>();
    T* out = ctx.outputs[0].as<T>();
    const auto at = [&](int64_t element) { return static_cast<double>(in[element]); };
    const std::vector<double> sums =
        groups.Accumulate(0, [&](double value, int64_t, int64_t i) { return value + at(i); });
    const auto centred = [&](int64_t group, int64_t i) {
      return at(i) - sums[static_cast<size_t>(group)] / size;
    };
    const std::vector<double> squares =
        groups.Accumulate(0, [&](double value, int64_t group, int64_t i) {
          return value + centred(group, i) * centred(group, i);
        });
    WalkGroups(groups.shape, groups.kept, [&](int64_t group, int64_t i) {
      const double deviation = std::sqrt(squares[static_cast<size_t>(group)] / size);
      out[i] = static_cast<T>(centred(group, i) / (deviation + eps));
    });
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
