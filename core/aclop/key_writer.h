#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aclop/key.h"

namespace ge::aclop {

// Values one after the other, each with its length where that varies, so that no two sequences of
// values have the same bytes.
struct KeyWriter {
  std::string bytes;

  template <typename T>
  void Raw(const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void operator()(bool value) { Raw(value); }
  void operator()(uint8_t value) { Raw(value); }
  void operator()(int32_t value) { Raw(value); }
  void operator()(int64_t value) { Raw(value); }
  void operator()(uint64_t value) { Raw(value); }
  void operator()(float value) { Raw(value); }
  void operator()(DataType value) { Raw(value); }
  void operator()(OpDtype value) { Raw(value.number); }
  void operator()(const DimRange& range) {
    Raw(range.least);
    Raw(range.most);
  }
  void operator()(std::string_view text) {
    Raw(uint64_t{text.size()});
    bytes += text;
  }
  void operator()(const std::string& text) { (*this)(std::string_view(text)); }
  template <typename A, typename B>
  void operator()(const std::pair<A, B>& pair) {
    (*this)(pair.first);
    (*this)(pair.second);
  }
  template <typename T>
  void operator()(const std::vector<T>& list) {
    List(list);
  }
  template <typename Values>
  void List(const Values& list) {
    Raw(uint64_t{list.size()});
    for (const auto& value : list) (*this)(value);
  }
  void operator()(const OpTensorDesc& desc);
  void operator()(const OpDefinition& definition);
};

// A writer that begins with what tells builds of this library apart.
KeyWriter BeginKey();

}  // namespace ge::aclop
