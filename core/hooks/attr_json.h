#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/status.h"
#include "hooks/operator_info.h"
#include "ir/attr.h"

namespace ge::hooks {

// The text of a value; bytes of names and attributes that are no UTF-8 are replaced.
std::string JsonText(const nlohmann::json& json);

// Numbers that JSON has not are the texts "inf", "-inf" and "nan".
nlohmann::json AttrJson(const Attr& attr);
// Without those whose name begins with an underscore.
nlohmann::json AttrsJson(const AttrMap& attrs);

// Reads attributes of an operator of type `type`, with the kinds that its library (`info`, may be
// null) or its prototype says.  E14001 with all faults: unknown names, wrong kinds, required ones
// that are missing.
Status ReadAttrs(const nlohmann::json& given, const std::string& node_name, const std::string& type,
                 const OperatorInfo* info, AttrMap* attrs);

}  // namespace ge::hooks
