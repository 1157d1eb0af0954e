#include "aclop/cached_op.h"

#include "aclop/op_model.h"
#include "om/writer.h"

namespace ge::aclop {
namespace {

// What was inferred for the outputs: per output its dims, behind how many there are.
constexpr std::string_view kResults = "pyatc_op_results";

std::optional<std::vector<Shape>> ReadResults(const AttrMap& attrs) {
  const auto* rows = attrs.Get<std::vector<std::vector<int64_t>>>(kResults);
  if (rows == nullptr) return std::nullopt;
  std::vector<Shape> results;
  for (const std::vector<int64_t>& row : *rows) {
    if (row.empty() || row[0] != static_cast<int64_t>(row.size()) - 1) return std::nullopt;
    results.emplace_back(std::span<const int64_t>(row).subspan(1));
  }
  return results;
}

}  // namespace

std::optional<CachedOp> ReadCachedOp(CachedBytes bytes, const OpDefinition& definition) {
  // Owns the memory, and points to no file.
  const std::shared_ptr<const MappedFile> owner(bytes.memory, nullptr);
  Result<OpModel> model = ReadOpModel(bytes.model, "cache", owner);
  if (!model.ok()) return std::nullopt;
  std::vector<size_t> data_inputs = DataInputsOf(definition);
  std::optional<std::vector<Shape>> results = ReadResults(model->graphs.attrs);
  if (!results || results->size() != definition.outputs.size() ||
      !Agree(definition, data_inputs, *model->graphs.root)) {
    return std::nullopt;
  }
  return CachedOp{CompiledOp::Load(std::move(model->graphs), std::move(model->tasks),
                                   std::move(data_inputs), std::move(bytes.memory)),
                  std::move(*results)};
}

Status WriteCachedOp(AtomicFile& file, const ModelLayout& layout, const OpDefinition& definition,
                     std::string_view soc, const std::vector<Shape>& inferred) {
  std::vector<std::vector<int64_t>> rows;
  for (const Shape& shape : inferred) {
    std::vector<int64_t>& row = rows.emplace_back(1, static_cast<int64_t>(shape.dims().size()));
    row.insert(row.end(), shape.dims().begin(), shape.dims().end());
  }
  om::ModelFacts facts;
  facts.name = definition.type;
  facts.soc_version = soc;
  facts.attrs.Set(kResults, std::move(rows));
  Progress progress;
  return om::WriteModelTo(file, layout, facts, nullptr, progress).status();
}

}  // namespace ge::aclop
