#include "om/writer.h"

#include <algorithm>
#include <cstring>
#include <protozero/pbf_writer.hpp>
#include <span>
#include <vector>

#include "kernels/narrow.h"
#include "om/attr_writer.h"
#include "om/ge_ir_fields.h"
#include "om/inout_info.h"
#include "om/inout_writer.h"
#include "om/kernel_store.h"
#include "om/layout.h"
#include "om/model_info.h"
#include "om/reader.h"

namespace ge::om {
namespace {

// Constants of a file are copied from file to file inside the kernel from this size on, in pieces
// small enough to notice an interrupt; others are gathered.
constexpr uint64_t kCopyFrom = 256 * 1024;
constexpr uint64_t kCopyPiece = 16 * 1024 * 1024;
constexpr size_t kGatherBytes = 1024 * 1024;
constexpr uint64_t kConvertPiece = 1024 * 1024;  // elements
constexpr uint64_t kMapAlign = 64;

using PartitionSize = std::pair<PartitionType, uint64_t>;

std::span<const uint8_t> BytesOf(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

class WeightStream {
 public:
  WeightStream(AtomicFile& file, bool clip, const std::atomic<bool>* cancelled, Progress& progress)
      : file_(file), clip_(clip), cancelled_(cancelled), progress_(progress) {}

  // Zeros up to `offset` of the weights.
  Status PadTo(uint64_t offset) {
    while (written_ < offset) {
      const uint64_t piece = std::min<uint64_t>(offset - written_, kGatherBytes);
      gathered_.insert(gathered_.end(), piece, 0);
      written_ += piece;
      GE_TRY(FlushIfFull());
    }
    return Status::Ok();
  }

  // Converts what `constant` has to its dtype.
  Status AddConverted(const Node& constant) {
    const DataType from = constant.value_dtype(), to = constant.output(0).dtype;
    const uint64_t from_bytes = static_cast<uint64_t>(RowOf(from).bits / 8);
    const uint64_t to_bytes = static_cast<uint64_t>(RowOf(to).bits / 8);
    const Buffer& value = constant.value();
    NarrowedConst narrowed = {constant.source_name(), to, value.size() / from_bytes, 0, 0};
    std::vector<uint8_t> computed;  // a piece of those that are not in memory
    for (uint64_t done = 0; done < narrowed.elements;) {
      const uint64_t piece = std::min(narrowed.elements - done, kConvertPiece);
      const size_t at = gathered_.size();
      gathered_.resize(at + piece * to_bytes);
      const uint8_t* bytes = nullptr;
      if (value.is_computed()) {
        computed.resize(piece * from_bytes);
        value.Read(done * from_bytes, computed);
        bytes = computed.data();
      } else {
        bytes = value.bytes().data() + done * from_bytes;
      }
      const kernels::NarrowLoss loss = kernels::ConvertFloats(
          from, bytes, to, gathered_.data() + at, static_cast<int64_t>(piece), clip_);
      narrowed.beyond += loss.beyond;
      narrowed.vanished += loss.vanished;
      done += piece;
      written_ += piece * to_bytes;
      GE_TRY(FlushIfFull());
    }
    if (narrowed.beyond + narrowed.vanished != 0) losses_.push_back(std::move(narrowed));
    return Status::Ok();
  }

  Status Add(const Buffer& buffer) {
    if (buffer.file() != nullptr && buffer.size() >= kCopyFrom) {
      GE_TRY(Flush());
      for (uint64_t done = 0; done < buffer.size();) {
        GE_TRY(Poll());
        const uint64_t piece = std::min<uint64_t>(buffer.size() - done, kCopyPiece);
        GE_TRY(file_.CopyFrom(*buffer.file(), buffer.file_offset() + done, piece));
        progress_.SetDone(file_.size());
        done += piece;
      }
    } else {
      for (uint64_t done = 0; done < buffer.size();) {
        const uint64_t piece = std::min<uint64_t>(buffer.size() - done, kGatherBytes);
        const size_t before = gathered_.size();
        gathered_.resize(before + piece);
        buffer.Read(done, std::span(gathered_).subspan(before));
        done += piece;
        GE_TRY(FlushIfFull());
      }
    }
    written_ += buffer.size();
    return Status::Ok();
  }

  std::vector<NarrowedConst> TakeLosses() { return std::move(losses_); }

  Status Flush() {
    GE_TRY(file_.Write(gathered_));
    progress_.SetDone(file_.size());
    gathered_.clear();
    return Status::Ok();
  }

 private:
  Status Poll() const {
    if (cancelled_ == nullptr || !*cancelled_) return Status::Ok();
    return Status(Problem{ErrorId::kInterrupted, "", "", ""});
  }
  Status FlushIfFull() {
    if (gathered_.size() < kGatherBytes) return Status::Ok();
    GE_TRY(Poll());
    return Flush();
  }

  AtomicFile& file_;
  const bool clip_;
  const std::atomic<bool>* cancelled_;
  Progress& progress_;
  std::vector<uint8_t> gathered_;
  uint64_t written_ = 0;
  std::vector<NarrowedConst> losses_;
};

FileHeader MakeHeader(const ModelFacts& facts, const ModelLayout& model, uint64_t payload) {
  FileHeader header;
  header.om_ir_version = kOmIrVersion;
  header.model_num = 1;
  header.platform_type = 1;
  header.model_length = payload;
  header.is_unknow_model = model.memory->has_unknown_sizes ? 1 : 0;
  std::memcpy(header.name, facts.name.data(), std::min(facts.name.size(), sizeof(header.name) - 1));
  std::memcpy(header.platform_version, kPlatformVersion, std::strlen(kPlatformVersion));
  return header;
}

// Lengthens the definition by an attribute of blanks so that `offset`, behind it, is a multiple of
// kMapAlign: kernels read constants where they lie in the mapped file.
void PadModelDef(std::string& model_def, uint64_t offset) {
  for (size_t blanks = 0;; ++blanks) {
    std::string padding;
    protozero::pbf_writer writer(padding);
    WriteAttr(writer, field::kModelAttr, "pyatc_padding", std::string(blanks, ' '));
    if ((offset + padding.size()) % kMapAlign != 0) continue;
    model_def += padding;
    return;
  }
}

// Reads the finished file as a reader would: header, table, model definition and inputs must be
// what was meant to be written.  Weight bytes are not read again.
Status CheckWritten(const AtomicFile& file, std::span<const PartitionSize> partitions) {
  GE_ASSIGN(const std::shared_ptr<const MappedFile> mapped,
            MappedFile::Map(file.descriptor(), file.path()));
  GE_ASSIGN(const OmFile om, ReadOm(mapped->bytes(), file.path(), "--output"));
  const std::vector<Partition>& found = om.blocks.front().partitions;
  bool same = om.blocks.size() == 1 && found.size() == partitions.size();
  for (size_t i = 0; same && i < found.size(); ++i) {
    same = found[i].type == partitions[i].first && found[i].bytes.size() == partitions[i].second;
  }
  if (same && FindInoutInfo(om)) {
    GE_ASSIGN(const std::string facts, DescribeModel(om, file.path(), "--output"));
    if (!facts.empty()) return Status::Ok();
  }
  return Error(ErrorId::kE13004,
               {{"file", file.path()}, {"errmsg", "the file that was written does not read back"}});
}

}  // namespace

Result<WrittenModel> WriteModel(const std::string& path, const ModelLayout& model,
                                const ModelFacts& facts, const std::atomic<bool>* cancelled,
                                Progress& progress) {
  GE_ASSIGN(AtomicFile file, AtomicFile::Create(path));
  GE_ASSIGN(WrittenModel written, WriteModelTo(file, model, facts, cancelled, progress));
  GE_TRY(file.Commit());
  return written;
}

Result<WrittenModel> WriteModelTo(AtomicFile& file, const ModelLayout& model,
                                  const ModelFacts& facts, const std::atomic<bool>* cancelled,
                                  Progress& progress) {
  TaskList tasks = BuildTasks(model);
  const Graph& root = *model.graphs.front().graph;
  const std::string inout = BuildInoutInfo(root, OutputNames(root));
  std::string model_def = BuildModelDef(model, tasks, facts);
  const std::string kernels = BuildKernelStore(facts.kernels);
  const size_t table_entries = kernels.empty() ? 4 : 5;
  PadModelDef(model_def, sizeof(FileHeader) + sizeof(WideTableHeader) +
                             table_entries * sizeof(WideEntry) + inout.size() + model_def.size());

  std::vector<PartitionSize> partitions = {
      {PartitionType::kModelInoutInfo, inout.size()},
      {PartitionType::kModelDef, model_def.size()},
      {PartitionType::kWeightsData, model.weights.bytes},
  };
  if (!kernels.empty()) partitions.emplace_back(PartitionType::kTbeKernels, kernels.size());
  partitions.emplace_back(PartitionType::kTaskInfo, tasks.bytes.size());
  std::string head(sizeof(FileHeader), '\0');
  const WideTableHeader table{static_cast<uint32_t>(partitions.size()), 0};
  head.append(reinterpret_cast<const char*>(&table), sizeof(table));
  uint64_t offset = 0;
  for (const auto& [type, size] : partitions) {
    const WideEntry entry{static_cast<uint32_t>(type), 0, offset, size};
    head.append(reinterpret_cast<const char*>(&entry), sizeof(entry));
    offset += size;
  }
  const FileHeader header = MakeHeader(facts, model, head.size() - sizeof(FileHeader) + offset);
  std::memcpy(head.data(), &header, sizeof(header));
  progress.SetTotal(head.size() + offset);

  GE_TRY(file.Write(BytesOf(head)));
  GE_TRY(file.Write(BytesOf(inout)));
  GE_TRY(file.Write(BytesOf(model_def)));
  progress.SetDone(file.size());
  WeightStream weights(file, facts.clip_weights, cancelled, progress);
  for (const WeightLayout::Place& place : model.weights.places) {
    GE_TRY(weights.PadTo(place.offset));
    const Node& constant = *place.constant;
    const bool converts = constant.value_dtype() != constant.output(0).dtype;
    GE_TRY(converts ? weights.AddConverted(constant) : weights.Add(constant.value()));
  }
  GE_TRY(weights.PadTo(model.weights.bytes));
  GE_TRY(weights.Flush());
  GE_TRY(file.Write(BytesOf(kernels)));
  GE_TRY(file.Write(BytesOf(tasks.bytes)));
  GE_TRY(CheckWritten(file, partitions));
  progress.SetDone(file.size());
  const std::string& path = file.path();
  return WrittenModel{path.substr(path.rfind('/') + 1), file.size(), std::move(model_def),
                      std::move(tasks.bytes), weights.TakeLosses()};
}

}  // namespace ge::om
