// Random work over a faulty network, many seeds.
#include <string>

#include "seeds.h"
#include "simulation.h"

namespace uroce::sim {
namespace {

constexpr uint64_t kPacketsEach = 50'000;

void run(uint64_t packets) {
  Outcome total;
  const auto one = [](uint64_t seed) { return run_simulation(seed, kPacketsEach); };
  if (!run_seeds(packets, "sim_tests", one, &total)) return;
  testing::Test::RecordProperty("packets", std::to_string(total.packets));
}

// For sanitizer builds: the same, less of it.
TEST(RandomWork, SurvivesAFaultyNetwork) { run(500'000); }

TEST(RandomWorkLong, SurvivesAFaultyNetwork) { run(options().packets); }

}  // namespace
}  // namespace uroce::sim
