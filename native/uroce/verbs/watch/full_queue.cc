#include "uroce/verbs/watch/full_queue.h"

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "uroce/report/place.h"
#include "uroce/report/report.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/watch/watch.h"

namespace uroce::verbs::watch {
namespace {

struct Refused {
  uint64_t identity;
  uint64_t wr_id;
  const void* thread;  // the thread that posted it
  const char* call;
  uint64_t count;
  Words words;
  report::Caller where;
};

struct Refusals {
  std::mutex mutex;
  std::unordered_map<const void*, std::vector<Refused>> of;  // by queue; at most one of each thread
  std::atomic<std::size_t> queues{0};
  const Refusals* parents = nullptr;  // those of the process that forked this one
};
// Never destroyed: other threads post until the process ends.
Refusals* g_refusals = new Refusals;
Refusals& refusals() { return *g_refusals; }

// A child has no queues yet, and its parent may have held the mutex.
__attribute__((constructor)) void watch_forks_of_queues() {
  pthread_atfork(nullptr, nullptr, [] {
    auto* own = new Refusals;
    own->parents = g_refusals;
    g_refusals = own;
  });
}

const void* this_thread() {
  static thread_local char here;
  return &here;
}

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 32;
}

uint64_t identity_of_list(uint64_t wr_id, const ibv_sge* list, int n) {
  uint64_t hash = mix(wr_id, static_cast<uint64_t>(n));
  if (list == nullptr || n > static_cast<int>(kMaxSge)) return hash;  // refused
  for (int i = 0; i < n; ++i) hash = mix(mix(hash, list[i].addr), list[i].length);
  return hash;
}

void report_forgotten(const void* queue, const Refused& refused) {
  report::Note note;
  note.detail = refused.words.why + ", and wr_id " + std::to_string(refused.wr_id) + " was not posted again";
  note.cure = refused.words.cure;
  note.where = refused.where;
  report::ledger().note(report::Misuse::queue_full, refused.call, queue, std::move(note), refused.count);
}

}  // namespace

bool any_full() { return refusals().queues.load(std::memory_order_relaxed) != 0; }

uint64_t identity_of(const ibv_send_wr& wr) {
  const bool local = wr.opcode == IBV_WR_BIND_MW || wr.opcode == IBV_WR_LOCAL_INV;
  const uint64_t hash =
      local ? mix(wr.wr_id, wr.bind_mw.rkey) : identity_of_list(wr.wr_id, wr.sg_list, wr.num_sge);
  return mix(mix(hash, raw(wr.opcode)), wr.wr.rdma.remote_addr);
}

uint64_t identity_of(const ibv_recv_wr& wr) { return identity_of_list(wr.wr_id, wr.sg_list, wr.num_sge); }

// The thread that was refused posts to the queue again: the same, or it has forgotten that one. Another
// thread may take over a request.
void attempted(const Attempt& attempt) {
  bool full = attempt.full.cause != Cause::none;
  const report::Caller where = full ? report::caller() : report::Caller{};
  full = full && !report::in_library(where.at);
  Refusals& all = refusals();
  std::vector<Refused> forgotten;
  {
    std::lock_guard guard(all.mutex);
    std::vector<Refused>& here = all.of[attempt.queue];
    uint64_t before = 0;
    std::erase_if(here, [&](Refused& one) {
      if (one.identity == attempt.first) {
        before = one.count;
        return true;
      }
      if (one.thread != this_thread()) return false;
      forgotten.push_back(std::move(one));
      return true;
    });
    if (full) {
      const uint64_t again = attempt.taken ? 0 : before;
      here.push_back({attempt.refused, attempt.wr_id, this_thread(), attempt.call, again + 1,
                      words_of(attempt.full), where});
    }
    if (here.empty()) all.of.erase(attempt.queue);
    all.queues.store(all.of.size(), std::memory_order_relaxed);
  }
  for (const Refused& one : forgotten) report_forgotten(attempt.queue, one);
}

void forget_full(const void* queue) {
  if (!any_full()) return;
  Refusals& all = refusals();
  std::vector<Refused> forgotten;
  {
    std::lock_guard guard(all.mutex);
    if (const auto it = all.of.find(queue); it != all.of.end()) {
      forgotten = std::move(it->second);
      all.of.erase(it);
      all.queues.store(all.of.size(), std::memory_order_relaxed);
    }
  }
  for (const Refused& one : forgotten) report_forgotten(queue, one);
}

void report_full_queues() {
  Refusals& all = refusals();
  std::unordered_map<const void*, std::vector<Refused>> forgotten;
  {
    // A signal handler may have called exit() while a call had it.
    std::unique_lock lock(all.mutex, std::try_to_lock);
    if (!lock) return;
    forgotten.swap(all.of);
    all.queues.store(0, std::memory_order_relaxed);
  }
  for (const auto& [queue, some] : forgotten)
    for (const Refused& one : some) report_forgotten(queue, one);
}

}  // namespace uroce::verbs::watch
