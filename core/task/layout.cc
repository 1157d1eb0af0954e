#include "task/layout.h"

#include <string_view>
#include <unordered_map>

#include "base/name_map.h"
#include "om/layout.h"

namespace ge {
namespace {

// Constants up to this size are compared by content; larger ones only by where they come from.
constexpr size_t kMostCompared = 4096;

uint64_t AlignWeight(uint64_t bytes) {
  return (bytes + om::kWeightAlign - 1) / om::kWeightAlign * om::kWeightAlign;
}

class WeightPlacer {
 public:
  uint64_t Place(const Node& constant) {
    const Buffer& bytes = constant.value();
    const DataType from = constant.value_dtype(), to = constant.output(0).dtype;
    if (bytes.size() <= kMostCompared && from == to) {
      const std::string_view view(reinterpret_cast<const char*>(bytes.bytes().data()),
                                  bytes.size());
      if (const uint64_t* same = by_content_.Find(view)) return *same;
      by_content_.Insert(view, layout.bytes);
    } else {
      const auto [same, is_new] = by_origin_.try_emplace(
          {bytes.origin(), bytes.size(), from == to ? DataType::kUndefined : to}, layout.bytes);
      if (!is_new) return same->second;
    }
    layout.places.push_back({&constant, layout.bytes});
    const uint64_t stored =
        from == to ? bytes.size() : static_cast<uint64_t>(BytesOf(constant.output(0)).value_or(0));
    layout.bytes = AlignWeight(layout.bytes + stored);
    return layout.places.back().offset;
  }

  WeightLayout layout{{}, om::kWeightAlign};

 private:
  // Where bytes come from, and what they are converted to.  Constants of different sizes may begin
  // alike.
  struct Origin {
    const void* data;
    size_t size;
    DataType dtype;  // kUndefined: they stay as they are
    bool operator==(const Origin&) const = default;
  };
  struct OriginHash {
    size_t operator()(const Origin& origin) const {
      return std::hash<const void*>()(origin.data) ^ (origin.size << 8) ^
             static_cast<size_t>(origin.dtype);
    }
  };
  std::unordered_map<Origin, uint64_t, OriginHash> by_origin_;
  NameMap<uint64_t> by_content_;
};

void AddGraph(const Graph& graph, const GraphPlan& plan, WeightPlacer& placer, uint32_t* next_id,
              ModelLayout& model) {
  GraphLayout layout{&graph, &plan, std::vector<NodeLayout>(graph.size())};
  for (const uint32_t index : plan.order) {
    const Node& node = *graph.nodes()[index];
    NodeLayout& row = layout.nodes[index];
    row.id = (*next_id)++;
    if (node.is_const()) row.weight_offset = placer.Place(node);
  }
  model.graphs.push_back(std::move(layout));
  for (const auto& [index, branches] : plan.branches) {
    for (size_t i = 0; i < branches.graphs.size(); ++i) {
      AddGraph(*graph.nodes()[index]->subgraphs()[i], branches.graphs[i], placer, next_id, model);
    }
  }
}

}  // namespace

const GraphLayout& ModelLayout::LayoutOf(const Graph& graph) const {
  size_t i = 0;
  while (graphs[i].graph != &graph) ++i;
  return graphs[i];
}

ModelLayout LayOut(const Graph& root, MemoryPlan memory) {
  ModelLayout model;
  model.memory = std::make_unique<const MemoryPlan>(std::move(memory));
  WeightPlacer placer;
  uint32_t next_id = 0;
  AddGraph(root, model.memory->graph, placer, &next_id, model);
  model.weights = std::move(placer.layout);
  return model;
}

}  // namespace ge
