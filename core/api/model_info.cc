#include "api/model_info.h"

#include <sys/stat.h>

#include <memory>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <span>

#include "base/atomic_file.h"
#include "base/file.h"
#include "om/model_info.h"
#include "om/model_json.h"
#include "om/reader.h"
#include "wire/json_writer.h"
#include "wire/message_to_json.h"

namespace ge::api {
namespace {

constexpr std::string_view kModelFlag = "--om";  // names the model of both conversions
constexpr std::string_view kJsonFlag = "--json";

std::string_view TextOf(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Status PathError(std::string_view flag, const std::string& path, std::string_view reason) {
  return Error(ErrorId::kE10001, {{"value", path}, {"parameter", flag}, {"reason", reason}});
}

Status LoadError(const std::string& path, std::string_view reason) {
  return Error(ErrorId::kE10041, {{"value", path}, {"parameter", kModelFlag}, {"reason", reason}});
}

Result<std::shared_ptr<const MappedFile>> OpenModel(const std::string& path) {
  auto file = MappedFile::Open(path);
  if (file.ok()) return file;
  std::string reason = file.status().problems().front().message;
  if (reason.ends_with('.')) reason.pop_back();
  return PathError(kModelFlag, path, reason);
}

bool IsSameFile(const MappedFile& file, const std::string& path) {
  struct stat a, b;
  return ::fstat(file.descriptor(), &a) == 0 && ::stat(path.c_str(), &b) == 0 &&
         a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

using Cancelled = const std::atomic<bool>*;

// Prints into a file that appears at `path` when all of it is there.  `print` returns why the
// model cannot be printed.
template <typename Print>
Status WriteJson(const MappedFile& model, const std::string& path, Cancelled cancelled,
                 Print print) {
  if (IsSameFile(model, path)) {
    return PathError(kJsonFlag, path, "it is the model of [--om] itself");
  }
  GE_ASSIGN(AtomicFile file, AtomicFile::Create(path));
  wire::JsonWriter json([&](std::span<const uint8_t> bytes) {
    const bool stop = cancelled != nullptr && cancelled->load(std::memory_order_relaxed);
    return stop ? Error(ErrorId::kInterrupted, {}) : file.Write(bytes);
  });
  if (const std::optional<std::string> fault = print(json)) {
    return LoadError(model.path(), "its content is damaged (" + *fault + ")");
  }
  GE_TRY(json.Finish());
  return file.Commit();
}

// The graph in the serialized onnx.ModelProto; a damaged one throws protozero::exception.
std::optional<std::string_view> GraphOf(std::string_view model) {
  constexpr uint32_t kGraph = 7;
  std::optional<std::string_view> graph;
  for (protozero::pbf_reader reader(model.data(), model.size()); reader.next();) {
    if (reader.tag() == kGraph &&
        reader.wire_type() == protozero::pbf_wire_type::length_delimited) {
      const protozero::data_view view = reader.get_view();
      graph = {view.data(), view.size()};
    } else {
      reader.skip();
    }
  }
  return graph;
}

// What no check foresaw, memory that is not there above all, ends as a failed stage.
template <typename Stage>
auto Guarded(std::string_view name, Stage stage) -> decltype(stage()) {
  try {
    return stage();
  } catch (const std::exception& error) {
    return Error(ErrorId::kE10059, {{"stage", name}, {"reason", error.what()}});
  }
}

Status OmToJson(const std::string& om_path, const std::string& json_path, Cancelled cancelled) {
  GE_ASSIGN(const auto file, OpenModel(om_path));
  GE_ASSIGN(const om::OmFile model, om::ReadOm(file->bytes(), om_path, kModelFlag));
  GE_ASSIGN(const std::string_view model_def, om::FirstModelDef(model, om_path, kModelFlag));
  return WriteJson(*file, json_path, cancelled,
                   [&](wire::JsonWriter& json) { return om::PrintModelDef(model_def, json); });
}

Status OnnxToJson(const std::string& model_path, const std::string& json_path,
                  Cancelled cancelled) {
  GE_ASSIGN(const auto file, OpenModel(model_path));
  std::optional<std::string_view> graph;
  try {
    graph = GraphOf(TextOf(file->bytes()));
  } catch (const protozero::exception& error) {
    return LoadError(model_path, std::string("it is not an ONNX model (") + error.what() + ")");
  }
  if (!graph) return LoadError(model_path, "it is not an ONNX model (it has no graph)");
  return WriteJson(*file, json_path, cancelled, [&](wire::JsonWriter& json) {
    return wire::MessageToJson(wire::FindMessage("onnx.GraphProto"), *graph, {}, json);
  });
}

Result<std::string> InfoText(const std::string& om_path) {
  GE_ASSIGN(const auto file, OpenModel(om_path));
  GE_ASSIGN(const om::OmFile model, om::ReadOm(file->bytes(), om_path, kModelFlag));
  return om::DescribeModel(model, om_path, kModelFlag);
}

}  // namespace

Status ConvertOmToJson(const std::string& om_path, const std::string& json_path,
                       Cancelled cancelled) {
  return Guarded("Writing the model as JSON",
                 [&] { return OmToJson(om_path, json_path, cancelled); });
}

Status ConvertOnnxToJson(const std::string& model_path, const std::string& json_path,
                         Cancelled cancelled) {
  return Guarded("Writing the model as JSON",
                 [&] { return OnnxToJson(model_path, json_path, cancelled); });
}

Result<std::string> ModelInfoText(const std::string& om_path) {
  return Guarded("Reading the model", [&] { return InfoText(om_path); });
}

}  // namespace ge::api
