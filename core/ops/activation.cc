// Activation functions: y = f(x), element by element; y has the shape and dtype of x, but
// HardSigmoid of integers is of float32.
//
// Relu, Shrink, Selu and HardSigmoid take any number, the others floats.  Parameters are
// attributes.
// Source: prototypes of the same names in tables/ops.json.
#include "kernels/activation.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

constexpr OpImpl kActivations[] = {
    PointwiseOp("CeluV2", SameAsInput, kernels::CeluV2),
    PointwiseOp("Elu", SameAsInput, kernels::Elu),
    PointwiseOp("Gelu", SameAsInput, kernels::Gelu),
    PointwiseOp("GeluV2", SameAsInput, kernels::GeluV2),
    PointwiseOp("HardSigmoid", FloatOfInput, kernels::HardSigmoid),
    PointwiseOp("HardSwish", SameAsInput, kernels::HardSwish),
    PointwiseOp("LeakyRelu", SameAsInput, kernels::LeakyRelu),
    PointwiseOp("Mish", SameAsInput, kernels::Mish),
    PointwiseOp("Relu", SameAsInput, kernels::Relu),
    PointwiseOp("Selu", SameAsInput, kernels::Selu),
    PointwiseOp("Shrink", SameAsInput, kernels::Shrink),
    PointwiseOp("Sigmoid", SameAsInput, kernels::Sigmoid),
    PointwiseOp("Softplus", SameAsInput, kernels::Softplus),
    PointwiseOp("Softsign", SameAsInput, kernels::Softsign),
    PointwiseOp("Swish", SameAsInput, kernels::Swish),
    PointwiseOp("ThresholdedRelu", SameAsInput, kernels::ThresholdedRelu),
};
GE_OP(kActivations);

}  // namespace
}  // namespace ge
