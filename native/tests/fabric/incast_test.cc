// Incast: the queue (A6), the time of completion (A7), and where dropping begins.
#include "check.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

Scenario incast(uint32_t senders, uint64_t bytes) {
  Scenario s;
  s.topology.hosts = senders + 1;
  s.links.host.delay = 2'500 * kNs;
  s.host.latency = 0;
  s.transport.acks_per_window = 64;
  TrafficSettings t;
  t.kind = TrafficKind::incast;
  t.to = senders;
  t.bytes = bytes;
  s.traffic = {t};
  s.until_done = bytes != kEndless;
  s.duration = bytes == kEndless ? 5 * kMs : kSecond;
  endless_buffer(s);
  return s;
}

TEST(Incast, QueueIsTheWindowsLessThePipe) {
  for (const uint32_t senders : {4u, 16u, 32u}) {
    const Scenario s = incast(senders, kEndless);
    Simulation run(s);
    run.run();
    const ClassQueue& q = run.fabric().ports[run.fabric().host_port(senders).peer]->queues[3];
    const double window = s.transport.window_bytes * (4096.0 + 82) / 4096;
    const double pipe = static_cast<double>(base_rtt(s, 1)) / 80;  // bytes at 100 Gb/s
    EXPECT_NEAR(static_cast<double>(q.bytes) / (senders * window - pipe), 1, 0.02) << senders;
    check_laws(run);
    const Totals t = totals(run);
    EXPECT_GT(t.fairness_millionths, 990'000u);
    EXPECT_EQ(t.drops, 0u);
  }
}

// A window below the pipe: all of them have come before the first ACK has, and one of them has left meanwhile.
TEST(Incast, FirstWindowsPileUpButOne) {
  for (const uint32_t senders : {4u, 16u, 32u}) {
    Scenario s = incast(senders, kEndless);
    s.transport.window_bytes = 1 << 17;
    s.links.host.delay = 5 * kUs;
    s.duration = kMs;
    Simulation run(s);
    run.run();
    const ClassQueue& q = run.fabric().ports[run.fabric().host_port(senders).peer]->queues[3];
    const double window = s.transport.window_bytes * (4096.0 + 82) / 4096;
    ASSERT_LT(window, static_cast<double>(base_rtt(s, 1)) / 80);
    EXPECT_NEAR(static_cast<double>(q.most_bytes) / ((senders - 1) * window), 1, 0.02) << senders;
    check_laws(run);
  }
}

TEST(Incast, CompletionTakesAsLongAsTheBytes) {
  for (const uint32_t senders : {4u, 16u}) {
    const Scenario s = incast(senders, 1 << 20);
    Simulation run(s);
    run.run();
    EXPECT_EQ(run.fabric().stopped_because(), "done");
    const double bytes = senders * (double{1 << 20} * (4096 + 82) / 4096 + 16);
    const double expected = bytes * 80 + static_cast<double>(base_rtt(s, 1));
    EXPECT_NEAR(static_cast<double>(totals(run).last_finish) / expected, 1, 0.01) << senders;
    check_laws(run);
  }
}

TEST(Incast, AFlowAloneTakesItsIdealTime) {
  for (const uint64_t bytes : {4096u, 100'000u, 1u << 20}) {
    Scenario s = incast(1, bytes);
    s.transport.window_bytes = 1 << 20;
    Simulation run(s);
    run.run();
    const Flow& flow = run.flows().all()[0];
    // The ideal has no RETH.
    EXPECT_NEAR(static_cast<double>(flow.finished) / static_cast<double>(ideal_time(run, flow)), 1, 0.001)
        << bytes;
  }
}

// A buffer that is too small costs retransmissions, and all bytes arrive in the end.
TEST(Incast, DropsAreRecovered) {
  Scenario s = incast(16, 1 << 20);
  s.at.buffer.shared = 2'000'000;
  s.transport.connection.timeout = 8;
  Simulation run(s);
  run.run();
  const Totals t = totals(run);
  EXPECT_EQ(t.finished, 16u);
  EXPECT_GT(t.drops, 0u);
  EXPECT_GE(t.retransmitted, t.drops);
  check_laws(run);
}

TEST(Incast, StopsAtTheFirstDrop) {
  Scenario s = incast(16, kEndless);
  s.at.buffer.shared = 2'000'000;
  s.stop.drop = true;
  Simulation run(s);
  EXPECT_LT(run.run(), s.duration);
  EXPECT_EQ(run.fabric().stopped_because(), "drop");
  EXPECT_EQ(totals(run).drops, 1u);
  check_laws(run);
}

TEST(Incast, StopsAtTheFirstPause) {
  Scenario s = incast(16, kEndless);
  s.at.buffer.shared = 2'000'000;
  s.at.buffer.lossless = 1 << 3;
  s.stop.pause = true;
  Simulation run(s);
  EXPECT_LT(run.run(), s.duration);
  EXPECT_EQ(run.fabric().stopped_because(), "PAUSE");
  EXPECT_LE(totals(run).pauses, 1u);  // it may still wait for the link
  EXPECT_EQ(totals(run).drops, 0u);
  check_laws(run);
}

TEST(Incast, StopsAtTheFirstTimeout) {
  Scenario s = incast(2, kEndless);
  s.transport.connection.timeout = 4;
  s.links.host.lose_acks_ppb = 1'000'000'000;
  s.stop.timeout = true;
  Simulation run(s);
  EXPECT_LT(run.run(), s.duration);
  EXPECT_EQ(run.fabric().stopped_because(), "timeout");
  EXPECT_EQ(totals(run).timeouts, 1u);
  EXPECT_GE(run.fabric().now(), 4'096 * 16 * kNs);
  check_laws(run);
}

TEST(Incast, StopsAtAQueueAboveItsLimit) {
  Scenario s = incast(16, kEndless);
  s.stop.queue_above = 1'000'000;
  Simulation run(s);
  EXPECT_LT(run.run(), s.duration);
  EXPECT_EQ(run.fabric().stopped_because(), "queue above the limit");
  EXPECT_GT(totals(run).most_queue, 1'000'000u);
  EXPECT_LE(totals(run).most_queue, 1'000'000u + 4194);
  check_laws(run);
}

TEST(Incast, SaysHowFarThePauseWas) {
  Scenario s = incast(4, kEndless);
  s.at.buffer.shared = 12'000'000;
  s.at.buffer.lossless = 1 << 3;
  Simulation run(s);
  run.run();
  const Mechanism pfc = mechanisms(run)[0];
  EXPECT_STREQ(pfc.name, "pfc");
  EXPECT_EQ(pfc.fired, 0u);
  EXPECT_GT(pfc.reached, 100'000u);
  EXPECT_LT(pfc.reached, pfc.limit);
  EXPECT_NE(pfc.says.find("never fired"), std::string::npos) << pfc.says;
}

}  // namespace
}  // namespace vlsim
