#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "wire/json_writer.h"
#include "wire/message_table.h"

namespace ge::wire {

// May change messages on their way into JSON.
class MessageFilter {
 public:
  virtual ~MessageFilter() = default;
  // Called before the fields of a message are looked at.  To print other bytes, fill `own` and
  // return it; return nullopt to leave the element out (of a repeated field or a map).  `depth`
  // is 0 for the root.
  virtual std::optional<std::string_view> Filter(const MessageTable& type, std::string_view bytes,
                                                 int depth, std::string& own) = 0;
};

struct MessageToJsonOptions {
  std::span<const std::string_view> hidden;  // names of fields that are never shown
  MessageFilter* filter = nullptr;           // may be null
};

// Messages nested deeper than this are cut: they print as null.
inline constexpr int kMaxShownDepth = 20;

// Prints a serialized message as ATC does (docs/om-format.md, "JSON view"), straight from the
// wire bytes: memory is constant, and every level of nesting is read once per kind of field it
// holds.  Of a field that stands more than once where it may not, the last one counts.
//
// Returns nullopt, or why the bytes are no such message; the JSON is then incomplete.
std::optional<std::string> MessageToJson(const MessageTable& type, std::string_view bytes,
                                         const MessageToJsonOptions& options, JsonWriter& json);

}  // namespace ge::wire
