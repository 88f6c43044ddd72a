// Wake-ups of a sleeping process whose peer has written to a ring, or has made room in one.
//
// A process that is awake polls, without a system call at either end. Before it sleeps it says so in a page
// that its peers can only read, and polls once more. A peer that finds it asleep writes to an eventfd, once
// per sleep. Each peer has its own eventfd, so that none can read, fill or block another one's.
//
// A process also says when its engine thread is in a poll-mode sleep: it sleeps because an application
// polls. If that application spins on memory instead, packets wait for the end of the sleep; a peer that
// has waited for too long rings as well.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>

#include "uroce/net/host/unique_fd.h"
#include "uroce/net/shm/memory.h"

namespace uroce::net::shm {

struct SleepPage {
  std::atomic<uint32_t> sleepers;     // threads that sleep until the bell rings
  std::atomic<uint32_t> sleeps;       // sleeps begun so far
  std::atomic<uint32_t> poll_sleeps;  // poll-mode sleeps begun and ended: odd during one
};
inline constexpr std::size_t kSleepPage = 4096;  // bytes

// Bell of this process.
class Bell {
 public:
  static std::expected<Bell, int> create();

  // Readable once rung, until the next sleep(). A thread that wakes leaves it readable: another thread may
  // sleep on it, too, and be the one that has to poll the rings.
  int fd() const { return epoll_.get(); }
  int page_fd() const { return page_.fd(); }
  // An eventfd for one more peer. While either side has it, a ring wakes the sleeper: keep it where the
  // peer may ring and end before the sleeper has polled.
  std::expected<UniqueFd, int> eventfd_for_peer() const;
  // Announces that this thread sleeps until fd() is readable: later writes of others make it so. The caller
  // then polls the rings once more.
  void sleep();
  // Ends a sleep(): the thread has woken, or decided not to sleep.
  void end_sleep() { page().sleepers.fetch_sub(1, std::memory_order_relaxed); }

  // Poll-mode sleep of the engine thread: poll_sleep_fd() becomes readable when a peer rings before
  // end_poll_sleep().
  int poll_sleep_fd() const { return poll_sleep_epoll_.get(); }
  void begin_poll_sleep();
  void end_poll_sleep() { page().poll_sleeps.fetch_add(1, std::memory_order_relaxed); }

 private:
  Bell() = default;
  SleepPage& page() const { return *reinterpret_cast<SleepPage*>(page_.span().data()); }

  // The eventfds of the peers, edge-triggered. A poll-mode sleep has an epoll set of its own: events of the
  // other set may belong to a sleeping thread.
  UniqueFd epoll_, poll_sleep_epoll_;
  SharedMemory page_;
};

// Bell of another process, or of this one, to ring.
class PeerBell {
 public:
  PeerBell() = default;
  // EPROTO unless both descriptors come from a Bell.
  static std::expected<PeerBell, int> from_descriptors(UniqueFd event, const UniqueFd& page);
  // Rings if the process sleeps. Call after a seq_cst fence that follows the writes that the sleeper must see.
  void ring();
  // Rings if the process is in a poll-mode sleep, once per sleep.
  void ring_late();

 private:
  const SleepPage& page() const { return *reinterpret_cast<const SleepPage*>(page_.span().data()); }
  void write_event();

  UniqueFd event_;
  SharedMemory page_;
  uint32_t rung_ = 0;       // the sleep that it was last rung in
  uint32_t rung_late_ = 0;  // the poll-mode sleep that it was last rung in
};

}  // namespace uroce::net::shm
