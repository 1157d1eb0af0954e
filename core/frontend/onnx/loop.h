#pragma once

#include <vector>

#include "frontend/onnx/onnx_op.h"

// What Loop and Scan share.
namespace ge::onnx {

// Scan input or output: the axis it is cut along, and whether it runs from the end.
struct ScanPort {
  int64_t axis = 0;
  bool backward = false;
};

struct LoopSource {
  const Graph* body = nullptr;
  bool is_scan = false;        // the body has no iteration and condition inputs
  std::vector<Value> states;   // first values of the states of the source
  std::vector<Value> scanned;  // Scan: the inputs that are cut into slices
  std::vector<ScanPort> scanned_ports;
  std::vector<ScanPort> collected;  // scan outputs
  Value trips;                      // int64 []; null: no limit
  Value condition;                  // bool []
};

// Adds the While and returns the final states of the source and the scan outputs, as many as the
// node has; none when a fault was reported.
Result<std::vector<Value>> EmitWhile(OnnxOp& op, LoopSource source);

// The outputs of the node from those of EmitWhile().
Status SetLoopOutputs(OnnxOp& op, const std::vector<Value>& outputs);

}  // namespace ge::onnx
