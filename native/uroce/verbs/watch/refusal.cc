#include "uroce/verbs/watch/refusal.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "uroce/feed/feed.h"
#include "uroce/report/name.h"
#include "uroce/report/place.h"
#include "uroce/report/report.h"
#include "uroce/verbs/watch/watch_feed.h"

namespace uroce::verbs::watch {
namespace {

constexpr std::size_t kMaxKinds = 256;

// A line on stderr, and the number of times that it would have appeared.
struct Printed {
  std::string line;
  uint64_t count = 0;
};

std::mutex g_printed_mutex;
// Lines by the call and its cause; never destroyed, since calls are refused until the process ends.
std::map<std::pair<std::string, uint64_t>, Printed>& printed() {
  static auto* all = new std::map<std::pair<std::string, uint64_t>, Printed>;
  return *all;
}

// A refusal by which a library may be looking for a limit.
struct Probe {
  const char* call;  // a literal: findings keep it
  Refusal refusal;
  uint64_t kind = 0;
  Words words;
  const void* object = nullptr;
  report::Caller where;
  uint64_t count = 0;
};

// Guarded by g_printed_mutex; never destroyed either.
std::vector<Probe>& probes() {
  static auto* all = new std::vector<Probe>;
  return *all;
}

// A child reports its refusals itself.
void forget_printed() {
  new (&g_printed_mutex) std::mutex;
  printed().clear();
  probes().clear();
  g_probing.store(false, std::memory_order_relaxed);
}

__attribute__((constructor)) void watch_forks_of_printed() {
  pthread_atfork(nullptr, nullptr, forget_printed);
}

// Prints the counts of refusals that were reported once and happened more often.
__attribute__((destructor)) void print_counts() {
  report_pending();
  if (!g_printed_mutex.try_lock()) return;
  for (const auto& [kind, one] : printed()) {
    if (one.count > 1)
      std::fprintf(stderr, "uroce: %llu times in all: %s\n", static_cast<unsigned long long>(one.count),
                   one.line.c_str());
  }
  g_printed_mutex.unlock();
}

// True for refusals that answer a question: programs ask to find out the device's features. The system's
// librdmacm asks for AF_IB at its first call.
bool is_answer(const Refusal& refusal) {
  if (refusal.cause == Cause::cm_af_ib) return report::in_library(report::caller().at);
  return refusal.error == EOPNOTSUPP
             ? refusal.cause == Cause::unsupported || refusal.cause == Cause::access_on_demand
             : refusal.error == ENODATA;
}

// Distinguishes refusals by one cause: those of states, masks, operations and limits differ by their
// figures.
uint64_t kind_of(const Refusal& r) {
  const auto cause = static_cast<uint64_t>(r.cause);
  switch (r.cause) {
    case Cause::mask_missing:
    case Cause::mask_foreign:
    case Cause::transition:
    case Cause::state_too_low:
    case Cause::cm_phase:
      return cause << 48 ^ r.c << 16 ^ r.b << 8 ^ r.a;
    case Cause::cap:
    case Cause::too_many:
    case Cause::in_use:
    case Cause::attribute_range:
    case Cause::post_inline_opcode:
    case Cause::post_local:
    case Cause::post_opcode_unsupported:
      return cause << 48 ^ r.a;
    case Cause::custom:
      return cause << 48 ^ r.a;
    default:
      return cause << 48;
  }
}

// True if a smaller or different request would succeed.
bool may_probe(const char* call, const Refusal& refusal) {
  const bool asks = refusal.cause == Cause::cap || refusal.cause == Cause::qp_type ||
                    refusal.cause == Cause::send_ops || refusal.cause == Cause::unknown_flags;
  return asks && std::strncmp(call, "ibv_create_", 11) == 0;
}

// The call without the suffix of its extended form: a library may fall back on the plain one.
std::string_view plain(std::string_view call) {
  if (call.ends_with("_ex")) call.remove_suffix(3);
  return call;
}

// Libraries fill a queue on purpose, and post the rest when there is room.
bool fills_queue(const Refusal& refusal) {
  return refusal.cause == Cause::post_queue_full && report::in_library(report::caller().at);
}

// Keeps a refusal until a later call succeeds. A program may crash on a refusal, so its refusals are
// reported at once, and so are a library's when too many wait.
bool hold_probe(const char* call, const Refusal& refusal, uint64_t kind, const void* object) {
  if (!may_probe(call, refusal)) return false;
  const report::Caller where = report::caller();
  if (report::in_program(where.at)) return false;
  std::lock_guard guard(g_printed_mutex);
  auto& all = probes();
  for (Probe& one : all) {
    if (std::strcmp(one.call, call) != 0 || one.kind != kind) continue;
    ++one.count;
    return true;
  }
  if (all.size() == kMaxKinds) return false;
  all.push_back({call, refusal, kind, words_of(refusal), object, where, 1});
  g_probing.store(true, std::memory_order_relaxed);
  return true;
}

void print_once(const char* call, const Refusal& refusal, uint64_t kind, const Words& words, uint64_t count) {
  std::lock_guard guard(g_printed_mutex);
  auto& all = printed();
  const auto known = all.find({call, kind});
  if (known == all.end() && all.size() == kMaxKinds) return;
  Printed& one = known != all.end() ? known->second : all[{call, kind}];
  one.count += count;
  if (one.count > count) return;
  one.line = std::string(call) + " failed (" + report::error_name(refusal.error) + "): " + words.why + ". " +
             words.cure;
  std::fprintf(stderr, "uroce: %s\n", one.line.c_str());
}

bool is_post(const char* call) {
  return std::strncmp(call, "ibv_post_", 9) == 0 || std::strcmp(call, "ibv_bind_mw") == 0;
}

void note_refusal(const char* call, const Refusal& refusal, uint64_t kind, const Words& words,
                  const void* object, const std::optional<report::Caller>& where, uint64_t count) {
  using report::Misuse;
  // A program may post until its queue is full: this is no misuse unless it forgets the refused request
  // (full_queue.h).
  if (refusal.cause == Cause::post_queue_full) return;
  if (refusal.cause == Cause::injected) return report::ledger().injected(call, refusal.error, count);
  const Misuse misuse = !is_post(call)                          ? Misuse::call_refused
                        : refusal.cause == Cause::state_too_low ? Misuse::post_wrong_state
                                                                : Misuse::post_invalid;
  report::ledger().note(misuse, call, object,
                        {.detail = words.why, .where = where, .cure = words.cure, .kind = kind}, count);
}

}  // namespace

void refused_call(const char* call, int error, const void* object, bool here) try {
  const Refusal refusal = std::exchange(t_refusal, {});
  if (refusal.cause == Cause::none || refusal.error != error) {
    if (feed::on()) send_failed_call(call, error, {});
    return;
  }
  if (here && fills_queue(refusal)) return;
  const uint64_t kind = kind_of(refusal);
  if (here && hold_probe(call, refusal, kind, object)) return;
  const Words words = words_of(refusal);
  if (!is_answer(refusal)) {
    print_once(call, refusal, kind, words, 1);
    if (report::on()) {
      std::optional<report::Caller> where;
      if (here) where = report::caller();
      note_refusal(call, refusal, kind, words, object, where, 1);
    }
  }
  if (feed::on()) send_failed_call(call, error, words, refusal.cause == Cause::injected);
} catch (const std::bad_alloc&) {
  // Without memory for the words, the error number has to do.
}

void probe_succeeded(const char* call) {
  std::lock_guard guard(g_printed_mutex);
  std::erase_if(probes(), [call](const Probe& one) { return plain(one.call) == plain(call); });
  g_probing.store(!probes().empty(), std::memory_order_relaxed);
}

void report_pending() {
  std::vector<Probe> left;
  {
    // A signal handler may have called exit() while a call held the lock.
    std::unique_lock lock(g_printed_mutex, std::try_to_lock);
    if (!lock) return;
    left.swap(probes());
    g_probing.store(false, std::memory_order_relaxed);
  }
  for (const Probe& one : left) {
    print_once(one.call, one.refusal, one.kind, one.words, one.count);
    if (report::on())
      note_refusal(one.call, one.refusal, one.kind, one.words, one.object, one.where, one.count);
    if (feed::on()) send_failed_call(one.call, one.refusal.error, one.words);
  }
}

}  // namespace uroce::verbs::watch
