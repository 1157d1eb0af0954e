#include "backend/host/program.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "backend/host/channels_last.h"
#include "backend/host/fuse.h"
#include "backend/host/fuse_conv.h"
#include "backend/host/nested.h"
#include "backend/host/operands.h"
#include "base/bools.h"
#include "base/text.h"
#include "ir/recorded_kernel.h"
#include "kernels/heavy_library.h"
#include "ops/held_activation.h"

namespace ge::host {
namespace {

constexpr std::string_view kWhile = "While";
// More than any machine addresses; sums of sizes and addresses do not overflow.
constexpr uint64_t kMostArenaBytes = uint64_t{1} << 56;

Status Damaged(std::string reason) {
  return Error(ErrorId::kE10041,
               {{"parameter", "--om"}, {"value", ""}, {"reason", std::move(reason)}});
}

Status Damaged(const Node& node, const std::string& reason) {
  return Damaged("node [" + node.name() + "] of type " + node.type() + " " + reason);
}

class ProgramBuilder {
 public:
  ProgramBuilder(om::ReadGraphs& graphs, const ReadTasks& tasks, uint64_t weight_bytes)
      : graphs_(graphs), tasks_(tasks), weight_bytes_(weight_bytes) {}

  Result<Program> Build() {
    if (tasks_.arena_bytes > kMostArenaBytes)
      return Damaged("the size of its memory is impossible");
    program_.arena_bytes = tasks_.arena_bytes;
    if (graphs_.root->net_output() == nullptr) return Damaged("its graph has no NetOutput");
    GE_TRY(CheckGraph(*graphs_.root, nullptr));
    for (const ReadTask& task : tasks_.tasks) GE_TRY(AddTask(task));
    GE_TRY(ResolveTargets());
    for (const Node* data : graphs_.root->InputNodes()) {
      if (data->output_count() != 1) return Damaged(*data, "has not one output");
      GE_ASSIGN(const Operand operand, OffsetOperand({const_cast<Node*>(data), 0}));
      program_.inputs.push_back(operand);
    }
    const Node& results = *graphs_.root->net_output();
    program_.results = &results;
    for (size_t i = 0; i < results.input_count(); ++i) {
      if (!results.input(i)) return Damaged(results, "misses an input");
      GE_ASSIGN(const Operand operand, OffsetOperand(results.input(i)));
      program_.outputs.push_back(operand);
    }
    program_.slots = next_slot_;
    PlanReleases();
    if (const HeavyTable* library = HeavyLibrary()) {
      if (library->prefers_channels_last) UseChannelsLast(program_);
      GE_TRY(FuseConvolutions(program_, FindTargets()));
    }
    GE_TRY(PrepareKernels());
    FusePointwise(program_, FindTargets());
    return std::move(program_);
  }

 private:
  // Infers the shapes of all nodes again.  They must be those of the file; where the rule wants
  // values that are not known yet, the node is worked out when it runs.
  Status CheckGraph(Graph& graph, const Node* parent) {
    if (std::string fault = Verify(graph); !fault.empty()) return Damaged(fault);
    for (const auto& node : graph.nodes()) {
      if (parent != nullptr) parents_.emplace(node.get(), parent);
      for (const auto& subgraph : node->subgraphs()) {
        if (subgraph->net_output() == nullptr) return Damaged(*node, "has a graph without result");
        GE_TRY(CheckGraph(*subgraph, node.get()));
      }
      if (node->is_const()) {
        const std::optional<int64_t> bytes = BytesOf(node->output(0));
        if (!bytes || static_cast<uint64_t>(*bytes) != node->value().bytes().size()) {
          return Damaged(*node, "has no bytes in the weights");
        }
        continue;
      }
      if (node->type() == "Data" || node->type() == "NetOutput") continue;
      const OpImpl* impl = FindOpImpl(node->type());
      if (KernelNameOf(*node) != nullptr) continue;  // its kernel is checked with its task
      if (impl == nullptr || impl->infer == nullptr) {
        return Damaged(*node, "is not known to this version");
      }
      if (node->attrs().Find(kHeldActivation) != nullptr) {
        return Damaged(*node, "holds an activation where none can be");
      }
      std::vector<TensorDesc> stated;
      for (size_t i = 0; i < node->output_count(); ++i) stated.push_back(node->output(i));
      bool asks_values = false;
      if (const Status status = InferNode(*node, &asks_values); !status.ok()) {
        return Damaged(status.problems().front().message);
      }
      for (size_t i = 0; i < stated.size(); ++i) {
        const TensorDesc& inferred = node->output(i);
        if (inferred.dtype != stated[i].dtype || inferred.shape != stated[i].shape) {
          return Damaged(*node, "should give " + inferred.shape.ToString() + ", the file says " +
                                    stated[i].shape.ToString());
        }
      }
      if (asks_values) asks_values_.insert(node.get());
    }
    return Status::Ok();
  }

  uint32_t SlotOf(Value value) {
    const auto [found, added] = slot_of_.try_emplace({value.node, value.index}, next_slot_);
    if (added) ++next_slot_;
    return found->second;
  }

  // The operand of a value whose place the task does not say.
  Result<Operand> SlotOperand(Value value) {
    for (int depth = 0; value.node->type() == "Data" && depth < 1000; ++depth) {
      const auto parent = parents_.find(value.node);
      if (parent == parents_.end()) break;
      const int64_t* port = value.node->attrs().Get<int64_t>("_parent_node_index");
      const bool loop = parent->second->type() == kWhile;
      const size_t ports = loop ? parent->second->output_count() : parent->second->input_count();
      if (port == nullptr || *port < 0 || static_cast<size_t>(*port) >= ports) {
        return Damaged(*value.node, "stands for no input of its parent");
      }
      value = loop ? Value{const_cast<Node*>(parent->second), static_cast<int32_t>(*port)}
                   : parent->second->input(static_cast<size_t>(*port));
      if (!value) return Damaged(*parent->second, "misses an input");
    }
    if (value.node->is_const()) return WeightOperand(value);
    const auto offsets = graphs_.offsets.find(value.node);
    if (offsets != graphs_.offsets.end() &&
        static_cast<size_t>(value.index) < offsets->second.size() &&
        offsets->second[static_cast<size_t>(value.index)] >= 0) {
      return OffsetOperand(value);
    }
    return Operand{Operand::kSlot, SlotOf(value), nullptr, &value.desc()};
  }

  Result<Operand> WeightOperand(Value value) {
    const Node& node = *value.node;
    static const uint8_t kEmpty = 0;
    const std::span<const uint8_t> bytes = node.value().bytes();
    const void* data = bytes.empty() ? &kEmpty : bytes.data();
    const bool odd_bools = node.output(0).dtype == DataType::kBool && !AreBools(bytes);
    if ((reinterpret_cast<uintptr_t>(data) % sizeof(double) != 0 || odd_bools) && !bytes.empty()) {
      auto& copy = copies_[&node];
      if (copy == nullptr) {
        program_.copies.push_back(std::make_unique_for_overwrite<uint8_t[]>(bytes.size()));
        copy = program_.copies.back().get();
        if (odd_bools) {
          CopyBools(copy, bytes);
        } else {
          std::copy(bytes.begin(), bytes.end(), copy);
        }
      }
      data = copy;
    }
    return Operand{Operand::kWeights, 0, data, &node.output(0)};
  }

  Result<Operand> ArenaOperand(Value value, uint64_t offset) {
    const std::optional<int64_t> bytes = BytesOf(value.desc());
    if (!bytes) return Damaged(*value.node, "has a place in memory but no size");
    if (offset % alignof(std::max_align_t) != 0 || offset > tasks_.arena_bytes ||
        static_cast<uint64_t>(*bytes) > tasks_.arena_bytes - offset) {
      return Damaged(*value.node, "lies outside of the memory of the model");
    }
    return Operand{Operand::kArena, offset, nullptr, &value.desc()};
  }

  // The operand of a value by the offset that its node states.
  Result<Operand> OffsetOperand(Value value) {
    if (value.node->is_const()) return WeightOperand(value);
    const auto offsets = graphs_.offsets.find(value.node);
    const int64_t offset = offsets != graphs_.offsets.end() &&
                                   static_cast<size_t>(value.index) < offsets->second.size()
                               ? offsets->second[static_cast<size_t>(value.index)]
                               : -1;
    if (offset < 0) return Operand{Operand::kSlot, SlotOf(value), nullptr, &value.desc()};
    return ArenaOperand(value, static_cast<uint64_t>(offset));
  }

  // The operand of a value by its address in a task.
  Result<Operand> AddressOperand(Value value, uint64_t address) {
    if (!value) return Operand{};
    if (address == kNoAddress) return SlotOperand(value);
    if (value.node->is_const()) {
      const uint64_t weights = kArenaAddress + tasks_.arena_bytes;
      if (address < weights || address - weights > weight_bytes_) {
        return Damaged(*value.node, "is a constant outside of the weights");
      }
      return WeightOperand(value);
    }
    if (address < kArenaAddress) return Damaged(*value.node, "has an address below the arena");
    return ArenaOperand(value, address - kArenaAddress);
  }

  Result<const Node*> NodeOf(const ReadTask& task) const {
    const auto found = graphs_.by_id.find(task.op_index);
    if (found == graphs_.by_id.end()) {
      return Damaged("a task belongs to node " + std::to_string(task.op_index) +
                     ", which is not there");
    }
    return static_cast<const Node*>(found->second);
  }

  Status AddTask(const ReadTask& task) {
    switch (static_cast<TaskType>(task.type)) {
      case TaskType::kKernel:
        return AddKernel(task);
      case TaskType::kMemcpyAsync:
        return AddCopy(task);
      case TaskType::kLabelSet: {
        labels_[task.label] = static_cast<uint32_t>(program_.steps.size());
        labels_of_[task.op_index].push_back(task.label);
        copies_done_[task.op_index] = 0;
        return Status::Ok();
      }
      case TaskType::kLabelGoto: {
        Step& step = program_.steps.emplace_back();
        step.kind = Step::kJump;
        GE_ASSIGN(step.node, NodeOf(task));
        step.targets.push_back(task.label);
        return Status::Ok();
      }
      case TaskType::kLabelSwitchByIndex:
        return AddSwitch(task);
      case TaskType::kEndGraph:
        return Status::Ok();
    }
    return Damaged("it holds tasks of type " + std::to_string(task.type));
  }

  Status AddKernel(const ReadTask& task) {
    GE_ASSIGN(const Node* node, NodeOf(task));
    const std::string* recorded = KernelNameOf(*node);
    if (task.kernel_name != (recorded != nullptr ? *recorded : node->type())) {
      return Damaged(*node, "has a task for " + std::string(task.kernel_name));
    }
    if (task.args.size() != node->input_count() + node->output_count()) {
      return Damaged(*node, "has a task with " + std::to_string(task.args.size()) + " arguments");
    }
    Step step;
    step.node = node;
    step.impl = FindOpImpl(node->type());
    if (recorded != nullptr) {
      const auto kernel = graphs_.kernels.find(*recorded);
      if (kernel == graphs_.kernels.end()) {
        return Damaged(*node, "names the kernel [" + *recorded + "], which is not in the file");
      }
      step.kind = Step::kNested;
      GE_ASSIGN(step.nested, Nested::Make(kernel->second, *node));
    } else if (step.impl == nullptr || (step.impl->run_host == nullptr && !step.impl->view)) {
      return Error(ErrorId::kE10055,
                   {{"reason", "Node [" + node->source_name() + "] of type " + node->type() +
                                   " has no kernel of the host engine."}});
    }
    step.dynamic = asks_values_.contains(node);
    for (size_t i = 0; i < task.args.size(); ++i) {
      const bool is_input = i < node->input_count();
      const Value value =
          is_input ? node->input(i)
                   : Value{const_cast<Node*>(node), static_cast<int32_t>(i - node->input_count())};
      GE_ASSIGN(const Operand operand, AddressOperand(value, task.args[i]));
      step.dynamic |= operand.kind == Operand::kSlot;
      if (!is_input && operand.kind == Operand::kWeights) {
        return Damaged(*node, "writes to a constant");
      }
      (is_input ? step.inputs : step.outputs).push_back(operand);
    }
    GE_TRY(CheckPlaces(step));
    program_.steps.push_back(std::move(step));
    return Status::Ok();
  }

  // A result may take the place of an input, but not lie across one or meet another result.
  static Status CheckPlaces(const Step& step) {
    const auto collide = [](const Operand& a, const Operand& b, bool may_coincide) {
      if (a.kind != Operand::kArena || b.kind != Operand::kArena) return false;
      const ArenaSpan x = SpanOf(a), y = SpanOf(b);
      const bool is_empty = x.begin == x.end || y.begin == y.end;
      return !is_empty && x.Meets(y) && !(may_coincide && x == y);
    };
    for (const Operand& result : step.outputs) {
      bool damaged = std::any_of(step.inputs.begin(), step.inputs.end(),
                                 [&](const Operand& x) { return collide(x, result, true); });
      for (const Operand* other = step.outputs.data(); other != &result; ++other) {
        damaged |= collide(*other, result, false);
      }
      if (damaged) return Damaged(*step.node, "writes over what it reads or writes elsewhere");
    }
    return Status::Ok();
  }

  // Copies of a node come in order: before its first label (While) the inputs to the outputs, in
  // a branch or body its results to the outputs.
  Status AddCopy(const ReadTask& task) {
    GE_ASSIGN(const Node* node, NodeOf(task));
    const auto labels = labels_of_.find(task.op_index);
    const bool before = labels == labels_of_.end();
    const bool loop = node->type() == kWhile;
    Step step;
    step.kind = Step::kCopy;
    step.node = node;
    size_t port = copies_done_[task.op_index]++;
    Value source;
    if (before) {
      source = node->input(port);
    } else {
      const size_t branch = labels->second.size() - 1;  // else (1), then (0); cond, body
      if (node->subgraphs().size() != 2 || branch > 1) return Damaged(*node, "copies too much");
      const Graph& graph = *node->subgraphs()[loop ? branch : 1 - branch];
      const Node& results = *graph.net_output();
      if (loop) {
        // States that the body hands on as they are need no copy.
        while (port < results.input_count() && IsState(results.input(port), *node, port)) {
          port = copies_done_[task.op_index]++;
        }
      }
      source = results.input(port);
    }
    if (!source || port >= node->output_count()) return Damaged(*node, "copies too much");
    const Value target{const_cast<Node*>(node), static_cast<int32_t>(port)};
    GE_ASSIGN(const Operand from, AddressOperand(source, task.src));
    GE_ASSIGN(const Operand to, AddressOperand(target, task.dst));
    if (to.kind == Operand::kArena && from.kind != Operand::kSlot &&
        BytesOf(*from.desc) != BytesOf(*to.desc)) {
      return Damaged(*node, "copies between different sizes");
    }
    step.inputs.push_back(from);
    step.outputs.push_back(to);
    GE_TRY(CheckPlaces(step));
    program_.steps.push_back(std::move(step));
    return Status::Ok();
  }

  // Whether `value` is the Data node for state `port` of the loop.
  bool IsState(Value value, const Node& loop, size_t port) const {
    if (!value || value.node->type() != "Data") return false;
    const auto parent = parents_.find(value.node);
    const int64_t* index = value.node->attrs().Get<int64_t>("_parent_node_index");
    return parent != parents_.end() && parent->second == &loop && index != nullptr &&
           *index == static_cast<int64_t>(port);
  }

  Status AddSwitch(const ReadTask& task) {
    GE_ASSIGN(const Node* node, NodeOf(task));
    if (node->subgraphs().size() != 2) return Damaged(*node, "has no two graphs to choose from");
    const bool loop = node->type() == kWhile;
    const Value selector = loop ? node->subgraphs()[0]->net_output()->input(0) : node->input(0);
    if (!selector) return Damaged(*node, "has nothing to choose by");
    Step step;
    step.kind = Step::kSwitch;
    step.node = node;
    GE_ASSIGN(const Operand operand, SlotOperand(selector));
    step.inputs.push_back(operand);
    switches_.emplace_back(program_.steps.size(), task.op_index);
    program_.steps.push_back(std::move(step));
    return Status::Ok();
  }

  // Labels become indices of steps.  Labels of an If: else, then, end; of a While: head, body, end.
  Status ResolveTargets() {
    for (Step& step : program_.steps) {
      for (uint32_t& target : step.targets) {
        const auto found = labels_.find(target);
        if (found == labels_.end()) return Damaged("a jump has no target");
        target = found->second;
      }
    }
    for (const auto& [index, op] : switches_) {
      Step& step = program_.steps[index];
      const std::vector<uint32_t>& labels = labels_of_[op];
      if (labels.size() != 3) return Damaged(*step.node, "has no three labels");
      const bool loop = step.node->type() == kWhile;
      step.targets = {labels_[labels[loop ? 2 : 0]], labels_[labels[1]]};
    }
    return Status::Ok();
  }

  // Whether something jumps to step i.
  std::vector<bool> FindTargets() const {
    std::vector<bool> is_target(program_.steps.size() + 1);
    for (const Step& step : program_.steps) {
      for (const uint32_t target : step.targets) is_target[target] = true;
    }
    return is_target;
  }

  // A slot can be emptied behind the last step that mentions it.  When a loop and something before
  // it mention it, that is the first step behind the loop.
  void PlanReleases() {
    struct Mentions {
      uint32_t first, last;
    };
    std::map<uint32_t, Mentions> slots;
    const auto mention = [&](const Operand& operand, uint32_t step) {
      if (operand.kind != Operand::kSlot) return;
      const auto [found, added] =
          slots.try_emplace(static_cast<uint32_t>(operand.offset), Mentions{step, step});
      if (!added) found->second.last = step;
    };
    const auto count = static_cast<uint32_t>(program_.steps.size());
    for (uint32_t i = 0; i < count; ++i) {
      for (const Operand& operand : program_.steps[i].inputs) mention(operand, i);
      for (const Operand& operand : program_.steps[i].outputs) mention(operand, i);
    }
    for (const Operand& operand : program_.inputs) {
      if (operand.kind != Operand::kSlot) continue;
      const auto found = slots.find(static_cast<uint32_t>(operand.offset));
      if (found != slots.end()) found->second.first = 0;
    }
    std::vector<bool> kept(program_.slots);
    for (const Operand& operand : program_.outputs) {
      if (operand.kind == Operand::kSlot) kept[operand.offset] = true;
    }
    // Inner loops end first, so one pass over the backward jumps in order is enough.
    for (uint32_t end = 0; end < count; ++end) {
      const Step& jump = program_.steps[end];
      if (jump.kind != Step::kJump || jump.targets[0] > end) continue;
      const uint32_t head = jump.targets[0];
      for (auto& [slot, mentions] : slots) {
        if (mentions.first < head && mentions.last >= head && mentions.last <= end) {
          mentions.last = end + 1;
        }
      }
    }
    for (const auto& [slot, mentions] : slots) {
      if (!kept[slot] && mentions.last < count) {
        program_.steps[mentions.last].release.push_back(slot);
      }
    }
  }

  Status PrepareKernels() {
    for (Step& step : program_.steps) {
      if (step.kind != Step::kKernel || step.dynamic || step.impl->prepare == nullptr) continue;
      std::vector<HostTensor> inputs, outputs;
      for (const Operand& operand : step.inputs) {
        HostTensor& tensor = inputs.emplace_back();
        if (operand.kind == Operand::kNone) continue;
        tensor = {operand.desc->dtype, operand.desc->shape, const_cast<void*>(operand.weight)};
      }
      for (const Operand& operand : step.outputs) {
        outputs.push_back({operand.desc->dtype, operand.desc->shape, nullptr});
      }
      const AttrReader attrs = step.attr_reader();
      const KernelContext context{inputs, outputs, attrs};
      GE_ASSIGN(step.prepared, step.impl->prepare(context));
      if (step.prepared != nullptr) program_.packed_bytes += step.prepared->bytes();
    }
    return Status::Ok();
  }

  om::ReadGraphs& graphs_;
  const ReadTasks& tasks_;
  const uint64_t weight_bytes_;
  Program program_;
  std::unordered_map<const Node*, const Node*> parents_;  // of nodes in branches and bodies
  std::unordered_set<const Node*> asks_values_;
  std::map<std::pair<const Node*, int32_t>, uint32_t> slot_of_;
  uint32_t next_slot_ = 0;
  std::unordered_map<const Node*, uint8_t*> copies_;
  std::unordered_map<uint32_t, uint32_t> labels_;                 // label to step
  std::unordered_map<int64_t, std::vector<uint32_t>> labels_of_;  // node to labels so far
  std::unordered_map<int64_t, size_t> copies_done_;               // since the last label
  std::vector<std::pair<size_t, int64_t>> switches_;              // step, node
};

}  // namespace

Result<Program> BuildProgram(om::ReadGraphs& graphs, const ReadTasks& tasks,
                             uint64_t weight_bytes) {
  return ProgramBuilder(graphs, tasks, weight_bytes).Build();
}

}  // namespace ge::host
