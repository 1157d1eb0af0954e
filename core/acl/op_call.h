#pragma once

#include "acl/shell.h"
#include "acl/stream.h"
#include "api/aclop.h"

namespace ge::acl {

// The arguments that most functions have, as the core takes them.
inline OpCall CallOf(const char* op_type, int num_inputs, const aclTensorDesc* const input_descs[],
                     int num_outputs, const aclTensorDesc* const output_descs[],
                     const aclopAttr* attr) {
  OpCall call;
  call.op_type = op_type;
  call.num_inputs = num_inputs;
  call.input_descs = reinterpret_cast<const OpTensorDesc* const*>(input_descs);
  call.num_outputs = num_outputs;
  // Changed only by functions that get them without const.
  call.output_descs =
      reinterpret_cast<OpTensorDesc* const*>(const_cast<aclTensorDesc* const*>(output_descs));
  call.attrs = Unwrap(attr);
  return call;
}

inline void SetBuffers(OpCall& call, const aclDataBuffer* const inputs[],
                       const aclDataBuffer* const outputs[]) {
  call.inputs = reinterpret_cast<const OpBuffer* const*>(inputs);
  call.outputs = reinterpret_cast<const OpBuffer* const*>(outputs);
}

// A handle of the caller that is looked up when the work is started, so that faults of other
// arguments come first.
class LateStream : public OpStream {
 public:
  explicit LateStream(aclrtStream stream) : stream_(stream) {}
  AclStatus Launch(const OpTask& task) override;
  AclStatus Wait() override;

 private:
  aclrtStream stream_;
};

}  // namespace ge::acl
