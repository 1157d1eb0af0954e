#pragma once

#include <protozero/types.hpp>

// Field numbers of the ge.proto and domi messages that the writer produces (docs/om-format.md).
// The reader and the JSON dump take all messages from tables/proto_fields.json.
namespace ge::om::field {

enum ModelDef : protozero::pbf_tag_type {
  kModelName = 1,
  kModelVersion = 2,
  kModelCustomVersion = 3,
  kModelGraph = 7,
  kModelAttr = 11,
};

enum GraphDef : protozero::pbf_tag_type { kGraphName = 1, kGraphInput = 4, kGraphOp = 6 };

enum OpDef : protozero::pbf_tag_type {
  kOpName = 1,
  kOpType = 2,
  kOpInput = 5,
  kOpAttr = 10,
  kOpId = 21,
  kOpSrcName = 24,
  kOpSrcIndex = 25,
  kOpInputOffset = 28,
  kOpOutputOffset = 29,
  kOpWorkspace = 30,
  kOpWorkspaceBytes = 31,
  kOpIsInputConst = 32,
  kOpInputDesc = 33,
  kOpOutputDesc = 34,
  kOpSubgraphName = 35,
};

enum TensorDescriptor : protozero::pbf_tag_type {
  kDescName = 1,
  kDescDtype = 2,
  kDescShape = 3,
  kDescLayout = 4,
  kDescSize = 10,
  kDescWeightSize = 11,
  kDescRealDimCnt = 16,
  kDescDataOffset = 18,
};

enum ShapeDef : protozero::pbf_tag_type { kShapeDim = 1 };
enum TensorDef : protozero::pbf_tag_type { kTensorDesc = 1, kTensorData = 2 };
enum MapEntry : protozero::pbf_tag_type { kEntryKey = 1, kEntryValue = 2 };

enum AttrDef : protozero::pbf_tag_type {
  kAttrList = 1,
  kAttrString = 2,
  kAttrInt = 3,
  kAttrFloat = 4,
  kAttrBool = 5,
  kAttrTensor = 12,
  kAttrListListInt = 14,
  kAttrDataType = 15,
};

enum ListValue : protozero::pbf_tag_type {
  kListString = 2,
  kListInt = 3,
  kListFloat = 4,
  kListBool = 5,
  kListValType = 20,
};
enum ListValueType { kTypeString = 1, kTypeInt = 2, kTypeFloat = 3, kTypeBool = 4 };
enum ListListInt : protozero::pbf_tag_type { kListListInt = 1, kListInner = 1 };

enum ModelTaskDef : protozero::pbf_tag_type { kTask = 10, kTaskMemory = 11, kTaskWeights = 14 };

enum TaskDef : protozero::pbf_tag_type {
  kTaskId = 1,
  kTaskType = 2,
  kTaskKernel = 20,
  kTaskMemcpy = 31,
  kTaskLabelSet = 37,
  kTaskLabelGoto = 38,
  kTaskLabelSwitch = 39,
};

enum KernelDef : protozero::pbf_tag_type {
  kKernelContext = 1,
  kKernelBlockDim = 11,
  kKernelArgsSize = 12,
  kKernelArgs = 13,
  kKernelName = 17,
};
enum KernelContext : protozero::pbf_tag_type {
  kContextKernelType = 1,
  kContextOpIndex = 4,
  kContextArgsCount = 7,
};
enum MemcpyAsyncDef : protozero::pbf_tag_type {
  kMemcpyDst = 1,
  kMemcpyDstMax = 2,
  kMemcpySrc = 3,
  kMemcpyCount = 4,
  kMemcpyOpIndex = 6,
};
enum LabelDef : protozero::pbf_tag_type { kLabelOpIndex = 1, kLabelId = 2 };

}  // namespace ge::om::field
