// TCP: a stream of chunks in one or both directions, or a ping-pong. One thread serves all connections of a
// side.
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <vector>

#include "bench/clock.h"
#include "bench/socket.h"
#include "bench/socket_loop.h"

namespace vlbench {
namespace {

constexpr uint32_t kIdleTries = 64;
// A receive takes so much, or a chunk if that is more.
constexpr uint64_t kReceiveBytes = 256 * 1024;
// How long a peer may go on sending after this side is done.
constexpr uint64_t kRestNs = 1'000'000'000;
constexpr size_t kMarks = 1 << 16;  // chunks on their way: more than any socket buffer holds

// A chunk that was written and waits for its acknowledgement.
struct Mark {
  uint64_t end;   // stream offset
  uint64_t time;  // start of its write
};

class TcpLoop final : public Loop {
 public:
  TcpLoop(const TcpOptions& options, Callbacks callbacks)
      : Loop(options, std::move(callbacks), nullptr),
        tcp_(options),
        wake_fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!wake_fd_) throw_errno("eventfd");
    if (options.size == 0) throw Failure(EINVAL, "startTcpLoop", "a chunk has at least 1 byte");
    if (options.latency && options.connections != 1)
      throw Failure(EINVAL, "startTcpLoop", "latency is measured on one connection");
    const bool out = options.direction != Direction::kIn;
    const bool in = options.direction != Direction::kOut;
    sends_ = options.target ? in : out;
    receives_ = options.target ? out : in;
    // One thing to wait for at a time: then plain blocking calls do, as in an ordinary TCP program.
    block_ = options.event && options.connections == 1 && (options.latency || sends_ != receives_) &&
             options.messages_per_second == 0;
  }
  ~TcpLoop() override { join(); }

 private:
  struct Stream {
    Socket socket;
    uint64_t written = 0;      // bytes
    uint64_t chunk_left = 0;   // of the chunk being written
    uint64_t chunk_start = 0;  // its time
    uint64_t acked = 0;
    uint64_t received = 0;
    uint64_t chunks = 0;
    uint32_t until_ack = 1;
    std::vector<Mark> marks;
    size_t mark_head = 0;
    size_t mark_tail = 0;
    size_t place = 0;          // where the chunk that is being sent begins
    size_t receive_place = 0;  // where the next bytes land
    bool closed = false;
  };

  LatencyKind latency_kind() const noexcept override {
    if (tcp_.latency) return tcp_.target ? LatencyKind::kNone : LatencyKind::kRoundTrip;
    return sends_ && tcp_.ack_every != 0 ? LatencyKind::kAcknowledged : LatencyKind::kNone;
  }

  void kick() noexcept override {
    if (const int fd = blocked_fd_.load(std::memory_order_acquire); fd >= 0) {
      cut_.store(true, std::memory_order_release);
      shutdown(fd, SHUT_RDWR);
      return;
    }
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t done = write(wake_fd_.fd(), &one, sizeof one);
  }

  EndReason run() override {
    const uint64_t least = receives_ && !tcp_.latency ? kReceiveBytes : 0;
    buffer_.resize(std::max({tcp_.size, least, tcp_.memory}));
    connect_all();
    if (streams_.empty()) return end_reason();
    if (tcp_.latency) return tcp_.target ? answer() : ask();
    return stream();
  }

  // ---- connections

  void connect_all() {
    const Address address = resolve(tcp_.host, tcp_.port, SOCK_STREAM);
    if (!tcp_.target) {
      for (uint32_t i = 0; i < tcp_.connections; ++i) {
        Socket socket = open_socket(address, SOCK_STREAM);
        size_buffers(socket);
        if (connect(socket.fd(), address.get(), address.length) != 0)
          throw_errno("connect", tcp_.host + " port " + std::to_string(tcp_.port));
        add(std::move(socket));
      }
      ready(0);
      return;
    }
    const Socket listener = listen_on(address, static_cast<int>(tcp_.connections));
    size_buffers(listener);
    ready(local_port(listener));
    while (streams_.size() < tcp_.connections) {
      if (tick(now_ns())) {
        streams_.clear();
        return;
      }
      if (!sleep(listener.fd(), POLLIN, 0)) continue;
      Socket socket(accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!socket) throw_errno("accept");
      add(std::move(socket));
    }
  }

  void size_buffers(const Socket& socket) const {
    if (tcp_.socket_buffer == 0) return;
    set_option(socket, SOL_SOCKET, SO_SNDBUF, static_cast<int>(tcp_.socket_buffer), "SO_SNDBUF");
    set_option(socket, SOL_SOCKET, SO_RCVBUF, static_cast<int>(tcp_.socket_buffer), "SO_RCVBUF");
  }

  void add(Socket socket) {
    set_option(socket, IPPROTO_TCP, TCP_NODELAY, tcp_.no_delay ? 1 : 0, "TCP_NODELAY");
    Stream& stream = streams_.emplace_back();
    stream.socket = std::move(socket);
    if (sends_ && tcp_.ack_every != 0 && !tcp_.latency) stream.marks.resize(kMarks);
  }

  // Sleeps until `fd` is ready or somebody kicks. `limit_ns` 0: no limit.
  bool sleep(int fd, short events, uint64_t limit_ns) {
    if (!enter_blocking()) return false;
    pollfd fds[] = {{fd, events, 0}, {wake_fd_.fd(), POLLIN, 0}};
    const timespec limit{static_cast<time_t>(limit_ns / 1'000'000'000),
                         static_cast<long>(limit_ns % 1'000'000'000)};
    ppoll(fds, 2, limit_ns == 0 ? nullptr : &limit, nullptr);
    leave_blocking();
    clear_wake(fds[1].revents);
    return fds[0].revents != 0;
  }

  void clear_wake(short revents) const {
    if (revents == 0) return;
    uint64_t count = 0;
    [[maybe_unused]] const ssize_t done = read(wake_fd_.fd(), &count, sizeof count);
  }

  // ---- streams

  EndReason stream() {
    const uint64_t goal = tcp_.iterations == 0 ? UINT64_MAX : tcp_.iterations;
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
      // Who has a goal goes on sending when the peer sends no more; who has none follows the peer.
      if (all_closed() && (!sends_ || goal == UINT64_MAX)) {
        if (goal != UINT64_MAX) throw Failure(ECONNRESET, "recv", "the peer closed early");
        return EndReason::kStopped;
      }
      if (moved) {
        if (tick(now_ns())) return leave();
      } else if (tcp_.event) {
        if (tick(now_ns())) return leave();
        if (!block_) sleep_for_any(pause);
      } else if (++empty % kIdleTries == 0 && tick(now_ns())) {
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

  // Our side is done; the peer may not be. Closing now would reset what it still sends.
  void take_the_rest() {
    const uint64_t end = now_ns() + kRestNs;
    try {
      while (!all_closed() && !stop_requested() && now_ns() < end) {
        bool moved = false;
        for (Stream& s : streams_) moved |= !s.closed && receive_some(s);
        if (!moved) sleep(streams_[0].socket.fd(), POLLIN, 1'000'000);
      }
    } catch (const Failure&) {
      // It has gone; our figures are whole.
    }
  }

  EndReason leave() {
    const EndReason reason = end_reason();
    finish();
    hang_up();
    return reason;
  }

  // The peer sees the end of the stream, not a reset, unless bytes from it were left unread.
  void hang_up() {
    for (Stream& s : streams_) shutdown(s.socket.fd(), sends_ ? SHUT_WR : SHUT_RDWR);
  }

  bool wants_to_send(const Stream& s, uint64_t goal) const noexcept {
    return !(s.closed && goal == UINT64_MAX) && (s.chunk_left != 0 || chunks_started_ < goal);
  }

  bool send_some(Stream& s, uint64_t goal, uint64_t& pause) {
    if (!wants_to_send(s, goal)) return take_acks(s);
    if (s.chunk_left == 0) {
      if (rate_limited()) {
        const uint64_t now = now_ns();
        const uint64_t slot = next_slot(now);
        if (slot > now) {
          pause = slot - now;
          return take_acks(s);
        }
      }
      s.chunk_left = tcp_.size;
      s.chunk_start = now_ns();
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

  // One send or receive. -1: nothing moved, the caller looks whether it must end.
  ssize_t move(Stream& s, bool out, uint8_t* data, size_t length) {
    if (block_) {
      if (!enter_blocking()) return -1;
      blocked_fd_.store(s.socket.fd(), std::memory_order_release);
    }
    const int flags = MSG_NOSIGNAL | (block_ ? 0 : MSG_DONTWAIT);
    const ssize_t n =
        out ? send(s.socket.fd(), data, length, flags) : recv(s.socket.fd(), data, length, flags);
    const int err = errno;
    if (block_) {
      blocked_fd_.store(-1, std::memory_order_release);
      leave_blocking();
    }
    if (n > 0) return n;
    // The watcher cut the connection to get this thread out: no fault of the peer.
    if (cut_.load(std::memory_order_acquire)) return -1;
    if (n == 0) return 0;
    if (err == EAGAIN || err == EINTR) return -1;
    // An initiator that has what it wanted hangs up on a target that still sends.
    if (tcp_.target && out && (err == EPIPE || err == ECONNRESET)) return 0;
    throw Failure(err, out ? "send" : "recv", "TCP");
  }

  // Chunks whose last byte the peer's TCP has acknowledged are done.
  bool take_acks(Stream& s) {
    if (s.marks.empty() || s.mark_head == s.mark_tail) return false;
    int queued = 0;
    if (ioctl(s.socket.fd(), SIOCOUTQ, &queued) != 0) throw_errno("ioctl", "SIOCOUTQ");
    const uint64_t acked = s.written - static_cast<uint64_t>(queued);
    if (acked == s.acked) return false;
    s.acked = acked;
    const uint64_t now = now_ns();
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
    // Without memory to walk through each receive starts anew, so that the bytes stay in the cache.
    if (tcp_.memory == 0 || s.receive_place == buffer_.size()) s.receive_place = 0;
    const uint64_t chunks = s.received / tcp_.size - before;
    count(chunks, static_cast<uint64_t>(got));
    if (!sends_) messages_done_ += chunks;
    return true;
  }

  void sleep_for_any(uint64_t pause) {
    if (!enter_blocking()) return;
    fds_.clear();
    fds_.push_back({wake_fd_.fd(), POLLIN, 0});
    for (const Stream& s : streams_) {
      short events = receives_ ? POLLIN : 0;
      // While held back by the rate, room in the socket is no news.
      if (sends_ && pause == 0) events |= POLLOUT;
      if (!s.closed) fds_.push_back({s.socket.fd(), events, 0});
    }
    const timespec limit{static_cast<time_t>(pause / 1'000'000'000),
                         static_cast<long>(pause % 1'000'000'000)};
    ppoll(fds_.data(), fds_.size(), pause == 0 ? nullptr : &limit, nullptr);
    leave_blocking();
    clear_wake(fds_[0].revents);
  }

  // ---- ping-pong

  EndReason ask() {
    Stream& s = streams_[0];
    const uint64_t goal = tcp_.iterations == 0 ? UINT64_MAX : tcp_.iterations;
    begin();
    for (uint64_t i = 0; i < goal; ++i) {
      while (rate_limited()) {
        const uint64_t now = now_ns();
        const uint64_t slot = next_slot(now);
        if (slot <= now) break;
        if (tick(now)) return leave();
        sleep(-1, 0, std::min<uint64_t>(slot - now, 1'000'000));
      }
      const uint64_t sent = now_ns();
      if (!transfer(s, true) || !transfer(s, false)) return leave();
      const uint64_t now = now_ns();
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
    const uint64_t goal = tcp_.iterations == 0 ? UINT64_MAX : tcp_.iterations;
    for (uint64_t i = 0; i < goal; ++i) {
      if (!transfer(s, false)) {
        if (s.closed && goal != UINT64_MAX) throw Failure(ECONNRESET, "recv", "the peer closed early");
        return s.closed ? EndReason::kStopped : leave();
      }
      if (!begun()) begin();
      if (!transfer(s, true)) return leave();
      count(1, tcp_.size);
      if (tick(now_ns())) return leave();
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
        if (tick(now_ns())) return false;
        if (!block_) sleep(s.socket.fd(), out ? POLLOUT : POLLIN, 0);
      } else if (++empty_ % kIdleTries == 0 && tick(now_ns())) {
        return false;
      }
    }
    return true;
  }

  TcpOptions tcp_;
  Socket wake_fd_;
  bool sends_ = false;
  bool receives_ = false;
  bool block_ = false;
  std::atomic<int> blocked_fd_{-1};
  std::atomic<bool> cut_{false};
  std::vector<uint8_t> buffer_;
  std::vector<Stream> streams_;
  std::vector<pollfd> fds_;
  uint64_t messages_done_ = 0;
  uint64_t chunks_started_ = 0;
  uint32_t empty_ = 0;
};

}  // namespace

std::unique_ptr<Loop> make_tcp_loop(const TcpOptions& options, Callbacks callbacks) {
  return std::make_unique<TcpLoop>(options, std::move(callbacks));
}

}  // namespace vlbench
