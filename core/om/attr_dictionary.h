#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "om/attr_view.h"

namespace ge::om {

// The dictionary that newer toolkits code attribute names and texts with (docs/om-format.md,
// "Attribute dictionary").  It stands in four attributes of the first block's model and holds for
// the attributes of operators and of their inputs and outputs.
class AttrDictionary {
 public:
  AttrDictionary() = default;  // of a model without one
  // From the attributes of ModelDef.  Throws protozero::exception.
  explicit AttrDictionary(const AttrViews& model_attrs);

  bool active() const { return active_; }
  // True for the names of the four attributes.
  static bool IsOwnAttr(std::string_view model_attr);
  // An entry {1: name, 2: AttrDef} of an attribute map with name and value restored, or nullopt
  // when it is not coded.  What points outside the tables stays as it is.
  std::optional<std::string> Decode(std::string_view entry) const;

 private:
  std::optional<std::string> DecodeValue(std::string_view attr_def) const;

  bool active_ = false;
  std::vector<std::string_view> names_;
  std::vector<std::string_view> values_;
  std::vector<bool> text_values_;  // per name: its value is an index into values_
};

}  // namespace ge::om
