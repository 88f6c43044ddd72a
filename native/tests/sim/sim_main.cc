// sim_tests [options] [gtest options]
//   --seed N         the one simulation with this seed, as a failure report names it (or SIM_SEED)
//   --base-seed N    first of the seeds of a run, 1 if not given (or SIM_BASE_SEED)
//   --packets N      packets of the long run, default 5 million (or SIM_PACKETS)
//   --update-golden  write the golden files instead of comparing with them
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "options.h"

namespace {

uroce::sim::Options g_options;

const char* value_of(int argc, char** argv, const char* name, const char* variable) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], name) == 0) return argv[i + 1];
  }
  return std::getenv(variable);
}

}  // namespace

const uroce::sim::Options& uroce::sim::options() { return g_options; }

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const auto number = [&](const char* name, const char* variable, auto& to) {
    if (const char* text = value_of(argc, argv, name, variable)) to = std::strtoull(text, nullptr, 0);
  };
  number("--seed", "SIM_SEED", g_options.seed);
  number("--base-seed", "SIM_BASE_SEED", g_options.base_seed);
  number("--packets", "SIM_PACKETS", g_options.packets);
  for (int i = 1; i < argc; ++i) g_options.update_golden |= std::strcmp(argv[i], "--update-golden") == 0;
  return RUN_ALL_TESTS();
}
