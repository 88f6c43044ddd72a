// The real link: two devices' sockets in one process, on loopback addresses of their own.
#include "uroce/net/udp/udp_link.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include "tests/net/own_address.h"
#include "tests/net/packets.h"
#include "uroce/net/port/roce_port.h"
#include "uroce/net/udp/steering.h"
#include "uroce/net/udp/udp_link.h"

namespace uroce::net::test {
namespace {

struct End {
  explicit End(uint32_t n, const UdpFeatures& features) {
    const auto plan = plan_addresses(own_address(n).c_str(), nullptr);
    local = plan->gids[1];
    socket = std::move(*open_udp_socket(local, features));
    link = std::make_unique<UdpLink>(std::vector<UdpLink::Socket>{{socket.get(), local.gid}}, features);
    port = std::make_unique<RocePort>(*link, features);
  }
  Flow flow_to(const End& other) const {
    Flow flow = make_flow(local.gid, other.local.gid);
    flow.to_length = to_sockaddr(other.local.gid, 0, &flow.to);
    flow.socket = socket.get();
    return flow;
  }
  // Until `n` packets came or no more come.
  Collector receive(std::size_t n) {
    Collector got;
    while (got.psns.size() < n) {
      if (port->receive(got, 4) > 0) continue;
      pollfd p{socket.get(), POLLIN, 0};
      if (poll(&p, 1, 60'000) <= 0) break;
    }
    return got;
  }
  LocalAddress local;
  UniqueFd socket;
  std::unique_ptr<UdpLink> link;
  std::unique_ptr<RocePort> port;
};

void exchange(const UdpFeatures& sender, const UdpFeatures& receiver) {
  End a(0, sender), b(1, receiver);
  const Flow flow = a.flow_to(b);
  std::vector<uint32_t> sent;
  for (uint32_t size : {0u, 1u, 64u, 4096u, 1000u}) {
    const uint32_t count = size == 4096 ? 40 : 200;
    for (uint32_t i = 0; i < count; ++i) {
      a.port->emit(*TestPacket(flow, 0x1002, static_cast<uint32_t>(sent.size()), size));
      sent.push_back(static_cast<uint32_t>(sent.size()));
      // Not more than a receive buffer holds.
      if (i % 20 == 19) {
        a.port->flush();
        const auto got = b.receive(20);
        const std::vector<uint32_t> expected(sent.end() - 20, sent.end());
        ASSERT_EQ(got.psns, expected);
      }
    }
  }
  EXPECT_EQ(b.port->icrc_counters().bad, 0u);
}

const UdpFeatures kHere = probe_udp_features();
constexpr UdpFeatures kNothing{};

TEST(UdpLink, AsTheKernelCan) { exchange(kHere, kHere); }
TEST(UdpLink, WithoutOffloads) { exchange(kNothing, kNothing); }
TEST(UdpLink, SegmentingSenderToPlainReceiver) {
  UdpFeatures receiver = kHere;
  receiver.gro = false;
  exchange(kHere, receiver);
}
TEST(UdpLink, PlainSenderToCoalescingReceiver) { exchange(kNothing, kHere); }

TEST(UdpLink, FewSystemCallsWhereTheKernelHelps) {
  if (!kHere.gso || !kHere.gro) GTEST_SKIP() << "this kernel has no UDP_SEGMENT or UDP_GRO";
  End a(2, kHere), b(3, kHere);
  const Flow flow = a.flow_to(b);
  for (uint32_t i = 0; i < 15; ++i) a.port->emit(*TestPacket(flow, 0x1002, i, 4096));
  a.port->flush();
  EXPECT_EQ(b.receive(15).psns.size(), 15u);
  EXPECT_EQ(a.link->counters().sends, 1u);
  EXPECT_EQ(b.link->counters().datagrams_in, 1u);
}

// The First packet of a WRITE has a RETH, so it is 16 bytes longer than the rest.
TEST(UdpLink, FirstPacketOfAWriteSharesASystemCallWithTheRest) {
  if (!kHere.gso || !kHere.gro) GTEST_SKIP() << "this kernel has no UDP_SEGMENT or UDP_GRO";
  End a(11, kHere), b(12, kHere);
  const Flow flow = a.flow_to(b);
  std::vector<uint32_t> sent;
  for (uint32_t message = 0; message < 3; ++message) {
    for (uint32_t i = 0; i < 16; ++i) {
      sent.push_back(static_cast<uint32_t>(sent.size()));
      a.port->emit(*TestPacket(flow, 0x1002, sent.back(), i == 0 ? 4096 + 16 : 4096));
    }
  }
  a.port->flush();
  EXPECT_EQ(b.receive(sent.size()).psns, sent);
  EXPECT_EQ(a.link->counters().sends, 3u);
  EXPECT_EQ(b.link->counters().datagrams_in, 6u);
  EXPECT_EQ(b.port->icrc_counters().bad, 0u);
  EXPECT_EQ(b.port->icrc_counters().other_place, 0u) << "numbered from 0 in each batch";
}

TEST(UdpLink, BatchesThatShareASystemCallDoNotShareAFailure) {
  if (!kHere.gso) GTEST_SKIP() << "this kernel has no UDP_SEGMENT";
  End a(13, kHere), b(14, kHere);
  const Flow good = a.flow_to(b);
  Flow nowhere = good;
  nowhere.destination = ipv4(192, 0, 2, 1);  // from a loopback address
  nowhere.to_length = to_sockaddr(nowhere.destination, 0, &nowhere.to);
  std::vector<uint32_t> arrive;
  for (uint32_t psn = 0; psn < 10; ++psn) {
    const bool lost = psn % 5 == 2 || psn % 5 == 3;
    a.port->emit(*TestPacket(lost ? nowhere : good, 0x1002, psn, 100));
    if (!lost) arrive.push_back(psn);
  }
  a.port->flush();
  EXPECT_FALSE(a.port->blocked());
  EXPECT_EQ(b.receive(arrive.size()).psns, arrive);
  EXPECT_EQ(a.link->counters().lost, 4u);
}

class Headers final : public DatagramHandler {
 public:
  void on_datagram(const Datagram& d) override { last = d; }
  Datagram last;
};

TEST(UdpLink, CarriesTheIpHeaderOfAFlowAndShowsIt) {
  for (const UdpFeatures& features : {kHere, kNothing}) {
    End a(7, features), b(8, features);
    Flow flow = a.flow_to(b);
    Headers got;
    const auto arrive = [&](uint32_t packets) {
      for (uint32_t i = 0; i < packets; ++i) a.port->emit(*TestPacket(flow, 0x1002, i, 64));
      a.port->flush();
      for (uint32_t n = 0; n < packets;) {
        pollfd p{b.socket.get(), POLLIN, 0};
        if (poll(&p, 1, 60'000) <= 0) return false;
        b.link->receive(got, 1);
        n += std::max(1u, got.last.length / 80);
      }
      return true;
    };
    flow.traffic_class = 0xb9;
    flow.hop_limit = 7;
    ASSERT_TRUE(arrive(1));
    EXPECT_EQ(got.last.ttl, 64) << "not told yet";
    b.link->show_headers();
    for (const uint32_t packets : {1u, 3u}) {
      ASSERT_TRUE(arrive(packets));
      EXPECT_EQ(got.last.tos, 0xb9);
      EXPECT_EQ(got.last.ttl, 7);
    }
    flow.traffic_class = flow.hop_limit = 0;
    ASSERT_TRUE(arrive(1));
    EXPECT_EQ(got.last.tos, 0);
    EXPECT_EQ(got.last.ttl, default_hop_limit(a.socket.get(), true));
  }
}

// Any process may send from a port of its own. Only a device may announce a marked packet.
TEST(UdpLink, BelievesAMarkNoticeOnlyFromADeviceOfThisHost) {
  for (const bool from_device : {false, true}) {
    End a(9, kNothing), b(10, kNothing);
    const Flow flow = a.flow_to(b);
    const UniqueFd other(socket(AF_INET, SOCK_DGRAM, 0));
    const MarkNotice notice = mark_notice(0x1002);
    const int fd = from_device ? flow.socket : other.get();
    ASSERT_EQ(sendto(fd, notice.data(), notice.size(), 0, reinterpret_cast<const sockaddr*>(&flow.to),
                     flow.to_length),
              static_cast<ssize_t>(notice.size()));
    a.port->emit(*TestPacket(flow, 0x1002, 1, 64));
    a.port->flush();
    Headers got;
    while (got.last.length != 64 + 16) {
      pollfd p{b.socket.get(), POLLIN, 0};
      ASSERT_GT(poll(&p, 1, 60'000), 0);
      b.link->receive(got, 1);
    }
    EXPECT_EQ(got.last.tos & 3, from_device ? 3 : 0);
  }
}

TEST(UdpLink, TakesInManySmallDatagramsAtOnce) {
  End a(9, kNothing), b(10, kNothing);
  const Flow flow = a.flow_to(b);
  constexpr uint32_t kPackets = 48;
  uint32_t calls = 0;
  Collector got;
  for (int round = 0; round < 4; ++round) {
    for (uint32_t i = 0; i < kPackets; ++i) a.port->emit(*TestPacket(flow, 0x1002, i, 16));
    a.port->flush();
    got.psns.clear();
    calls = 0;
    while (got.psns.size() < kPackets) {
      pollfd p{b.socket.get(), POLLIN, 0};
      ASSERT_EQ(poll(&p, 1, 60'000), 1);
      b.port->receive(got, 2);
      ++calls;
    }
  }
  EXPECT_LE(calls, 4u);
}

TEST(UdpLink, CountsWhatItsReceiveBufferHasNoRoomFor) {
  End a(5, kNothing), b(6, kNothing);
  const int small = 16'384;
  ASSERT_EQ(setsockopt(b.socket.get(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
  const Flow flow = a.flow_to(b);
  constexpr uint32_t kPackets = 60;
  for (uint32_t i = 0; i < kPackets; ++i) {
    a.port->emit(*TestPacket(flow, 0x1002, i, 4096));
    a.port->flush();
  }
  const uint64_t overruns = b.link->overruns();
  EXPECT_GT(overruns, 0u);
  EXPECT_EQ(b.receive(kPackets - overruns).psns.size(), kPackets - overruns);
  // The next owner of the socket begins at zero.
  const UdpLink next({{b.socket.get(), b.local.gid}}, kNothing);
  EXPECT_EQ(next.overruns(), 0u);
}

TEST(UdpLink, SteersByDestinationQueuePair) {
  const auto plan = plan_addresses(own_address(4).c_str(), nullptr);
  std::vector<UniqueFd> group;
  for (uint32_t slot = 0; slot < 5; ++slot) {
    group.push_back(std::move(*open_udp_socket(plan->gids[1], kHere)));
    ASSERT_EQ(attach_steering(group.back().get()), 0);
    EXPECT_TRUE(probe_slot(group.back().get(), slot));
    EXPECT_EQ(find_slot(group.back().get(), 10), static_cast<int>(slot));
  }
}

}  // namespace
}  // namespace uroce::net::test
