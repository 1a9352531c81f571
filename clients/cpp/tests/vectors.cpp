// Runs protocol/vectors against both encodings of the library: vectors FOLDER.
#include <fstream>
#include <functional>
#include <iostream>

#include "donuts/encoding.hpp"
#include "json.hpp"

using donuts::Encoding;
using donuts::Message;
using donuts::Sender;

namespace {

int checks = 0, failures = 0;

void check(bool good, const std::string& what) {
    checks++;
    if (good) return;
    failures++;
    std::cerr << "FAILED: " << what << std::endl;
}

std::string bytes_of(const std::string& hex) {
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return bytes;
}

Message message_of(const json::Value& map) {
    Message message{map.at("t").text, {}};
    for (const auto& [key, value] : map.members) {
        if (key == "t") continue;
        if (value.kind == json::Value::integer) {
            message.values[key] = std::uint64_t{value.number};
        } else if (value.kind == json::Value::string) {
            message.values[key] = value.text;
        } else {
            donuts::List items;
            for (const json::Value& item : value.items) items.push_back(item.text);
            message.values[key] = items;
        }
    }
    return message;
}

Message read(Encoding encoding, const std::string& bytes, Sender from) {
    return encoding == Encoding::text ? donuts::read_text(bytes, from) : donuts::read_msgpack(bytes, from);
}

/// The bytes give this message and, where they are `golden`, the message gives the bytes.
void compare(const std::string& name, Encoding encoding, const std::string& bytes, Sender from,
             const Message& message, bool golden) {
    try {
        check(read(encoding, bytes, from) == message, name + ": is read to other values");
        if (!golden) return;
        if (encoding == Encoding::text) {
            check(donuts::write_text(message, from) == bytes, name + ": is written to other bytes");
        } else {  // the keys of a map have no order: the same values, and none in more bytes than it needs
            const std::string written = donuts::write_msgpack(message, from);
            check(written.size() == bytes.size() && read(encoding, written, from) == message,
                  name + ": is written to other bytes");
        }
    } catch (const donuts::Error& fault) {
        check(false, name + ": " + fault.what());
    }
}

void run_golden(const json::Value& vector, Sender from) {
    const Message message = message_of(vector.at("message"));
    const std::string& name = vector.at("name").text;
    compare(name + " (text)", Encoding::text, vector.at("text").text, from, message, true);
    compare(name + " (msgpack)", Encoding::msgpack, bytes_of(vector.at("msgpack").text), from, message, true);
}

Encoding encoding_of(const json::Value& vector) {
    return vector.at("encoding").text == "text" ? Encoding::text : Encoding::msgpack;
}

void run_acceptance(const json::Value& vector, Sender from) {
    compare(vector.at("name").text, encoding_of(vector), bytes_of(vector.at("hex").text), from,
            message_of(vector.at("message")), false);
}

/// Those that are refused for their id alone, which only a session can know, are `state`, `protocol`, `rate`
/// or `late`.
bool is_about_ids(const json::Value& vector) {
    const std::string& name = vector.at("name").text;
    return name.find("closed question") != std::string::npos ||
           name.find("never issued") != std::string::npos;
}

void run_refusal(const json::Value& vector, Sender from) {
    try {
        read(encoding_of(vector), bytes_of(vector.at("hex").text), from);
        check(is_about_ids(vector), vector.at("name").text + ": is read, and should be refused");
    } catch (const donuts::InvalidMessage& fault) {
        check(std::string(fault.what()).size() > 10,
              vector.at("name").text + ": is refused without a reason");
    }
}

void run_file(const std::string& path, const std::function<void(const json::Value&, Sender)>& run) {
    std::ifstream file(path);
    const int before = checks;
    for (std::string line; std::getline(file, line);) {
        const json::Value vector = json::Reader(line).read();
        const std::string& from = vector.at("from").text;
        if (from == "bot" || from == "referee") run(vector, from == "bot" ? Sender::bot : Sender::referee);
    }
    check(checks > before, path + " holds no vectors");
}

}  // namespace

int main(int count, char** words) {
    const std::string folder = count > 1 ? words[1] : "../../protocol/vectors";
    run_file(folder + "/messages.jsonl", run_golden);
    run_file(folder + "/acceptances.jsonl", run_acceptance);
    run_file(folder + "/refusals.jsonl", run_refusal);
    std::cerr << checks << " checks, " << failures << " failed" << std::endl;
    return failures != 0;
}
