#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "aclop/op_graph.h"
#include "api/aclop.h"
#include "api/precision.h"
#include "backend/host/instance.h"
#include "ir/recorded_kernel.h"
#include "om/graph_reader.h"
#include "task/task_reader.h"

namespace ge {

// A compiled operator: a graph with its plan and tasks, as a model has them.  The program and its
// kernels are made by the first run.  Safe to run from several threads at once.
class CompiledOp : public std::enable_shared_from_this<CompiledOp> {
 public:
  // Runs the passes on the graph, plans it and makes its tasks.  `see_layout`, which may be null,
  // is called with what a model of the operator is written from.  `operators` may
  // be null.
  static Result<std::shared_ptr<const CompiledOp>> Compile(
      aclop::OpGraph op, const PrecisionRequest& precision,
      const std::function<void(const ModelLayout&)>& see_layout,
      hooks::Operators* operators = nullptr);
  // Of a model that has been read from `source`; `data_inputs` as in OpGraph.
  static std::shared_ptr<const CompiledOp> Load(om::ReadGraphs graphs, ReadTasks tasks,
                                                std::vector<size_t> data_inputs,
                                                std::shared_ptr<const void> source);
  ~CompiledOp();

  // Buffers are large enough, but for what SizeFits forgives.  `shapes`, if not null, gets those of
  // the results.
  AclStatus Run(const OpTask& task, std::vector<Shape>* shapes) const;

 private:
  struct Direct;
  struct DirectRun;

  CompiledOp();
  static std::shared_ptr<CompiledOp> Make(om::ReadGraphs graphs, ReadTasks tasks,
                                          std::vector<size_t> data_inputs,
                                          std::shared_ptr<const void> source);
  void TakeKernels(std::vector<StoredKernel> kernels);
  Status BuildProgram() const;
  // A way to run without copies, when the program is one kernel between inputs and outputs.
  std::unique_ptr<const Direct> FindDirect() const;
  bool FitsDirect(const OpTask& task) const;
  Status RunDirect(const OpTask& task) const;
  Status RunInstance(const OpTask& task, std::vector<Shape>* shapes) const;

  std::shared_ptr<const void> source_;  // what the tasks are views into
  mutable om::ReadGraphs graphs_;
  ReadTasks tasks_;
  std::vector<size_t> data_inputs_;
  std::vector<StoredKernel> kernels_;  // of an operator in Python

  mutable std::once_flag built_;
  mutable Status build_status_;
  mutable host::Program program_;
  mutable std::unique_ptr<const Direct> direct_;
  // Runs that are not in use.
  mutable std::array<std::atomic<DirectRun*>, 4> idle_runs_ = {};
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<host::Instance>> idle_instances_;
};

}  // namespace ge

namespace ge::aclop {

// The rule of the C API: 32 spare bytes, and sizes are rounded up to 32.
bool SizeFits(uint64_t given, uint64_t needed);

}  // namespace ge::aclop
