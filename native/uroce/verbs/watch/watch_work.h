// Counts of the work of this process, and the known states of its queue pairs.
#pragma once

#include <infiniband/verbs.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

#include "uroce/feed/feed.h"
#include "uroce/feed/object.h"
#include "uroce/net/host/clock.h"
#include "uroce/verbs/abi/names.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/watch/watch_policies.h"
#include "uroce/verbs/watch/watch_queues.h"
#include "uroce/verbs/watch/watch_standstill.h"

namespace uroce::verbs::watch {

inline constexpr uint32_t kOpcodeCount = 16;         // opcodes of ibv_wr_opcode
inline constexpr std::size_t kFailuresOfAll = 1000;  // kinds of failures that are reported of one process

inline void queue(feed::Object& object) { feed::feed().queue(object.take(), net::now_ns()); }

// Movements of payload by requests.
enum Move : uint32_t { kWritten, kRead, kSent, kReceived, kMoveCount };
inline constexpr const char* kMoveNames[] = {"written", "read", "sent", "received"};

inline Move move_of(ibv_wc_opcode opcode) {
  if ((opcode & IBV_WC_RECV) != 0) return kReceived;
  if (opcode == IBV_WC_RDMA_WRITE) return kWritten;
  return opcode == IBV_WC_SEND ? kSent : kRead;  // an atomic returns a value
}

inline Move move_of(WrOpcode opcode) {
  if (opcode <= WrOpcode::rdma_write_with_imm) return kWritten;
  return opcode >= WrOpcode::rdma_read && opcode <= WrOpcode::atomic_fetch_and_add ? kRead : kSent;
}

// Counts of this process. A forked child makes a new one: it may have inherited a lock that is never released.
struct Work {
  // Exact counts, even if only some are shown.
  std::atomic<uint64_t> sends[kOpcodeCount]{};
  std::atomic<uint64_t> receives{0};
  std::atomic<uint64_t> shared_receives{0};
  std::atomic<uint64_t> statuses[kStatusCount]{};
  std::atomic<uint64_t> unsignaled{0};
  // Payload of successful requests, by its movement.
  std::atomic<uint64_t> bytes[kMoveCount]{};
  std::atomic<uint64_t> messages{0};
  // Times when the first and the last completion were polled; 0: none was.
  std::atomic<uint64_t> first_polled{0};
  std::atomic<uint64_t> last_polled{0};
  // Payload that had been moved by the first completion. The time it took is unknown.
  std::atomic<uint64_t> bytes_at_first{0};
  // Post time of the first request whose completion was polled, if known; 0: none was.
  std::atomic<uint64_t> first_posted{0};
  // Time of the latest completion of a send, and true if a send was posted before an earlier one had
  // completed.
  std::atomic<uint64_t> last_cqe{0};
  std::atomic<bool> overlapped{false};

  std::mutex mutex;  // taken inside the engine lock
  std::unordered_map<const QpObject*, QpState> states;
  std::map<std::string, uint32_t> failures;  // by kind, at most kFailuresOfAll
  uint64_t ticks = 0;                        // the feed's thread
  Standstill standstill;
  Queues queues;
  Policies policies;
};
inline std::atomic<Work*> g_work{nullptr};  // threads of the device run when it is set

inline Work& work() { return *g_work.load(std::memory_order_acquire); }

inline void add(std::atomic<uint64_t>& counter, uint64_t n) {
  counter.fetch_add(n, std::memory_order_relaxed);
}
inline uint64_t get(const std::atomic<uint64_t>& counter) { return counter.load(std::memory_order_relaxed); }

inline uint64_t bytes_of(const Work& w) {
  uint64_t sum = 0;
  for (const auto& bytes : w.bytes) sum += get(bytes);
  return sum;
}

}  // namespace uroce::verbs::watch
