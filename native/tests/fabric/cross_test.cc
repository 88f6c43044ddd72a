// Two hosts of this simulator against the network of the engine's own simulation (../sim): the same requests complete at
// the same nanosecond.
#include "../sim/duo.h"
#include "check.h"

namespace vlsim {
namespace {

constexpr uint32_t kMtu = 1024, kWindow = 16, kMessage = 1 << 16, kMessages = 50;
constexpr uint32_t kDelayNs = 20'000, kPsPerByte = 1000;

std::vector<uint64_t> in_the_network_of_two() {
  uroce::sim::DuoSetup setup;
  setup.link = {kDelayNs, kPsPerByte};
  setup.engine.window_packets = kWindow;
  setup.engine.window_bytes = kWindow * kMtu;
  setup.engine.ack_request_packets = kWindow / 4;
  setup.engine.ack_request_bytes = kWindow * kMtu / 4;
  setup.mtu = kMtu;
  setup.timeout = 14;
  uroce::sim::Duo duo(setup);
  auto &a = duo.end(0), &b = duo.end(1);
  const uroce::transport::Sge source = a.sge(0, kMessage);
  uroce::transport::SendWr wr;
  wr.flags = uroce::send_flag::signaled;
  wr.opcode = uroce::WrOpcode::rdma_write;
  wr.sg_list = &source;
  wr.num_sge = 1;
  wr.remote_addr = uroce::sim::Duo::kIova;
  wr.rkey = b.key;
  const uint64_t start = duo.now();
  for (uint32_t i = 0; i < kMessages; ++i) EXPECT_EQ(a.engine.post_send(*a.qp, wr, start), 0);
  std::vector<uint64_t> times;
  while (duo.step()) {
    while (times.size() < a.done.size()) times.push_back(duo.now() - start);
  }
  return times;
}

TEST(Cross, TwoHostsAreThoseOfTheEnginesSimulation) {
  Scenario s;
  s.topology.kind = TopologyKind::back_to_back;
  s.links.host.rate = {8'000'000 / kPsPerByte};
  s.links.host.delay = kDelayNs * kNs;
  s.host.latency = 0;
  s.transport.connection.mtu = kMtu;
  s.transport.window_bytes = kWindow * kMtu;
  s.traffic = {flow(0, 1, kMessage)};
  s.traffic[0].count = kMessages;
  s.duration = kSecond;
  Simulation run(s);
  run.run();
  std::vector<uint64_t> times;
  for (const Flow& flow : run.flows().all()) times.push_back(flow.finished / kNs);
  EXPECT_EQ(times, in_the_network_of_two());
  ASSERT_EQ(times.size(), kMessages);
  EXPECT_EQ(run.fabric().hosts[0]->engine().counters().retransmitted_pkts, 0u);
  check_laws(run);
}

}  // namespace
}  // namespace vlsim
