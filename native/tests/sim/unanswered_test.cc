// UC and UD over a faulty network, many seeds.
#include "unanswered.h"

#include "seeds.h"

namespace uroce::sim {
namespace {

constexpr uint64_t kPacketsEach = 20'000;

void run(uint64_t packets) {
  UnansweredOutcome total;
  const auto one = [](uint64_t seed) { return run_unanswered(seed, kPacketsEach); };
  if (!run_seeds(packets, "sim_tests --gtest_filter=Unanswered.*", one, &total)) return;
  EXPECT_GT(total.received, total.messages / 10);
  EXPECT_GT(total.dropped, 0u);
}

TEST(Unanswered, MessagesComeWholeOrNotAtAll) { run(400'000); }

TEST(UnansweredLong, MessagesComeWholeOrNotAtAll) { run(options().packets / 4); }

}  // namespace
}  // namespace uroce::sim
