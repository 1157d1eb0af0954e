#include "acl/shell.h"

using ge::OpAttrs;
using ge::OpDtype;
using ge::acl::Guard;
using ge::acl::Unwrap;

namespace {

// Undefined is stored under the number that the graph has for it.
OpDtype DtypeOf(aclDataType dtype) {
  constexpr int32_t kGraphUndefined = 28;
  return {dtype == ACL_DT_UNDEFINED ? kGraphUndefined : static_cast<int32_t>(dtype)};
}

template <typename T>
aclError Set(aclopAttr* attr, const char* name, T value) {
  return Guard([&] {
    Unwrap(attr)->Set<T>(name, std::move(value));
    return ACL_SUCCESS;
  });
}

// A list of `count` elements, each as `convert` makes it; none for a negative count.
template <typename T, typename From, typename Convert>
aclError SetList(aclopAttr* attr, const char* name, int count, const From* values,
                 Convert convert) {
  return Guard([&] {
    std::vector<T> list;
    for (int i = 0; i < count; ++i) list.push_back(convert(values[i]));
    return Set(attr, name, std::move(list));
  });
}

template <typename T>
T Same(T value) {
  return value;
}

}  // namespace

extern "C" {

aclopAttr* aclopCreateAttr(void) {
  return ge::acl::NewHandle<aclopAttr>(OpAttrs());
}

void aclopDestroyAttr(const aclopAttr* attr) {
  delete Unwrap(attr);
}

aclError aclopSetAttrBool(aclopAttr* attr, const char* attrName, uint8_t attrValue) {
  ACL_CHECK_NOT_NULL(attr);
  ACL_CHECK_NOT_NULL(attrName);
  return Set(attr, attrName, attrValue != 0);
}

aclError aclopSetAttrInt(aclopAttr* attr, const char* attrName, int64_t attrValue) {
  ACL_CHECK_NOT_NULL(attr);
  ACL_CHECK_NOT_NULL(attrName);
  return Set(attr, attrName, attrValue);
}

aclError aclopSetAttrFloat(aclopAttr* attr, const char* attrName, float attrValue) {
  ACL_CHECK_NOT_NULL(attr);
  ACL_CHECK_NOT_NULL(attrName);
  return Set(attr, attrName, attrValue);
}

aclError aclopSetAttrString(aclopAttr* attr, const char* attrName, const char* attrValue) {
  ACL_CHECK_NOT_NULL(attr);
  ACL_CHECK_NOT_NULL(attrValue);
  ACL_CHECK_NOT_NULL(attrName);
  return Guard([&] { return Set(attr, attrName, std::string(attrValue)); });
}

aclError aclopSetAttrDataType(aclopAttr* attr, const char* attrName, aclDataType attrValue) {
  ACL_CHECK_NOT_NULL(attr);
  ACL_CHECK_NOT_NULL(attrName);
  return Set(attr, attrName, DtypeOf(attrValue));
}

aclError aclopSetAttrListDataType(aclopAttr* attr, const char* attrName, int numValues,
                                  const aclDataType values[]) {
  ACL_CHECK_NOT_NULL(attr);
  ACL_CHECK_NOT_NULL(attrName);
  if (numValues > 0) ACL_CHECK_NOT_NULL(values);
  return SetList<OpDtype>(attr, attrName, numValues, values, DtypeOf);
}

aclError aclopSetAttrListBool(aclopAttr* attr, const char* attrName, int numValues,
                              const uint8_t* values) {
  ACL_CHECK_NOT_NULL(attr);
  ACL_CHECK_NOT_NULL(attrName);
  if (numValues > 0) ACL_CHECK_NOT_NULL(values);
  return SetList<uint8_t>(attr, attrName, numValues, values,
                          [](uint8_t value) { return static_cast<uint8_t>(value != 0); });
}

aclError aclopSetAttrListInt(aclopAttr* attr, const char* attrName, int numValues,
                             const int64_t* values) {
  ACL_CHECK_NOT_NULL(attr);
  ACL_CHECK_NOT_NULL(attrName);
  if (numValues > 0) ACL_CHECK_NOT_NULL(values);
  return SetList<int64_t>(attr, attrName, numValues, values, Same<int64_t>);
}

aclError aclopSetAttrListFloat(aclopAttr* attr, const char* attrName, int numValues,
                               const float* values) {
  ACL_CHECK_NOT_NULL(attr);
  ACL_CHECK_NOT_NULL(attrName);
  if (numValues > 0) ACL_CHECK_NOT_NULL(values);
  return SetList<float>(attr, attrName, numValues, values, Same<float>);
}

aclError aclopSetAttrListString(aclopAttr* attr, const char* attrName, int numValues,
                                const char** values) {
  ACL_CHECK_NOT_NULL(attr);
  ACL_CHECK_NOT_NULL(attrName);
  if (numValues != 0) ACL_CHECK_NOT_NULL(values);
  for (int i = 0; i < numValues; ++i) ACL_CHECK_NOT_NULL(values[i]);
  return SetList<std::string>(attr, attrName, numValues, values,
                              [](const char* value) { return std::string(value); });
}

aclError aclopSetAttrListListInt(aclopAttr* attr, const char* attrName, int numLists,
                                 const int* numValues, const int64_t* const values[]) {
  ACL_CHECK_NOT_NULL(attr);
  ACL_CHECK_NOT_NULL(attrName);
  ACL_CHECK_NOT_NULL(numValues);
  if (numLists != 0) ACL_CHECK_NOT_NULL(values);
  for (int i = 0; i < numLists; ++i) ACL_CHECK_NOT_NULL(values[i]);
  return Guard([&] {
    std::vector<std::vector<int64_t>> lists;
    for (int i = 0; i < numLists; ++i) {
      lists.emplace_back(values[i], values[i] + std::max(numValues[i], 0));
    }
    return Set(attr, attrName, std::move(lists));
  });
}

}  // extern "C"
