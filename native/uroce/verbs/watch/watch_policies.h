// Policies of this process's queue pairs, and what they do: sampled with the ticks of the feed, for queue pairs that
// have another policy than the default. Nothing here runs per message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "uroce/types.h"

namespace uroce::verbs {

class Device;
struct QpObject;

namespace watch {

class Policies {
 public:
  // Most queue pairs in a message, those with the lowest numbers. It counts the others.
  static constexpr std::size_t kMost = 16;

  // Takes a sample, and returns the message to send: `{"type":"policies",…`, open for its time. Empty: nothing has
  // changed. Not with the engine lock. The feed's thread.
  std::string sample(Device& device);
  // The queue pair was connected: a program may end before the next tick. As sample(), with the engine lock and the
  // mutex of Work.
  std::string connected(const QpObject& qp, uint64_t now);
  // The queue pair is about to be destroyed: what it did since the last tick is not lost. As connected().
  std::string leaving(const QpObject& qp, uint64_t now);
  // The device is closed: forgets all. Returns the message to send, like sample().
  std::string end();

 private:
  using States = std::unordered_map<const QpObject*, QpState>;
  // Engine lock and the mutex of Work.
  std::string look(const States& qps, uint64_t now);
  std::string changed(std::string text);

  std::vector<const QpObject*> found_;  // kept for its memory
  std::size_t named_ = 0;
  std::string last_;
};

}  // namespace watch
}  // namespace uroce::verbs
