#include "uroce/report/await_acks.h"

#include <time.h>

#include <atomic>
#include <cstdio>
#include <string>

#include "uroce/report/report.h"

namespace uroce::report {
namespace {

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
  timespec deadline{};
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  deadline.tv_sec += kLong;
  while (completed != owed) {
    if (pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &deadline) == 0) continue;
    if (completed != owed) print_waiting(static_cast<int32_t>(owed - completed), destroy, acknowledge);
    while (completed != owed) pthread_cond_wait(&cond, &mutex);
  }
}

}  // namespace uroce::report
