#include <algorithm>
#include <chrono>
#include <limits>

#include "api/testing.h"
#include "api/testing_attr.h"
#include "base/parallel.h"
#include "kernels/heavy_library.h"
#include "ops/op_impl.h"

namespace ge::api {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kMostBytes = int64_t{1} << 30;

DataType FindDtype(const std::string& user_name) {
  for (int number = 0; number < static_cast<int>(DataType::kHifloat4); ++number) {
    if (UserName(static_cast<DataType>(number)) == user_name) return static_cast<DataType>(number);
  }
  return DataType::kUndefined;
}

// Memory of results, each a std::string.
class StringOutputs : public OutputAllocator {
 public:
  explicit StringOutputs(size_t count) : bytes(count) {}
  void* Allocate(size_t output, int64_t size) override {
    bytes[output].assign(static_cast<size_t>(size), '\x7f');
    return bytes[output].data();
  }
  std::vector<std::string> bytes;
};

// The node between Data and Const nodes.
Node* BuildNode(const Json& json, const std::vector<TestTensor>& inputs, Graph& graph) {
  std::vector<Value> values;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TestTensor& input = inputs[i];
    if (!input.present) {
      values.push_back({});
      continue;
    }
    Node* node = graph.Add(input.constant ? "Const" : "Data", "x" + std::to_string(i), {});
    node->output(0) = {FindDtype(input.dtype), FindFormat(input.format).value_or(Format::kND),
                       Shape(input.shape)};
    if (input.constant) {
      node->SetValue(Buffer::Own(std::vector<uint8_t>(input.bytes.begin(), input.bytes.end())));
    }
    values.push_back(node->out());
  }
  Node* node = graph.Add(json.at("type").get<std::string>(), "node", values,
                         json.value("outputs", size_t{1}));
  const Json attrs = json.value("attrs", Json::object());
  for (const auto& [name, attr] : attrs.items()) node->attrs().Set(name, AttrOf(attr));
  return node;
}

}  // namespace

Status RunNode(const std::string& text, const std::vector<TestTensor>& inputs, bool plain,
               int threads, int repeat, std::vector<TestTensor>* outputs, std::string* facts) {
  Graph graph("test");
  Node& node = *BuildNode(Json::parse(text), inputs, graph);
  GE_TRY(InferNode(node));
  const OpImpl* impl = FindOpImpl(node.type());
  if (impl->run_host == nullptr) return Error(ErrorId::kE19999, {{"reason", "no kernel"}});

  std::vector<HostTensor> tensors(inputs.size()), results(node.output_count());
  StringOutputs memory(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    results[i] = {node.output(i).dtype, node.output(i).shape, nullptr};
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].present) continue;
    const TensorDesc& desc = node.input(i).desc();
    if (BytesOf(desc) != static_cast<int64_t>(inputs[i].bytes.size())) {
      return Error(ErrorId::kE19999,
                   {{"reason", "input " + std::to_string(i) + " has other bytes"}});
    }
    const char* const data = inputs[i].bytes.data();
    tensors[i] = {desc.dtype, desc.shape, inputs[i].constant ? const_cast<char*>(data) : nullptr};
  }
  const AttrReader attrs(node);
  const ThreadScope scope(threads);
  std::unique_ptr<const PreparedKernel> prepared;
  if (!plain && impl->prepare != nullptr) {
    const KernelContext before{tensors, results, attrs};
    GE_ASSIGN(prepared, impl->prepare(before));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].present) tensors[i].data = const_cast<char*>(inputs[i].bytes.data());
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const std::optional<int64_t> size = BytesOf(node.output(i));
    if (!size) continue;
    if (*size > kMostBytes)
      return Error(ErrorId::kE19999, {{"reason", "a result too large to test"}});
    results[i].data = memory.Allocate(i, *size);
  }
  KernelContext context{tensors, results, attrs, &memory};
  int64_t nanoseconds = std::numeric_limits<int64_t>::max();
  for (int run = 0; run < std::max(repeat, 1); ++run) {
    const auto start = std::chrono::steady_clock::now();
    GE_TRY(prepared != nullptr ? prepared->Run(context) : impl->run_host(context));
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - start;
    nanoseconds = std::min<int64_t>(nanoseconds, took.count());
  }
  for (size_t i = 0; i < results.size(); ++i) {
    outputs->push_back({.dtype = std::string(UserName(results[i].dtype)),
                        .shape = results[i].shape.ToVector(),
                        .bytes = std::move(memory.bytes[i])});
  }
  *facts = Json({{"library", HeavyLibraryNote()},
                 {"bytes", prepared != nullptr ? prepared->bytes() : 0},
                 {"nanoseconds", nanoseconds}})
               .dump();
  return Status::Ok();
}

}  // namespace ge::api
