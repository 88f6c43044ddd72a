// TCP ping-pong: one message out, one back.
#include <algorithm>
#include <cerrno>

#include "bench/clock.h"
#include "bench/tcp_base.h"

namespace vlbench {
namespace {

class TcpPingPong final : public TcpLoop {
 public:
  using TcpLoop::TcpLoop;
  ~TcpPingPong() override { join(); }

 private:
  LatencyKind latency_kind() const noexcept override {
    return tcp_.target ? LatencyKind::kNone : LatencyKind::kRoundTrip;
  }
  EndReason work() override { return tcp_.target ? answer() : ask(); }

  EndReason ask() {
    Stream& s = streams_[0];
    const uint64_t goal = messages_wanted();
    begin();
    for (uint64_t i = 0; i < goal; ++i) {
      while (rate_limited()) {
        const uint64_t now = monotonic_ns();
        const uint64_t slot = next_slot(now);
        if (slot <= now) break;
        if (tick(now)) return leave();
        sleep(-1, 0, std::min<uint64_t>(slot - now, 1'000'000));
      }
      const uint64_t sent = monotonic_ns();
      if (!transfer(s, true) || !transfer(s, false)) return leave();
      const uint64_t now = monotonic_ns();
      latency(now - sent);
      count(1, tcp_.size);
      if (tick(now)) return leave();
    }
    finish();
    hang_up();
    return EndReason::kIterations;
  }

  EndReason answer() {
    Stream& s = streams_[0];
    const uint64_t goal = messages_wanted();
    for (uint64_t i = 0; i < goal; ++i) {
      if (!transfer(s, false)) {
        if (s.closed && goal != UINT64_MAX) throw Failure(ECONNRESET, "recv", "the peer closed early");
        return s.closed ? EndReason::kStopped : leave();
      }
      if (!begun()) begin();
      if (!transfer(s, true)) return leave();
      count(1, tcp_.size);
      if (tick(monotonic_ns())) return leave();
    }
    finish();
    return EndReason::kIterations;
  }

  // A whole message out or in. False: the loop must end, or the peer has closed.
  bool transfer(Stream& s, bool out) {
    for (uint64_t at = 0; at < tcp_.size;) {
      uint8_t* data = buffer_.data() + at;
      const size_t left = tcp_.size - at;
      const ssize_t n = move(s, out, data, left);
      if (n > 0) {
        at += static_cast<uint64_t>(n);
        continue;
      }
      if (n == 0 && !out) {
        s.closed = true;
        if (!tcp_.target || at != 0) throw Failure(ECONNRESET, "recv", "the peer closed early");
        return false;
      }
      if (tcp_.event) {
        if (tick(monotonic_ns())) return false;
        if (!block_) sleep(s.socket.fd(), out ? POLLOUT : POLLIN, 0);
      } else if (++empty_ % kIdleTries == 0 && tick(monotonic_ns())) {
        return false;
      }
    }
    return true;
  }

  uint32_t empty_ = 0;
};

}  // namespace

std::unique_ptr<Loop> make_tcp_pingpong(const TcpOptions& options, Callbacks callbacks) {
  return std::make_unique<TcpPingPong>(options, std::move(callbacks));
}

}  // namespace vlbench
