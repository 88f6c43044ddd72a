// The shared buffer: dynamic thresholds (A12), and marking by the length of a queue (A13).
#include "check.h"

namespace vlsim {
namespace {

// n outputs, each fed by two hosts that send raw packets at line rate.
Scenario overload(uint32_t outputs) {
  Scenario s;
  s.topology.hosts = 3 * outputs;
  s.host.latency = 0;
  s.links.host.delay = 100 * kNs;
  for (uint32_t i = 0; i < 2 * outputs; ++i) {
    TrafficSettings t;
    t.kind = TrafficKind::raw;
    t.from = i;
    t.to = 2 * outputs + i / 2;
    t.rate = gbps(100);
    s.traffic.push_back(t);
  }
  return s;
}

TEST(Buffer, QueuesGetTheDynamicThreshold) {
  for (const uint32_t outputs : {1u, 16u}) {
    for (const uint32_t alpha : {1024u / 64, 1024u / 16, 1024u / 8, 1024u, 1024u * 8}) {
      Scenario s = overload(outputs);
      // No two hosts send in step: queues in step with each other share unevenly, in units of alpha packets.
      for (TrafficSettings& t : s.traffic) t.rate = {98'671 - t.from * 11};
      s.at.buffer.shared = 12'000'000;
      s.at.buffer.lossy_alpha = alpha;
      Simulation run(s);
      run.run(2 * kMs);
      const auto queue = [&](uint32_t i) -> const ClassQueue& {
        return run.fabric().ports[run.fabric().host_port(2 * outputs + i).peer]->queues[3];
      };
      // The mean over time: at one moment a packet of another queue moves the threshold by alpha packets.
      const auto area = [&](uint32_t i) {
        return queue(i).area + queue(i).count * (run.fabric().now() - queue(i).changed);
      };
      std::vector<uint64_t> before;
      for (uint32_t i = 0; i < outputs; ++i) before.push_back(area(i));
      run.run(10 * kMs);
      const double a = alpha / 1024.0;
      const double expected = a * 12e6 / (1 + outputs * a);
      for (uint32_t i = 0; i < outputs; ++i) {
        const double mean = static_cast<double>(area(i) - before[i]) / static_cast<double>(8 * kMs) * 4178;
        EXPECT_NEAR(mean, expected, 4178) << "alpha " << a << ", queue " << i << " of " << outputs;
      }
      check_laws(run);
    }
  }
}

TEST(Buffer, MarksTheShareOfItsLength) {
  for (const bool at_enqueue : {false, true}) {
    for (const uint32_t share : {200'000u, 1'000'000u}) {
      Scenario s = overload(1);
      for (TrafficSettings& t : s.traffic) t.ecn = true;
      s.at.buffer.shared = 8'000'000;
      s.at.buffer.lossy_alpha = 1024;  // the queue is 4 MB
      s.at.ecn = {true, at_enqueue, 0, 8'000'000, share};
      Simulation run(s);
      run.run(2 * kMs);
      const Port& out = *run.fabric().ports[run.fabric().host_port(2).peer];
      const uint64_t marked = out.marked, left = out.queues[3].left;
      run.run(2 * kMs + 33'424 * kUs);
      const auto packets = static_cast<double>(out.queues[3].left - left);
      EXPECT_GT(packets, 99'000);
      const double p = 0.5 * share / 1e6;
      const double sigma = std::sqrt(packets * p * (1 - p));
      EXPECT_NEAR(static_cast<double>(out.marked - marked), packets * p, 4 * sigma);
      check_laws(run);
    }
  }
}

TEST(Buffer, LowAndHighAreSharp) {
  Scenario s = overload(1);
  for (TrafficSettings& t : s.traffic) t.ecn = true;
  s.at.buffer.shared = 8'000'000;
  s.at.ecn = {true, false, 4'100'000, 4'200'000, 1'000'000};
  Simulation never(s);
  never.run();
  EXPECT_EQ(never.fabric().ports[never.fabric().host_port(2).peer]->marked, 0u);
  s.at.ecn = {true, false, 0, 8000, 1};
  Simulation always(s);
  always.run();
  const Port& out = *always.fabric().ports[always.fabric().host_port(2).peer];
  EXPECT_GE(out.marked + 2, out.queues[3].left);
  // What is not ECN-capable is never marked.
  for (TrafficSettings& t : s.traffic) t.ecn = false;
  Simulation incapable(s);
  incapable.run();
  EXPECT_EQ(incapable.fabric().ports[incapable.fabric().host_port(2).peer]->marked, 0u);
}

}  // namespace
}  // namespace vlsim
