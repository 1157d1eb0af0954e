#pragma once

#include <unordered_set>

#include "ir/graph.h"

namespace ge {

// Nodes between integers and the numbers that these stand for, (q - zero) * scale: 16-bit floats
// hold neither the sums of products of quantised networks nor products of scales.  From behind the
// Cast to the scaled number, and to the operator that rounds this again, they are to stay in
// float32.
std::unordered_set<const Node*> FindDequantizations(const Graph& graph);

}  // namespace ge
