#include "precision/warnings.h"

#include <map>

#include "base/text.h"

namespace ge {
namespace {

constexpr size_t kNamesShown = 10;
constexpr uint64_t kNoticeable = 100;  // one element in so many

std::string Describe(const NarrowedConst& constant) {
  std::vector<std::string> counts;
  if (constant.beyond != 0) counts.push_back(std::to_string(constant.beyond) + " too large");
  if (constant.vanished != 0) counts.push_back(std::to_string(constant.vanished) + " became 0");
  return "[" + constant.name + "] (" + Join(counts, ", ") + " of " +
         std::to_string(constant.elements) + ")";
}

}  // namespace

std::vector<Problem> PrecisionWarnings(const PrecisionReport& report) {
  std::vector<Problem> warnings;
  std::map<DataType, std::vector<std::string>> constants;
  for (const NarrowedConst& constant : report.constants) {
    if (constant.beyond == 0 && constant.vanished * kNoticeable < constant.elements) continue;
    constants[constant.dtype].push_back(Describe(constant));
  }
  for (const auto& [dtype, described] : constants) {
    warnings.push_back(MakeProblem(
        ErrorId::kW10006,
        {{"dtype", UserName(dtype)}, {"constants", Join(described, ", ", kNamesShown)}}));
  }
  if (!report.at_risk.empty()) {
    warnings.push_back(
        MakeProblem(ErrorId::kW10007,
                    {{"dtype", "float16"}, {"nodes", Join(report.at_risk, ", ", kNamesShown)}}));
  }
  return warnings;
}

}  // namespace ge
