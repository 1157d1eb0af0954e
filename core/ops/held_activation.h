#pragma once

#include <string_view>

#include "ir/graph.h"

// A convolution or matrix product that also applies an activation function to its result holds it
// in attributes of its own:
//
//   pyatc_activation        the type of the operator that it does not need any more
//   pyatc_activation.NAME   an attribute of that operator, or an input that is one number
//
// No shape rule and no kernel knows them: the last pass writes them, and the host engine makes two
// operators of such a node again when it opens the file.
namespace ge {

inline constexpr std::string_view kHeldActivation = "pyatc_activation";

// Whether `product` may take over `activation`, which reads its result: floats of up to 32 bits,
// parameters that are known, and a kernel that may write where it reads.
bool MayHold(const Node& product, const Node& activation);
// Writes the attributes.
void Hold(Node& product, const Node& activation);

// Puts the activation behind `node`, which does not hold it any more; the new nodes stand last in
// the graph.  nullptr when the attributes are not such as Hold() writes.
Node* Release(Node& node);

}  // namespace ge
