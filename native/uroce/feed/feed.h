// The feed of this process to `verbslab exec`, which registers it with the local agent. UROCE_FEED, the
// path of a Unix socket, switches it on. Each process connects when it first opens the device; a forked
// child starts over. When the feed is off, only a null pointer is left, which is checked where the report's
// is.
//
// Nothing here ever waits for the reader: records go into bounded buffers, and the feed's own thread sends
// them.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "uroce/diagnostics.h"
#include "uroce/feed/control_channel.h"
#include "uroce/feed/message.h"
#include "uroce/feed/record_buffer.h"

namespace uroce::feed {

class Feed {
 public:
  // fd: a connected stream socket; the feed takes ownership. sample: runs on the feed's thread every
  // kTickMs, with the subject, which stays alive meanwhile, or null.
  Feed(int fd, void (*sample)(Feed&, void* subject));
  // Starts the thread. 0 or an errno.
  int start();
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;

  uint64_t epoch() const { return epoch_; }
  // A CLOCK_MONOTONIC time after the epoch; 0 stays 0.
  uint64_t after_epoch(uint64_t ns) const { return ns > epoch_ ? ns - epoch_ : 0; }

  // Sends the queued objects at once, not with the next tick.
  void hurry();
  // Queues one JSON object (without its closing brace and time: `{"type":"made","kind":…`). May be called
  // under the engine lock.
  void queue(std::string object, uint64_t now);

  // Records that a tick admits at most, and records that a quiet time saves up for a burst: a short program
  // is seen whole.
  RecordBuffer completions{1u << 20, 1600, 16'000};
  RecordBuffer packets{4u << 20, 400, 3000};
  RecordBuffer lives{64u << 10, 10, 200};

  void set_subject(void* subject) {
    std::lock_guard guard(subject_mutex_);
    subject_ = subject;
  }

  // Applies messages of the listener from now on, if it is a process of this user. apply_control runs on
  // another thread, with the subject, which stays alive meanwhile, or null; it returns 0 or an errno.
  void listen(int (*apply_control)(void* subject, MessageType, std::span<const uint8_t> payload));
  // Waits until the first message of the listener has been applied. False when that takes longer.
  bool wait_for_control(std::chrono::milliseconds timeout);

  // Sends the rest, as long as the reader takes it, and ends the thread. At process exit.
  void finish();
  // For a forked child to close.
  const OwnedSocket& socket() const { return socket_; }

  static constexpr uint64_t kTickMs = 100;

 private:
  static constexpr std::size_t kMaxPending = 8u << 20;
  // At exit, the feed gives up on a reader that takes nothing for this long.
  static constexpr uint64_t kExitTimeoutMs = 1000;

  void run();
  void reply(uint32_t id, int error);
  void send_queued();
  void send_records();
  void send_buffer(MessageType type, RecordBuffer& buffer);
  bool send_all(const void* data, std::size_t length);

  const OwnedSocket socket_;
  void (*const sample_)(Feed&, void*);
  std::mutex subject_mutex_;
  void* subject_ = nullptr;
  const uint64_t epoch_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::string pending_;
  uint64_t dropped_objects_ = 0;  // objects dropped for want of room
  bool stop_ = false;
  bool hurry_ = false;            // a queued object must not wait for the next tick
  bool control_applied_ = false;  // a message of the listener was applied
  std::atomic<uint64_t> ending_since_{UINT64_MAX};
  bool broken_ = false;  // the feed's thread only
  OwnThread thread_;
  std::unique_ptr<ControlChannel> control_channel_;
};

// For use through on() and feed() only.
extern std::atomic<Feed*> g_feed;

inline bool on() { return kDiagnostics && g_feed.load(std::memory_order_acquire) != nullptr; }
inline Feed& feed() { return *g_feed.load(std::memory_order_acquire); }

// UROCE_FEED was set when the library was loaded.
bool wanted();
// Connects this process if it is not connected yet. False, without any other effect, if there is no listener.
bool begin(void (*sample)(Feed&, void*));

}  // namespace uroce::feed
