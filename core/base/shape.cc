#include "base/shape.h"

#include <algorithm>

namespace ge {

bool Shape::is_static() const {
  return std::all_of(dims_.begin(), dims_.end(), [](int64_t dim) { return dim >= 0; });
}

std::optional<int64_t> Shape::elements() const {
  if (!is_static()) return std::nullopt;
  if (std::find(dims_.begin(), dims_.end(), 0) != dims_.end()) return 0;
  int64_t product = 1;
  for (const int64_t dim : dims_) {
    if (__builtin_mul_overflow(product, dim, &product)) return std::nullopt;
  }
  return product;
}

std::string Shape::ToString() const {
  if (unknown_rank()) return "[unknown rank]";
  std::string text = "[";
  for (size_t i = 0; i < dims_.size(); ++i) {
    if (i != 0) text += ',';
    text += std::to_string(dims_[i]);
  }
  return text + "]";
}

std::optional<size_t> NormalizeAxis(int64_t axis, size_t rank) {
  const int64_t signed_rank = static_cast<int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) return std::nullopt;
  return static_cast<size_t>(axis < 0 ? axis + signed_rank : axis);
}

std::vector<int64_t> StridesOf(const Shape& shape) {
  std::vector<int64_t> strides(shape.rank(), 1);
  for (size_t axis = shape.rank(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

}  // namespace ge
