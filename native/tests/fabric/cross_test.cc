// Two hosts of this simulator against the network of the engine's own simulation (../sim): the same packets leave at the same
// nanosecond, and the same requests complete.
#include "../sim/duo.h"
#include "check.h"
#include "packet_log.h"
#include "sim/scenario/report.h"

namespace vlsim {
namespace {

namespace rdma = uroce::transport;

constexpr uint32_t kMtu = 1024, kMessage = 1 << 16;
constexpr uint32_t kPsPerByte = 1000;

struct CrossCase {
  const char* name;
  rdma::RecoveryKind recovery;
  bool read;
  uint32_t window;      // packets
  uint32_t lose_every;  // packets that carry data, up to the one that is lost
  uint32_t messages;
  uint32_t delay_ns;
};

struct Passed {
  std::vector<SentPacket> packets;
  std::vector<uint64_t> completions;  // ns
};

rdma::EngineConfig engine_of(const CrossCase& c) {
  rdma::EngineConfig engine;
  engine.window_packets = c.window;
  engine.window_bytes = c.window * kMtu;
  engine.engine_window_bytes = 1ull << 40;
  engine.ack_request_packets = c.window / 4;
  engine.ack_request_bytes = c.window * kMtu / 4;
  engine.policy.recovery = c.recovery;
  engine.timeout_window_cut = 1;
  engine.burst_packets = 1;
  return engine;
}

Passed in_the_network_of_two(const CrossCase& c) {
  uroce::sim::DuoSetup setup;
  setup.link = {c.delay_ns, kPsPerByte};
  setup.engine = engine_of(c);
  setup.mtu = kMtu;
  setup.timeout = 8;
  setup.when_link_is_free = true;
  setup.faults[c.read ? 1 : 0].drop_every = c.lose_every;
  uroce::sim::Duo duo(setup);
  auto &a = duo.end(0), &b = duo.end(1);
  Passed passed;
  const uint64_t start = duo.now();
  duo.on_sent([&](int direction, const rdma::TxPacket& t, uint64_t now) {
    const bool answers = t.header_len >= 16 && has_aeth(t.opcode);
    passed.packets.push_back(
        {(now - start) * kNs, static_cast<uint32_t>(direction),
         t.opcode == uroce::wire::opcode::acknowledge ? PacketKind::ack : PacketKind::data, t.opcode,
         answers ? t.header[12] : uint8_t{0}, psn_of(t.header), rdma::udp_length(t) + kFraming});
  });
  const rdma::Sge source = a.sge(0, kMessage);
  rdma::SendWr wr;
  wr.flags = uroce::send_flag::signaled;
  wr.opcode = c.read ? uroce::WrOpcode::rdma_read : uroce::WrOpcode::rdma_write;
  wr.sg_list = &source;
  wr.num_sge = 1;
  wr.remote_addr = uroce::sim::Duo::kIova;
  wr.rkey = b.key;
  uint32_t posted = 0;
  do {
    // As the flows below: four requests at a time.
    while (passed.completions.size() < a.done.size()) passed.completions.push_back(duo.now() - start);
    for (; posted < c.messages && posted < a.done.size() + 4; ++posted)
      EXPECT_EQ(a.engine.post_send(*a.qp, wr, duo.now()), 0);
  } while (duo.step());
  return passed;
}

Passed in_the_fabric(const CrossCase& c) {
  Scenario s;
  s.topology.kind = TopologyKind::back_to_back;
  s.links.host.rate = {8'000'000 / kPsPerByte};
  s.links.host.delay = c.delay_ns * kNs;
  s.host.latency = 0;
  s.transport.connection.mtu = kMtu;
  s.transport.connection.timeout = 8;
  s.transport.connection.reads = 4;
  s.transport.window_bytes = c.window * kMtu;
  s.transport.message_bytes = kMessage;
  s.transport.policy.recovery = c.recovery;
  s.traffic = {flow(0, 1, uint64_t{c.messages} * kMessage)};
  if (c.read) {
    s.traffic = {flow(1, 0, uint64_t{c.messages} * kMessage)};
    s.traffic[0].read = true;
  }
  s.duration = 2 * kSecond;
  Simulation run(s);
  run.fabric().host_port(c.read ? 1 : 0).link.lose_every = c.lose_every;
  PacketLog log(run.fabric());
  Passed passed;
  class Completions final : public Listener {
   public:
    Completions(Simulation& to, std::vector<uint64_t>& times) : to_(to), times_(times) {
      to.fabric().set_listener(this);
    }
    void completed(Time now, Host& host, const rdma::Completion& wc) override {
      times_.push_back(now / kNs);
      to_.completed(now, host, wc);
    }
    void happens(Time now, const Event& event) override { to_.happens(now, event); }

   private:
    Simulation& to_;
    std::vector<uint64_t>& times_;
  } completions(run, passed.completions);
  run.run();
  EXPECT_EQ(totals(run).finished, 1u);
  check_laws(run);
  passed.packets = std::move(log.all);
  return passed;
}

TEST(Cross, TwoHostsAreThoseOfTheEnginesSimulationPacketByPacket) {
  using rdma::RecoveryKind;
  uint64_t packets = 0;
  for (const CrossCase& c :
       {CrossCase{"no loss", RecoveryKind::go_back_n, false, 16, 0, 1000, 20'000},
        CrossCase{"full link", RecoveryKind::go_back_n, false, 64, 0, 1000, 20'000},
        CrossCase{"READ", RecoveryKind::go_back_n, true, 64, 0, 1000, 20'000},
        CrossCase{"go-back-N", RecoveryKind::go_back_n, false, 64, 97, 1000, 20'000},
        CrossCase{"go-back-0", RecoveryKind::go_back_0, false, 64, 1009, 1000, 20'000},
        CrossCase{"selective repeat", RecoveryKind::selective_repeat, false, 64, 97, 1000, 20'000},
        CrossCase{"READ with loss", RecoveryKind::go_back_n, true, 64, 97, 300, 20'000}}) {
    const Passed two = in_the_network_of_two(c), fabric = in_the_fabric(c);
    EXPECT_EQ(fabric.completions, two.completions) << c.name;
    EXPECT_EQ(fabric.completions.size(), c.messages) << c.name;
    EXPECT_EQ(fabric.packets.size(), two.packets.size()) << c.name;
    const size_t n = std::min(fabric.packets.size(), two.packets.size());
    for (size_t i = 0; i < n; ++i) {
      const SentPacket &x = fabric.packets[i], &y = two.packets[i];
      ASSERT_EQ(x, y) << c.name << ", packet " << i << ": " << x.at << " and " << y.at << " ps, from host "
                      << x.host << " and " << y.host << ", opcode " << +x.opcode << " and " << +y.opcode
                      << ", PSN " << x.psn << " and " << y.psn;
    }
    packets += n;
  }
  std::printf("%llu packets\n", static_cast<unsigned long long>(packets));
  EXPECT_GT(packets, 424'426u) << "as many as the first comparison of two builds had";
}

}  // namespace
}  // namespace vlsim
