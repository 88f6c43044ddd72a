#include "uroce/net/shm/bell.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>

namespace uroce::net::shm {
namespace {

constexpr int kMaxEvents = 64;  // read at once

// A write to anything else might block, or end up in a file.
bool is_eventfd(const UniqueFd& fd) {
  std::ifstream info("/proc/self/fdinfo/" + std::to_string(fd.get()));
  std::string line;
  while (std::getline(info, line)) {
    if (line.starts_with("eventfd-count:")) return (fcntl(fd.get(), F_GETFL) & O_NONBLOCK) != 0;
  }
  return false;
}

// Reads no eventfd: a peer that makes its own block must not stop us here. Nor must one that rings with
// many all the time: what is left ends this sleep at once.
void clear_events(const UniqueFd& epoll) {
  epoll_event rung[kMaxEvents];
  [[maybe_unused]] const int n = epoll_wait(epoll.get(), rung, kMaxEvents, 0);
}

}  // namespace

std::expected<Bell, int> Bell::create() {
  Bell bell;
  for (UniqueFd* epoll : {&bell.epoll_, &bell.poll_sleep_epoll_}) {
    epoll->reset(epoll_create1(EPOLL_CLOEXEC));
    if (!*epoll) return std::unexpected(errno);
  }
  auto page = SharedMemory::create(kSleepPage, PeerRights::read);
  if (!page) return std::unexpected(page.error());
  bell.page_ = std::move(*page);
  return bell;
}

// The epoll set refers to the eventfd, not to a descriptor: it drops it, rung or not, when the last one is
// closed.
std::expected<UniqueFd, int> Bell::eventfd_for_peer() const {
  UniqueFd event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event) return std::unexpected(errno);
  epoll_event interest{};
  interest.events = EPOLLIN | EPOLLET;
  for (const UniqueFd* epoll : {&epoll_, &poll_sleep_epoll_}) {
    if (epoll_ctl(epoll->get(), EPOLL_CTL_ADD, event.get(), &interest) != 0) return std::unexpected(errno);
  }
  return event;
}

void Bell::sleep() {
  clear_events(epoll_);
  page().sleeps.fetch_add(1, std::memory_order_seq_cst);
  page().sleepers.fetch_add(1, std::memory_order_seq_cst);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

void Bell::begin_poll_sleep() {
  clear_events(poll_sleep_epoll_);
  page().poll_sleeps.fetch_add(1, std::memory_order_relaxed);
}

std::expected<PeerBell, int> PeerBell::from_descriptors(UniqueFd event, const UniqueFd& page) {
  if (!is_eventfd(event)) return std::unexpected(EPROTO);
  auto memory = SharedMemory::map(page, kSleepPage, PeerRights::read);
  if (!memory) return std::unexpected(memory.error());
  PeerBell bell;
  bell.event_ = std::move(event);
  bell.page_ = std::move(*memory);
  return bell;
}

void PeerBell::ring() {
  if (page().sleepers.load(std::memory_order_relaxed) == 0) return;
  const uint32_t sleep = page().sleeps.load(std::memory_order_relaxed);
  if (sleep == rung_) return;
  rung_ = sleep;
  write_event();
}

void PeerBell::ring_late() {
  const uint32_t poll_sleep = page().poll_sleeps.load(std::memory_order_relaxed);
  if (poll_sleep % 2 == 0 || poll_sleep == rung_late_) return;
  rung_late_ = poll_sleep;
  write_event();
}

void PeerBell::write_event() {
  // A peer that makes its bell block, and fills it, would stop us here.
  if ((fcntl(event_.get(), F_GETFL) & O_NONBLOCK) == 0) return;
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(event_.get(), &one, sizeof one);
}

}  // namespace uroce::net::shm
