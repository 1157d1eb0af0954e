#include "acl/op_call.h"

namespace ge::acl {

AclStatus LateStream::Launch(const OpTask& task) {
  Stream* stream = nullptr;
  AclStatus status = FindStream(stream_, &stream);
  return status.ok() ? stream->Launch(task) : status;
}

AclStatus LateStream::Wait() {
  Stream* stream = nullptr;
  AclStatus status = FindStream(stream_, &stream);
  return status.ok() ? stream->Wait() : status;
}

}  // namespace ge::acl
