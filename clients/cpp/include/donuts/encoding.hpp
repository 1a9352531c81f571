// The two encodings of a message: a line of text (DBP-3), or a map in msgpack (DBP-4).
#pragma once

#include <string>
#include <string_view>

#include "donuts/message.hpp"

namespace donuts {

enum class Encoding { text, msgpack };

/// The message in a line, without its LF. Throws InvalidMessage.
Message read_text(std::string_view line, Sender from);

/// The line of a message, without an LF. Throws InvalidMessage where the reader of the other end would refuse
/// it.
std::string write_text(const Message& message, Sender from);

/// The message in a payload, without a length before it. Throws InvalidMessage.
Message read_msgpack(std::string_view payload, Sender from);

/// The payload of a message, without a length before it. Throws InvalidMessage as `write_text`.
std::string write_msgpack(const Message& message, Sender from);

}  // namespace donuts
