// Which verbs there are, which keys each may have, and what values a key takes: the tables of DBP-6 as data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "donuts/message.hpp"

namespace donuts {

/// What may stand under a key.
struct Key {
    enum Kind { integer, string, token, list };

    const char* name;
    Kind kind;
    std::uint64_t low;                  ///< least integer, characters or items
    std::uint64_t high;                 ///< greatest
    bool (*accepts)(std::string_view);  ///< the form of a token, or of the items of a list
    const char* reads;                  ///< what it must be, for people
};

/// A key in its place in a message.
struct Field {
    const Key* key;
    bool positional;  ///< an argument: without its name in text
    bool required;
    bool dash;   ///< `-` in text and absent in msgpack where there is none (DBP-3.9)
    bool empty;  ///< whether a list may be empty
};

struct Form {
    std::string verb;
    std::vector<Field> fields;  ///< in the order in which they are written

    const Field* find(std::string_view key) const;
};

/// The form of a message; nullptr where this sender has no such verb.
const Form* find_form(Sender from, std::string_view verb);

/// Whether a name can be a key at all (DBP-3.4).
bool is_key(std::string_view name);

/// Throws InvalidMessage where a value is none of the field.
void check_value(const Form& form, const Field& field, const Value& value, std::optional<std::uint64_t> id);

/// Throws InvalidMessage where a required key is missing, or one stands there that the verb does not have.
void check_message(const Form& form, const Message& message);

/// Throws InvalidMessage where there is no such verb.
const Form& form_of(Sender from, std::string_view verb);

}  // namespace donuts
