#include "uroce/report/await_acks.h"

#include <time.h>

#include <atomic>
#include <cstdio>
#include <string>

#include "uroce/report/report.h"

namespace uroce::report {
namespace {

constexpr time_t kLong = 2;  // s

void print_waiting(uint32_t left, const char* destroy, const char* acknowledge) {
  const std::string events = std::to_string(left) + (left == 1 ? " event" : " events");
  const std::string detail = std::string(destroy) + " has waited " + std::to_string(kLong) +
                             " s, since the program has not acknowledged " + events +
                             " of the object: it waits until it does";
  const std::string cure = std::string("Call ") + acknowledge + " for every event that you get.";
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
    if (completed != owed) print_waiting(owed - completed, destroy, acknowledge);
    while (completed != owed) pthread_cond_wait(&cond, &mutex);
  }
}

}  // namespace uroce::report
