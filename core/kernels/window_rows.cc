#include "kernels/window_rows.h"

#include "kernels/box.h"

namespace ge {

const void* Dense(const Tensor5& tensor, const void* data, DataType dtype,
                  std::vector<uint8_t>& copy) {
  if (tensor.is_dense() || tensor.elements() == 0) return data;
  const size_t width = *ElementBytes(dtype);
  copy.resize(static_cast<size_t>(tensor.elements()) * width);
  std::vector<AxisOffsets> axes;
  for (size_t axis = 0; axis < 5; ++axis) {
    axes.push_back(SteppedOffsets(0, 1, tensor.dims[axis], tensor.steps[axis]));
  }
  GatherBox(data, axes, width, nullptr, copy.data());
  return copy.data();
}

void FromDense(const Tensor5& tensor, const void* dense, DataType dtype, void* data) {
  if (tensor.elements() == 0) return;
  Axes5 steps = {};
  int64_t step = 1;
  for (size_t axis = 5; axis-- > 0;) {
    steps[axis] = step;
    step *= tensor.dims[axis];
  }
  std::array<size_t, 5> order = {0, 1, 2, 3, 4};
  // Where two axes have one step, the longer of them lies inside.
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return tensor.steps[a] != tensor.steps[b] ? tensor.steps[a] > tensor.steps[b]
                                              : tensor.dims[a] < tensor.dims[b];
  });
  std::vector<AxisOffsets> axes;
  for (const size_t axis : order) {
    axes.push_back(SteppedOffsets(0, 1, tensor.dims[axis], steps[axis]));
  }
  GatherBox(dense, axes, *ElementBytes(dtype), nullptr, data);
}

}  // namespace ge
