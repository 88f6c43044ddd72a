#include "uroce/feed/feed.h"

#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>

#include "uroce/clock.h"
#include "uroce/feed/object.h"

namespace uroce::feed {

std::atomic<Feed*> g_feed{nullptr};

namespace {

std::mutex g_mutex;
const char* g_path = nullptr;  // as it was when the library was loaded

// The child has the parent's socket and not its thread. Its copy goes, so that the parent's end shows.
void after_fork() {
  if (on()) feed().socket().close();
  g_feed = nullptr;  // its memory may be in any state
  new (&g_mutex) std::mutex;
}

__attribute__((constructor)) void look_up() {
  const char* path = std::getenv("UROCE_FEED");
  if (path == nullptr || *path == '\0' || std::strlen(path) >= sizeof sockaddr_un{}.sun_path) return;
  g_path = strdup(path);
  pthread_atfork(nullptr, nullptr, after_fork);
}

int connect_to(const char* path) {
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path);
  // A full backlog would block. A listener that works takes its connections at once.
  const timeval timeout{1, 0};
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
    const timeval slice{0, 100'000};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &slice, sizeof slice);
    return fd;
  }
  close(fd);
  return -1;
}

}  // namespace

bool wanted() { return g_path != nullptr; }

bool begin(void (*sample)(Feed&, void*)) {
  if (g_path == nullptr) return false;
  std::lock_guard guard(g_mutex);
  if (g_feed != nullptr) return true;
  const int error = errno;
  const int fd = connect_to(g_path);
  errno = error;
  if (fd < 0) return false;
  auto feed = std::make_unique<Feed>(fd, sample);
  if (feed->start() != 0) {  // the process may have no more threads
    close(fd);
    return false;
  }
  g_feed = feed.release();
  return true;
}

Feed::Feed(int fd, void (*sample)(Feed&, void*)) : socket_(fd), sample_(sample), epoch_(monotonic_ns()) {}

int Feed::start() {
  return thread_.start([this] { run(); });
}

void Feed::queue(std::string object, uint64_t now) {
  object += ",\"t\":" + std::to_string(after_epoch(now)) + "}";
  const MessageHeader header{static_cast<uint32_t>(object.size()), MessageType::json};
  std::lock_guard guard(mutex_);
  if (pending_.size() + object.size() > kMaxPending) {
    ++dropped_objects_;
    return;
  }
  pending_.append(reinterpret_cast<const char*>(&header), sizeof header);
  pending_ += object;
}

void Feed::run() {
  std::unique_lock lock(mutex_);
  auto next = std::chrono::steady_clock::now() + std::chrono::milliseconds(kTickMs);
  // Once more after the end was asked for, which may have been before this thread came to run.
  for (bool last = false; !last;) {
    wake_.wait_until(lock, next, [this] { return stop_ || hurry_; });
    last = stop_;
    hurry_ = false;
    lock.unlock();
    // A tick has its samples and its share of records; what is in a hurry comes in between.
    const bool tick = last || std::chrono::steady_clock::now() >= next;
    if (tick) {
      next = std::chrono::steady_clock::now() + std::chrono::milliseconds(kTickMs);
      std::lock_guard subject(subject_mutex_);
      sample_(*this, subject_);
    }
    send_queued();
    if (tick) send_records();
    lock.lock();
  }
}

void Feed::listen(int (*apply_control)(void*, MessageType, std::span<const uint8_t>)) {
  if (control_channel_ || !ControlChannel::same_user(socket_.fd())) return;
  control_channel_ = std::make_unique<ControlChannel>(
      socket_,
      [this, apply_control](MessageType type, std::span<const uint8_t> payload) {
        std::lock_guard subject(subject_mutex_);
        return apply_control(subject_, type, payload);
      },
      [this](uint32_t id, int error) { reply(id, error); });
}

void Feed::reply(uint32_t id, int error) {
  Object out("control");
  out.number("id", id).number("errno", static_cast<uint64_t>(error));
  queue(out.take(), monotonic_ns());
  {
    std::lock_guard guard(mutex_);
    hurry_ = true;
    control_applied_ = true;
  }
  wake_.notify_all();
}

void Feed::hurry() {
  {
    std::lock_guard guard(mutex_);
    hurry_ = true;
  }
  wake_.notify_all();
}

bool Feed::wait_for_control(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  return wake_.wait_for(lock, timeout, [this] { return control_applied_; });
}

void Feed::send_queued() {
  uint64_t dropped;
  {
    std::lock_guard guard(mutex_);
    dropped = std::exchange(dropped_objects_, 0);
  }
  if (dropped > 0) queue("{\"type\":\"unsaid\",\"count\":" + std::to_string(dropped), monotonic_ns());
  std::string text;
  {
    std::lock_guard guard(mutex_);
    text.swap(pending_);
  }
  if (!text.empty()) send_all(text.data(), text.size());
}

void Feed::send_records() {
  send_buffer(MessageType::completions, completions);
  send_buffer(MessageType::packets, packets);
  send_buffer(MessageType::lives, lives);
}

void Feed::send_buffer(MessageType type, RecordBuffer& buffer) {
  Detail detail{};
  const std::span<const uint8_t> records = buffer.swap_out(&detail.dropped);
  if (records.empty() && detail.dropped == 0) return;
  const MessageHeader header{static_cast<uint32_t>(sizeof detail + records.size()), type};
  uint8_t head[sizeof header + sizeof detail];
  std::memcpy(head, &header, sizeof header);
  std::memcpy(head + sizeof header, &detail, sizeof detail);
  if (send_all(head, sizeof head)) send_all(records.data(), records.size());
}

bool Feed::send_all(const void* data, std::size_t length) {
  const auto* at = static_cast<const uint8_t*>(data);
  uint64_t taken_at = monotonic_ns();
  while (length > 0 && !broken_) {
    const ssize_t n = socket_.still_there() ? send(socket_.fd(), at, length, MSG_NOSIGNAL) : 0;
    if (n > 0) {
      at += n;
      length -= static_cast<std::size_t>(n);
      taken_at = monotonic_ns();
    } else if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
      const uint64_t ending = ending_since_.load();
      broken_ =
          ending != UINT64_MAX && monotonic_ns() - std::max(taken_at, ending) > kExitTimeoutMs * 1'000'000;
    } else {
      broken_ = true;
    }
  }
  if (!broken_) return true;
  // The listener is gone: the program goes on as if there had never been one.
  completions.close();
  packets.close();
  lives.close();
  return false;
}

void Feed::finish() {
  {
    std::lock_guard guard(mutex_);
    if (stop_) return;
    stop_ = true;
  }
  ending_since_.store(monotonic_ns());
  wake_.notify_all();
  thread_.join();
  control_channel_.reset();
  socket_.close();
}

}  // namespace uroce::feed
