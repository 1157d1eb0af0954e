// Checks of --soc_version and of what the SoC has.

#include "options/checks.h"
#include "options/soc_name.h"
#include "options/text.h"

namespace ge {
namespace {

void RefuseCoreCount(const std::string& value, std::string_view reason, Findings* findings) {
  findings->Fail(ErrorId::kE20101,
                 {{"value", value}, {"parameter", "--aicore_num"}, {"reason", reason}});
}

bool IsPositive(std::string_view text) {
  return IsDigits(text) && text[0] != '0' && ParseInt64(text).has_value();
}

}  // namespace

void CheckSoc(const Options& options, Findings* findings) {
  const std::string& name = TextOf(options, &Options::soc_version);
  if (name.empty()) return;
  if (api::FindSoc(name)) {
    if (name == "Ascend910B") {
      findings->Warn(ErrorId::kW10002,
                     {{"reason",
                       "Ascend910B is the 30-core chip of the Ascend910 family; the "
                       "910B1 to 910B4 chips are " +
                           MembersOf("Ascend910B")}});
    }
    return;
  }
  if (const std::string members = MembersOf(name); !members.empty()) {
    findings->Fail(ErrorId::kE20101,
                   {{"value", name},
                    {"parameter", "--soc_version"},
                    {"reason", "it is a family of SoCs; its members are " + members}});
    return;
  }
  const std::vector<SocInfo> socs = api::AllSocs();
  std::vector<std::string_view> names;
  std::string all;
  for (const SocInfo& soc : socs) {
    names.push_back(soc.name);
    all += " " + soc.name;
  }
  Status fault =
      Error(ErrorId::kE20101, {{"value", name},
                               {"parameter", "--soc_version"},
                               {"reason", "no SoC has this name" + DidYouMean(name, names)}});
  findings->faults.Add(fault.WithSolution("The names are" + all + "."));
}

void CheckVirtualType(const Options& options, Findings* findings) {
  const std::optional<SocInfo> soc = api::FindSoc(options.soc_version);
  if (options.virtual_type != 1 || !soc || !soc->virtual_types.empty()) return;
  findings->Fail(ErrorId::kE20101,
                 {{"value", "1"},
                  {"parameter", "--virtual_type"},
                  {"reason", soc->name + " cannot be split into virtual devices"}});
}

void CheckCoreCount(const Options& options, Findings* findings) {
  const std::string& text = TextOf(options, &Options::aicore_num);
  if (text.empty()) return;
  const std::vector<Piece> counts = Split({text, 0}, '|');
  if (counts.size() > 2 || !IsPositive(counts[0].text) ||
      (counts.size() == 2 && !counts[1].text.empty() && !IsPositive(counts[1].text))) {
    return RefuseCoreCount(text, "it is N, N| or C|V with positive whole numbers", findings);
  }
  const std::optional<SocInfo> soc = api::FindSoc(options.soc_version);
  if (soc && *ParseInt64(counts[0].text) > soc->ai_cores) {
    findings->Fail(ErrorId::kE20103,
                   {{"value", text},
                    {"parameter", "--aicore_num"},
                    {"limit", soc->name + " has " + std::to_string(soc->ai_cores) + " cores"}});
  }
}

}  // namespace ge
