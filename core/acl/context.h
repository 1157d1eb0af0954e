#pragma once

#include <memory>

#include "acl/stream.h"

namespace ge::acl {

// All streams there are, those of contexts among them.
std::shared_ptr<Stream> MakeStream();
void ForgetStream(const Stream* stream);
// The first failure of any stream.
AclStatus WaitForAllStreams();

// Whether the calling thread has a current context.
bool HasContext();

}  // namespace ge::acl
