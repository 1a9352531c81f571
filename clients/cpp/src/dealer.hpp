// One connection to an arena: a DEALER that connects once, and a monitor that tells what becomes of it
// (DBP-11.1).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <zmq.hpp>

#include "donuts/invitation.hpp"

namespace donuts {

/// What becomes of a connection.
enum class News {
    made,     ///< the handshake is done: words can be sent
    missed,   ///< nobody is there; ZeroMQ tries again by itself
    botched,  ///< the handshake failed: no arena, the wrong keys, or keys at one end only
    refused,  ///< the arena does not let this key in
    lost,     ///< the connection is gone
};

/// A socket that has begun to connect. Nothing waits but `wait`, and `close` for as long as it is told.
class Dealer {
public:
    /// Throws InvitationError where the endpoint or the keys cannot be dialled.
    Dealer(zmq::context_t& context, const Invitation& invitation);
    ~Dealer();
    Dealer(const Dealer&) = delete;
    Dealer& operator=(const Dealer&) = delete;

    /// Until there are frames or news, at most so long.
    void wait(std::chrono::milliseconds timeout);

    /// The next message that has come in; one of several frames is none (DBP-11.2).
    std::optional<std::string> receive();

    /// What has become of the connection since.
    std::optional<News> news();

    /// Hands a frame to ZeroMQ; false where there is no connection, or one that takes no more.
    bool send(const std::string& frame);

    /// Closes the connection; what was sent has so long to leave.
    void close(std::chrono::milliseconds linger);

private:
    void connect(const Invitation& invitation);

    zmq::socket_t socket_, monitor_;
};

}  // namespace donuts
