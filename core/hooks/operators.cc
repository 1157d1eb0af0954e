#include "hooks/operators.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hooks/attr_json.h"
#include "hooks/kernel_graph.h"
#include "hooks/kernel_shapes.h"
#include "hooks/operator_request.h"
#include "hooks/python.h"
#include "ops/op_impl.h"

namespace ge::hooks {
namespace {

using Json = nlohmann::json;

constexpr const char* kOpen = "ge._operators:open";
constexpr const char* kClose = "ge._operators:close";
constexpr const char* kMapNode = "ge._operators:map_node";
constexpr const char* kInfer = "ge._operators:infer";
constexpr const char* kBuild = "ge._operators:build";

std::string TextOf(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Status FaultOf(const Node& node, const OperatorInfo& info, const Json& reply) {
  const Json& fault = reply["fault"];
  const std::string file = TextOf(reply, "file"), reason = TextOf(fault, "reason");
  if (fault["is_import"]) return Error(ErrorId::kE40020, {{"module", file}, {"reason", reason}});
  if (fault["ended"]) {
    return Error(ErrorId::kE40024, {{"function", info.function + " of operator [" +
                                                     node.source_name() + "] in " + file},
                                    {"reason", reason}});
  }
  const auto problem = [&](ErrorId id, const std::string& why) {
    return MakeProblem(id, {{"opname", node.source_name()},
                            {"optype", node.type()},
                            {"function", info.function},
                            {"file", file},
                            {"reason", why}});
  };
  Status faults;
  for (const Json& coded : fault["coded"]) {
    Problem raised = problem(ErrorId::kE80000, TextOf(coded, "reason"));
    raised.code = TextOf(coded, "code");
    faults.Add(Status(std::move(raised)));
  }
  return faults.ok() ? Status(problem(ErrorId::kE40021, reason)) : faults;
}

Json PortsText(const std::vector<TensorDesc>& inputs) {
  Json rows = Json::array();
  for (const TensorDesc& desc : inputs) {
    rows.push_back(desc.dtype == DataType::kUndefined ? Json() : TensorJson(desc));
  }
  return rows;
}

bool HasBuiltInKernel(const std::string& type) {
  const OpImpl* impl = FindOpImpl(type);
  return impl != nullptr && impl->run_host != nullptr;
}

std::string KernelFolder(const HookPaths& paths, const OperatorOptions& options) {
  if (!options.keeps_kernels && !paths.keeps_kernels) return "";
  if (!options.debug_folder.empty()) return options.debug_folder;
  return paths.work.empty() ? "." : paths.work;
}

}  // namespace

struct Operators::Job {
  Node* node;
  const OperatorInfo* info;
  std::string request;  // the row of the operator, as JSON
  bool for_shapes;      // only to see what it gives
};

Result<std::unique_ptr<Operators>> Operators::Open(const HookPaths& paths,
                                                   const OperatorOptions& options,
                                                   const std::string& soc_version,
                                                   std::string_view only_type) {
  std::unique_ptr<Operators> operators;
  if (paths.custom_operators.empty() && paths.operators.empty() && !paths.registered) {
    return operators;
  }
  GE_ASSIGN(OperatorStores stores, OperatorStores::Open(paths, FamilyOf(soc_version)));
  if (!only_type.empty() && stores.Find(only_type) == nullptr) return operators;
  operators.reset(new Operators(std::move(stores)));
  operators->warnings_ = operators->stores_.warnings();
  operators->kernel_folder_ = KernelFolder(paths, options);
  GE_ASSIGN(operators->modes_, ImplModes::Read(options, &operators->warnings_));
  if (operators->stores_.empty() && !paths.registered) return operators;
  GE_TRY(LoadPython(operators->stores_.empty() ? "ge.hooks" : operators->stores_.configured_by()));
  GE_TRY(operators->Start(soc_version));
  return operators;
}

Operators::~Operators() {
  if (session_ < 0) return;
  std::string reply;
  Call(kClose, JsonText({{"session", session_}}), &reply);
}

Status Operators::CallReply(const char* function, const std::string& request,
                            std::string* reply) const {
  return StatusOf(Call(function, request, reply), function);
}

Status Operators::Start(const std::string& soc_version) {
  std::string text;
  GE_TRY(CallReply(kOpen, JsonText({{"soc", soc_version}, {"parsers", stores_.parser_folders()}}),
                   &text));
  const Json reply = Json::parse(text);
  session_ = reply["session"];
  Status faults;
  for (const Json& fault : reply["faults"]) {
    faults.Add(Error(ErrorId::kE40020,
                     {{"module", TextOf(fault, "module")}, {"reason", TextOf(fault, "reason")}}));
  }
  for (const Json& warning : reply["warnings"]) {
    warnings_.push_back(MakeProblem(ErrorId::kW40012, {{"value", TextOf(warning, "value")},
                                                       {"env", TextOf(warning, "env")},
                                                       {"reason", TextOf(warning, "reason")}}));
  }
  for (const Json& row : reply["parsers"]) {
    const std::string type = TextOf(row, "operator");
    if (stores_.Find(type) == nullptr && OpRow(type).is_null()) {
      faults.Add(Error(ErrorId::kE10501,
                       {{"reason", "Operator type [" + type + "], which ge.hooks names for " +
                                       TextOf(row, "type") + ", is in no operator store."},
                        {"fix", ""}}));
    }
    decorated_[{TextOf(row, "domain"), TextOf(row, "type")}] = type;
  }
  return faults;
}

std::string Operators::TypeFor(std::string_view domain, std::string_view type,
                               bool* decorated) const {
  const auto found = decorated_.find(std::pair(std::string(domain), std::string(type)));
  *decorated = found != decorated_.end();
  if (*decorated) return found->second;
  return stores_.Find(type) != nullptr ? std::string(type) : std::string();
}

Status Operators::MapAttrs(std::string_view domain, std::string_view type,
                           const std::string& ge_type, const std::string& node_name,
                           const std::vector<TensorDesc>& inputs,
                           const std::vector<SourceAttr>& source, AttrMap* attrs) {
  Json given = Json::object();
  for (const SourceAttr& attr : source) given[attr.name] = Json::parse(attr.json);
  if (decorated_.contains({std::string(domain), std::string(type)})) {
    std::string text;
    GE_TRY(CallReply(kMapNode,
                     JsonText({{"session", session_},
                               {"domain", domain},
                               {"type", type},
                               {"name", node_name},
                               {"attrs", given},
                               {"inputs", PortsText(inputs)}}),
                     &text));
    const Json reply = Json::parse(text);
    if (reply.contains("fault")) {
      return Error(ErrorId::kE40024, {{"function", "onnx_operator of " + std::string(type) +
                                                       " in " + TextOf(reply["fault"], "file")},
                                      {"reason", TextOf(reply["fault"], "reason")}});
    }
    given = reply["attrs"];
  }
  return ReadAttrs(given, node_name, ge_type, stores_.Find(ge_type), attrs);
}

Status Operators::InferOutputs(Node& node) {
  const OperatorInfo* info = stores_.Find(node.type());
  std::vector<TensorDesc> inputs;
  for (size_t i = 0; i < node.input_count(); ++i) {
    inputs.push_back(node.input(i) ? node.input(i).desc() : TensorDesc());
  }
  std::string text;
  GE_TRY(CallReply(kInfer,
                   JsonText({{"session", session_},
                             {"type", node.type()},
                             {"attrs", AttrsJson(node.attrs())},
                             {"inputs", PortsText(inputs)}}),
                   &text));
  const Json reply = Json::parse(text);
  if (reply.contains("fault")) {
    return Error(ErrorId::kE40024, {{"function", "infer_shape of " + node.type() + " in " +
                                                     TextOf(reply["fault"], "file")},
                                    {"reason", TextOf(reply["fault"], "reason")}});
  }
  if (reply.contains("outputs")) return SetOutputs(reply["outputs"], node);
  GE_ASSIGN(Job job, JobFor(*info, node, true));
  std::vector<Job> jobs;
  jobs.push_back(std::move(job));
  GE_TRY(Build(jobs));
  GE_ASSIGN(const Kernel kernel,
            ReadKernel(built_.at(jobs.front().request).text, node.source_name()));
  return TakeShapes(node, *kernel.graph, *info);
}

Status Operators::TakeShapes(Node& node, const Graph& kernel, const OperatorInfo& info) const {
  std::vector<TensorDesc> recorded;
  std::vector<Shape> given;
  for (const Node* input : kernel.InputNodes()) recorded.push_back(input->output(0));
  for (size_t i = 0; i < node.input_count(); ++i) {
    if (node.input(i)) given.push_back(node.input(i).desc().shape);
  }
  const Node& results = *kernel.net_output();
  if (results.input_count() != node.output_count()) {
    return Error(ErrorId::kE14001,
                 {{"opname", node.source_name()},
                  {"optype", node.type()},
                  {"reason", "its kernel gives " + std::to_string(results.input_count()) +
                                 " outputs; the node has " + std::to_string(node.output_count())}});
  }
  for (size_t i = 0; i < node.output_count(); ++i) {
    const TensorDesc desc = results.input(i).desc();
    TensorDesc& output = node.output(i);
    output.shape = ResultShape(recorded, given, desc.shape, desc.shape);
    output.dtype = SourceDtype(info, node, i, desc.dtype);
  }
  return Status::Ok();
}

Result<Operators::Job> Operators::JobFor(const OperatorInfo& info, Node& node,
                                         bool for_shapes) const {
  GE_ASSIGN(std::string request,
            OperatorRequest(info, node, modes_.Of(node.source_name(), node.type()), for_shapes));
  return Job{&node, &info, std::move(request), for_shapes};
}

void Operators::Collect(Graph& graph, std::vector<Job>& jobs, Status& faults) const {
  for (const auto& node : graph.nodes()) {
    for (const auto& inner : node->subgraphs()) Collect(*inner, jobs, faults);
    const OperatorInfo* info = stores_.Find(node->type());
    if (info == nullptr) continue;
    const OpImpl* impl = FindOpImpl(node->type());
    if ((impl != nullptr && impl->view) || !node->subgraphs().empty()) {
      faults.Add(Error(
          ErrorId::kE10055,
          {{"reason", "Operator [" + node->source_name() + "] of type " + node->type() + " is in " +
                          info->file + ", but takes no kernel: it moves no data."}}));
      continue;
    }
    Result<Job> job = JobFor(*info, *node, false);
    faults.Add(job.status());
    if (job.ok()) jobs.push_back(std::move(*job));
  }
}

Status Operators::Build(std::vector<Job>& jobs) {
  std::vector<const Job*> wanted;
  Json rows = Json::array();
  for (const Job& job : jobs) {
    const bool known = built_.contains(job.request) ||
                       std::any_of(wanted.begin(), wanted.end(),
                                   [&](const Job* other) { return other->request == job.request; });
    if (known) continue;
    wanted.push_back(&job);
    rows.push_back(Json::parse(job.request));
    rows.back()["node"] = job.node->source_name();
    rows.back()["kernel_meta"] = job.for_shapes ? std::string() : kernel_folder_;
  }
  if (wanted.empty()) return Status::Ok();
  std::string text;
  GE_TRY(CallReply(kBuild, JsonText({{"session", session_}, {"operators", rows}}), &text));
  const Json reply = Json::parse(text);
  Status faults;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const Json& kernel = reply["kernels"][i];
    for (const Json& note : kernel.value("notes", Json::array())) {
      Problem warning =
          MakeProblem(ErrorId::kW40024,
                      {{"function", TextOf(note, "function") + " of " + wanted[i]->info->type},
                       {"reason", TextOf(note, "reason")}});
      // An operator may be built twice: its shapes are asked of it as well.
      const bool known = std::find(warnings_.begin(), warnings_.end(), warning) != warnings_.end();
      if (!known) warnings_.push_back(std::move(warning));
    }
    if (kernel.empty()) continue;
    if (kernel.contains("fault")) {
      if (kernel["fault"]["declined"] && HasBuiltInKernel(wanted[i]->info->type)) {
        built_[wanted[i]->request] = {};
        continue;
      }
      faults.Add(FaultOf(*wanted[i]->node, *wanted[i]->info, kernel));
      continue;
    }
    built_[wanted[i]->request] = {TextOf(kernel, "symbol"), TextOf(kernel, "kernel")};
  }
  return faults;
}

Status Operators::BuildKernels(Graph& graph) {
  std::vector<Job> jobs;
  Status faults;
  Collect(graph, jobs, faults);
  GE_TRY(std::move(faults));
  if (!kernel_folder_.empty()) built_.clear();  // what was built for shapes was not kept
  GE_TRY(Build(jobs));
  for (const Job& job : jobs) {
    const Built& built = built_.at(job.request);
    if (built.symbol.empty()) {
      job.node->attrs().Remove(kKernelNameAttr);
      continue;
    }
    const Result<Kernel> kernel = ReadKernel(built.text, job.node->source_name());
    if (!kernel.ok()) {
      faults.Add(kernel.status());
      continue;
    }
    faults.Add(CheckKernel(*kernel->graph, *job.node));
    job.node->attrs().Set(kKernelNameAttr, built.symbol);
    kernels_[built.symbol] = built.text;
  }
  return faults;
}

std::vector<StoredKernel> Operators::TakeKernels() {
  std::vector<StoredKernel> kernels;
  for (auto& [name, text] : kernels_) kernels.push_back({name, std::move(text)});
  kernels_.clear();
  return kernels;
}

}  // namespace ge::hooks
