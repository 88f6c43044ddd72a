// The control channel: messages from the listener of the feed, over the same socket. A separate thread
// waits for them, so that they take effect at once, whatever the feed sends meanwhile.
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
  // payload: the bytes after the message's ID. Returns 0 or an errno, EOPNOTSUPP for an unknown type.
  using Apply = std::function<int(MessageType, std::span<const uint8_t> payload)>;
  // Reports the outcome of a message. ID 0: the message had a bad length, and nothing more is read.
  using Reply = std::function<void(uint32_t id, int error)>;

  // The socket is that of the feed and stays its owner's. Without a thread no message is read. Both
  // functions run on the control channel's thread.
  ControlChannel(const OwnedSocket& socket, Apply apply, Reply reply);
  // Ends the thread, within a second at the latest.
  ~ControlChannel();
  ControlChannel(const ControlChannel&) = delete;
  ControlChannel& operator=(const ControlChannel&) = delete;

  // True if the listener is a process of this user. Messages of others are not accepted.
  static bool same_user(int fd);

  static constexpr uint32_t kMaxBytes = 64u << 10;

 private:
  static constexpr int kPollMs = 500;

  void run();
  bool read_all(void* into, std::size_t length);

  const OwnedSocket socket_;
  const Apply apply_;
  const Reply reply_;
  std::atomic<bool> stop_{false};
  OwnThread thread_;
};

}  // namespace uroce::feed
