// Activation functions: y = f(x), element by element; y has the shape and dtype of x.
//
// Relu and Shrink take any number, the others floats.  Parameters are attributes.
// Source: prototypes of the same names in tables/ops.json.
#include "kernels/activation.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

constexpr OpImpl kActivations[] = {
    {.type = "CeluV2", .infer = SameAsInput, .run_host = kernels::CeluV2},
    {.type = "Elu", .infer = SameAsInput, .run_host = kernels::Elu},
    {.type = "Gelu", .infer = SameAsInput, .run_host = kernels::Gelu},
    {.type = "GeluV2", .infer = SameAsInput, .run_host = kernels::GeluV2},
    {.type = "HardSigmoid", .infer = SameAsInput, .run_host = kernels::HardSigmoid},
    {.type = "HardSwish", .infer = SameAsInput, .run_host = kernels::HardSwish},
    {.type = "LeakyRelu", .infer = SameAsInput, .run_host = kernels::LeakyRelu},
    {.type = "Mish", .infer = SameAsInput, .run_host = kernels::Mish},
    {.type = "Relu", .infer = SameAsInput, .run_host = kernels::Relu},
    {.type = "Selu", .infer = SameAsInput, .run_host = kernels::Selu},
    {.type = "Shrink", .infer = SameAsInput, .run_host = kernels::Shrink},
    {.type = "Sigmoid", .infer = SameAsInput, .run_host = kernels::Sigmoid},
    {.type = "Softplus", .infer = SameAsInput, .run_host = kernels::Softplus},
    {.type = "Softsign", .infer = SameAsInput, .run_host = kernels::Softsign},
    {.type = "Swish", .infer = SameAsInput, .run_host = kernels::Swish},
    {.type = "ThresholdedRelu", .infer = SameAsInput, .run_host = kernels::ThresholdedRelu},
};
GE_OP(kActivations);

}  // namespace
}  // namespace ge
