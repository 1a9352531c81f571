// The text form of a message: verb, arguments, then key=value, with one space between them (DBP-3).
#include <set>

#include "donuts/encoding.hpp"
#include "grammar.hpp"
#include "letters.hpp"

namespace donuts {

namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t end; (end = text.find(separator)) != std::string_view::npos;
         text.remove_prefix(end + 1)) {
        parts.push_back(text.substr(0, end));
    }
    parts.push_back(text);
    return parts;
}

Value read_value(const Form& form, const Field& field, std::string_view raw,
                 std::optional<std::uint64_t> id) {
    Value value = std::string(raw);
    if (field.key->kind == Key::integer) {
        if (const auto number = read_integer(raw)) value = *number;
    } else if (field.key->kind == Key::string) {
        const auto text = unescape(raw);
        if (!text) {
            throw InvalidMessage(std::string(field.key->name) +
                                     " holds an escape that is broken or hides a control "
                                     "character: '" +
                                     shown(raw) + "'",
                                 form.verb, id, true);
        }
        value = *text;
    } else if (field.key->kind == Key::list) {
        List items;
        if (!raw.empty()) {
            for (const std::string_view item : split(raw, ',')) items.emplace_back(item);
        }
        value = items;
    }
    check_value(form, field, value, id);
    return value;
}

std::string written(const Field& field, const Value& value) {
    if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
    if (const auto* text = std::get_if<std::string>(&value)) {
        return field.key->kind == Key::string ? escape(*text) : *text;
    }
    std::string joined;
    for (const std::string& item : std::get<List>(value)) joined += (joined.empty() ? "" : ",") + item;
    return joined;
}

/// Reads one line; keeps what all refusals of it have in common.
class Reader {
public:
    Reader(std::string_view line, Sender from) : tokens_(split(line, ' ')), form_(form_of(from, tokens_[0])) {
        message_.verb = form_.verb;
        if (tokens_.size() > 1 && form_.find("id") != nullptr) id_ = read_integer(tokens_[1]);
        if (line.size() > max_bytes) refuse("a line has at most 4096 bytes");
        for (const char letter : line) {
            if (letter < 0x20 || letter > 0x7E) refuse("a line is printable ASCII");
        }
    }

    Message read() {
        std::size_t at = 1;
        for (const Field& field : form_.fields) {
            if (!field.positional) continue;
            if (at == tokens_.size()) refuse(std::string(field.key->name) + " is missing");
            keep(field, tokens_[at++]);
        }
        for (; at < tokens_.size(); at++) read_pair(tokens_[at]);
        for (const Field& field : form_.fields) {  // a key that may be none still has to be there
            if (field.required && seen_.count(field.key->name) == 0)
                refuse(std::string(field.key->name) + " is missing");
        }
        return message_;
    }

private:
    void read_pair(std::string_view token) {
        const std::size_t equals = token.find('=');
        if (equals == std::string_view::npos)
            refuse("'" + shown(token) + "' has no =, or a space too many stands there");
        const std::string_view key = token.substr(0, equals), raw = token.substr(equals + 1);
        if (!is_key(key)) refuse("'" + shown(key, 40) + "' is no key");
        if (seen_.count(std::string(key)) != 0) refuse(shown(key, 40) + " is given twice");
        if (const Field* field = form_.find(key)) {
            keep(*field, raw);
        } else {  // of a later edition, perhaps: only its form is looked at (DBP-3.11)
            if (!unescape(raw)) refuse(shown(key, 40) + " holds a broken escape");
            seen_.emplace(key);
        }
    }

    void keep(const Field& field, std::string_view raw) {
        seen_.emplace(field.key->name);
        if (!(field.dash && raw == "-"))
            message_.values[field.key->name] = read_value(form_, field, raw, id_);
    }

    [[noreturn]] void refuse(const std::string& reason) const {
        throw InvalidMessage(reason, form_.verb, id_, true);
    }

    std::vector<std::string_view> tokens_;
    const Form& form_;
    std::optional<std::uint64_t> id_;
    std::set<std::string> seen_;
    Message message_;
};

}  // namespace

Message read_text(std::string_view line, Sender from) { return Reader(line, from).read(); }

std::string write_text(const Message& message, Sender from) {
    const Form& form = form_of(from, message.verb);
    check_message(form, message);
    std::string line = message.verb;
    for (const bool required : {true, false}) {
        for (const Field& field : form.fields) {
            const auto found = message.values.find(field.key->name);
            const bool there = found != message.values.end();
            if (field.required != required || (!there && !required)) continue;
            line += " " + (field.positional ? "" : std::string(field.key->name) + "=");
            line += there ? written(field, found->second) : "-";
        }
    }
    if (line.size() > max_bytes) {
        throw InvalidMessage("this " + message.verb + " takes " + std::to_string(line.size()) +
                                 " bytes; a line has at most 4096",
                             message.verb, {}, true);
    }
    return line;
}

}  // namespace donuts
