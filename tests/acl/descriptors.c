// Descriptions of tensors, data buffers, attributes and helpers.
#include <math.h>

#include "cases.h"

static const int64_t two_three[] = {2, 3};

static aclTensorDesc* desc(void) {
  return aclCreateTensorDesc(ACL_FLOAT16, 2, two_three, ACL_FORMAT_ND);
}

static size_t size_of(aclDataType dtype, int64_t dim) {
  aclTensorDesc* made = aclCreateTensorDesc(dtype, 1, &dim, ACL_FORMAT_ND);
  const size_t size = aclGetTensorDescSize(made);
  aclDestroyTensorDesc(made);
  return size;
}

CASE(F1) {
  EXPECT(aclCreateTensorDesc(ACL_FLOAT, -1, two_three, ACL_FORMAT_ND) == NULL, 1);
  EXPECT(aclCreateTensorDesc(ACL_FLOAT, 2, NULL, ACL_FORMAT_ND) == NULL, 1);
}

CASE(F2_scalar) {
  aclTensorDesc* scalar = aclCreateTensorDesc(ACL_FLOAT, 0, NULL, ACL_FORMAT_ND);
  EXPECT(aclGetTensorDescNumDims(scalar), 0);
  EXPECT(aclGetTensorDescElementCount(scalar), 1);
  EXPECT(aclGetTensorDescSize(scalar), 4);
  EXPECT(aclGetTensorDescFormat(scalar), 2);
}

CASE(F3_any_number_is_a_data_type) {
  const int64_t dim = 5;
  aclTensorDesc* odd = aclCreateTensorDesc((aclDataType)777, 1, &dim, (aclFormat)-9);
  EXPECT(aclGetTensorDescType(odd), 777);
  EXPECT(aclGetTensorDescFormat(odd), -9);
  EXPECT(aclGetTensorDescSize(odd), 40);
}

CASE(F4_unknown_dim) {
  const int64_t dims[] = {2, -1};
  aclTensorDesc* made = aclCreateTensorDesc(ACL_FLOAT, 2, dims, ACL_FORMAT_ND);
  EXPECT(aclGetTensorDescElementCount(made), 0);
  EXPECT(aclGetTensorDescSize(made), 0);
}

CASE(F5_unknown_rank) {
  const int64_t dims[] = {-2};
  aclTensorDesc* made = aclCreateTensorDesc(ACL_FLOAT, 1, dims, ACL_FORMAT_ND);
  EXPECT(aclGetTensorDescNumDims(made) == ACL_UNKNOWN_RANK, 1);
}

CASE(F6_int4) {
  EXPECT(size_of(ACL_INT4, 3), 3);
}

CASE(F7_overflow) {
  const int64_t dims[] = {INT64_C(1) << 62, 4};
  aclTensorDesc* made = aclCreateTensorDesc(ACL_INT8, 2, dims, ACL_FORMAT_ND);
  EXPECT(aclGetTensorDescElementCount(made), 0);
}

CASE(F8_sizes) {
  EXPECT(size_of(ACL_COMPLEX128, 2), 32);
  EXPECT(size_of(ACL_COMPLEX32, 2), 8);
  EXPECT(size_of(ACL_STRING, 2), 0);
}

CASE(F9_dim_beyond_the_rank) {
  int64_t dim = 7;
  EXPECT(aclGetTensorDescDimV2(desc(), 2, &dim), 100000);
  EXPECT(dim, 7);
  EXPECT(aclGetTensorDescDim(desc(), 2), -1);
  EXPECT(aclGetTensorDescDimV2(desc(), 1, &dim), 0);
  EXPECT(dim, 3);
}

CASE(F10_range) {
  aclTensorDesc* made = desc();
  int64_t ranges[2][2] = {{1, 16}, {3, -1}};
  int64_t range[2] = {0, 0};
  EXPECT(aclGetTensorDescDimRange(made, 0, 2, range), 100000);
  EXPECT(aclSetTensorShapeRange(made, 2, ranges), 0);
  EXPECT(aclGetTensorDescDimRange(made, 0, 1, range), 100000);
  EXPECT(aclGetTensorDescDimRange(made, 1, 2, range), 0);
  EXPECT(range[0], 3);
  EXPECT(range[1], -1);
}

CASE(F11_format_of_null) {
  EXPECT(aclSetTensorFormat(NULL, ACL_FORMAT_ND), 0);
  EXPECT(aclSetTensorStorageFormat(NULL, ACL_FORMAT_ND), 0);
  EXPECT(aclSetTensorOriginFormat(NULL, ACL_FORMAT_ND), 0);
}

CASE(F12_shape_without_array) {
  EXPECT(aclSetTensorShape(desc(), 0, NULL), 100000);
  EXPECT(aclSetTensorStorageShape(desc(), 0, NULL), 100000);
  EXPECT(aclSetTensorOriginShape(desc(), 0, NULL), 100000);
}

CASE(F13_negative_count) {
  aclTensorDesc* made = desc();
  EXPECT(aclSetTensorShape(made, -1, two_three), 0);
  EXPECT(aclSetTensorOriginShape(made, -1, two_three), 0);
  EXPECT(aclGetTensorDescNumDims(made), 0);
}

CASE(F14_dims_are_copied) {
  int64_t dims[] = {2, 3};
  aclTensorDesc* made = aclCreateTensorDesc(ACL_FLOAT, 2, dims, ACL_FORMAT_ND);
  dims[1] = 9;
  EXPECT(aclGetTensorDescDim(made, 1), 3);
}

CASE(F15_large_buffer) {
  static char byte;
  aclDataBuffer* buffer = aclCreateDataBuffer(&byte, (size_t)4294967300);
  EXPECT(aclGetDataBufferSize(buffer), 4);
  EXPECT(aclGetDataBufferSizeV2(buffer), 4294967300);
  EXPECT(aclUpdateDataBuffer(buffer, NULL, 0), 0);
  EXPECT(aclGetDataBufferAddr(buffer) == NULL, 1);
  EXPECT(aclDestroyDataBuffer(buffer), 0);
}

CASE(F16_half) {
  EXPECT(aclFloat16ToFloat(0x7C00), 65536);
  EXPECT(aclFloat16ToFloat(0xFC00), -65536);
  EXPECT(aclFloat16ToFloat(0x7E00), 98304);
  EXPECT(aclFloatToFloat16(NAN), 0x7BFF);
  EXPECT(aclFloatToFloat16(INFINITY), 0x7BFF);
  EXPECT(aclFloatToFloat16(-INFINITY), 0xFBFF);
}

CASE(F17_name) {
  aclTensorDesc* made = desc();
  EXPECT_TEXT(aclGetTensorDescName(made), "");
  aclSetTensorDescName(made, "x");
  EXPECT_TEXT(aclGetTensorDescName(made), "x");
  aclSetTensorDescName(made, NULL);
  EXPECT_TEXT(aclGetTensorDescName(made), "");
  aclSetTensorDescName(NULL, "x");
  EXPECT_TEXT(aclGetTensorDescName(NULL), "");
}

CASE(F18_destroy_null) {
  EXPECT(aclDestroyDataBuffer(NULL), 100000);
  aclDestroyTensorDesc(NULL);
  aclopDestroyAttr(NULL);
}

CASE(getters_of_null) {
  EXPECT(aclGetTensorDescType(NULL), -1);
  EXPECT(aclGetTensorDescFormat(NULL), -1);
  EXPECT(aclGetTensorDescElementCount(NULL), 0);
  EXPECT(aclGetTensorDescSize(NULL), 0);
  EXPECT(aclGetTensorDescNumDims(NULL), 0);
  EXPECT(aclGetTensorDescDim(NULL, 0), -1);
  int64_t range[2];
  EXPECT(aclGetTensorDescDimV2(NULL, 0, range), 100000);
  EXPECT(aclGetTensorDescDimV2(desc(), 0, NULL), 100000);
  EXPECT(aclGetTensorDescDimRange(NULL, 0, 2, range), 100000);
  EXPECT(aclGetTensorDescByIndex(NULL, 0) == NULL, 1);
  EXPECT(aclGetTensorDescAddress(NULL) == NULL, 1);
  EXPECT(aclGetDataBufferAddr(NULL) == NULL, 1);
  EXPECT(aclGetDataBufferSizeV2(NULL), 0);
}

CASE(setters_of_null) {
  int64_t ranges[1][2] = {{0, 1}};
  aclTensorDesc* out = NULL;
  EXPECT(aclSetTensorShapeRange(NULL, 1, ranges), 100000);
  EXPECT(aclSetTensorValueRange(NULL, 1, ranges), 100000);
  EXPECT(aclSetTensorShape(NULL, 2, two_three), 100000);
  EXPECT(aclSetTensorOriginShape(NULL, 2, two_three), 100000);
  EXPECT(aclSetTensorPlaceMent(NULL, ACL_MEMTYPE_HOST), 100000);
  EXPECT(aclSetTensorDynamicInput(NULL, "x"), 100000);
  EXPECT(aclSetTensorDynamicInput(desc(), NULL), 100000);
  EXPECT(aclTransTensorDescFormat(NULL, ACL_FORMAT_ND, &out), 100000);
  EXPECT(aclTransTensorDescFormat(desc(), ACL_FORMAT_ND, &out), 200001);
  EXPECT(aclUpdateDataBuffer(NULL, NULL, 0), 100000);
}

CASE(B15_empty_constant) {
  char byte = 0;
  EXPECT(aclSetTensorConst(desc(), &byte, 0), 100000);
  EXPECT(aclSetTensorConst(desc(), NULL, 1), 100000);
  EXPECT(aclSetTensorConst(NULL, &byte, 1), 100000);
}

CASE(C1_attr_of_null) {
  aclopAttr* attr = aclopCreateAttr();
  EXPECT(aclopSetAttrBool(NULL, "a", 1), 100000);
  EXPECT(aclopSetAttrBool(attr, NULL, 1), 100000);
  EXPECT(aclopSetAttrInt(NULL, "a", 1), 100000);
  EXPECT(aclopSetAttrInt(attr, NULL, 1), 100000);
  EXPECT(aclopSetAttrFloat(NULL, "a", 1), 100000);
  EXPECT(aclopSetAttrFloat(attr, NULL, 1), 100000);
  EXPECT(aclopSetAttrString(NULL, "a", ""), 100000);
  EXPECT(aclopSetAttrString(attr, NULL, ""), 100000);
  EXPECT(aclopSetAttrDataType(NULL, "a", ACL_FLOAT), 100000);
  EXPECT(aclopSetAttrDataType(attr, NULL, ACL_FLOAT), 100000);
}

CASE(C2_empty_name) {
  EXPECT(aclopSetAttrInt(aclopCreateAttr(), "", 1), 0);
}

CASE(C4_string_null) {
  EXPECT(aclopSetAttrString(aclopCreateAttr(), "a", NULL), 100000);
}

CASE(C5_list_without_array) {
  aclopAttr* attr = aclopCreateAttr();
  EXPECT(aclopSetAttrListInt(attr, "a", 3, NULL), 100000);
  EXPECT(aclopSetAttrListBool(attr, "a", 3, NULL), 100000);
  EXPECT(aclopSetAttrListFloat(attr, "a", 3, NULL), 100000);
  EXPECT(aclopSetAttrListDataType(attr, "a", 3, NULL), 100000);
}

CASE(C6_empty_list) {
  aclopAttr* attr = aclopCreateAttr();
  EXPECT(aclopSetAttrListInt(attr, "a", 0, NULL), 0);
  EXPECT(aclopSetAttrListInt(attr, "a", -4, NULL), 0);
  EXPECT(aclopSetAttrListBool(attr, "a", -4, NULL), 0);
  EXPECT(aclopSetAttrListFloat(attr, "a", 0, NULL), 0);
  EXPECT(aclopSetAttrListString(attr, "a", 0, NULL), 0);
}

CASE(C7_negative_strings) {
  EXPECT(aclopSetAttrListString(aclopCreateAttr(), "a", -1, NULL), 100000);
  const char* texts[] = {"a", NULL};
  EXPECT(aclopSetAttrListString(aclopCreateAttr(), "a", 2, texts), 100000);
}

CASE(C8_lists_without_counts) {
  EXPECT(aclopSetAttrListListInt(aclopCreateAttr(), "a", 0, NULL, NULL), 100000);
}

CASE(C9_no_lists) {
  const int count = 0;
  EXPECT(aclopSetAttrListListInt(aclopCreateAttr(), "a", 0, &count, NULL), 0);
  EXPECT(aclopSetAttrListListInt(aclopCreateAttr(), "a", 1, &count, NULL), 100000);
}

CASE(C10_null_list) {
  const int counts[] = {2, 0};
  const int64_t* lists[] = {two_three, NULL};
  EXPECT(aclopSetAttrListListInt(aclopCreateAttr(), "a", 2, counts, lists), 100000);
}

CASE(the_text_is_given_once_and_names_function_and_parameter) {
  aclSetTensorDynamicInput(desc(), NULL);
  EXPECT_TEXT(aclGetRecentErrMsg(),
              "EH0002: aclSetTensorDynamicInput: dynamicInputName is NULL. Pass a valid pointer.");
  EXPECT(aclGetRecentErrMsg() == NULL, 1);
}
