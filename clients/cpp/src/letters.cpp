// Strings on the wire: UTF-8, the characters that are not allowed, and the escapes of the text form (DBP-3).
#include "letters.hpp"

#include "donuts/message.hpp"

namespace donuts {

namespace {

constexpr char digits[] = "0123456789ABCDEF";

/// Takes one character off the front of `text`; nothing where there is none in UTF-8.
std::optional<char32_t> take_character(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xC2 ? 0
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                               : first < 0xF5 ? 4
                                              : 0;
    if (length == 0 || text.size() < length) return {};
    char32_t letter = length == 1 ? first : first & (0x7F >> length);
    for (std::size_t i = 1; i < length; i++) {
        if ((byte(i) & 0xC0) != 0x80) return {};
        letter = (letter << 6) | (byte(i) & 0x3F);
    }
    const bool overlong = (length == 3 && letter < 0x800) || (length == 4 && letter < 0x10000);
    const bool surrogate = letter >= 0xD800 && letter <= 0xDFFF;
    if (overlong || surrogate || letter > 0x10FFFF) return {};
    text.remove_prefix(length);
    return letter;
}

bool is_control(char32_t letter) {
    const auto within = [letter](char32_t low, char32_t high) { return low <= letter && letter <= high; };
    return within(0, 0x1F) || within(0x7F, 0x9F) || letter == 0x61C || within(0x200E, 0x200F) ||
           within(0x202A, 0x202E) || within(0x2066, 0x2069);
}

int hexadecimal(char letter) {
    if (letter >= '0' && letter <= '9') return letter - '0';
    if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
    if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
    return -1;
}

std::string escaped_byte(const char* sign, unsigned char byte) {
    return std::string(sign) + digits[byte >> 4] + digits[byte & 15];
}

}  // namespace

std::optional<std::size_t> count_characters(std::string_view text) {
    std::size_t count = 0;
    for (; !text.empty(); count++) {
        const auto letter = take_character(text);
        if (!letter || is_control(*letter)) return {};
    }
    return count;
}

std::string first_characters(std::string_view text, std::size_t most) {
    std::string_view rest = text;
    for (; most > 0 && !rest.empty(); most--) {
        if (!take_character(rest)) break;
    }
    return std::string(text.substr(0, text.size() - rest.size()));
}

std::string escape(std::string_view text) {
    std::string written;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        const bool plain = byte > 0x20 && byte < 0x7F && letter != '%' && letter != ',' && letter != '=';
        written += plain ? std::string(1, letter) : escaped_byte("%", byte);
    }
    return written;
}

std::optional<std::string> unescape(std::string_view raw) {
    std::string text;
    for (std::size_t i = 0; i < raw.size(); i++) {
        if (raw[i] != '%') {
            text += raw[i];
            continue;
        }
        if (raw.size() - i < 3) return {};
        const int high = hexadecimal(raw[i + 1]), low = hexadecimal(raw[i + 2]);
        if (high < 0 || low < 0) return {};
        text += static_cast<char>(16 * high + low);
        i += 2;
    }
    if (!count_characters(text)) return {};
    return text;
}

std::optional<std::uint64_t> read_integer(std::string_view raw) {
    if (raw.empty() || raw.size() > 16 || (raw[0] == '0' && raw.size() > 1)) return {};
    std::uint64_t value = 0;
    for (const char digit : raw) {
        if (digit < '0' || digit > '9') return {};
        value = 10 * value + static_cast<std::uint64_t>(digit - '0');
    }
    if (value > max_integer) return {};
    return value;
}

std::string shown(std::string_view bytes, std::size_t most) {
    std::string line;
    for (const char letter : bytes.substr(0, most)) {
        const auto byte = static_cast<unsigned char>(letter);
        line += byte >= 0x20 && byte < 0x7F ? std::string(1, letter) : escaped_byte("\\x", byte);
    }
    return bytes.size() > most ? line + "..." : line;
}

}  // namespace donuts
