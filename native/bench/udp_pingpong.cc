// UDP ping-pong, the yardstick of small RDMA messages: the same socket calls, with nothing on top.
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "bench/clock.h"
#include "bench/socket.h"
#include "bench/socket_loop.h"

namespace vlbench {
namespace {

// UDP has no shutdown that wakes a reader; a blocking one looks round this often.
constexpr int kLookMs = 20;

class UdpPingPong final : public Loop {
 public:
  UdpPingPong(const UdpOptions& options, Callbacks callbacks)
      : Loop(options, std::move(callbacks), nullptr),
        udp_(options),
        out_(options.size),
        in_(options.size + 1) {
    if (options.size == 0 || options.size > 65'507)
      throw Failure(EINVAL, "startUdpLoop", "a datagram holds 1 to 65507 bytes");
  }
  ~UdpPingPong() override { join(); }

 private:
  LatencyKind latency_kind() const noexcept override {
    return udp_.target ? LatencyKind::kNone : LatencyKind::kRoundTrip;
  }

  EndReason run() override {
    const Address address = resolve(udp_.host, udp_.port, SOCK_DGRAM);
    socket_ = open_socket(address, SOCK_DGRAM);
    if (udp_.event) {
      const timeval look{0, kLookMs * 1000};
      if (setsockopt(socket_.fd(), SOL_SOCKET, SO_RCVTIMEO, &look, sizeof look) != 0)
        throw_errno("setsockopt", "SO_RCVTIMEO");
    }
    if (udp_.target) {
      bind_to(socket_, address, "UDP port " + std::to_string(udp_.port));
      ready(local_port(socket_));
      return answer();
    }
    peer_ = address;
    if (udp_.connected && connect(socket_.fd(), address.get(), address.length) != 0) throw_errno("connect");
    ready(0);
    return ask();
  }

  // Carries the number of the ping as far as it fits, so that a late answer is not taken for the right one.
  void stamp(uint64_t number) noexcept {
    std::memcpy(out_.data(), &number, std::min(out_.size(), sizeof number));
  }
  bool matches() const noexcept {
    return std::memcmp(in_.data(), out_.data(), std::min(out_.size(), sizeof(uint64_t))) == 0;
  }

  void send_to_peer() {
    const ssize_t sent = udp_.connected && !udp_.target
                             ? send(socket_.fd(), out_.data(), out_.size(), 0)
                             : sendto(socket_.fd(), out_.data(), out_.size(), 0, peer_.get(), peer_.length);
    // A connected socket hears that the peer is not up (yet); ENOBUFS passes.
    if (sent < 0 && errno != ECONNREFUSED && errno != ENOBUFS && errno != EAGAIN)
      throw_errno("sendto", "UDP");
  }

  // Waits for a datagram. False: nothing came before `until`, or the loop must end (`end_`).
  bool receive(uint64_t until) {
    for (;;) {
      Address from;
      from.length = sizeof from.storage;
      const ssize_t got = recvfrom(socket_.fd(), in_.data(), in_.size(), udp_.event ? 0 : MSG_DONTWAIT,
                                   udp_.target ? from.get() : nullptr, udp_.target ? &from.length : nullptr);
      if (got == static_cast<ssize_t>(udp_.size)) {
        if (udp_.target) peer_ = from;
        return true;
      }
      if (got >= 0) continue;  // not ours
      if (errno != EAGAIN && errno != EINTR && errno != ECONNREFUSED) throw_errno("recvfrom", "UDP");
      if (udp_.event || ++empty_ % kIdleTries == 0) {
        const uint64_t now = monotonic_ns();
        end_ = tick(now);
        if (end_ || now >= until) return false;
      }
    }
  }

  EndReason ask() {
    const uint64_t goal = udp_.iterations == 0 ? UINT64_MAX : udp_.iterations;
    begin();
    for (uint64_t i = 0; i < goal; ++i) {
      while (rate_limited()) {
        const uint64_t now = monotonic_ns();
        if (next_slot(now) <= now) break;
        if (tick(now)) return end_reason();
        cpu_relax();
      }
      stamp(i);
      const uint64_t sent = monotonic_ns();
      for (bool answered = false; !answered;) {
        send_to_peer();
        const uint64_t lost_at = monotonic_ns() + kLostNs;
        while (!answered && receive(lost_at)) answered = matches();
        if (end_) return end_reason();
      }
      const uint64_t now = monotonic_ns();
      latency(now - sent);
      count(1, udp_.size);
      if (tick(now)) return end_reason();
    }
    return EndReason::kIterations;
  }

  EndReason answer() {
    const uint64_t goal = udp_.iterations == 0 ? UINT64_MAX : udp_.iterations;
    for (uint64_t i = 0; i < goal;) {
      if (!receive(UINT64_MAX)) {
        if (end_) return end_reason();
        continue;
      }
      if (!begun()) begin();
      std::memcpy(out_.data(), in_.data(), out_.size());
      send_to_peer();
      count(1, udp_.size);
      ++i;
      if (tick(monotonic_ns())) return end_reason();
    }
    return EndReason::kIterations;
  }

  UdpOptions udp_;
  Socket socket_;
  Address peer_;
  std::vector<uint8_t> out_;
  std::vector<uint8_t> in_;
  uint32_t empty_ = 0;
  bool end_ = false;
};

}  // namespace

std::unique_ptr<Loop> make_udp_pingpong(const UdpOptions& options, Callbacks callbacks) {
  return std::make_unique<UdpPingPong>(options, std::move(callbacks));
}

}  // namespace vlbench
