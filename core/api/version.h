#pragma once

#include <string_view>

#include "api/export.h"

namespace ge::api {

// Of this product: "0.1.0".
GE_API std::string_view Version();

}  // namespace ge::api
