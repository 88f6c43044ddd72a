#include "uroce/verbs/watch/refusal.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "uroce/feed/feed.h"
#include "uroce/report/place.h"
#include "uroce/report/report.h"
#include "uroce/verbs/watch/watch_feed.h"

namespace uroce::verbs::watch {
namespace {

constexpr std::size_t kMaxKinds = 256;

// What was said on stderr, and how often it would have been.
struct Said {
  std::string line;
  uint64_t count = 0;
};

std::mutex g_said_mutex;
// By the call and its cause; never destroyed, since calls are refused until the process ends.
std::map<std::pair<std::string, uint64_t>, Said>& said() {
  static auto* all = new std::map<std::pair<std::string, uint64_t>, Said>;
  return *all;
}

// A child says for itself what it was refused.
void forget_said() {
  new (&g_said_mutex) std::mutex;
  said().clear();
}

__attribute__((constructor)) void watch_forks_of_said() { pthread_atfork(nullptr, nullptr, forget_said); }

// Of a kind that was refused many times there is one line, and at the end its count.
__attribute__((destructor)) void tell_counts() {
  if (!g_said_mutex.try_lock()) return;
  for (const auto& [kind, one] : said()) {
    if (one.count > 1)
      std::fprintf(stderr, "uroce: %llu times in all: %s\n", static_cast<unsigned long long>(one.count),
                   one.line.c_str());
  }
  g_said_mutex.unlock();
}

// Answers to a question, which programs ask to find out what a device has.
bool is_answer(const Refusal& refusal) {
  return refusal.error == EOPNOTSUPP
             ? refusal.cause == Cause::unsupported || refusal.cause == Cause::access_on_demand
             : refusal.error == ENODATA;
}

// Which refusals by one cause are of one kind: those of states, masks, operations and limits differ by what they name.
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
    case Cause::told:
      return cause << 48 ^ r.a;
    default:
      return cause << 48;
  }
}

void say(const char* call, const Refusal& refusal, uint64_t kind, const Words& words) {
  std::lock_guard guard(g_said_mutex);
  auto& all = said();
  const auto known = all.find({call, kind});
  if (known == all.end() && all.size() == kMaxKinds) return;
  Said& one = known != all.end() ? known->second : all[{call, kind}];
  if (++one.count > 1) return;
  const char* name = strerrorname_np(refusal.error);
  one.line = std::string(call) + " failed (" +
             (name != nullptr ? name : std::to_string(refusal.error).c_str()) + "): " + words.why + ". " +
             words.cure;
  std::fprintf(stderr, "uroce: %s\n", one.line.c_str());
}

bool is_post(const char* call) {
  return std::strncmp(call, "ibv_post_", 9) == 0 || std::strcmp(call, "ibv_bind_mw") == 0;
}

void note_refusal(const char* call, const Refusal& refusal, uint64_t kind, const Words& words,
                  const void* object, bool here) {
  using report::Misuse;
  // A program may post until its queue is full: it is no misuse.
  if (refusal.cause == Cause::post_queue_full) return;
  const Misuse misuse = !is_post(call)                          ? Misuse::call_refused
                        : refusal.cause == Cause::state_too_low ? Misuse::post_wrong_state
                                                                : Misuse::post_invalid;
  report::Note note{.detail = words.why, .cure = words.cure, .kind = kind};
  if (here) note.where = report::caller();
  report::ledger().note(misuse, call, object, std::move(note));
}

}  // namespace

void refused_call(const char* call, int error, const void* object, bool here) {
  const Refusal refusal = std::exchange(t_refusal, {});
  if (refusal.cause == Cause::none || refusal.error != error) {
    if (feed::on()) tell_failed(call, error, {});
    return;
  }
  const Words words = words_of(refusal);
  const uint64_t kind = kind_of(refusal);
  if (!is_answer(refusal)) {
    say(call, refusal, kind, words);
    if (report::on()) note_refusal(call, refusal, kind, words, object, here);
  }
  if (feed::on()) tell_failed(call, error, words);
}

}  // namespace uroce::verbs::watch
