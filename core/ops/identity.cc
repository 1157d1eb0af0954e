// Identity: y = x.  Dropout, which a model in inference passes through, is the same.
//
//   x any dtype, any shape    y as x
//
// Source: prototypes Identity and Dropout in tables/ops.json.
#include "ops/infer_rules.h"

namespace ge {
namespace {

constexpr OpImpl kIdentity = {.type = "Identity", .infer = SameAsInput, .view = true};
constexpr OpImpl kDropout = {.type = "Dropout", .infer = SameAsInput, .view = true};
GE_OP(kIdentity);
GE_OP(kDropout);

}  // namespace
}  // namespace ge
