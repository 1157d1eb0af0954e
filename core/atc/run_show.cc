#include <cstdio>

#include "api/model_info.h"
#include "atc/run.h"

namespace ge {

Status RunShow(const std::string& om_path) {
  GE_ASSIGN(const std::string text, api::ModelInfoText(om_path));
  std::fputs(text.c_str(), stdout);
  return Status::Ok();
}

}  // namespace ge
