// A message of the DONUTS Bot Protocol as a value, whatever encoding it comes in, and what can be wrong with
// one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace donuts {

/// Bytes of the longest line or payload (DBP-2.4, DBP-2.5).
inline constexpr std::size_t max_bytes = 4096;

/// The largest integer on the wire, 2^53 - 1.
inline constexpr std::uint64_t max_integer = 9007199254740991;

/// Who sends a message; it decides which verbs there are.
enum class Sender { bot, referee };

using List = std::vector<std::string>;
using Value = std::variant<std::uint64_t, std::string, List>;

/// What every error of this library is.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Bytes are no message, or a value is one that no reader would accept; `what()` says which and what would be
/// right.
class InvalidMessage : public Error {
public:
    InvalidMessage(const std::string& reason, std::string verb, std::optional<std::uint64_t> id, bool known)
        : Error(reason), verb(std::move(verb)), id(id), known_verb(known) {}

    std::string verb;                 ///< as far as it could be read
    std::optional<std::uint64_t> id;  ///< of the question, as far as it could be read
    bool known_verb;                  ///< false: of a later edition, perhaps; a bot ignores it (DBP-12.4)
};

/// A verb and its values: integers, strings (UTF-8, never escaped) and lists. What text writes as `-` is
/// absent.
struct Message {
    std::string verb;
    std::map<std::string, Value> values;

    bool has(const std::string& key) const { return values.count(key) != 0; }

    /// The value of a key; InvalidMessage where it is absent or of another type.
    std::uint64_t integer(const std::string& key) const { return at<std::uint64_t>(key); }
    const std::string& text(const std::string& key) const { return at<std::string>(key); }
    const List& list(const std::string& key) const { return at<List>(key); }

    /// The value of a key, or nothing where it is absent.
    std::optional<std::uint64_t> find_integer(const std::string& key) const {
        return find<std::uint64_t>(key);
    }
    std::optional<std::string> find_text(const std::string& key) const { return find<std::string>(key); }
    std::optional<List> find_list(const std::string& key) const { return find<List>(key); }

    bool operator==(const Message& other) const { return verb == other.verb && values == other.values; }

private:
    template <class T> const T& at(const std::string& key) const {
        const auto found = values.find(key);
        const T* value = found == values.end() ? nullptr : std::get_if<T>(&found->second);
        if (value == nullptr) throw InvalidMessage("this " + verb + " has no such " + key, verb, {}, true);
        return *value;
    }

    template <class T> std::optional<T> find(const std::string& key) const {
        if (!has(key)) return {};
        return at<T>(key);
    }
};

}  // namespace donuts
