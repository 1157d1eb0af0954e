// Single-operator models: written, loaded from memory, and loaded from a folder.
#include <dirent.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "aclop/model_attrs.h"
#include "aclop/op_model.h"
#include "aclop/runtime.h"
#include "aclop/status.h"
#include "aclop/write_model.h"
#include "om/layout.h"

namespace ge::api {

using namespace aclop;  // NOLINT: this file implements the functions of that stage

namespace {

constexpr std::string_view kMemory = "memory";
constexpr int kFolderDepth = 3;  // the folder itself and two levels in it

AclStatus FailErrno(int32_t code, const std::string& path) {
  return Fail(code, "EH0003: path [" + path + "] cannot be used: " + std::strerror(errno) + ".");
}

// Bytes as a file that has no name.
Result<std::shared_ptr<const MappedFile>> MapCopy(const void* data, size_t bytes) {
  const int descriptor = memfd_create("operator", MFD_CLOEXEC);
  const auto fail = [&] {
    Status status = Error(ErrorId::kE13000, {{"path", kMemory}, {"errmsg", std::strerror(errno)}});
    if (descriptor >= 0) ::close(descriptor);
    return status;
  };
  if (descriptor < 0) return fail();
  for (size_t done = 0; done < bytes;) {
    const ssize_t written =
        ::write(descriptor, static_cast<const char*>(data) + done, bytes - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return fail();
    done += static_cast<size_t>(written);
  }
  auto file = MappedFile::Map(descriptor, std::string(kMemory));
  ::close(descriptor);
  return file;
}

AclStatus Load(OpRuntime& runtime, const std::shared_ptr<const MappedFile>& file) {
  Result<OpModel> model = ReadOpModel(file->bytes(), file->path(), file);
  if (!model.ok()) return Fail(ACL_ERROR_DESERIALIZE_MODEL, model.status());
  std::optional<OpDefinition> definition = FromModelAttrs(model->graphs.attrs);
  if (!definition) {
    return Fail(ACL_ERROR_MODEL_MISSING_ATTR,
                "The model [" + file->path() +
                    "] is not one of a single operator: it does not say which it was made of.");
  }
  std::vector<size_t> data_inputs = DataInputsOf(*definition);
  if (!Agree(*definition, data_inputs, *model->graphs.root)) {
    return Fail(ACL_ERROR_DESERIALIZE_MODEL,
                "The model [" + file->path() + "] has other inputs or outputs than it states.");
  }
  auto entry = std::make_shared<OpEntry>();
  entry->ages = false;
  entry->dynamic = std::any_of(definition->inputs.begin(), definition->inputs.end(),
                               [](const OpTensorDesc& desc) { return HasUnknownDims(desc); });
  for (const OpTensorDesc& desc : definition->inputs) entry->ranges.push_back(RangeOf(desc));
  for (const OpTensorDesc& desc : definition->outputs) entry->ranges.push_back(RangeOf(desc));
  entry->definition = std::move(*definition);
  entry->op = CompiledOp::Load(std::move(model->graphs), std::move(model->tasks),
                               std::move(data_inputs), file);
  runtime.table.Add(std::move(entry));
  return {};
}

AclStatus LoadFolder(OpRuntime& runtime, const std::string& folder, int depth) {
  DIR* const handle = ::opendir(folder.c_str());
  if (handle == nullptr) return FailErrno(ACL_ERROR_READ_MODEL_FAILURE, folder);
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(handle)) names.emplace_back(entry->d_name);
  ::closedir(handle);
  std::sort(names.begin(), names.end());  // the first of two equal operators stays
  for (const std::string& name : names) {
    if (name == "." || name == "..") continue;
    const std::string path = folder + "/" + name;
    struct stat info;
    if (::stat(path.c_str(), &info) != 0) continue;
    if (S_ISDIR(info.st_mode)) {
      if (depth > 1) ACL_TRY(LoadFolder(runtime, path, depth - 1));
      continue;
    }
    if (!name.ends_with(".om")) continue;
    Result<std::shared_ptr<const MappedFile>> file = MappedFile::Open(path);
    if (!file.ok()) return Fail(ACL_ERROR_READ_MODEL_FAILURE, file.status());
    // Models of other kinds may lie there too.
    static_cast<void>(Load(runtime, *file));
  }
  return {};
}

}  // namespace

AclStatus WriteOpModel(OpRuntime& runtime, const OpCall& call, const std::string& path) {
  ACL_TRY(CheckCounts(call));
  if (call.op_type == nullptr) return FailNull("opType");
  ACL_TRY(CheckDescs(call));
  ACL_TRY(runtime.Start());
  ACL_TRY(CheckRanges(call));
  const auto write = [&]() -> Status {
    const OpDefinition definition = CopyOf(RequestOf(call));
    GE_ASSIGN(const OpGraph op, BuildOpGraph(definition, {.node_name = definition.type}));
    GE_TRY(CheckOutputs(definition, definition.type, op.results));
    OpModelOptions options;
    options.facts.name = definition.type;
    options.facts.soc_version = runtime.SocName();
    GE_ASSIGN(options.precision.mode, runtime.options.Precision());
    options.precision.soc_family = runtime.soc_family();
    return WriteModelOf(definition, *op.graph, std::move(options), path);
  };
  const Status status = write();
  return status.ok() ? AclStatus() : Fail(ACL_ERROR_GE_FAILURE, status);
}

AclStatus LoadOpModel(OpRuntime& runtime, const void* model, size_t bytes) {
  if (model == nullptr) return FailNull("model");
  if (bytes == 0) return FailValue("modelSize", "0", "it must be greater than 0");
  ACL_TRY(runtime.CheckProduct());
  om::FileHeader header;
  if (bytes > sizeof(header)) std::memcpy(&header, model, sizeof(header));
  const uint64_t behind = header.model_length != 0 ? header.model_length : header.length;
  if (bytes <= sizeof(header) || behind != bytes - sizeof(header)) {
    return Fail(ACL_ERROR_PARSE_MODEL,
                "The model has " + std::to_string(bytes) +
                    " bytes, which its header does not say. Give all bytes of the file, once.");
  }
  Result<std::shared_ptr<const MappedFile>> file = MapCopy(model, bytes);
  if (!file.ok()) return Fail(ACL_ERROR_BAD_ALLOC, file.status());
  return Load(runtime, *file);
}

AclStatus LoadOpModelDir(OpRuntime& runtime, const char* folder) {
  if (folder == nullptr) return FailNull("modelDir");
  ACL_TRY(runtime.CheckProduct());
  char* const resolved = ::realpath(folder, nullptr);
  if (resolved == nullptr) return FailErrno(ACL_ERROR_READ_MODEL_FAILURE, folder);
  const std::string path = resolved;
  std::free(resolved);
  const std::lock_guard lock(runtime.model_dir_mutex);
  if (runtime.model_dir_loaded) {
    return Fail(ACL_ERROR_REPEAT_INITIALIZE,
                "A folder of models has been loaded before. Call aclopSetModelDir once, and "
                "aclopLoad for more models.");
  }
  ACL_TRY(LoadFolder(runtime, path, kFolderDepth));
  runtime.model_dir_loaded = true;
  return {};
}

}  // namespace ge::api
