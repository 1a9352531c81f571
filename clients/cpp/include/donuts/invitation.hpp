// Where an arena is and what claims a seat there: the join file (DBP-11.13).
#pragma once

#include <string>

#include "donuts/message.hpp"

namespace donuts {

/// A file is no join file, or an endpoint cannot be dialled; `what()` is one line with the remedy.
class InvitationError : public Error {
public:
    using Error::Error;
};

/// Where to dial and what to show there; what is empty is not there.
struct Invitation {
    std::string endpoint;
    std::string name;
    std::string token;
    std::string server_key, public_key, secret_key;  ///< for CURVE, 40 characters in Z85 each

    bool has_keys() const { return !server_key.empty(); }
};

/// Reads the text of a join file. Throws InvitationError.
Invitation parse_invitation(const std::string& text);

/// Reads a join file. Throws InvitationError.
Invitation read_invitation(const std::string& path);

/// Throws InvitationError where others could listen on the way: any address but a loopback one needs keys
/// (DBP-11.4).
void check_privacy(const Invitation& invitation);

}  // namespace donuts
