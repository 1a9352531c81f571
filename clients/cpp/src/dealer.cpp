// One connection to an arena: a DEALER that connects once, and a monitor that tells what becomes of it
// (DBP-11.1).
#include "dealer.hpp"

#include <atomic>
#include <cstring>
#include <vector>

#include "letters.hpp"

namespace donuts {

namespace {

constexpr int refused_status = 400;  // of an arena that does not let a key in (ZeroMQ RFC 27)

constexpr int events = ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_CONNECT_RETRIED |
                       ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL |
                       ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_DISCONNECTED;

/// The frames of one message; none where nothing has come in.
std::vector<zmq::message_t> received(zmq::socket_t& socket) {
    std::vector<zmq::message_t> frames;
    do {
        zmq::message_t frame;
        if (!socket.recv(frame, zmq::recv_flags::dontwait)) break;
        frames.push_back(std::move(frame));
    } while (frames.back().more());
    return frames;
}

}  // namespace

Dealer::Dealer(zmq::context_t& context, const Invitation& invitation)
    : socket_(context, zmq::socket_type::dealer), monitor_(context, zmq::socket_type::pair) {
    try {
        connect(invitation);
    } catch (const zmq::error_t& fault) {
        close(std::chrono::milliseconds(0));
        throw InvitationError(shown(invitation.endpoint, 200) + " cannot be dialled: " + fault.what() +
                              "; such as tcp://127.0.0.1:7464");
    }
}

Dealer::~Dealer() { close(std::chrono::milliseconds(0)); }

void Dealer::connect(const Invitation& invitation) {
    // not ZMQ_IMMEDIATE: with it a lost connection takes along what came over it and was not read yet
    socket_.set(zmq::sockopt::sndtimeo, 0);
    socket_.set(zmq::sockopt::heartbeat_ivl, 1000);
    socket_.set(zmq::sockopt::heartbeat_timeout, 3000);
    socket_.set(zmq::sockopt::handshake_ivl, 5000);
    socket_.set(zmq::sockopt::reconnect_ivl, 100);
    socket_.set(zmq::sockopt::reconnect_ivl_max, 2000);
    socket_.set(zmq::sockopt::maxmsgsize, std::int64_t{65536});
    socket_.set(zmq::sockopt::linger, 0);
    socket_.set(zmq::sockopt::ipv6, invitation.endpoint.find('[') != std::string::npos);
    if (invitation.has_keys()) {
        if (zmq_has("curve") == 0)
            throw InvitationError("this libzmq was built without CURVE; `donuts join` has it");
        socket_.set(zmq::sockopt::curve_serverkey, invitation.server_key);
        socket_.set(zmq::sockopt::curve_publickey, invitation.public_key);
        socket_.set(zmq::sockopt::curve_secretkey, invitation.secret_key);
    }
    static std::atomic<int> count{0};
    const std::string address = "inproc://donuts-monitor-" + std::to_string(++count);
    if (zmq_socket_monitor(socket_.handle(), address.c_str(), events) != 0) throw zmq::error_t();
    monitor_.set(zmq::sockopt::linger, 0);
    monitor_.connect(address);
    socket_.connect(invitation.endpoint);
}

void Dealer::wait(std::chrono::milliseconds timeout) {
    zmq_pollitem_t items[] = {{socket_.handle(), 0, ZMQ_POLLIN, 0}, {monitor_.handle(), 0, ZMQ_POLLIN, 0}};
    if (zmq_poll(items, 2, static_cast<long>(timeout.count())) < 0 && zmq_errno() != EINTR)
        throw zmq::error_t();
}

std::optional<std::string> Dealer::receive() {
    for (;;) {
        const std::vector<zmq::message_t> frames = received(socket_);
        if (frames.empty()) return {};
        if (frames.size() == 1) return frames[0].to_string();
    }
}

std::optional<News> Dealer::news() {
    const std::vector<zmq::message_t> frames = received(monitor_);
    if (frames.empty()) return {};
    std::uint16_t event = 0;
    std::uint32_t value = 0;
    std::memcpy(&event, frames[0].data(), sizeof event);
    std::memcpy(&value, static_cast<const char*>(frames[0].data()) + sizeof event, sizeof value);
    switch (event) {
        case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: return News::made;
        case ZMQ_EVENT_CONNECT_RETRIED: return News::missed;
        case ZMQ_EVENT_DISCONNECTED: return News::lost;
        case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: return value == refused_status ? News::refused : News::botched;
        default: return News::botched;
    }
}

bool Dealer::send(const std::string& frame) {
    zmq_pollitem_t item = {socket_.handle(), 0, ZMQ_POLLOUT, 0};
    if (zmq_poll(&item, 1, 0) <= 0) return false;  // which also lets it see a connection that is new
    return socket_.send(zmq::buffer(frame), zmq::send_flags::dontwait).has_value();
}

void Dealer::close(std::chrono::milliseconds linger) {
    if (!socket_) return;
    zmq_socket_monitor(socket_.handle(), nullptr, 0);
    monitor_.close();
    socket_.set(zmq::sockopt::linger, static_cast<int>(linger.count()));
    socket_.close();
}

}  // namespace donuts
