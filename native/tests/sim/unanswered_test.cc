// UC and UD over a faulty network, many seeds.
#include "unanswered.h"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>

#include "options.h"
#include "violation.h"

namespace uroce::sim {
namespace {

constexpr uint64_t kPacketsEach = 20'000;

bool run_seed(uint64_t seed, UnansweredOutcome* total) {
  try {
    const UnansweredOutcome o = run_unanswered(seed, kPacketsEach);
    std::printf("seed %" PRIu64 ": %s; %s\n", seed, o.line().c_str(), o.description.c_str());
    total->add(o);
    return true;
  } catch (const Violation& v) {
    ADD_FAILURE() << "seed " << seed << ": " << v.what()
                  << "\n  again with: sim_tests --gtest_filter=Unanswered.* --seed " << seed;
    return false;
  }
}

void run_seeds(uint64_t packets) {
  UnansweredOutcome total;
  if (options().seed) {
    run_seed(*options().seed, &total);
    return;
  }
  uint64_t seed = options().base_seed;
  while (total.packets < packets && run_seed(seed, &total)) ++seed;
  std::printf("total: %s, seeds %" PRIu64 " to %" PRIu64 "\n", total.line().c_str(), options().base_seed,
              seed - 1);
  EXPECT_GT(total.received, total.messages / 10);
  EXPECT_GT(total.dropped, 0u);
}

TEST(Unanswered, MessagesComeWholeOrNotAtAll) { run_seeds(400'000); }

TEST(UnansweredLong, MessagesComeWholeOrNotAtAll) { run_seeds(options().packets / 4); }

}  // namespace
}  // namespace uroce::sim
