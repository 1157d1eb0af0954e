#pragma once

#include <string>
#include <vector>

#include "api/precision.h"
#include "base/status.h"

// The files that change data types.  What cannot be read goes to `faults`, all of it.
namespace ge {

// {"black-list": {"to-add": ["Type"], "to-remove": ["Type"]}, "white-list": ..., "gray-list": ...}
std::vector<MixEdit> ReadMixList(const std::string& path, Status* faults);

// One node name or OpType::Type per line; blank lines count for nothing.
void ReadKeepDtype(const std::string& path, PrecisionRequest* request, Status* faults);

// Lines Name::InputDtype:t1,t2,OutputDtype:t1 or OpType::Type:InputDtype:...,OutputDtype:...
std::vector<CustomDtypes> ReadCustomDtypes(const std::string& path, Status* faults);

}  // namespace ge
