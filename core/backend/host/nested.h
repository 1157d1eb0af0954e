#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "backend/host/instance.h"
#include "backend/host/program.h"

namespace ge::host {

// A kernel that an operator in Python recorded: a program of its own, with memory of its own.
// Safe to run from several threads at once.
class Nested {
 public:
  // Of the node that the kernel computes.  E10041 when the kernel is damaged or for other tensors.
  static Result<std::unique_ptr<const Nested>> Make(std::string_view kernel, const Node& node);
  ~Nested();

  // Results are valid as long as this is.
  class Results {
   public:
    Results(const Nested& owner, std::unique_ptr<Instance> instance, std::vector<Shape> shapes)
        : owner_(&owner), instance_(std::move(instance)), shapes_(std::move(shapes)) {}
    Results(Results&&) = default;
    ~Results();
    HostTensor output(size_t i) const;

   private:
    const Nested* owner_;
    std::unique_ptr<Instance> instance_;
    std::vector<Shape> shapes_;
  };
  // The inputs that are there, in order.
  Result<Results> Run(std::span<const HostTensor> inputs, const RunControl& control) const;

 private:
  struct Parts;
  Nested();

  std::unique_ptr<Parts> parts_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Instance>> idle_;
};

}  // namespace ge::host
