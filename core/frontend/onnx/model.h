#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/status.h"

// An ONNX model as views into its mapped file.  Field meanings are those of onnx.proto; what the
// compiler does not need (doc strings, training info, metadata) is skipped.
namespace ge::onnx {

// AttributeProto.AttributeType.
enum class AttrType : int32_t {
  kUndefined = 0,
  kFloat = 1,
  kInt = 2,
  kString = 3,
  kTensor = 4,
  kGraph = 5,
  kFloats = 6,
  kInts = 7,
  kStrings = 8,
  kTensors = 9,
  kGraphs = 10,
  kSparseTensor = 11,
  kSparseTensors = 12,
  kTypeProto = 13,
  kTypeProtos = 14,
};

struct Tensor {
  std::string_view name;
  int32_t data_type = 0;  // TensorProto.DataType
  std::vector<int64_t> dims;
  std::string_view raw_data;
  bool has_raw_data = false;
  // The typed fields, as packed payloads or single values in file order.
  std::vector<std::string_view> float_data;   // 4-byte little-endian values
  std::vector<std::string_view> double_data;  // 8-byte little-endian values
  std::vector<int64_t> int_data;              // int32_data, int64_data and uint64_data
  size_t string_count = 0;
  bool external = false;
  std::string_view location;
  // Decimal numbers; empty when not given.
  std::string_view offset;
  std::string_view length;
};

struct Graph;

struct Attribute {
  std::string_view name;
  std::string_view ref_name;  // inside a function: value comes from the calling node
  AttrType type = AttrType::kUndefined;
  float f = 0;
  int64_t i = 0;
  std::string_view s;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::vector<std::string_view> strings;
  std::shared_ptr<const Tensor> tensor;
  std::shared_ptr<const Graph> graph;
};

struct Node {
  std::string_view name;
  std::string_view op_type;
  std::string_view domain;
  std::string_view overload;
  std::vector<std::string_view> inputs;
  std::vector<std::string_view> outputs;
  std::vector<Attribute> attributes;
  size_t position = 0;  // in its graph, counted from 0
};

struct Dim {
  int64_t value = -1;      // -1 when symbolic or not given
  std::string_view param;  // name of a symbolic dim
};

struct ValueInfo {
  std::string_view name;
  bool is_tensor = false;
  int32_t elem_type = 0;
  bool has_shape = false;
  std::vector<Dim> dims;
};

struct Graph {
  std::string_view name;
  std::vector<Node> nodes;
  std::vector<Tensor> initializers;
  size_t sparse_initializers = 0;
  std::vector<ValueInfo> inputs;
  std::vector<ValueInfo> outputs;
};

struct OpsetImport {
  std::string_view domain;  // "" for the default domain; "ai.onnx" is read as ""
  int64_t version = 0;
};

struct Function {
  std::string_view name;
  std::string_view domain;
  std::string_view overload;
  std::vector<std::string_view> inputs;
  std::vector<std::string_view> outputs;
  std::vector<Attribute> defaults;  // attributes with a default value
  std::vector<Node> nodes;
  std::vector<OpsetImport> opsets;
};

struct Model {
  std::shared_ptr<const MappedFile> file;  // keeps every view above alive
  int64_t ir_version = 0;
  std::vector<OpsetImport> opsets;
  bool has_graph = false;
  Graph graph;
  std::vector<Function> functions;
};

// Parses a whole model.  A file that is no ONNX model, or is cut, gives E10041 with the reason.
Result<Model> ParseModel(std::shared_ptr<const MappedFile> file);

}  // namespace ge::onnx
