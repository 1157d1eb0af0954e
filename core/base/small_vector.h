#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace ge {

// A vector of plain values that keeps up to N of them in itself: a graph has many short lists, and
// memory of its own for each costs more than what is in it.
template <typename T, uint32_t N>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;

  SmallVector() = default;
  explicit SmallVector(std::span<const T> values) { Assign(values); }
  SmallVector(const SmallVector& other) { Assign(other); }
  SmallVector(SmallVector&& other) noexcept { Take(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) Assign(other);
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) {
      Free();
      Take(other);
    }
    return *this;
  }
  ~SmallVector() { Free(); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return on_heap() ? heap_ : inline_; }
  const T* data() const { return on_heap() ? heap_ : inline_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](size_t index) { return data()[index]; }
  const T& operator[](size_t index) const { return data()[index]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

  void push_back(const T& value) {
    const T copy = value;  // may be one of those that Reserve moves
    if (size_ == capacity_) Reserve(size_t{size_} + 1);
    data()[size_++] = copy;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  void resize(size_t size, const T& value = T()) {
    Reserve(size);
    if (size > size_) std::fill(end(), data() + size, value);
    size_ = static_cast<uint32_t>(size);
  }

  bool operator==(const SmallVector& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  bool on_heap() const { return capacity_ > N; }

  void Reserve(size_t size) {
    if (size <= capacity_) return;
    const size_t capacity = std::max<size_t>(size, size_t{capacity_} * 2);
    T* const grown = new T[capacity];
    std::copy(begin(), end(), grown);
    Free();
    heap_ = grown;
    capacity_ = static_cast<uint32_t>(capacity);
  }
  void Assign(std::span<const T> values) {
    size_ = 0;
    Reserve(values.size());
    std::copy(values.begin(), values.end(), data());
    size_ = static_cast<uint32_t>(values.size());
  }
  // Takes what `other` holds; own memory must be free already.
  void Take(SmallVector& other) noexcept {
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, N);
    if (on_heap()) {
      heap_ = other.heap_;
    } else {
      std::copy(other.inline_, other.inline_ + N, inline_);
    }
  }
  void Free() {
    if (on_heap()) delete[] heap_;
  }

  uint32_t size_ = 0;
  uint32_t capacity_ = N;
  union {
    T inline_[N] = {};
    T* heap_;
  };
};

}  // namespace ge
