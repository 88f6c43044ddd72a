// What the listener of the feed says: the way back over the same socket. A thread of its own waits for it, so that it
// is obeyed at once, whatever the feed sends meanwhile.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>

#include "uroce/feed/message.h"

namespace uroce::feed {

class Inbox {
 public:
  // payload: what follows the message's ID. Returns 0 or an errno, EOPNOTSUPP for a type that is not known.
  using Obey = std::function<int(MessageType, std::span<const uint8_t> payload)>;
  // What became of a message. ID 0: it had none, or was too long to be one; nothing is read after that.
  using Answer = std::function<void(uint32_t id, int error)>;

  // fd: the connected socket of the feed, which stays its owner's. Both are called from the inbox's thread.
  Inbox(int fd, Obey obey, Answer answer);
  // Ends the thread, within a second at the latest.
  ~Inbox();
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  // Is it one of this user's processes that listens? No other may say anything.
  static bool same_user(int fd);

  static constexpr uint32_t kMaxBytes = 64u << 10;

 private:
  static constexpr int kLookMs = 500;

  void run();
  bool read_all(void* into, std::size_t length);
  bool still_there() const;

  const int fd_;
  const Obey obey_;
  const Answer answer_;
  // Of the socket: a program may close all descriptors that it does not know, and get its number for something else.
  dev_t device_ = 0;
  ino_t inode_ = 0;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace uroce::feed
