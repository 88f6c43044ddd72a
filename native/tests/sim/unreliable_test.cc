// UC and UD over a faulty network, many seeds.
#include "unreliable.h"

#include "seeds.h"

namespace uroce::sim {
namespace {

constexpr uint64_t kUnreliablePackets = 20'000;

void run_datagrams(uint64_t packets) {
  UnreliableOutcome total;
  const auto one = [](uint64_t seed) { return run_unreliable(seed, kUnreliablePackets); };
  if (!run_seeds(packets, "sim_tests --gtest_filter=Unreliable.*", one, &total)) return;
  EXPECT_GT(total.received, total.messages / 10);
  EXPECT_GT(total.dropped, 0u);
}

TEST(Unreliable, MessagesComeWholeOrNotAtAll) { run_datagrams(200'000); }

TEST(UnreliableLong, MessagesComeWholeOrNotAtAll) { run_datagrams(options().packets / 4); }

}  // namespace
}  // namespace uroce::sim
