// Scenarios of the fabric simulator as bytes: the reader refuses in one sentence or takes them, and what it takes can be
// built, if it is small, and runs for a while.
#include <string_view>

#include "harness.h"
#include "sim/scenario/json.h"
#include "sim/scenario/read.h"
#include "sim/scenario/report.h"
#include "sim/scenario/samples.h"

namespace {

using namespace vlsim;

// Flows that the traffic begins with, at most.
uint64_t flows(const Scenario& s, uint64_t hosts) {
  uint64_t sum = 0;
  for (const TrafficSettings& t : s.traffic) {
    const uint64_t each = t.kind == TrafficKind::all_to_all ? hosts * hosts : hosts;
    sum += each * t.count * s.transport.qps;
  }
  return sum;
}

void run_for_a_while(const Scenario& scenario) {
  constexpr uint64_t kMostEvents = 2000;
  Simulation run(scenario);
  Samples samples(run);
  uint64_t sampled = 0;
  run.on_sample([&](Time now) {
    FUZZ_CHECK(parse_json(samples.line(now)).has_value());
    if (++sampled == 100) run.fabric().stop("enough samples");
  });
  for (Time until = kNs; until <= scenario.duration && run.fabric().stopped_because().empty(); until *= 2) {
    run.run(until);
    if (run.fabric().events.pushed() > kMostEvents) break;
  }
  FUZZ_CHECK(parse_json(scenario_line(run)).has_value());
  FUZZ_CHECK(parse_json(result_line(run)).has_value());
  for (const Mechanism& m : mechanisms(run)) FUZZ_CHECK(parse_json(mechanism_line(m)).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // A block of its own size, so that a read beyond it is found.
  const std::vector<char> text(data, data + size);
  const auto scenario = read_scenario({text.data(), text.size()});
  if (!scenario) {
    FUZZ_CHECK(scenario.error().ends_with('.'));
    return 0;
  }
  const uint32_t hosts = host_count(scenario->topology);
  FUZZ_CHECK(hosts >= 2 && hosts <= kMostHosts);
  if (hosts > 16 || flows(*scenario, hosts) > 200) return 0;
  // A name may need escapes that this reader does not know.
  Scenario nameless = *scenario;
  nameless.name = "";
  run_for_a_while(nameless);
  return 0;
}
