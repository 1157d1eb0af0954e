#pragma once

#include <string>
#include <vector>

#include "aclop/key.h"
#include "ir/graph.h"

namespace ge::aclop {

// Operators that are computed by others are rows of core/tables/composed_ops.json: an expression
// per output, of
//
//   Type(arguments)    an operator with its inputs, then its attributes as name=value
//   Type(...)/n.k      result k of an operator that has n
//   port               an input;  port...  in arguments: each input of a dynamic port
//   _                  an input left out
//   @attribute         the attribute's value, as an attribute or as a constant input
//   0.5  [0, 1]        a constant of the dtype computed in; a list of integers
//   #@attribute        the index of the output, of which there are so many
//   @flag ? a : b      one of two;  so is @attribute=word ? a : b, and has(port) ? a : b
//   none               where an attribute has a value without a kernel
//   name=$expression   an attribute that is a constant value
//   function(values)   what takes more than an operator says: composed_functions.h
//
// "name := expression" before those of the outputs is a value that they use by its name.
//
// float16 and bfloat16 are computed in float32 and rounded once, where more than one operator or a
// float attribute is involved.  An attribute that no expression names must have its default.
bool IsComposed(const std::string& type);

// Adds to `graph` what computes `definition`, and returns the results.  `inputs` are the values of
// its ports, in order; the operators have names that begin with `name`.
Result<std::vector<Value>> Compose(const OpDefinition& definition, const std::string& name,
                                   Graph& graph, const std::vector<Value>& inputs,
                                   const AttrMap& attrs);

}  // namespace ge::aclop
