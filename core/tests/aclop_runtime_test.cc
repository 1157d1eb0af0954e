// What the C API cannot show: how often operators are built, and models of single operators.
// Prints every expectation that does not hold (tests/acl/test_core.py builds and runs it).
#include <sys/stat.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

#include "api/aclop.h"

namespace ge {
namespace {

int failures = 0;

void Expect(bool holds, const char* what, int line) {
  if (holds) return;
  ++failures;
  std::printf("line %d: %s\n", line, what);
}
#define EXPECT(condition) Expect(condition, #condition, __LINE__)

constexpr int32_t kFloat = 0, kInt32 = 3, kNd = 2;

OpTensorDesc Desc(int32_t dtype, std::initializer_list<int64_t> dims) {
  OpTensorDesc desc;
  desc.dtype = dtype;
  desc.format = kNd;
  desc.dims = SmallVector<int64_t, 4>(std::vector<int64_t>(dims));
  return desc;
}

// A call that owns what it points to.
struct Op {
  std::string type;
  std::vector<OpTensorDesc> inputs, outputs;
  std::vector<OpBuffer> in, out;
  OpAttrs attrs;

  template <typename Call>
  AclStatus With(const Call& call) {
    std::vector<const OpTensorDesc*> input_descs;
    std::vector<OpTensorDesc*> output_descs;
    std::vector<const OpBuffer*> in_buffers, out_buffers;
    for (const OpTensorDesc& desc : inputs) input_descs.push_back(&desc);
    for (OpTensorDesc& desc : outputs) output_descs.push_back(&desc);
    for (const OpBuffer& buffer : in) in_buffers.push_back(&buffer);
    for (const OpBuffer& buffer : out) out_buffers.push_back(&buffer);
    OpCall made;
    made.op_type = type.c_str();
    made.num_inputs = static_cast<int>(inputs.size());
    made.input_descs = input_descs.data();
    made.inputs = in_buffers.data();
    made.num_outputs = static_cast<int>(outputs.size());
    made.output_descs = output_descs.data();
    made.outputs = out_buffers.data();
    made.attrs = &attrs;
    return call(made);
  }
  int32_t Compile() {
    return With([](const OpCall& call) { return api::CompileOp(api::ProcessOpRuntime(), call); })
        .code;
  }
  int32_t CompileAndExecute() {
    return With([](const OpCall& call) {
             return api::CompileAndExecuteOp(api::ProcessOpRuntime(), call, nullptr, false);
           })
        .code;
  }
  int32_t Execute() {
    return With([](const OpCall& call) {
             return api::ExecuteOp(api::ProcessOpRuntime(), call, nullptr, true);
           })
        .code;
  }
  int32_t Write(const std::string& path) {
    return With([&](const OpCall& call) {
             return api::WriteOpModel(api::ProcessOpRuntime(), call, path);
           })
        .code;
  }
};

Op Add(int64_t size) {
  const OpTensorDesc desc = Desc(kFloat, {size});
  return {"Add", {desc, desc}, {desc}, {}, {}, {}};
}

uint64_t Builds() {
  return api::OpBuildCount(api::ProcessOpRuntime());
}

void EqualRequestsAreBuiltOnce() {
  const uint64_t before = Builds();
  std::atomic<int> waiting = 8;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      --waiting;
      while (waiting != 0) std::this_thread::yield();
      for (int64_t size = 100; size < 150; ++size) EXPECT(Add(size).Compile() == 0);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT(Builds() == before + 50);
}

// The axis of a sum lies on the host: its value is compiled in, or it is not.
uint64_t BuildsOfSums(int32_t placement) {
  static float data[] = {1, 2, 3, 4}, sums[2];
  static int32_t axis;
  Op sum{"ReduceSum",         {Desc(kFloat, {2, 2}), Desc(kInt32, {1})},
         {Desc(kFloat, {2})}, {{data, 16}, {&axis, 4}},
         {{sums, 8}},         {}};
  sum.inputs[1].placement = placement;
  const uint64_t before = Builds();
  for (axis = 0; axis < 2; ++axis) {
    EXPECT(sum.CompileAndExecute() == 0);
    EXPECT(sum.CompileAndExecute() == 0);
    EXPECT(sums[0] == (axis == 0 ? 4 : 3));
  }
  return Builds() - before;
}

std::string Content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int32_t Load(const std::string& model) {
  return api::LoadOpModel(api::ProcessOpRuntime(), model.data(), model.size()).code;
}

void ModelsAreLoadedFromMemory() {
  float x[] = {1, 2, 3}, y[3] = {};
  int32_t counts[] = {2};
  Op tile{"Tile", {Desc(kFloat, {3}), Desc(kInt32, {1})}, {Desc(kFloat, {6})}, {}, {}, {}};
  const auto* bytes = reinterpret_cast<const uint8_t*>(counts);
  tile.inputs[1].constant = std::make_shared<const std::vector<uint8_t>>(bytes, bytes + 4);
  EXPECT(tile.Write("tile.om") == 0);
  const std::string model = Content("tile.om");
  EXPECT(tile.Write("again.om") == 0);
  EXPECT(model == Content("again.om"));
  float result[6] = {};
  tile.in = {{x, 12}, {nullptr, 0}};
  tile.out = {{result, 24}};
  EXPECT(tile.Execute() == 100024);
  EXPECT(Load(model) == 0);
  EXPECT(Load(model) == 0);
  EXPECT(tile.Execute() == 0);
  EXPECT(result[0] == 1 && result[5] == 3 && y[0] == 0);
  EXPECT(Load(model.substr(0, 300)) == 100013);
  EXPECT(Load(model + " ") == 100013);
  std::string damaged = model;
  damaged.replace(256, 64, 64, '\xff');
  EXPECT(Load(damaged) == 100012);
  std::string renamed = model;
  const size_t at = renamed.find("pyatc_op_type");
  EXPECT(at != std::string::npos);
  renamed[at] = 'q';
  EXPECT(Load(renamed) == 100016);
  // Any damage gives a code, and never more.
  for (size_t i = 256; i < model.size(); i += 7) {
    std::string mutated = model;
    mutated[i] = static_cast<char>(mutated[i] ^ 0x41);
    const int32_t code = Load(mutated);
    EXPECT(code == 0 || code == 100012 || code == 100016);
  }
  EXPECT(tile.Execute() == 0);
}

void OperatorsWithOpenSizesAreLoaded() {
  Op relu{"Relu", {Desc(kFloat, {-1})}, {Desc(kFloat, {-1})}, {}, {}, {}};
  relu.inputs[0].shape_range = {{1, 4}};
  EXPECT(relu.Write("relu.om") == 0);
  EXPECT(Load(Content("relu.om")) == 0);
  float x[] = {-1, 2, 3}, y[3] = {7, 7, 7};
  Op run{"Relu", {Desc(kFloat, {3})}, {Desc(kFloat, {3})}, {{x, 12}}, {{y, 12}}, {}};
  EXPECT(run.Execute() == 0);
  EXPECT(y[0] == 0 && y[2] == 3);
}

// E10 to E12 of the facts: folders, names and depths.
void FoldersAreLoadedToTheThirdLevel() {
  for (const char* folder : {"models", "models/b", "models/b/c", "models/b/c/d"}) {
    mkdir(folder, 0700);
  }
  EXPECT(Add(201).Write("models/a.om") == 0);
  EXPECT(Add(202).Write("models/b/c/a.om") == 0);
  EXPECT(Add(203).Write("models/b/c/d/a.om") == 0);
  EXPECT(Add(204).Write("models/a.OM") == 0);
  std::ofstream("models/b/other.om") << "no model";
  EXPECT(api::LoadOpModelDir(api::ProcessOpRuntime(), "models").code == 0);
  EXPECT(api::LoadOpModelDir(api::ProcessOpRuntime(), "models").code == 100002);
  const uint64_t before = Builds();
  EXPECT(Add(201).Compile() == 0);
  EXPECT(Add(202).Compile() == 0);
  EXPECT(Builds() == before);
  EXPECT(Add(203).Compile() == 0);
  EXPECT(Add(204).Compile() == 0);
  EXPECT(Builds() == before + 2);
  // What was loaded does not age.
  EXPECT(api::SetMaxOpQueueNum(api::ProcessOpRuntime(), 1).code == 0);
  EXPECT(Add(205).Compile() == 0);
  EXPECT(Add(201).Compile() == 0);
  EXPECT(Builds() == before + 3);
}

}  // namespace
}  // namespace ge

int main() {
  using namespace ge;
  EXPECT(api::SetOpSoc(api::ProcessOpRuntime(), "Ascend310P3").ok());
  EqualRequestsAreBuiltOnce();
  EXPECT(BuildsOfSums(1) == 2);
  EXPECT(BuildsOfSums(2) == 1);
  ModelsAreLoadedFromMemory();
  OperatorsWithOpenSizesAreLoaded();
  FoldersAreLoadedToTheThirdLevel();
  return failures != 0;
}
