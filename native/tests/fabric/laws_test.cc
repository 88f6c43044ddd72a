// The laws that every run is checked for: they hold of runs with every fault, and each of them can fail.
#include <functional>

#include "check.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

// Drops of every kind, PAUSE, a slow receiver and a watchdog.
Scenario troubled() {
  Scenario s;
  s.topology.hosts = 6;
  s.links.host.loss_ppb = 50'000'000;
  s.links.host.lose_acks_ppb = 2'000'000;
  s.host.receive = gbps(1);  // pauses outlast the watchdog
  s.host.xoff = 30'000;
  s.host.xon = 10'000;
  s.host.buffer = 60'000;
  s.at.buffer.lossless = 1 << 3;
  s.at.buffer.shared = 300'000;
  s.at.buffer.headroom = 20'000;
  s.at.ecn = {true, false, 20'000, 100'000, 200'000};
  s.at.watchdog = {20 * kUs, 30 * kUs, true};
  s.transport.connection.timeout = 5;
  TrafficSettings incast;
  incast.kind = TrafficKind::incast;
  incast.to = 0;
  TrafficSettings raw;
  raw.kind = TrafficKind::raw;
  raw.from = 1;
  raw.to = 2;
  raw.rate = gbps(40);
  raw.cls = 1;
  s.traffic = {incast, raw};
  s.duration = 2 * kMs;
  return s;
}

TEST(Laws, HoldWhateverIsDropped) {
  Simulation run(troubled());
  for (Time t = 50 * kUs; t <= 2 * kMs; t += 50 * kUs) {
    run.run(t);
    check_laws(run);
  }
  uint64_t link_loss = 0, watchdog = 0;
  for (const auto& port : run.fabric().ports) {
    link_loss += port->dropped[static_cast<uint32_t>(DropReason::link_loss)];
    watchdog += port->dropped[static_cast<uint32_t>(DropReason::watchdog)];
  }
  EXPECT_GT(link_loss, 0u);
  EXPECT_GT(watchdog, 0u);
  EXPECT_NE(result_line(run).find(R"("broken":[]})"), std::string::npos) << result_line(run);
}

TEST(Laws, EachCanFail) {
  const auto broken_by = [](const std::function<void(Fabric&)>& harm) {
    Simulation run(troubled());
    run.run(300 * kUs);
    EXPECT_TRUE(check_laws(run.fabric()).broken.empty());
    harm(run.fabric());
    const Laws laws = check_laws(run.fabric());
    const std::string result = result_line(run, laws);
    for (const std::string& sentence : laws.broken)
      EXPECT_NE(result.find(sentence), std::string::npos) << result;
    return laws.broken.empty() ? std::string() : laws.broken.front();
  };
  const auto port = [](Fabric& f) -> Port& { return *f.ports[f.switches[0]->ports[0]]; };
  EXPECT_EQ(broken_by([](Fabric&) {}), "");
  // A packet that is in no queue and on no link.
  EXPECT_TRUE(broken_by([](Fabric& f) {
                f.packets.take();
              }).starts_with("Packets under way, and those that exist: "));
  EXPECT_TRUE(broken_by([&](Fabric& f) {
                ++port(f).dropped[0];
              }).starts_with("Packets dropped by kind, and by reason"));
  EXPECT_TRUE(broken_by([&](Fabric& f) {
                ++port(f).queues[3].left;
              }).starts_with("Packets that entered and left the queue of switch 0 port 0 class 3: "));
  EXPECT_TRUE(broken_by([&](Fabric& f) { port(f).queues[3].area += kNs; }).starts_with("Little's law, "));
  EXPECT_TRUE(broken_by([&](Fabric& f) {
                ++port(f).lost[3];
              }).starts_with("Packets on the link of switch 0 port 0 class 3: "));
  EXPECT_TRUE(
      broken_by([&](Fabric& f) { ++port(f).sent_packets; }).starts_with("Packets sent by switch 0 port 0: "));
  EXPECT_TRUE(broken_by([&](Fabric& f) {
                ++port(f).refused[3];
              }).starts_with("Packets into and out of switch 0 class 3: "));
  EXPECT_TRUE(broken_by([](Fabric& f) {
                ++f.host_port(0).refused[3];
              }).starts_with("Packets that came to hosts, and those taken in: "));
  EXPECT_TRUE(broken_by([](Fabric& f) {
                f.switches[0]->buffer.group(1, 3).shared += 1;
              }).starts_with("Bytes held for what came in by switch 0 port 1 class 3: "));
  EXPECT_TRUE(broken_by([](Fabric& f) {
                f.switches[0]->buffer.group(1, 2).reserved += 1;
              }).starts_with("Bytes in the buffer of switch 0: "));
}

}  // namespace
}  // namespace vlsim
