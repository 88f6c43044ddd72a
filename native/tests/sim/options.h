// Options of sim_tests, from the command line and the environment.
#pragma once

#include <cstdint>
#include <optional>

namespace uroce::sim {

struct Options {
  std::optional<uint64_t> seed;  // --seed, SIM_SEED: only this simulation
  uint64_t base_seed = 1;        // --base-seed, SIM_BASE_SEED: first of the seeds
  uint64_t packets = 5'000'000;  // --packets, SIM_PACKETS: of the long run
  bool update_golden = false;    // --update-golden: write the golden files
};
const Options& options();

}  // namespace uroce::sim
