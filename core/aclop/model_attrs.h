#pragma once

#include <optional>

#include "aclop/key.h"
#include "ir/attr.h"

namespace ge::aclop {

// The definition of an operator as attributes of its model:
//
//   pyatc_op_type        operator type
//   pyatc_op_tensors     a list per tensor, inputs first: is output, dtype, format, storage format,
//                        placement, is constant, number of dims, dims, least and greatest sizes
//   pyatc_op_constants   bytes of the constants, in order
//   pyatc_op_attr.NAME   an attribute; a list of data types is pyatc_op_dtypes.NAME
AttrMap ToModelAttrs(const OpDefinition& definition);

// nullopt when the model has not all of these, or they make no sense.
std::optional<OpDefinition> FromModelAttrs(const AttrMap& attrs);

}  // namespace ge::aclop
