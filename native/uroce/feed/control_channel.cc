#include "uroce/feed/control_channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace uroce::feed {

bool ControlChannel::same_user(int fd) {
  ucred peer{};
  socklen_t length = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
}

ControlChannel::ControlChannel(const OwnedSocket& socket, Apply apply, Reply reply)
    : socket_(socket), apply_(std::move(apply)), reply_(std::move(reply)) {
  if (socket_.still_there()) thread_.start([this] { run(); });
}

ControlChannel::~ControlChannel() {
  stop_.store(true);
  // Wakes the thread. What was sent before still reaches the listener.
  if (socket_.still_there()) shutdown(socket_.fd(), SHUT_RDWR);
  thread_.join();
}

bool ControlChannel::read_all(void* into, std::size_t length) {
  auto* at = static_cast<uint8_t*>(into);
  while (length > 0 && !stop_.load()) {
    pollfd readable{socket_.fd(), POLLIN, 0};
    const int ready = poll(&readable, 1, kPollMs);
    if (!socket_.still_there() || (ready < 0 && errno != EINTR)) return false;
    if (ready <= 0) continue;
    const ssize_t n = recv(socket_.fd(), at, length, MSG_DONTWAIT);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return false;
    if (n < 0) continue;
    at += n;
    length -= static_cast<std::size_t>(n);
  }
  return length == 0;
}

void ControlChannel::run() {
  MessageHeader header;
  std::vector<uint8_t> payload;
  while (read_all(&header, sizeof header)) {
    uint32_t id = 0;
    if (header.length < sizeof id || header.length > kMaxBytes) return reply_(0, EBADMSG);
    payload.resize(header.length);
    if (!read_all(payload.data(), payload.size())) return;
    std::memcpy(&id, payload.data(), sizeof id);
    reply_(id, apply_(header.type, std::span<const uint8_t>(payload).subspan(sizeof id)));
  }
}

}  // namespace uroce::feed
