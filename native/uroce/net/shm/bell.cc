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

constexpr int kEdges = 64;  // taken at once

// A write to anything else might block, or end up in a file.
bool is_eventfd(const UniqueFd& fd) {
  std::ifstream info("/proc/self/fdinfo/" + std::to_string(fd.get()));
  std::string line;
  while (std::getline(info, line)) {
    if (line.starts_with("eventfd-count:")) return (fcntl(fd.get(), F_GETFL) & O_NONBLOCK) != 0;
  }
  return false;
}

}  // namespace

std::expected<Bell, int> Bell::create() {
  Bell bell;
  bell.epoll_.reset(epoll_create1(EPOLL_CLOEXEC));
  if (!bell.epoll_) return std::unexpected(errno);
  auto page = SharedMemory::create(kSleepPage, Others::read);
  if (!page) return std::unexpected(page.error());
  bell.page_ = std::move(*page);
  return bell;
}

// The epoll set refers to the eventfd, not to a descriptor: it drops it, rung or not, when the last one is closed.
std::expected<UniqueFd, int> Bell::eventfd_for_peer() const {
  UniqueFd event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event) return std::unexpected(errno);
  epoll_event interest{};
  interest.events = EPOLLIN | EPOLLET;
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, event.get(), &interest) != 0) return std::unexpected(errno);
  return event;
}

void Bell::sleep() {
  // Takes the edges and reads no eventfd: a peer that makes its own block must not stop us here. Nor must one that
  // rings with many all the time: what is left ends this sleep at once.
  epoll_event rung[kEdges];
  [[maybe_unused]] const int n = epoll_wait(epoll_.get(), rung, kEdges, 0);
  page().sleeps.fetch_add(1, std::memory_order_seq_cst);
  page().sleepers.fetch_add(1, std::memory_order_seq_cst);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

std::expected<PeerBell, int> PeerBell::take(UniqueFd event, const UniqueFd& page) {
  if (!is_eventfd(event)) return std::unexpected(EPROTO);
  auto memory = SharedMemory::map(page, kSleepPage, Others::read);
  if (!memory) return std::unexpected(memory.error());
  PeerBell bell;
  bell.event_ = std::move(event);
  bell.page_ = std::move(*memory);
  return bell;
}

void PeerBell::ring() {
  const auto& page = *reinterpret_cast<const SleepPage*>(page_.span().data());
  if (page.sleepers.load(std::memory_order_relaxed) == 0) return;
  const uint32_t sleep = page.sleeps.load(std::memory_order_relaxed);
  if (sleep == rung_) return;
  rung_ = sleep;
  // A peer that makes its bell block, and fills it, would stop us here.
  if ((fcntl(event_.get(), F_GETFL) & O_NONBLOCK) == 0) return;
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(event_.get(), &one, sizeof one);
}

}  // namespace uroce::net::shm
