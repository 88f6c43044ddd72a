#include "uroce/report/await_acks.h"

#include <time.h>

#include <atomic>
#include <cstdio>
#include <string>

#include "uroce/clock.h"
#include "uroce/report/place.h"
#include "uroce/report/report.h"

namespace uroce::report {
namespace {

// The wait that awaited_acks() shows. Without a lock, which a forked child could inherit taken.
struct Shown {
  std::atomic<const char*> destroy{nullptr};  // null: none waits
  std::atomic<const char*> acknowledge{""};
  std::atomic<uint32_t> events{0};
  std::atomic<uint64_t> since{0};
  std::atomic<const void*> at{nullptr}, outer{nullptr};
};
Shown g_shown;

class Shows {
 public:
  Shows(const char* destroy, const char* acknowledge, uint32_t events) {
    if (!on() || g_shown.destroy.load() != nullptr) return;
    const Caller where = caller();
    g_shown.at = where.at;
    g_shown.outer = where.outer;
    g_shown.acknowledge = acknowledge;
    g_shown.events = events;
    g_shown.since = monotonic_ns();
    g_shown.destroy = destroy;
    mine_ = true;
  }
  ~Shows() {
    if (mine_) g_shown.destroy = nullptr;
  }
  Shows(const Shows&) = delete;
  Shows& operator=(const Shows&) = delete;

 private:
  bool mine_ = false;
};

constexpr time_t kLong = 2;  // s

std::string events(int32_t count) { return std::to_string(count) + (count == 1 ? " event" : " events"); }

// left: events that were not acknowledged; negative if more were acknowledged than the program got.
void print_waiting(int32_t left, const char* destroy, const char* acknowledge) {
  const std::string waited =
      std::string(destroy) + " has waited " + std::to_string(kLong) + " s, since the program has ";
  const std::string detail =
      left > 0
          ? waited + "not acknowledged " + events(left) + " of the object: it waits until it does"
          : waited + "acknowledged " + events(-left) + " of the object more than it got: it waits forever";
  const std::string cure = std::string("Call ") + acknowledge + " once for every event that you get.";
  static std::atomic_flag printed;
  if (!printed.test_and_set()) std::fprintf(stderr, "uroce: %s. %s\n", detail.c_str(), cure.c_str());
  if (on()) ledger().note(Misuse::destroy_waits, destroy, nullptr, {.detail = detail, .cure = cure});
}

}  // namespace

void await_acks(pthread_mutex_t& mutex, pthread_cond_t& cond, const uint32_t& completed, uint32_t owed,
                const char* destroy, const char* acknowledge) {
  if (completed == owed) return;
  const Shows shows(destroy, acknowledge, owed - completed);
  timespec deadline{};
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  deadline.tv_sec += kLong;
  while (completed != owed) {
    if (pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &deadline) == 0) continue;
    if (completed != owed) print_waiting(static_cast<int32_t>(owed - completed), destroy, acknowledge);
    while (completed != owed) pthread_cond_wait(&cond, &mutex);
  }
}

std::optional<AwaitedAcks> awaited_acks() {
  const char* destroy = g_shown.destroy.load();
  if (destroy == nullptr) return std::nullopt;
  return AwaitedAcks{.destroy = destroy,
                     .acknowledge = g_shown.acknowledge,
                     .events = g_shown.events,
                     .since = g_shown.since,
                     .where = {g_shown.at, g_shown.outer}};
}

}  // namespace uroce::report
