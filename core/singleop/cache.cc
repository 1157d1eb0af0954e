#include "singleop/cache.h"

#include "aclop/key_writer.h"

namespace ge::singleop {

using aclop::CacheMode;

ModelCache::ModelCache(const SingleOpsRequest& request)
    : request_(request),
      settings_(
          aclop::CacheSettingsOf(request.cache_mode, request.cache_folder, request.debug_level)) {}

Result<bool> ModelCache::Take(const SingleOp& op, const PrecisionRequest& precision,
                              const std::string& path) const {
  if (settings_.mode != CacheMode::kOn) return false;
  const auto found = cache_.Find(settings_.folder, KeyOf(op, precision));
  if (!found) return false;
  GE_ASSIGN(AtomicFile file, AtomicFile::Create(path));
  GE_TRY(file.Write(found->model));
  GE_TRY(file.Commit());
  return true;
}

void ModelCache::Keep(const SingleOp& op, const PrecisionRequest& precision,
                      const std::string& path, std::vector<Problem>* warnings) {
  if (settings_.mode == CacheMode::kOff) return;
  const auto copy = [&path](AtomicFile& file) -> Status {
    GE_ASSIGN(const std::shared_ptr<const MappedFile> model, MappedFile::Open(path));
    return file.CopyFrom(*model, 0, model->bytes().size());
  };
  const bool renews = settings_.mode == CacheMode::kRenew;
  const auto warning = cache_.Store(settings_.folder, KeyOf(op, precision), renews, copy);
  if (!warning) return;
  warnings->push_back(MakeProblem(
      ErrorId::kW10001, {{"parameter", "--op_compiler_cache_mode"}, {"reason", *warning}}));
}

// All that decides the bytes of the model.
std::string ModelCache::KeyOf(const SingleOp& op, const PrecisionRequest& precision) const {
  aclop::KeyWriter key = aclop::BeginKey();
  key(std::string_view("singleop"));
  key(request_.soc_version);
  key(request_.command_line);
  key(request_.recorded_options);
  key(request_.passes.named);
  key(op.node_name);
  key(op.file_name);
  key(op.definition);
  for (const auto* descs : {&op.definition.inputs, &op.definition.outputs}) {
    for (const OpTensorDesc& desc : *descs) key(desc.name);
  }
  key.Raw(precision.mode);
  key(precision.soc_family);
  key(precision.clip_weights);
  for (const MixEdit& edit : precision.mix_edits) {
    key(edit.type);
    key(edit.adds);
    key(edit.removes);
    key.Raw(edit.to);
    key.Raw(edit.from);
  }
  for (const CustomDtypes& custom : precision.custom) {
    key(custom.name);
    key(custom.is_type);
    key(custom.inputs);
    key(custom.outputs);
  }
  return std::move(key.bytes);
}

}  // namespace ge::singleop
