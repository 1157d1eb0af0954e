#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "wire/json_writer.h"
#include "wire/message_table.h"

namespace ge::wire {

// Prints a serialized message in protobuf's text format, fields in the order of the wire, one a
// line.  Fields that the table does not know are left out.  The message is one that this program
// wrote.
Status MessageToText(const MessageTable& type, std::string_view bytes,
                     const JsonWriter::Sink& sink);

}  // namespace ge::wire
