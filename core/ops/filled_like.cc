// ZerosLike, OnesLike: y has the shape and dtype of x, every element is 0 or 1.
//
// Source: prototypes ZerosLike and OnesLike in tables/ops.json.
#include "kernels/generate.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

constexpr OpImpl kZerosLike = {
    .type = "ZerosLike", .infer = SameAsInput, .run_host = kernels::ZerosLike};
constexpr OpImpl kOnesLike = {
    .type = "OnesLike", .infer = SameAsInput, .run_host = kernels::OnesLike};
GE_OP(kZerosLike);
GE_OP(kOnesLike);

}  // namespace
}  // namespace ge
