// Occupancy of the queues of this process, sampled with the ticks of the feed. Nothing here runs per message.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "uroce/report/ledger.h"
#include "uroce/verbs/watch/watch_still.h"

namespace uroce::verbs {

class Device;
struct CqObject;
struct QpObject;
struct SrqObject;

namespace watch {

enum class QueueKind : uint8_t { sq, rq, srq, cq };
inline constexpr std::size_t kQueueKinds = 4;

struct QueueFill {
  QueueKind kind;
  uint32_t number = 0;  // QPN, or a count per process
  // Entries in use: work requests until their completion is polled, receives left, completions not polled.
  uint32_t used = 0;
  uint32_t queued = 0;  // send queue: requests that have not completed
  uint32_t size = 0;
  bool ever = false;   // something was posted or written to it
  uint64_t since = 0;  // nothing has moved in it since then; 0: it moves

  bool operator==(const QueueFill&) const = default;
};

class Queues {
 public:
  // Most queues of each kind in a message.
  static constexpr std::size_t kMost = 16;

  // With the mutex of Work.
  void made(const report::Live& object);
  void gone(const report::Live& object);
  // The device is closed: forgets all. Returns the message to send, or nothing, like sample().
  std::string end();

  // Takes a sample, and returns the message to send: `{"type":"queues",…`, open for its time. Empty: nothing
  // has changed. Not with the engine lock. The feed's thread.
  std::string sample(Device& device);

 private:
  using Moves = Still<std::pair<uint32_t, uint64_t>>;
  struct OfQp {
    Moves sends, receives;
  };
  struct Numbered {
    uint32_t number = 0;
    Moves moves;
  };

  void look(uint64_t now, std::vector<QueueFill>& fills);

  std::unordered_map<const QpObject*, OfQp> qps_;
  std::unordered_map<const SrqObject*, Numbered> srqs_;
  std::unordered_map<const CqObject*, Numbered> cqs_;
  std::vector<QueueFill> fills_;  // kept for its memory
  std::string last_;
};

}  // namespace watch
}  // namespace uroce::verbs
