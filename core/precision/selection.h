#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/precision.h"
#include "base/status.h"
#include "ir/graph.h"

namespace ge {

// The nodes that the user's files name, by their own name, a name of the source, or their type.
class Selection {
 public:
  explicit Selection(const PrecisionRequest& request);

  bool Keeps(const Node& node);
  // The line of --customize_dtypes for a node, or nullptr; a line with its name goes first.
  const CustomDtypes* CustomOf(const Node& node);
  // For --modify_mixlist, which is looked up elsewhere.
  void Note(const Node& node);

  // Entries that met no node: a warning, or a fault where the entry can be none.
  void ReportUnused(std::vector<Problem>& warnings, Status& faults) const;

 private:
  struct Entry {
    const CustomDtypes* custom = nullptr;
    bool used = false;
  };
  using Entries = std::unordered_map<std::string_view, Entry>;
  static Entry* FindByName(Entries& entries, const Node& node);
  static Entry* FindByType(Entries& entries, const Node& node);

  const PrecisionRequest& request_;
  Entries keep_nodes_, keep_types_, custom_nodes_, custom_types_, mix_types_;
};

}  // namespace ge
