#include "bench/tcp_base.h"

#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "bench/clock.h"

namespace vlbench {

TcpLoop::TcpLoop(const TcpOptions& options, Callbacks callbacks)
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
  // Plain blocking calls do where there is one thing to wait for at a time, as in an ordinary TCP program.
  block_ = options.event && options.connections == 1 && (options.latency || sends_ != receives_) &&
           options.messages_per_second == 0;
}

void TcpLoop::kick() noexcept {
  if (const int fd = blocked_fd_.load(std::memory_order_acquire); fd >= 0) {
    cut_.store(true, std::memory_order_release);
    shutdown(fd, SHUT_RDWR);
    return;
  }
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t done = write(wake_fd_.fd(), &one, sizeof one);
}

EndReason TcpLoop::run() {
  const uint64_t least = receives_ && !tcp_.latency ? kReceiveBytes : 0;
  buffer_.resize(std::max({tcp_.size, least, tcp_.memory}));
  connect_all();
  return streams_.empty() ? end_reason() : work();
}

void TcpLoop::connect_all() {
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
    if (tick(monotonic_ns())) {
      streams_.clear();
      return;
    }
    if (!sleep(listener.fd(), POLLIN, 0)) continue;
    Socket socket(accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket) throw_errno("accept");
    add(std::move(socket));
  }
}

void TcpLoop::size_buffers(const Socket& socket) const {
  if (tcp_.socket_buffer == 0) return;
  set_option(socket, SOL_SOCKET, SO_SNDBUF, static_cast<int>(tcp_.socket_buffer), "SO_SNDBUF");
  set_option(socket, SOL_SOCKET, SO_RCVBUF, static_cast<int>(tcp_.socket_buffer), "SO_RCVBUF");
}

void TcpLoop::add(Socket socket) {
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, tcp_.no_delay ? 1 : 0, "TCP_NODELAY");
  Stream& stream = streams_.emplace_back();
  stream.socket = std::move(socket);
  if (sends_ && tcp_.ack_every != 0 && !tcp_.latency) stream.marks.resize(kMarks);
}

bool TcpLoop::sleep(int fd, short events, uint64_t limit_ns) {
  if (!enter_blocking()) return false;
  pollfd fds[] = {{fd, events, 0}, {wake_fd_.fd(), POLLIN, 0}};
  const timespec limit{static_cast<time_t>(limit_ns / 1'000'000'000),
                       static_cast<long>(limit_ns % 1'000'000'000)};
  ppoll(fds, 2, limit_ns == 0 ? nullptr : &limit, nullptr);
  leave_blocking();
  clear_wake(fds[1].revents);
  return fds[0].revents != 0;
}

void TcpLoop::sleep_for_any(uint64_t pause) {
  if (!enter_blocking()) return;
  fds_.clear();
  fds_.push_back({wake_fd_.fd(), POLLIN, 0});
  for (const Stream& s : streams_) {
    // A peer that sends no more may still take what we send.
    short events = receives_ && !s.closed ? POLLIN : 0;
    // While held back by the rate, room in the socket is no news.
    if (sends_ && pause == 0) events |= POLLOUT;
    if (events != 0) fds_.push_back({s.socket.fd(), events, 0});
  }
  const timespec limit{static_cast<time_t>(pause / 1'000'000'000), static_cast<long>(pause % 1'000'000'000)};
  ppoll(fds_.data(), fds_.size(), pause == 0 ? nullptr : &limit, nullptr);
  leave_blocking();
  clear_wake(fds_[0].revents);
}

void TcpLoop::clear_wake(short revents) const {
  if (revents == 0) return;
  uint64_t count = 0;
  [[maybe_unused]] const ssize_t done = read(wake_fd_.fd(), &count, sizeof count);
}

ssize_t TcpLoop::move(Stream& s, bool out, uint8_t* data, size_t length) {
  if (block_) {
    if (!enter_blocking()) return -1;
    blocked_fd_.store(s.socket.fd(), std::memory_order_release);
  }
  const int flags = MSG_NOSIGNAL | (block_ ? 0 : MSG_DONTWAIT);
  const ssize_t n = out ? send(s.socket.fd(), data, length, flags) : recv(s.socket.fd(), data, length, flags);
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

EndReason TcpLoop::leave() {
  const EndReason reason = end_reason();
  finish();
  hang_up();
  return reason;
}

void TcpLoop::hang_up() {
  for (Stream& s : streams_) shutdown(s.socket.fd(), sends_ ? SHUT_WR : SHUT_RDWR);
}

std::unique_ptr<Loop> make_tcp_loop(const TcpOptions& options, Callbacks callbacks) {
  return options.latency ? make_tcp_pingpong(options, std::move(callbacks))
                         : make_tcp_stream(options, std::move(callbacks));
}

}  // namespace vlbench
