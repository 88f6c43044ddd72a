// Random work over a faulty network, many seeds.
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>

#include "options.h"
#include "simulation.h"
#include "violation.h"

namespace uroce::sim {
namespace {

constexpr uint64_t kPacketsEach = 50'000;

bool run_seed(uint64_t seed, Outcome* total) {
  try {
    const Outcome o = run_simulation(seed, kPacketsEach);
    std::printf("seed %" PRIu64 ": %s; %s\n", seed, o.line().c_str(), o.description.c_str());
    total->add(o);
    return true;
  } catch (const Violation& v) {
    ADD_FAILURE() << "seed " << seed << ": " << v.what() << "\n  again with: sim_tests --seed " << seed;
    return false;
  }
}

void run_seeds(uint64_t packets) {
  Outcome total;
  if (options().seed) {
    run_seed(*options().seed, &total);
    return;
  }
  uint64_t seed = options().base_seed;
  while (total.packets < packets && run_seed(seed, &total)) ++seed;
  std::printf("total: %s, seeds %" PRIu64 " to %" PRIu64 "\n", total.line().c_str(), options().base_seed,
              seed - 1);
  testing::Test::RecordProperty("packets", std::to_string(total.packets));
}

// For sanitizer builds: the same, less of it.
TEST(RandomWork, SurvivesAFaultyNetwork) { run_seeds(1'000'000); }

TEST(RandomWorkLong, SurvivesAFaultyNetwork) { run_seeds(options().packets); }

}  // namespace
}  // namespace uroce::sim
