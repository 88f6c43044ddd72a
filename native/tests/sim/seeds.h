// Simulations of one seed after the other, printed so that a failing one can be run again.
#pragma once

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>

#include "options.h"
#include "violation.h"

namespace uroce::sim {

// Calls run(seed), which gives an Outcome or throws Violation, for seeds from the base seed on until
// `packets` were sent in all or one failed; the seed of the options alone, if there is one. True if whole
// runs were made, with their sum in *total. again: the program and switches that replay a seed.
template <class Outcome, class Run>
bool run_seeds(uint64_t packets, const char* again, Run run, Outcome* total) {
  const auto run_seed = [&](uint64_t seed) {
    try {
      const Outcome o = run(seed);
      std::printf("seed %" PRIu64 ": %s; %s\n", seed, o.line().c_str(), o.description.c_str());
      total->add(o);
      return true;
    } catch (const Violation& v) {
      ADD_FAILURE() << "seed " << seed << ": " << v.what() << "\n  again with: " << again << " --seed "
                    << seed;
      return false;
    }
  };
  if (options().seed) {
    run_seed(*options().seed);
    return false;
  }
  uint64_t seed = options().base_seed;
  while (total->packets < packets && run_seed(seed)) ++seed;
  std::printf("total: %s, seeds %" PRIu64 " to %" PRIu64 "\n", total->line().c_str(), options().base_seed,
              seed - 1);
  return true;
}

}  // namespace uroce::sim
