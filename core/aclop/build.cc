// OpDefinition -> OpEntry: graph, inferred outputs, ranges, compiled operator.
#include "aclop/cache_key.h"
#include "aclop/cached_op.h"
#include "aclop/runtime.h"
#include "base/hook_paths.h"
#include "hooks/operators.h"

namespace ge::aclop {
namespace {

// Sizes that an operator compiled for all sizes takes.
TensorRange AnySizes(const OpTensorDesc& desc) {
  if (!desc.shape_range.empty()) return RangeOf(desc);
  TensorRange range;
  range.any_rank = !desc.dims.empty() && desc.dims[0] == kUnknownRankMark;
  if (!range.any_rank) range.dims.assign(desc.dims.size(), DimRange{0, -1});
  return range;
}

TensorRange RangeOfOutput(const OpTensorDesc& asked, const Shape& inferred, bool generalize) {
  if (!asked.shape_range.empty()) return RangeOf(asked);
  TensorRange range;
  range.any_rank = generalize || inferred.unknown_rank();
  if (range.any_rank) return range;
  for (const int64_t dim : inferred.dims()) range.dims.push_back({dim, dim});
  return range;
}

bool HasVariableSizes(const OpDefinition& definition, bool generalize) {
  for (const OpTensorDesc& desc : definition.inputs) {
    if (desc.is_absent() || desc.is_const()) continue;
    if (HasUnknownDims(desc) || (generalize && !desc.dims.empty())) return true;
  }
  return false;
}

// The entry of an operator whose outputs were inferred to be these.
std::shared_ptr<OpEntry> EntryOf(OpRuntime& runtime, OpDefinition definition, bool generalize,
                                 const std::vector<Shape>& inferred,
                                 std::shared_ptr<const CompiledOp> op) {
  auto entry = std::make_shared<OpEntry>();
  entry->op = std::move(op);
  entry->dynamic = HasVariableSizes(definition, generalize);
  // The data says how many there are.
  for (const Shape& shape : inferred) entry->dynamic |= !shape.is_static();
  if (entry->dynamic) {
    for (const OpTensorDesc& desc : definition.inputs) {
      entry->ranges.push_back(generalize && !desc.is_const() ? AnySizes(desc) : RangeOf(desc));
    }
    for (size_t i = 0; i < inferred.size(); ++i) {
      entry->ranges.push_back(RangeOfOutput(definition.outputs[i], inferred[i], generalize));
    }
  } else {
    // Outputs that were left open are also found by what they have turned out to be.
    auto known = std::make_shared<OpEntry>();
    known->definition = definition;
    bool differs = false;
    for (size_t i = 0; i < inferred.size(); ++i) {
      OpTensorDesc& output = known->definition.outputs[i];
      if (!HasUnknownDims(output) || !inferred[i].is_static()) continue;
      output.dims = SmallVector<int64_t, 4>(inferred[i].dims());
      output.shape_range.clear();
      differs = true;
    }
    known->op = entry->op;
    if (differs) runtime.table.Add(std::move(known));
  }
  entry->definition = std::move(definition);
  return entry;
}

}  // namespace

Result<std::shared_ptr<OpEntry>> BuildEntry(OpRuntime& runtime, OpDefinition definition,
                                            bool generalize) {
  CacheSettings cache = CacheSettingsOf(runtime.options);
  GE_ASSIGN(const std::unique_ptr<hooks::Operators> operators,
            hooks::Operators::Open(ReadHookPaths(), runtime.options.Operators(), runtime.SocName(),
                                   definition.type));
  if (operators != nullptr) cache.mode = CacheMode::kOff;  // its files may change
  const std::string soc = runtime.SocName();
  std::string key;
  bool renews = cache.mode == CacheMode::kRenew;
  if (cache.mode != CacheMode::kOff) {
    key = CacheKeyOf(definition, soc, runtime.options, generalize);
  }
  if (cache.mode == CacheMode::kOn) {
    if (std::optional<CachedBytes> bytes = runtime.cache.Find(cache.folder, key)) {
      if (std::optional<CachedOp> found = ReadCachedOp(std::move(*bytes), definition)) {
        return EntryOf(runtime, std::move(definition), generalize, found->inferred,
                       std::move(found->op));
      }
      renews = true;
    }
  }

  OpGraphOptions options;
  options.generalize = generalize;
  options.operators = operators.get();
  // Equal operators give equal files.
  options.node_name =
      cache.mode == CacheMode::kOff ? runtime.NextName(definition.type) : definition.type;
  GE_ASSIGN(OpGraph graph, BuildOpGraph(definition, options));
  GE_TRY(CheckOutputs(definition, options.node_name, graph.results));
  PrecisionRequest precision;
  GE_ASSIGN(precision.mode, runtime.options.Precision());
  precision.soc_family = runtime.soc_family();
  std::vector<Shape> inferred;
  for (const Value& result : graph.results) inferred.push_back(result.desc().shape);
  const auto keep = [&](const ModelLayout& layout) {
    if (cache.mode == CacheMode::kOff) return;
    std::optional<std::string> warning = runtime.cache.Store(
        cache.folder, key, renews,
        [&](AtomicFile& file) { return WriteCachedOp(file, layout, definition, soc, inferred); });
    if (warning) runtime.Warn(std::move(*warning));
  };
  GE_ASSIGN(std::shared_ptr<const CompiledOp> op,
            CompiledOp::Compile(std::move(graph), precision, keep, operators.get()));
  runtime.NoteBuild();
  return EntryOf(runtime, std::move(definition), generalize, inferred, std::move(op));
}

}  // namespace ge::aclop
