#include "kernels/col2im.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "base/parallel.h"
#include "kernels/convert.h"
#include "kernels/elementwise.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// One spatial axis.
struct Axis {
  int64_t image, block, stride, dilation, pad, count;  // count: positions of the block
};

// Steps through index tuples below `limits`, the last axis fastest; false after the last one.
bool Step(std::vector<int64_t>& index, const std::vector<Axis>& axes, int64_t Axis::*limit) {
  for (size_t axis = index.size(); axis-- > 0;) {
    if (++index[axis] < axes[axis].*limit) return true;
    index[axis] = 0;
  }
  return false;
}

// Adds the columns of one channel, [elements of a block, positions], to its image.
template <typename T, typename Sum>
void AddColumns(const T* columns, const std::vector<Axis>& axes, Sum* image) {
  std::vector<int64_t> element(axes.size()), position(axes.size());
  do {
    do {
      int64_t at = 0;
      bool inside = true;
      for (size_t i = 0; i < axes.size() && inside; ++i) {
        const Axis& axis = axes[i];
        const int64_t place = position[i] * axis.stride - axis.pad + element[i] * axis.dilation;
        inside = place >= 0 && place < axis.image;
        at = at * axis.image + place;
      }
      if (inside) image[at] += static_cast<Sum>(*columns);
      ++columns;
    } while (Step(position, axes, &Axis::count));
  } while (Step(element, axes, &Axis::block));
}

}  // namespace

Status Col2Im(KernelContext& ctx) {
  const HostTensor &x = ctx.inputs[0], &out = ctx.outputs[0];
  const std::optional<std::vector<int64_t>> blocks = ToInts(ctx.inputs[2]);
  if (!blocks) return ctx.NotBuilt();
  const std::vector<int64_t> strides = ctx.attrs.Ints("stride");
  const std::vector<int64_t> dilations = ctx.attrs.Ints("dilation");
  const std::vector<int64_t> pads = ctx.attrs.Ints("padding");
  std::vector<Axis> axes;
  for (size_t i = 0; i < blocks->size(); ++i) {
    const int64_t image = out.shape[2 + i], block = (*blocks)[i];
    const bool paired = pads.size() == 2 * blocks->size();
    const int64_t before = paired ? pads[2 * i] : pads[i],
                  after = paired ? pads[2 * i + 1] : before;
    const int64_t room = image + before + after - (block - 1) * dilations[i] - 1;
    axes.push_back({image, block, strides[i], dilations[i], before, room / strides[i] + 1});
  }
  const int64_t planes = out.shape[0] * out.shape[1];
  if (out.elements() == 0) return Status::Ok();
  const int64_t image_size = out.elements() / planes;
  const int64_t column_size = x.elements() / planes;
  const bool built = VisitNumbers(x.dtype, [&]<typename T>(T) {
    // Unsigned for integers, so that they wrap.
    using Sum = std::conditional_t<kIsIntegral<T>, uint64_t, ComputeType<T>>;
    ParallelFor(planes, 1, [&](int64_t begin, int64_t end) {
      std::vector<Sum> image(static_cast<size_t>(image_size));
      for (int64_t plane = begin; plane < end; ++plane) {
        std::fill(image.begin(), image.end(), Sum(0));
        if (column_size != 0) AddColumns(x.as<T>() + plane * column_size, axes, image.data());
        std::transform(image.begin(), image.end(), out.as<T>() + plane * image_size,
                       [](Sum sum) { return static_cast<T>(sum); });
      }
    });
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
