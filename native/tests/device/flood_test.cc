// Packets that the device rejects, from a socket that any user can open: counted by reason, and shut out by
// the kernel when there are many of them.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>

#include "tests/device/fixture.h"
#include "uroce/verbs/device/flood_policy.h"

namespace uroce::verbs::test {
namespace {

using Header = std::array<uint8_t, 16>;  // BTH and room for an ICRC, which is wrong

class FloodTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    connect();
    stranger_ = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    // An address of this process's own: tests may run at the same time.
    sockaddr_in self = address("127.78.0.0");
    self.sin_addr.s_addr |= htonl(static_cast<uint32_t>(getpid()) & 0xffff);
    ASSERT_EQ(bind(stranger_, reinterpret_cast<sockaddr*>(&self), sizeof self), 0);
  }
  void TearDown() override {
    close(stranger_);
    DeviceTest::TearDown();
  }

  static sockaddr_in address(const char* text) {
    sockaddr_in out{};
    out.sin_family = AF_INET;
    out.sin_port = htons(4791);
    inet_pton(AF_INET, text, &out.sin_addr);
    return out;
  }

  Header header(uint32_t qpn) const {
    return {4,
            0x40,
            0xff,
            0xff,
            0,
            static_cast<uint8_t>(qpn >> 16),
            static_cast<uint8_t>(qpn >> 8),
            static_cast<uint8_t>(qpn)};
  }
  void send(const Header& packet) {
    const char* named = getenv("UROCE_ADDR");
    const sockaddr_in to = address(named != nullptr ? named : "127.0.0.1");
    sendto(stranger_, packet.data(), packet.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
  }
  // Receives until the condition holds; false if it never does.
  bool until(const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + kTimeout;
    ibv_wc wc;
    while (std::chrono::steady_clock::now() < end) {
      ibv_poll_cq(cq_b, 1, &wc);
      if (condition()) return true;
    }
    return false;
  }
  bool flood_until_shut_out() {
    return until([&] {
      for (int i = 0; i < 64; ++i) send(header(qp_b->qp_num));
      return counters().at("udp_shut_out_datagrams") > 1000;
    });
  }
  void write() {
    ibv_sge sge = sge_a(0, kBuffer);
    ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
    aim(&wr, 0);
    ASSERT_EQ(post(qp_a, wr), 0);
    ASSERT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  }

  int stranger_ = -1;
};

// The ICRCs of these packets are wrong: each counts once, by its header, and in no other counter.
TEST_F(FloodTest, EachReasonHasItsCounter) {
  const auto before = counters();
  send(header(qp_b->qp_num ^ 0x800));
  Header packet = header(qp_b->qp_num);
  packet[2] = 0x12;
  send(packet);
  packet = header(qp_b->qp_num);
  send(packet);
  packet[1] = 0x41;
  send(packet);
  packet = header(qp_b->qp_num);
  packet[0] = 0x24;
  send(packet);
  const std::array reasons = {"unknown_qp_pkts", "wrong_pkey_pkts", "wrong_address_pkts", "malformed_pkts",
                              "wrong_transport_pkts"};
  ASSERT_TRUE(until([&] {
    const auto now = counters();
    return std::ranges::all_of(reasons, [&](const char* name) { return now.at(name) > before.at(name); });
  }));
  const auto after = counters();
  for (const char* name : reasons) EXPECT_EQ(after.at(name) - before.at(name), 1u) << name;
  for (const char* name : {"icrc_errors", "rcvd_pkts", "naks_sent", "acks_sent", "out_of_sequence"})
    EXPECT_EQ(after.at(name), before.at(name)) << name;
}

TEST_F(FloodTest, StrangersAreShutOutAndPeersAreNot) {
  ASSERT_TRUE(flood_until_shut_out());
  EXPECT_EQ(counters().at("udp_receive_overruns"), 0u);
  for (int i = 0; i < 10; ++i) write();
}

// A tap shows all arriving packets, and a datagram may come from anywhere.
TEST_F(FloodTest, NothingIsShutOutWhileATapListens) {
  ASSERT_TRUE(flood_until_shut_out());
  uroce_tap_attr tap{};
  tap.max_packets = 16;
  ASSERT_EQ(uroce_tap_start(context, &tap), 0);
  const auto before = counters();
  ASSERT_TRUE(until([&] {
    send(header(qp_b->qp_num));
    return counters().at("wrong_address_pkts") > before.at("wrong_address_pkts") + 1000;
  }));
  EXPECT_EQ(counters().at("udp_shut_out_datagrams"), before.at("udp_shut_out_datagrams"));
  ASSERT_EQ(uroce_tap_stop(context), 0);
}

TEST_F(FloodTest, DatagramsMayComeFromAnywhere) {
  ASSERT_TRUE(flood_until_shut_out());
  replace_qps(IBV_QPT_UD);
  ibv_qp_attr attr{};
  attr.qp_state = IBV_QPS_INIT;
  attr.port_num = 1;
  ASSERT_EQ(ibv_modify_qp(qp_b, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY), 0);
  attr.qp_state = IBV_QPS_RTR;
  ASSERT_EQ(ibv_modify_qp(qp_b, &attr, IBV_QP_STATE), 0);
  const auto before = counters();
  ASSERT_TRUE(until([&] {
    send(header(qp_b->qp_num));
    return counters().at("wrong_transport_pkts") > before.at("wrong_transport_pkts") + 1000;
  }));
  EXPECT_EQ(counters().at("udp_shut_out_datagrams"), before.at("udp_shut_out_datagrams"));
}

TEST(FloodPolicy, RaisesTheFilterForASecondWhenManyComeInAShortTime) {
  constexpr uint64_t kMs = 1'000'000;
  FloodPolicy policy;
  uint64_t now = 1000 * kMs, rejected = 0;
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(policy.raise(now += kMs, rejected += 9)) << "9,000 per second";
  bool raised = false;
  for (int i = 0; i < 10 && !raised; ++i) raised = policy.raise(now += kMs, rejected += 50);
  EXPECT_TRUE(raised);
  EXPECT_FALSE(policy.lift(now + 999 * kMs));
  EXPECT_TRUE(policy.lift(now + 1000 * kMs));
  EXPECT_FALSE(policy.raise(now += 1000 * kMs, rejected += 50)) << "the flood has to show itself again";
}

}  // namespace
}  // namespace uroce::verbs::test
