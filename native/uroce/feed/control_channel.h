// What the listener of the feed says: the way back over the same socket. A thread of its own waits for it, so that it
// is obeyed at once, whatever the feed sends meanwhile.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>

#include "uroce/feed/message.h"
#include "uroce/feed/own_thread.h"
#include "uroce/feed/owned_socket.h"

namespace uroce::feed {

class ControlChannel {
 public:
  // payload: what follows the message's ID. Returns 0 or an errno, EOPNOTSUPP for a type that is not known.
  using Apply = std::function<int(MessageType, std::span<const uint8_t> payload)>;
  // What became of a message. ID 0: it had none, or was too long to be one; nothing is read after that.
  using Answer = std::function<void(uint32_t id, int error)>;

  // The connected socket of the feed stays its owner's. Without a thread for it nothing is heard. Both are called from the control_channel's thread.
  ControlChannel(const OwnedSocket& socket, Apply apply, Answer answer);
  // Ends the thread, within a second at the latest.
  ~ControlChannel();
  ControlChannel(const ControlChannel&) = delete;
  ControlChannel& operator=(const ControlChannel&) = delete;

  // Is it one of this user's processes that listens? No other may say anything.
  static bool same_user(int fd);

  static constexpr uint32_t kMaxBytes = 64u << 10;

 private:
  static constexpr int kLookMs = 500;

  void run();
  bool read_all(void* into, std::size_t length);

  const OwnedSocket socket_;
  const Apply apply_;
  const Answer answer_;
  std::atomic<bool> stop_{false};
  OwnThread thread_;
};

}  // namespace uroce::feed
