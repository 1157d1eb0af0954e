#include "atc/dump_variables.h"

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "options/paths.h"
#include "options/text.h"

namespace ge {
namespace {

constexpr const char* kDetail = "DUMP_GE_GRAPH";
constexpr const char* kLevel = "DUMP_GRAPH_LEVEL";
constexpr const char* kFormat = "DUMP_GRAPH_FORMAT";

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void Refuse(const char* variable, std::string_view value, const std::string& reason,
            Status* faults) {
  faults->Add(
      Error(ErrorId::kE10001, {{"value", value}, {"parameter", variable}, {"reason", reason}}));
}

bool IsWanted(const DumpStage& stage, const std::string& level) {
  if (level == "1") return true;
  if (level.empty() || level == "2") return stage.marked;
  if (level == "3") return stage.name == kDumpStages.back().name;
  if (level == "4") return stage.name == kDumpStages.front().name;
  const std::vector<Piece> parts = Split({level, 0}, '|');
  return std::any_of(parts.begin(), parts.end(), [&](const Piece& part) {
    return !part.text.empty() && stage.name.find(part.text) != std::string_view::npos;
  });
}

void ReadLevel(DumpRequest& request, Status* faults) {
  const std::string level = Variable(kLevel);
  std::vector<std::string> names;
  for (const DumpStage& stage : kDumpStages) {
    names.emplace_back(stage.name);
    if (IsWanted(stage, level)) request.stages.push_back(stage.name);
  }
  if (!request.stages.empty()) return;
  Refuse(
      kLevel, level,
      "accepted are 1 (all), 2 (most), 3 (the last), 4 (the first), or parts of these names with "
      "| between: " +
          Join(names, ", "),
      faults);
}

void ReadFormat(DumpRequest& request, Status* faults) {
  const std::string format = Variable(kFormat);
  if (format.empty()) return;
  request.onnx = request.proto = false;
  for (const Piece& word : Split({format, 0}, '|')) {
    if (word.text == "onnx") {
      request.onnx = true;
    } else if (word.text == "ge_proto") {
      request.proto = true;
    } else if (word.text == "readable") {
      faults->Add(Error(ErrorId::kE10055,
                        {{"reason", "DUMP_GRAPH_FORMAT=readable is not supported yet."}}));
    } else {
      Refuse(kFormat, word.text, "accepted are onnx and ge_proto, with | between", faults);
    }
  }
}

}  // namespace

DumpRequest ReadDumpVariables(Status* faults) {
  DumpRequest request;
  const std::string detail = Variable(kDetail);
  if (detail.empty()) return request;
  if (detail != "1" && detail != "2" && detail != "3") {
    Refuse(kDetail, detail, "accepted are 1 (all), 2 (no weights), 3 (nodes and edges)", faults);
  }
  request.detail = static_cast<DumpRequest::Detail>(detail.front() - '0');
  ReadLevel(request, faults);
  ReadFormat(request, faults);
  for (const char* name : {"ASCEND_WORK_PATH", "DUMP_GRAPH_PATH"}) {  // the last one counts
    if (std::string folder = Variable(name); !folder.empty()) request.folder = std::move(folder);
  }
  if (const std::string reason = WhyUnwritable(request.folder + "/x"); !reason.empty()) {
    Refuse("DUMP_GRAPH_PATH", request.folder, reason, faults);
  }
  return request;
}

}  // namespace ge
