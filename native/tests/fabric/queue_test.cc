// A queue with random arrivals: M/D/1 (A4) and M/M/1 (A5). Classes at one output.
#include "check.h"

namespace vlsim {
namespace {

struct Waiting {
  double length, ns;
};

Waiting wait_at(uint32_t load_percent, bool random_sizes) {
  Scenario s;
  s.topology.kind = TopologyKind::back_to_back;
  TrafficSettings t;
  t.kind = TrafficKind::raw;
  t.to = 1;
  t.rate = {load_percent * 1000};
  t.poisson = true;
  t.random_sizes = random_sizes;
  t.packets = 1'000'000;
  s.traffic = {t};
  Simulation run(s);
  run.run(kForever);
  EXPECT_EQ(run.fabric().tally(PacketKind::raw).delivered, t.packets);
  check_laws(run);
  const ClassQueue& q = run.fabric().host_port(0).queues[t.cls];
  return {static_cast<double>(q.area) / static_cast<double>(run.fabric().now()),
          static_cast<double>(q.waits) / static_cast<double>(q.left) / 1000};
}

TEST(Queue, FixedSizesWaitAsMD1) {
  for (const uint32_t percent : {50u, 70u, 80u, 90u, 95u}) {
    const double rho = percent / 100.0, service = 334.24;
    const Waiting w = wait_at(percent, false);
    const double tolerance = percent == 95 ? 0.08 : 0.03;
    EXPECT_NEAR(w.length / (rho * rho / (2 * (1 - rho))), 1, tolerance) << percent << " %";
    EXPECT_NEAR(w.ns / (rho * service / (2 * (1 - rho))), 1, tolerance) << percent << " %";
  }
}

TEST(Queue, ExponentialSizesWaitAsMM1) {
  for (const uint32_t percent : {50u, 80u}) {
    const double rho = percent / 100.0;
    EXPECT_NEAR(wait_at(percent, true).length / (rho * rho / (1 - rho)), 1, 0.03) << percent << " %";
  }
}

// Three classes that each want the whole link: the strict one gets all that it asks for, the others share by weight.
TEST(Queue, ClassesShareByWeightBehindTheStrictOne) {
  Scenario s;
  s.topology.hosts = 4;
  s.at.weights[4] = 3;
  const std::pair<uint8_t, uint64_t> kClassesAndRates[] = {{3, 100}, {4, 100}, {6, 20}};
  for (uint32_t i = 0; i < 3; ++i) {
    TrafficSettings t;
    t.kind = TrafficKind::raw;
    t.from = i;
    t.to = 3;
    t.cls = kClassesAndRates[i].first;
    t.rate = gbps(kClassesAndRates[i].second);
    s.traffic.push_back(t);
  }
  s.duration = 10 * kMs;
  Simulation run(s);
  run.run();
  const Port& out = *run.fabric().ports[run.fabric().host_port(3).peer];
  const auto share = [&](uint32_t cls) {
    return static_cast<double>(out.queues[cls].left) * 4178 * 80 / static_cast<double>(s.duration);
  };
  EXPECT_NEAR(share(6), 0.2, 0.002);
  EXPECT_NEAR(share(3), 0.2, 0.002);
  EXPECT_NEAR(share(4), 0.6, 0.006);
  EXPECT_LE(out.queues[6].most_bytes, 2 * 4178u);
  check_laws(run);
}

}  // namespace
}  // namespace vlsim
