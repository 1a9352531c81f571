// The msgpack form of a message: one map, the verb under "t" (DBP-4).
#define MSGPACK_NO_BOOST
#include <msgpack.hpp>
#include <set>

#include "donuts/encoding.hpp"
#include "grammar.hpp"
#include "letters.hpp"

namespace donuts {

namespace {

constexpr std::size_t most_items = 1024;
constexpr std::size_t most_levels = 3;  // the map itself is the first (DBP-4.5)

[[noreturn]] void refuse(const std::string& reason) { throw InvalidMessage(reason, "", {}, true); }

std::string_view text_of(const msgpack::object& value) { return {value.via.str.ptr, value.via.str.size}; }

/// Throws where a value, under whatever key, is of a type or holds letters that the protocol has not
/// (DBP-4.4), or where it nests too deep or a map in it has a key twice (DBP-4.5).
void check_any(const msgpack::object& value, std::size_t levels) {
    switch (value.type) {
        case msgpack::type::POSITIVE_INTEGER:
        case msgpack::type::NEGATIVE_INTEGER: return;
        case msgpack::type::STR:
            if (!count_characters(text_of(value)))
                refuse("a string holds a control character or is no UTF-8");
            return;
        case msgpack::type::ARRAY:
            if (levels == 0) refuse("it nests deeper than 3");
            for (std::uint32_t i = 0; i < value.via.array.size; i++)
                check_any(value.via.array.ptr[i], levels - 1);
            return;
        case msgpack::type::MAP: {
            if (levels == 0) refuse("it nests deeper than 3");
            std::set<std::string_view> keys;
            for (std::uint32_t i = 0; i < value.via.map.size; i++) {
                const auto& pair = value.via.map.ptr[i];
                if (pair.key.type != msgpack::type::STR) refuse("a key is no string");
                if (!keys.insert(text_of(pair.key)).second)
                    refuse("'" + shown(text_of(pair.key), 40) + "' is given twice");
                check_any(pair.key, levels - 1);
                check_any(pair.val, levels - 1);
            }
            return;
        }
        default: refuse("values are integers, strings and arrays of strings");
    }
}

/// Takes a value of a type that some key has; false where it is of none.
bool take_value(const msgpack::object& object, Value& value) {
    if (object.type == msgpack::type::POSITIVE_INTEGER) {
        value.emplace<std::uint64_t>(object.via.u64);
        return true;
    }
    if (object.type == msgpack::type::STR) {
        value.emplace<std::string>(text_of(object));
        return true;
    }
    if (object.type != msgpack::type::ARRAY) return false;
    List& items = value.emplace<List>();
    for (std::uint32_t i = 0; i < object.via.array.size; i++) {
        const msgpack::object& item = object.via.array.ptr[i];
        if (item.type != msgpack::type::STR) return false;
        items.emplace_back(text_of(item));
    }
    return true;
}

msgpack::object_handle unpacked(std::string_view payload) {
    if (payload.empty() || payload.size() > max_bytes) refuse("a payload has 1 to 4096 bytes");
    const msgpack::unpack_limit limit(most_items, most_items, max_bytes, max_bytes, max_bytes, most_levels);
    try {
        std::size_t end = 0;
        msgpack::object_handle handle =
            msgpack::unpack(payload.data(), payload.size(), end, nullptr, nullptr, limit);
        if (end != payload.size()) refuse("bytes follow the map; a payload is one map alone");
        if (handle.get().type != msgpack::type::MAP) refuse("a payload is a map");
        return handle;
    } catch (const msgpack::unpack_error& fault) {
        refuse(std::string("it is not one msgpack map: ") + fault.what());
    }
}

using Pairs = std::map<std::string, const msgpack::object*>;

Message message_of(const Form& form, const Pairs& pairs, std::optional<std::uint64_t> id) {
    Message message{form.verb, {}};
    for (const auto& [key, object] : pairs) {
        const Field* field = form.find(key);
        if (!is_key(key)) throw InvalidMessage("'" + shown(key, 40) + "' is no key", form.verb, id, true);
        if (field == nullptr) continue;
        if (!take_value(*object, message.values[key])) {
            throw InvalidMessage(key + " must be " + field->key->reads + ", not of another type", form.verb,
                                 id, true);
        }
    }
    check_message(form, message);
    return message;
}

}  // namespace

Message read_msgpack(std::string_view payload, Sender from) {
    const msgpack::object_handle handle = unpacked(payload);
    const msgpack::object& map = handle.get();
    Pairs pairs;
    for (std::uint32_t i = 0; i < map.via.map.size; i++) {
        const auto& pair = map.via.map.ptr[i];
        if (pair.key.type == msgpack::type::STR) pairs[std::string(text_of(pair.key))] = &pair.val;
    }
    const auto verb = pairs.find("t");
    if (verb == pairs.end() || verb->second->type != msgpack::type::STR)
        refuse("there is no verb under \"t\"");
    const Form& form = form_of(from, text_of(*verb->second));
    std::optional<std::uint64_t> id;
    if (const auto found = pairs.find("id"); found != pairs.end() && form.find("id") != nullptr) {
        if (found->second->type == msgpack::type::POSITIVE_INTEGER && found->second->via.u64 <= max_integer) {
            id = found->second->via.u64;
        }
    }
    try {
        check_any(map, most_levels);
    } catch (const InvalidMessage& fault) {
        throw InvalidMessage(fault.what(), form.verb, id, true);
    }
    return message_of(form, pairs, id);
}

std::string write_msgpack(const Message& message, Sender from) {
    const Form& form = form_of(from, message.verb);
    check_message(form, message);
    msgpack::sbuffer buffer;
    msgpack::packer<msgpack::sbuffer> packer(buffer);
    packer.pack_map(static_cast<std::uint32_t>(1 + message.values.size()));
    packer.pack("t");
    packer.pack(message.verb);
    for (const Field& field : form.fields) {
        const auto found = message.values.find(field.key->name);
        if (found == message.values.end()) continue;
        packer.pack(found->first);
        std::visit([&packer](const auto& value) { packer.pack(value); }, found->second);
    }
    if (buffer.size() > max_bytes) {
        throw InvalidMessage("this " + message.verb + " takes more than 4096 bytes", message.verb, {}, true);
    }
    return std::string(buffer.data(), buffer.size());
}

}  // namespace donuts
