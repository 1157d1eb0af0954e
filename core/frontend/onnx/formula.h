#pragma once

#include <string_view>
#include <vector>

#include "frontend/onnx/onnx_op.h"

namespace ge::onnx {

// Several GE nodes that stand for one ONNX node, written as expressions.  Each call adds a node
// beside the ONNX node; constants fold as they are added.  After a fault every further call gives
// a null value, so that only status() has to be looked at, before a result is used.
class Formula {
 public:
  explicit Formula(OnnxOp& op) : op_(op) {}

  const Status& status() const { return status_; }
  OnnxOp& op() { return op_; }

  // Output 0, or all outputs, of a new node.
  Value operator()(std::string_view type, std::vector<Value> inputs, AttrList attrs = {});
  std::vector<Value> Outputs(std::string_view type, std::vector<Value> inputs, AttrList attrs,
                             size_t count);

  Value Scalar(double value, DataType dtype);
  Value Ints(const std::vector<int64_t>& list);  // int64 [n]

  // x itself when it has the dtype.
  Value Cast(Value x, DataType dtype);
  // Dims may be 0 (that of x) and -1 (what is left).
  Value Reshape(Value x, const std::vector<int64_t>& dims);
  Value Reshape(Value x, Value dims);
  // `dims` has one element in each, and 0 is no elements; one of them may be unknown without harm
  // to the others.
  Value ReshapeTo(Value x, std::vector<Value> dims);
  Value Permute(Value x, const std::vector<int64_t>& perm);
  Value Unsqueeze(Value x, const std::vector<int64_t>& axes);
  Value Squeeze(Value x, const std::vector<int64_t>& axes);
  Value Concat(std::vector<Value> parts, int64_t axis);
  // x[begin : end : step] along one axis.
  Value Slice(Value x, int64_t axis, int64_t begin, int64_t end, int64_t step = 1);
  Value Slice(Value x, int64_t axis, Value begin, Value end);
  Value Gather(Value x, Value indices, int64_t axis);
  Value Expand(Value x, Value dims);
  // Pads one axis of x, of known rank, at its end; `count` has one element.
  Value PadEnd(Value x, int64_t axis, Value count, Value fill);
  Value Select(Value condition, Value yes, Value no) {
    return (*this)("SelectV2", {condition, yes, no});
  }
  // Over the last axis, or over all axes, with the axes kept or gone.
  Value ReduceLast(std::string_view type, Value x, bool keep_dims);
  Value ReduceAll(std::string_view type, Value x);
  // 0, 1, ... count - 1 as int64; `count` has one element.
  Value Iota(Value count);

  // Size of one axis as int64 [1], a constant where it is known.
  Value Dim(Value x, int64_t axis);
  // All dims of x as int64 [rank].
  Value Dims(Value x);

 private:
  OnnxOp& op_;
  Status status_;
};

}  // namespace ge::onnx
