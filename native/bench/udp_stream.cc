// A stream of UDP datagrams under a window, the yardstick of what sockets give: one datagram per call, or many
// by UDP_SEGMENT and UDP_GRO, with nothing computed on top. The target reports how many came; a lost
// window is given up after a while and not counted.
#include <netinet/udp.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "bench/clock.h"
#include "bench/socket.h"
#include "bench/socket_loop.h"

namespace vlbench {
namespace {

constexpr size_t kLargestSend = 65'507;
constexpr size_t kLargestReceive = 65'536;

// The target's answer: datagrams received so far.
struct Receipt {
  uint64_t datagrams;
};

class UdpStream final : public Loop {
 public:
  UdpStream(const UdpOptions& options, Callbacks callbacks)
      : Loop(options, std::move(callbacks), nullptr), udp_(options) {
    if (options.size == 0 || options.segments == 0 || options.segments > 128 ||
        options.size * options.segments > kLargestSend)
      throw Failure(EINVAL, "startUdpLoop", "a send holds 1 to 65507 bytes in 1 to 128 datagrams");
    if (options.event) throw Failure(EINVAL, "startUdpLoop", "a stream polls");
    buffer_.resize(udp_.target ? kLargestReceive : options.size * options.segments);
    window_ = std::max(options.window, options.segments);
  }
  ~UdpStream() override { join(); }

 private:
  LatencyKind latency_kind() const noexcept override { return LatencyKind::kNone; }

  EndReason run() override {
    const Address address = resolve(udp_.host, udp_.port, SOCK_DGRAM);
    socket_ = open_socket(address, SOCK_DGRAM);
    if (udp_.target) {
      if (udp_.segments > 1) set_option(socket_, SOL_UDP, UDP_GRO, 1, "UDP_GRO");
      bind_to(socket_, address, "UDP port " + std::to_string(udp_.port));
      ready(local_port(socket_));
      return receive();
    }
    peer_ = address;
    if (udp_.segments > 1)
      set_option(socket_, SOL_UDP, UDP_SEGMENT, static_cast<int>(udp_.size), "UDP_SEGMENT");
    ready(0);
    return send();
  }

  EndReason send() {
    const uint64_t goal = udp_.iterations == 0 ? UINT64_MAX : udp_.iterations;
    begin();
    uint64_t progress_at = monotonic_ns();
    uint32_t empty = 0;
    while (delivered_ < goal) {
      bool moved = false;
      if (sent_ - delivered_ - lost_ + udp_.segments <= window_) moved = send_batch();
      if (take_receipts()) {
        moved = true;
        progress_at = monotonic_ns();
      }
      if (moved) {
        if (tick(monotonic_ns())) return end_reason();
      } else if (++empty % kIdleTries == 0) {
        const uint64_t now = monotonic_ns();
        if (tick(now)) return end_reason();
        if (now - progress_at > kLostNs) {
          lost_ = sent_ - delivered_;
          progress_at = now;
        }
      }
    }
    return EndReason::kIterations;
  }

  bool send_batch() {
    const ssize_t sent = sendto(socket_.fd(), buffer_.data(), buffer_.size(), 0, peer_.get(), peer_.length);
    if (sent < 0) {
      if (errno == ENOBUFS || errno == EAGAIN || errno == EINTR) return false;
      throw_errno("sendto", "UDP");
    }
    sent_ += udp_.segments;
    return true;
  }

  bool take_receipts() {
    Receipt receipt{};
    bool any = false;
    while (recvfrom(socket_.fd(), &receipt, sizeof receipt, MSG_DONTWAIT, nullptr, nullptr) ==
           static_cast<ssize_t>(sizeof receipt)) {
      if (receipt.datagrams <= delivered_) continue;
      const uint64_t more = receipt.datagrams - delivered_;
      delivered_ = receipt.datagrams;
      lost_ = std::min(lost_, sent_ - std::min(sent_, delivered_));
      count(more, more * udp_.size);
      any = true;
    }
    return any;
  }

  EndReason receive() {
    uint64_t received = 0, told = 0;
    uint32_t empty = 0;
    for (;;) {
      peer_.length = sizeof peer_.storage;
      const ssize_t got =
          recvfrom(socket_.fd(), buffer_.data(), buffer_.size(), MSG_DONTWAIT, peer_.get(), &peer_.length);
      if (got > 0) {
        if (!begun()) begin();
        const uint64_t datagrams = static_cast<uint64_t>(got) / udp_.size;
        received += datagrams;
        count(datagrams, static_cast<uint64_t>(got));
        empty = 0;
        if ((received - told) * 4 >= window_) tell(received, &told);
        if (tick(monotonic_ns())) return end_reason();
        continue;
      }
      if (got < 0 && errno != EAGAIN && errno != EINTR) throw_errno("recvfrom", "UDP");
      if (++empty % kIdleTries != 0) continue;
      // Nothing more is on its way: the sender may wait for what is left of its window.
      if (received != told) tell(received, &told);
      if (tick(monotonic_ns())) return end_reason();
    }
  }

  void tell(uint64_t received, uint64_t* told) {
    const Receipt receipt{received};
    if (sendto(socket_.fd(), &receipt, sizeof receipt, 0, peer_.get(), peer_.length) < 0) {
      if (errno == ENOBUFS || errno == EAGAIN || errno == EINTR) return;
      throw_errno("sendto", "UDP");
    }
    *told = received;
  }

  UdpOptions udp_;
  Socket socket_;
  Address peer_;
  std::vector<uint8_t> buffer_;
  uint32_t window_;         // datagrams
  uint64_t sent_ = 0;       // datagrams
  uint64_t delivered_ = 0;  // datagrams, as the target says
  uint64_t lost_ = 0;       // given up
};

}  // namespace

std::unique_ptr<Loop> make_udp_stream(const UdpOptions& options, Callbacks callbacks) {
  return std::make_unique<UdpStream>(options, std::move(callbacks));
}

}  // namespace vlbench
