#include "api/version.h"

namespace ge::api {

std::string_view Version() {
  return GE_VERSION;
}

}  // namespace ge::api
