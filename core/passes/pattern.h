#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/graph.h"
#include "passes/rewrite.h"

// What passes that recognise the parts of a formula share.
namespace ge {

// The node of this type that gives `value` as its output 0; nullptr when it is another.
Node* MadeBy(Value value, std::string_view type);
// The only reader of output 0 of `node`, when it has this type; else nullptr.
Node* OnlyReaderOfType(Node& node, std::string_view type);

// The number that a constant of one element holds.
std::optional<double> ScalarOf(Value value);
// Whether a constant of one element holds `expected`, as exactly as its dtype can.
bool IsScalar(Value value, double expected);

// The other operand of a node with two operands, one of which is `one`; null when none is.
Value Beside(const Node& node, Value one);
// The operand of a node of this type beside the scalar `expected`, on either side; null when it is
// another node.
Value BesideScalar(const Node* node, std::string_view type, double expected);
// x when `value` is x times the number or, which is the same, x divided by 1 / number; else null.
Value ScaledBy(Value value, double number);

// The axes of a reduction with a constant list of them that keeps them as dims of 1, from the front
// and ascending; nullopt for another node.
std::optional<std::vector<size_t>> KeptAxes(const Node* node, std::string_view type);

// Whether the prototype of an operator type has this dtype for its first input.
bool Takes(std::string_view type, DataType dtype);

// A node that computes what `parts`, in the order of the source, compute together; the last of them
// gives the result.  It is named after that one, keeps the source names of all, and looks the same.
Node* ReplaceParts(Removal& removal, const std::vector<Node*>& parts, std::string_view type,
                   const std::vector<Value>& inputs, size_t outputs = 1);

}  // namespace ge
