// TCP: a stream of chunks in one or both directions.
#include <linux/sockios.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cerrno>

#include "bench/clock.h"
#include "bench/tcp_base.h"

namespace vlbench {
namespace {

// Time that a peer may go on sending after this side is done.
constexpr uint64_t kRestNs = 1'000'000'000;

class TcpStream final : public TcpLoop {
 public:
  using TcpLoop::TcpLoop;
  ~TcpStream() override { join(); }

 private:
  LatencyKind latency_kind() const noexcept override {
    return sends_ && tcp_.ack_every != 0 ? LatencyKind::kAcknowledged : LatencyKind::kNone;
  }

  Whole whole() const noexcept override {
    Whole out;
    out.sent_bytes = 0;
    out.received_bytes = 0;
    for (const Stream& s : streams_) {
      *out.sent_bytes += s.written;
      *out.received_bytes += s.received;
    }
    return out;
  }

  EndReason work() override {
    const uint64_t goal = messages_wanted();
    uint32_t empty = 0;
    if (sends_ || !tcp_.target) begin();
    for (;;) {
      uint64_t pause = 0;
      bool moved = false;
      for (Stream& s : streams_) {
        if (sends_) moved |= send_some(s, goal, pause);
        if (receives_ && !s.closed) moved |= receive_some(s);
      }
      if (messages_done_ >= goal && (!sends_ || all_acked())) break;
      // A side with a goal goes on sending when the peer sends no more; a side without one follows the
      // peer.
      if (all_closed() && (!sends_ || goal == UINT64_MAX)) {
        if (goal != UINT64_MAX) throw Failure(ECONNRESET, "recv", "the peer closed early");
        return EndReason::kStopped;
      }
      if (moved) {
        if (tick(monotonic_ns())) return leave();
      } else if (tcp_.event) {
        if (tick(monotonic_ns())) return leave();
        if (!block_) sleep_for_any(pause);
      } else if (++empty % kIdleTries == 0 && tick(monotonic_ns())) {
        return leave();
      }
    }
    finish();
    hang_up();
    if (sends_ && receives_) take_the_rest();
    return EndReason::kIterations;
  }

  bool all_closed() const noexcept {
    return std::all_of(streams_.begin(), streams_.end(), [](const Stream& s) { return s.closed; });
  }

  // Receives until the peer is done, too. Closing now would reset the data that the peer still sends.
  void take_the_rest() {
    const uint64_t end = monotonic_ns() + kRestNs;
    try {
      while (!all_closed() && !stop_requested() && monotonic_ns() < end) {
        bool moved = false;
        for (Stream& s : streams_) moved |= !s.closed && receive_some(s);
        if (!moved) sleep(streams_[0].socket.fd(), POLLIN, 1'000'000);
      }
    } catch (const Failure&) {
      // The peer has gone; the figures of this side are complete.
    }
  }

  bool wants_to_send(const Stream& s, uint64_t goal) const noexcept {
    return !(s.closed && goal == UINT64_MAX) && (s.chunk_left != 0 || chunks_started_ < goal);
  }

  bool send_some(Stream& s, uint64_t goal, uint64_t& pause) {
    if (!wants_to_send(s, goal)) return take_acks(s);
    if (s.chunk_left == 0) {
      if (rate_limited()) {
        const uint64_t now = monotonic_ns();
        const uint64_t slot = next_slot(now);
        if (slot > now) {
          pause = slot - now;
          return take_acks(s);
        }
      }
      s.chunk_left = tcp_.size;
      s.chunk_start = monotonic_ns();
      ++chunks_started_;
    }
    const ssize_t sent = move(s, true, buffer_.data() + s.place + (tcp_.size - s.chunk_left), s.chunk_left);
    if (sent < 0) return take_acks(s);
    if (sent == 0) {
      s.closed = true;
      return true;
    }
    s.written += static_cast<uint64_t>(sent);
    s.chunk_left -= static_cast<uint64_t>(sent);
    if (s.chunk_left != 0) return true;
    s.place += tcp_.size;
    if (s.place + tcp_.size > tcp_.memory) s.place = 0;
    ++s.chunks;
    if (s.marks.empty()) {
      ++messages_done_;
      count(1, tcp_.size);
      return true;
    }
    if (s.mark_tail - s.mark_head < kMarks) s.marks[s.mark_tail++ % kMarks] = {s.written, s.chunk_start};
    if (--s.until_ack == 0) {
      s.until_ack = tcp_.ack_every;
      take_acks(s);
    }
    return true;
  }

  // Chunks whose last byte the peer's TCP has acknowledged are done.
  bool take_acks(Stream& s) {
    if (s.marks.empty() || s.mark_head == s.mark_tail) return false;
    int queued = 0;
    if (ioctl(s.socket.fd(), SIOCOUTQ, &queued) != 0) throw_errno("ioctl", "SIOCOUTQ");
    const uint64_t acked = s.written - static_cast<uint64_t>(queued);
    if (acked == s.acked) return false;
    s.acked = acked;
    const uint64_t now = monotonic_ns();
    uint64_t done = 0;
    while (s.mark_head != s.mark_tail && s.marks[s.mark_head % kMarks].end <= acked) {
      latency(now - s.marks[s.mark_head % kMarks].time);
      ++s.mark_head;
      ++done;
    }
    messages_done_ += done;
    count(done, done * tcp_.size);
    outstanding(s.mark_tail - s.mark_head);
    return done != 0;
  }

  bool all_acked() const noexcept {
    return std::all_of(streams_.begin(), streams_.end(),
                       [](const Stream& s) { return s.mark_head == s.mark_tail && s.chunk_left == 0; });
  }

  bool receive_some(Stream& s) {
    const size_t room =
        std::min<size_t>(std::max(tcp_.size, kReceiveBytes), buffer_.size() - s.receive_place);
    const ssize_t got = move(s, false, buffer_.data() + s.receive_place, room);
    if (got < 0) return false;
    if (got == 0) {
      s.closed = true;
      return true;
    }
    if (!begun()) begin();
    if (finished()) return true;
    const uint64_t before = s.received / tcp_.size;
    s.received += static_cast<uint64_t>(got);
    s.receive_place += static_cast<size_t>(got);
    // Without memory to walk through, each receive starts at the beginning, so that the bytes stay in the
    // cache.
    if (tcp_.memory == 0 || s.receive_place == buffer_.size()) s.receive_place = 0;
    const uint64_t chunks = s.received / tcp_.size - before;
    count(chunks, static_cast<uint64_t>(got));
    if (!sends_) messages_done_ += chunks;
    return true;
  }

  uint64_t messages_done_ = 0;
  uint64_t chunks_started_ = 0;
};

}  // namespace

std::unique_ptr<Loop> make_tcp_stream(const TcpOptions& options, Callbacks callbacks) {
  return std::make_unique<TcpStream>(options, std::move(callbacks));
}

}  // namespace vlbench
