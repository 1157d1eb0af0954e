#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/model.h"
#include "backend/host/instance.h"
#include "backend/host/program.h"

namespace ge {

// See api/model.h.
class Model {
 public:
  static Result<std::shared_ptr<const Model>> Open(const std::string& path);

  const ModelFactsRead& facts() const { return facts_; }
  // As the file has them.
  const om::ReadGraphs& graphs() const;

  Status Run(std::span<const InputArray> inputs, const RunOptions& options,
             std::vector<OutputArray>* outputs) const;

 private:
  Model() = default;
  Result<std::vector<HostTensor>> Arrange(std::span<const InputArray> inputs) const;

  std::shared_ptr<const MappedFile> file_;
  om::ReadGraphs graphs_;  // those that run
  // Where nodes of the file hold activations, what they were read from, to read it again.
  std::string_view model_def_;
  std::span<const uint8_t> weight_bytes_;
  mutable std::once_flag read_again_;
  mutable om::ReadGraphs held_;
  host::Program program_;
  ModelFactsRead facts_;
  int cpus_ = 1;  // that the process may use, as it was when the model was opened
  // Instances that no run uses at the moment.
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<host::Instance>> idle_;
};

}  // namespace ge
