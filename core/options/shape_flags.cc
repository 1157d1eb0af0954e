#include "options/shape_flags.h"

#include "options/checks.h"

namespace ge {

std::vector<FlagField> GearFlags(const Options& options) {
  std::vector<FlagField> flags;
  for (const auto field :
       {&Options::dynamic_batch_size, &Options::dynamic_image_size, &Options::dynamic_dims}) {
    if (!TextOf(options, field).empty()) flags.push_back(field);
  }
  return flags;
}

}  // namespace ge
