#include "hooks/graph_passes.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "hooks/python.h"
#include "passes/pipeline.h"
#include "rewrite/check.h"

namespace ge {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVariable = "ASCEND_GE_PY_PASS_PATH";

std::string Bridge(std::string_view function) {
  return "ge.passes._bridge:" + std::string(function);
}

std::string Text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A path may hold any bytes, JSON only characters: one for each byte (ge/_hook_text.py).
std::string PathText(std::string_view path) {
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text.push_back(c);
    } else {
      text.append({static_cast<char>(0xc0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3f))});
    }
  }
  return text;
}

std::string PathOf(const Json& json) {
  const auto& text = json.get_ref<const std::string&>();
  std::string path;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    path.push_back(byte < 0x80 ? text[i] : static_cast<char>(byte << 6 | (text[++i] & 0x3f)));
  }
  return path;
}

Json PathsIn(const std::string& variable) {
  Json paths = Json::array();
  std::istringstream stream(variable);
  for (std::string path; std::getline(stream, path, ':');) {
    if (!path.empty()) paths.push_back(PathText(path));
  }
  return paths;
}

std::string NameOf(const std::string& file) {
  return file.empty() ? "this program" : file;
}

// What went wrong in a call that ran code of the user.
Status Failed(const HookOutcome& outcome, const std::string& whose) {
  if (outcome.kind == HookOutcome::Kind::kRaised || outcome.kind == HookOutcome::Kind::kExit) {
    return Error(ErrorId::kE40024, {{"function", whose}, {"reason", hooks::ReasonOf(outcome)}});
  }
  return hooks::StatusOf(outcome, Bridge("run"));
}

Status Call(const std::string& function, const Json& request, Json* reply) {
  std::string text;
  const HookOutcome outcome = hooks::Call(Bridge(function), Text(request), &text);
  GE_TRY(hooks::StatusOf(outcome, Bridge(function)));
  *reply = Json::parse(text);
  return Status::Ok();
}

}  // namespace

Result<GraphPasses> GraphPasses::Load(const HookPaths& paths) {
  GraphPasses passes;
  const Json entries = PathsIn(paths.passes);
  if (entries.empty() && !paths.own_passes) return passes;
  GE_TRY(hooks::LoadPython(kVariable));
  if (paths.own_passes) GE_TRY(passes.LoadFile(""));
  Json found;
  GE_TRY(Call("find", {{"paths", entries}}, &found));
  Status faults;
  for (const Json& fault : found["faults"]) {
    faults.Add(Error(ErrorId::kE40023, {{"path", PathOf(fault["path"])},
                                        {"parameter", kVariable},
                                        {"reason", fault["reason"].get<std::string>()}}));
  }
  for (const Json& file : found["files"]) faults.Add(passes.LoadFile(PathOf(file)));
  if (!faults.ok()) return faults;
  return passes;
}

Status GraphPasses::LoadFile(const std::string& file) {
  std::string text;
  const HookOutcome outcome = hooks::Call(Bridge("load"), Text({{"file", PathText(file)}}), &text);
  if (outcome.kind == HookOutcome::Kind::kRaised || outcome.kind == HookOutcome::Kind::kExit) {
    return Error(ErrorId::kE40020, {{"module", file}, {"reason", hooks::ReasonOf(outcome)}});
  }
  GE_TRY(hooks::StatusOf(outcome, Bridge("load")));
  Status faults;
  const Json reply = Json::parse(text);
  for (const Json& row : reply["passes"]) {
    Pass pass = {row["name"].get<std::string>(), row["stage"].get<std::string>(), file};
    const auto same = std::ranges::find(passes_, pass.name, &Pass::name);
    if (same != passes_.end()) {
      faults.Add(Error(ErrorId::kE40020,
                       {{"module", NameOf(file)},
                        {"reason", "ValueError: a pass of the name " + pass.name +
                                       " is registered by " + NameOf(same->file) + " already"}}));
    }
    passes_.push_back(std::move(pass));
  }
  return faults;
}

bool GraphPasses::Has(std::string_view stage) const {
  return std::ranges::find(passes_, stage, &Pass::stage) != passes_.end();
}

Status GraphPasses::Run(std::string_view stage, Graph& graph, const Compile& compile) const {
  for (const Pass& pass : passes_) {
    // As the basic fusions: everything but its name and ALL leaves it on.
    const PassInfo info = {pass.name, "", PassKind::kBasicFusion};
    if (pass.stage != stage || !IsSwitchedOn(info, compile.switches)) continue;
    if (compile.cancelled != nullptr && compile.cancelled->load(std::memory_order_relaxed)) {
      return Error(ErrorId::kInterrupted, {});
    }
    GE_TRY(RunPass(pass, graph, compile));
  }
  return Status::Ok();
}

Status GraphPasses::RunPass(const Pass& pass, Graph& graph, const Compile& compile) const {
  Json options = Json::object();
  for (const auto& [name, value] : compile.options) options[name] = value;
  const Json request = {{"file", PathText(pass.file)}, {"name", pass.name}, {"options", options}};
  const std::string whose = "graph pass " + pass.name + " of " + NameOf(pass.file);
  const Signature before = SignatureOf(graph);
  std::string text;
  const HookOutcome outcome = hooks::CallWithGraph(Bridge("run"), graph, Text(request), &text);
  if (outcome.kind != HookOutcome::Kind::kDone) return Failed(outcome, whose);
  const Json reply = Json::parse(text);
  if (reply.contains("failure")) {
    return Error(ErrorId::kE40024,
                 {{"function", whose}, {"reason", reply["failure"].get<std::string>()}});
  }
  for (const Json& warning : reply["warnings"]) {
    compile.warnings->push_back(MakeProblem(
        ErrorId::kW40024, {{"function", whose}, {"reason", warning.get<std::string>()}}));
  }
  if (const std::string fault = CheckRewritten(graph, before); !fault.empty()) {
    return Error(ErrorId::kE40024, {{"function", whose},
                                    {"reason", "it left a graph that cannot be used: " + fault}});
  }
  compile.record.pass_names.push_back(pass.name);
  compile.record.passes.push_back({{compile.record.pass_names.back(), "", PassKind::kBasicFusion},
                                   reply["effects"].get<size_t>(),
                                   reply["matches"].get<size_t>()});
  return Status::Ok();
}

}  // namespace ge
