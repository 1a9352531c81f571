// Reads one line of the vectors: JSON in ASCII, without floats.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace json {

struct Value {
    enum Kind { nothing, boolean, integer, string, array, object } kind = nothing;
    unsigned long long number = 0;
    std::string text;
    std::vector<Value> items;
    std::map<std::string, Value> members;

    const Value& at(const std::string& key) const { return members.at(key); }
    bool has(const std::string& key) const { return members.count(key) != 0; }
};

class Reader {
public:
    explicit Reader(const std::string& line) : line_(line) {}

    Value read() {
        Value value;
        switch (peek()) {
            case '{':
                value.kind = Value::object;
                read_items('}', [&] {
                    const std::string key = read_string();
                    expect(':');
                    value.members[key] = read();
                });
                return value;
            case '[':
                value.kind = Value::array;
                read_items(']', [&] { value.items.push_back(read()); });
                return value;
            case '"':
                value.kind = Value::string;
                value.text = read_string();
                return value;
            case 't':
            case 'f':
                value.kind = Value::boolean;
                value.number = line_[at_] == 't';
                at_ += value.number ? 4 : 5;
                return value;
            default:
                value.kind = Value::integer;
                std::size_t length = 0;
                value.number = std::stoull(line_.substr(at_), &length);
                at_ += length;
                return value;
        }
    }

private:
    char peek() {
        while (line_.at(at_) == ' ') at_++;
        return line_[at_];
    }

    void expect(char letter) {
        if (peek() != letter)
            throw std::runtime_error(std::string("no ") + letter + " at " + line_.substr(at_, 40));
        at_++;
    }

    template <class Read> void read_items(char end, Read read_one) {
        at_++;
        while (peek() != end) {
            read_one();
            if (peek() == ',') at_++;
        }
        at_++;
    }

    unsigned long read_code() {
        const unsigned long code = std::stoul(line_.substr(at_, 4), nullptr, 16);
        at_ += 4;
        return code;
    }

    std::string read_string() {
        std::string text;
        expect('"');
        while (line_.at(at_) != '"') {
            if (line_[at_] != '\\') {
                text += line_[at_++];
                continue;
            }
            const char letter = line_.at(at_ + 1);
            at_ += 2;
            if (letter != 'u') {
                text += letter == 'n' ? '\n' : letter == 't' ? '\t' : letter == 'r' ? '\r' : letter;
                continue;
            }
            unsigned long code = read_code();
            if (code >= 0xD800 && code < 0xDC00) {  // the first half of a pair of surrogates
                at_ += 2;
                code = 0x10000 + ((code - 0xD800) << 10) + (read_code() - 0xDC00);
            }
            append(text, code);
        }
        at_++;
        return text;
    }

    static void append(std::string& text, unsigned long code) {
        const auto tail = [&](int shift) { text += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
        if (code < 0x80) {
            text += static_cast<char>(code);
        } else if (code < 0x800) {
            text += static_cast<char>(0xC0 | (code >> 6));
            tail(0);
        } else if (code < 0x10000) {
            text += static_cast<char>(0xE0 | (code >> 12));
            tail(6), tail(0);
        } else {
            text += static_cast<char>(0xF0 | (code >> 18));
            tail(12), tail(6), tail(0);
        }
    }

    const std::string& line_;
    std::size_t at_ = 0;
};

}  // namespace json
