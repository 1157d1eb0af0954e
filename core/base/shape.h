#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/small_vector.h"

namespace ge {

inline constexpr int64_t kUnknownDim = -1;
inline constexpr int64_t kUnknownRankMark = -2;

// Dims of a tensor.  A dim may be -1 (unknown).  A shape of unknown rank is stored, as in GE, as
// the single dim -2; rank() must not be asked of it.
class Shape {
 public:
  Shape() = default;  // a scalar
  Shape(std::initializer_list<int64_t> dims) : dims_({dims.begin(), dims.size()}) {}
  explicit Shape(std::span<const int64_t> dims) : dims_(dims) {}
  static Shape UnknownRank() { return Shape{kUnknownRankMark}; }
  static Shape UnknownDims(size_t rank) {
    Shape shape;
    shape.dims_.resize(rank, kUnknownDim);
    return shape;
  }

  bool unknown_rank() const { return dims_.size() == 1 && dims_[0] == kUnknownRankMark; }
  bool has_rank(size_t rank) const { return !unknown_rank() && dims_.size() == rank; }
  size_t rank() const { return dims_.size(); }
  int64_t operator[](size_t axis) const { return dims_[axis]; }
  int64_t& operator[](size_t axis) { return dims_[axis]; }
  std::span<const int64_t> dims() const { return dims_; }
  std::vector<int64_t> ToVector() const { return {dims_.begin(), dims_.end()}; }
  // Rank and all dims known.
  bool is_static() const;
  // Product of the dims; nullopt when not static or when it does not fit 63 bits.
  std::optional<int64_t> elements() const;
  // "[1,3,-1]", "[]" for a scalar, "[unknown rank]".
  std::string ToString() const;
  bool operator==(const Shape&) const = default;

 private:
  SmallVector<int64_t, 4> dims_;
};

// `axis` in [-rank, rank) counted from the front; nullopt when out of range.
std::optional<size_t> NormalizeAxis(int64_t axis, size_t rank);

// Row-major strides in elements; the shape must be static.
std::vector<int64_t> StridesOf(const Shape& shape);

}  // namespace ge
