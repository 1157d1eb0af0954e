// What can be told unsupported before anything is imported: unknown operators, operators of other
// domains or opset versions, operators that are not built.
#include <algorithm>

#include "base/suggest.h"
#include "base/text.h"
#include "frontend/onnx/builder.h"
#include "frontend/onnx/import_hook.h"
#include "tables/table.h"

namespace ge::onnx {
namespace {

constexpr int64_t kOldestOpset = 1;
constexpr int kMaxFunctionDepth = 64;
constexpr size_t kNamesShown = 10;

// One line of the report: an operator type, why it cannot be compiled, and where it stands.
struct Group {
  ErrorId id;
  std::string type;
  std::string reason;
  std::string fix;
  std::vector<std::string> nodes;
};

std::string Qualified(std::string_view domain, std::string_view type) {
  return domain.empty() ? std::string(type) : std::string(domain) + "::" + std::string(type);
}

int64_t NewestOpset() {
  // The newest version at which any operator of the default domain changed.
  const Table ops = Table::Root("onnx_ops");
  int64_t newest = 0;
  for (uint32_t i = 0; i < ops.size(); ++i) {
    if (ops.KeyAt(i).find("::") != std::string_view::npos) continue;
    const Table since = ops[i].Find("since");
    newest = std::max(newest, since[since.size() - 1].AsInt());
  }
  return newest;
}

std::string ClosestOperator(std::string_view type) {
  const Table ops = Table::Root("onnx_ops");
  std::vector<std::string_view> names;
  for (uint32_t i = 0; i < ops.size(); ++i) {
    if (ops.KeyAt(i).find("::") == std::string_view::npos) names.push_back(ops.KeyAt(i));
  }
  return std::string(Nearest(type, names));
}

class SupportCheck {
 public:
  SupportCheck(const Model& model, const ImportOptions& options)
      : model_(model), options_(options), newest_(NewestOpset()) {}

  void Scan(const std::vector<Node>& nodes, const std::vector<std::string_view>& wanted,
            const std::vector<OpsetImport>& opsets, int depth) {
    if (depth > kMaxFunctionDepth) return;  // reported when it is imported
    const Result<std::vector<size_t>> order = NeededNodes(nodes, wanted);
    if (order.ok()) ScanInOrder(nodes, *order, opsets, depth);
  }

  void ScanInOrder(const std::vector<Node>& nodes, const std::vector<size_t>& order,
                   const std::vector<OpsetImport>& opsets, int depth) {
    for (const size_t position : order) ScanNode(nodes[position], opsets, depth);
  }

  Status Report() const {
    Status status;
    for (const Group& group : groups_) {
      std::string names = Join(group.nodes, ", ", kNamesShown);
      const std::string count = std::to_string(group.nodes.size());
      status.Add(
          Error(group.id, {{"reason", group.type + " (" + count +
                                          (group.nodes.size() == 1 ? " node): " : " nodes): ") +
                                          group.reason + ". Nodes: " + names},
                           {"fix", group.fix}}));
    }
    return status;
  }

 private:
  void ScanNode(const Node& node, const std::vector<OpsetImport>& opsets, int depth) {
    for (const Attribute& attribute : node.attributes) {
      if (attribute.graph == nullptr) continue;
      std::vector<std::string_view> wanted;
      for (const ValueInfo& output : attribute.graph->outputs) wanted.push_back(output.name);
      Scan(attribute.graph->nodes, wanted, opsets, depth + 1);
    }
    if (const Function* function = FindFunction(model_, node)) {
      Scan(function->nodes, function->outputs, function->opsets, depth + 1);
      return;
    }
    CheckNode(node, opsets);
  }

  void CheckNode(const Node& node, const std::vector<OpsetImport>& opsets) {
    if (!HookTypeOf(options_, node).empty()) return;
    const Table row = Table::Root("onnx_ops").Find(Qualified(node.domain, node.op_type));
    const std::optional<int64_t> declared = OpsetVersion(opsets, node.domain);
    const int64_t opset = declared.value_or(1);
    const bool built = FindImport(node.domain, node.op_type) != nullptr;
    const std::string at = "ai.onnx opset " + std::to_string(opset);
    const auto convert = [](int64_t version) {
      return "Export the model again with opset_version=" + std::to_string(version) +
             ", or set the opset import of the file to " + std::to_string(version) + ".";
    };
    if (row.is_null() && !built) {
      AddUnknown(node);
      return;
    }
    if (node.domain.empty() && declared) {
      if (opset > newest_) {
        Add(node, ErrorId::kE16002,
            at + " is newer than the newest that this version knows, " + std::to_string(newest_),
            convert(newest_));
        return;
      }
      if (opset < kOldestOpset) {
        Add(node, ErrorId::kE16002,
            at + " is older than the oldest that is supported, " + std::to_string(kOldestOpset),
            "Convert the model with onnx.version_converter, or export it again with a newer "
            "opset.");
        return;
      }
    }
    const Table since = row.Find("since");
    if (!row.is_null() && opset < since[0].AsInt()) {
      const int64_t first = since[0].AsInt();
      Add(node, ErrorId::kE16002,
          "the operator exists from opset " + std::to_string(first) +
              " on, but the file declares " + at,
          convert(first));
    } else if (row.Has("removed") && opset >= row.Find("removed").AsInt()) {
      const std::string removed = std::to_string(row.Find("removed").AsInt());
      Add(node, ErrorId::kE16002,
          "the operator was removed at opset " + removed + ", but the file declares " + at,
          "Export the model again, so that the exporter writes the operator's successor.");
    } else if (!built) {
      Add(node, ErrorId::kE10501, "the operator is known, but not built yet", "");
    }
  }

  void AddUnknown(const Node& node) {
    const Table ops = Table::Root("onnx_ops");
    if (!node.domain.empty() && ops.Has(node.op_type)) {
      Add(node, ErrorId::kE10501,
          "domain " + std::string(node.domain) +
              " has no such operator; ai.onnx has one from opset " +
              std::to_string(ops.Find(node.op_type).Find("since")[0].AsInt()) + " on",
          "Export the model without this domain, or write the node with the default domain.");
      return;
    }
    for (const std::string_view other : {"com.microsoft", "ai.onnx.ml"}) {
      if (other != node.domain &&
          (FindImport(other, node.op_type) != nullptr || ops.Has(Qualified(other, node.op_type)))) {
        Add(node, ErrorId::kE10501,
            "there is no such operator in this domain; " + std::string(other) + " has one",
            "Check the domain that the exporter wrote.");
        return;
      }
    }
    if (!node.domain.empty()) {
      Add(node, ErrorId::kE10501,
          "operators of domain " + std::string(node.domain) + " are not built",
          "Export the model with standard operators, or make the operator a function of the "
          "model.");
      return;
    }
    const std::string closest = ClosestOperator(node.op_type);
    std::string fix = "Export the model with standard operators.";
    if (!closest.empty()) {
      fix = "The exporter wrote a name that is not standard: ONNX " + closest +
            " exists from opset " + std::to_string(ops.Find(closest).Find("since")[0].AsInt()) +
            " on; export the model again with that opset or newer.";
    }
    Add(node, ErrorId::kE10501, "there is no such operator", std::move(fix));
  }

  void Add(const Node& node, ErrorId id, std::string reason, std::string fix) {
    const std::string type = Qualified(node.domain, node.op_type);
    const std::string name =
        node.name.empty() ? "#" + std::to_string(node.position) : std::string(node.name);
    for (Group& group : groups_) {
      if (group.type == type && group.reason == reason) {
        group.nodes.push_back(name);
        return;
      }
    }
    groups_.push_back({id, type, std::move(reason), std::move(fix), {name}});
  }

  const Model& model_;
  const ImportOptions& options_;
  const int64_t newest_;
  std::vector<Group> groups_;
};

}  // namespace

size_t RequiredInputs(const Node& node, int64_t opset) {
  const Table row = Table::Root("onnx_ops").Find(Qualified(node.domain, node.op_type));
  const Table since = row.Find("since");
  size_t required = 0;
  for (uint32_t i = 0; i < since.size() && since[i].AsInt() <= opset; ++i) {
    required = static_cast<size_t>(row.Find("inputs")[i].AsInt());
  }
  return required;
}

Status CheckSupport(const Model& model, const std::vector<size_t>& order,
                    const ImportOptions& options) {
  SupportCheck check(model, options);
  check.ScanInOrder(model.graph.nodes, order, model.opsets, 0);
  return check.Report();
}

}  // namespace ge::onnx
