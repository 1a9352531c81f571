// Strings on the wire: UTF-8, the characters that are not allowed, and the escapes of the text form (DBP-3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace donuts {

/// How many characters a string has; nothing where it is no UTF-8 or holds a control character (DBP-3.10).
std::optional<std::size_t> count_characters(std::string_view text);

/// The first characters of a string that is UTF-8.
std::string first_characters(std::string_view text, std::size_t most);

/// A string as it is written in the text form (DBP-3.5).
std::string escape(std::string_view text);

/// The string that was escaped; nothing where an escape is broken or hides what no string may hold (DBP-3.6).
std::optional<std::string> unescape(std::string_view raw);

/// An integer of the text form: decimal, without sign or leading zero, at most 2^53 - 1 (DBP-3.7).
std::optional<std::uint64_t> read_integer(std::string_view raw);

/// Foreign bytes as one line that is safe on a terminal, cut short where it is long.
std::string shown(std::string_view bytes, std::size_t most = 60);

}  // namespace donuts
