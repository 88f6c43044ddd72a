#include "uroce/net/shm/bell.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>

namespace uroce::net::shm {
namespace {

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
  bell.event_.reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!bell.event_) return std::unexpected(errno);
  auto page = SharedMemory::create(kSleepPage, Others::read);
  if (!page) return std::unexpected(page.error());
  bell.page_ = std::move(*page);
  return bell;
}

void Bell::sleep() {
  uint64_t count;
  // Peers share the flags of the descriptor: one that clears O_NONBLOCK must not stop us here.
  const iovec to{&count, sizeof count};
  [[maybe_unused]] const ssize_t got = preadv2(event_.get(), &to, 1, -1, RWF_NOWAIT);
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
