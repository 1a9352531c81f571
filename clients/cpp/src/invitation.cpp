// Where an arena is and what claims a seat there: the join file (DBP-11.13).
#include "donuts/invitation.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "letters.hpp"

namespace donuts {

namespace {

constexpr const char* letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

bool consists_of(const std::string& text, const std::string& allowed) {
    return text.find_first_not_of(allowed) == std::string::npos;
}

bool is_token(const std::string& text) {
    return text.size() <= 128 && consists_of(text, letters + std::string("_.~-"));
}

bool is_key_text(const std::string& text) {
    return text.empty() ||
           (text.size() == 40 && consists_of(text, letters + std::string(".-:+=^!/*?&<>()[]{}@%$#")));
}

/// The value of `key = "value"`, from its quotation mark on; a comment may follow.
std::string quoted(const std::string& raw, const std::string& where) {
    const char mark = raw.empty() ? ' ' : raw[0];
    std::string value;
    std::size_t at = 1;
    if (mark != '"' && mark != '\'')
        throw InvitationError(where + ": the value must stand in quotation marks");
    for (; at < raw.size() && raw[at] != mark; at++) {
        const bool escaped = mark == '"' && raw[at] == '\\';
        if (escaped && (at + 1 == raw.size() || (raw[at + 1] != '"' && raw[at + 1] != '\\'))) {
            throw InvitationError(where + R"(: only \" and \\ are known after a backslash)");
        }
        value += raw[escaped ? ++at : at];
    }
    const std::size_t rest = at < raw.size() ? raw.find_first_not_of(" \t\r", at + 1) : at;
    if (at >= raw.size() || (rest != std::string::npos && raw[rest] != '#')) {
        throw InvitationError(where + ": the value must be one text in quotation marks");
    }
    return value;
}

std::string* member(Invitation& invitation, const std::string& key) {
    if (key == "endpoint") return &invitation.endpoint;
    if (key == "name") return &invitation.name;
    if (key == "token") return &invitation.token;
    if (key == "server_key") return &invitation.server_key;
    if (key == "public_key") return &invitation.public_key;
    if (key == "secret_key") return &invitation.secret_key;
    return nullptr;
}

void check(const Invitation& invitation) {
    if (invitation.endpoint.empty()) {
        throw InvitationError("endpoint is missing; such as endpoint = \"tcp://127.0.0.1:7464\"");
    }
    if (!is_token(invitation.token))
        throw InvitationError("token must be 1 to 128 letters, digits, _ . ~ or -");
    if (!is_key_text(invitation.server_key) || !is_key_text(invitation.public_key) ||
        !is_key_text(invitation.secret_key)) {
        throw InvitationError("a key must have 40 characters in Z85");
    }
    const int keys =
        !invitation.server_key.empty() + !invitation.public_key.empty() + !invitation.secret_key.empty();
    if (keys != 0 && keys != 3)
        throw InvitationError("server_key, public_key and secret_key belong together; one is missing");
}

}  // namespace

Invitation parse_invitation(const std::string& text) {
    Invitation invitation;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); number++) {
        const std::size_t start = line.find_first_not_of(" \t\r");
        if (start == std::string::npos || line[start] == '#') continue;
        const std::string where = "line " + std::to_string(number);
        const std::size_t equals = line.find('=', start);
        if (equals == std::string::npos) throw InvitationError(where + " is not key = \"value\"");
        const std::string left = line.substr(start, equals - start);
        const std::string key = left.substr(0, left.find_last_not_of(" \t") + 1);
        std::string* value = member(invitation, key);
        if (value == nullptr) throw InvitationError(where + ": there is no key '" + shown(key, 40) + "'");
        const std::size_t begin = line.find_first_not_of(" \t", equals + 1);
        *value = quoted(begin == std::string::npos ? "" : line.substr(begin), where);
    }
    check(invitation);
    return invitation;
}

Invitation read_invitation(const std::string& path) {
    std::ifstream file(path);
    std::string text(max_bytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (file.bad() || (file.fail() && !file.eof())) {
        throw InvitationError(shown(path, 200) + " cannot be read: " + std::strerror(errno));
    }
    text.resize(static_cast<std::size_t>(file.gcount()));
    try {
        if (text.size() > max_bytes) throw InvitationError("it has more than 4096 bytes");
        return parse_invitation(text);
    } catch (const InvitationError& fault) {
        throw InvitationError(shown(path, 200) + " is no join file: " + fault.what());
    }
}

void check_privacy(const Invitation& invitation) {
    const std::string& endpoint = invitation.endpoint;
    const bool is_tcp = endpoint.rfind("tcp://", 0) == 0;
    const std::string host = is_tcp ? endpoint.substr(6, endpoint.rfind(':') - 6) : "";
    const bool local =
        !is_tcp || host == "localhost" || host == "[::1]" || host == "::1" || host.rfind("127.", 0) == 0;
    if (local || invitation.has_keys()) return;
    throw InvitationError(shown(endpoint, 200) +
                          " is no loopback address, and without keys everybody could listen: take "
                          "the join file of a seat with keys");
}

}  // namespace donuts
