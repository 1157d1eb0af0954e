#pragma once

#include <optional>
#include <string>

#include "api/aclop_desc.h"
#include "singleop/spot.h"

namespace ge::singleop {

// A tensor of the file.
struct Tensor {
  OpTensorDesc desc;
  // "_3_2_4_5": type, format and dims in the name of the model's file.
  std::string name_part;
};

// nullopt when it has faults.
std::optional<Tensor> ReadTensor(const Spot& spot, bool is_output, Notes& notes);

// The bytes of [const_value] as numbers of that type; nullptr when it has faults.
std::shared_ptr<const std::vector<uint8_t>> ReadConstant(const Spot& spot, int32_t dtype,
                                                         size_t elements, Notes& notes);

}  // namespace ge::singleop
