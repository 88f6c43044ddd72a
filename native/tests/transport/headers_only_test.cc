// Packets that are headers alone, as simulations of many hosts carry them: everything is checked and completed,
// and memory keeps what it has. What a packet is to a switch.
#include <algorithm>
#include <memory>

#include "pair.h"

namespace uroce::transport::test {
namespace {

// The headers of a packet in an allocation of their own, so that a sanitizer sees a look at the payload.
struct Headers {
  std::unique_ptr<uint8_t[]> bytes;
  uint32_t len;  // from the BTH to the pad
  PacketKind kind;
};

class HeaderSink final : public PacketSink {
 public:
  uint32_t room() override { return 1024; }
  bool emit(const TxPacket& p) override {
    auto bytes = std::make_unique<uint8_t[]>(p.header_len);
    std::copy_n(p.header, p.header_len, bytes.get());
    packets.push_back({std::move(bytes), p.header_len + p.payload_len + p.pad, p.kind()});
    return true;
  }
  std::vector<Headers> packets;
};

Options headers_only() {
  Options o;
  o.engine.carry_payload = false;
  return o;
}

// Carries headers both ways until neither side has any. Returns what each packet was.
std::vector<PacketKind> run(Pair& p) {
  std::vector<PacketKind> kinds;
  for (bool moved = true; moved;) {
    moved = false;
    for (Side* from : {&p.a, &p.b}) {
      HeaderSink sink;
      EXPECT_FALSE(from->engine.transmit(from->now, sink));
      for (const Headers& h : sink.packets) {
        moved = true;
        kinds.push_back(h.kind);
        Side& to = *from->peer;
        to.engine.on_packet(to.now, {h.bytes.get(), h.len, &from->address, &to.address});
      }
    }
  }
  return kinds;
}

TEST(HeadersOnly, EveryOperationCompletesAndMemoryIsLeftAlone) {
  Pair p(headers_only());
  p.a.fill(0, 20'000, 7);
  const std::vector<uint8_t> before = p.b.memory;
  const std::vector<uint8_t> mine = p.a.memory;

  ASSERT_EQ(p.b.post_recv(0, 8192), 0);
  ASSERT_EQ(p.a.post_send(0, 5001), 0);
  run(p);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.b.wc().byte_len, 5001u);

  ASSERT_EQ(p.a.post_write(0, 20'000), 0);
  run(p);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);

  ASSERT_EQ(p.a.post_read(4096, 10'000), 0);
  run(p);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.b.memory, before);
  EXPECT_EQ(p.a.memory, mine);
  EXPECT_EQ(rejected_packets(p.a.engine.counters()) + rejected_packets(p.b.engine.counters()), 0u);
}

TEST(HeadersOnly, ADatagramCompletesWithItsLength) {
  Options o = headers_only();
  o.type = QpType::ud;
  Pair p(o);
  ASSERT_EQ(p.b.post_recv(0, 2048), 0);
  ASSERT_EQ(p.a.post_datagram(0, 777), 0);
  run(p);
  EXPECT_EQ(p.b.wc().byte_len, 40u + 777);
}

TEST(HeadersOnly, BoundsAndKeysAreChecked) {
  Pair p(headers_only());
  const Sge s = p.a.sge(0, 64);
  ASSERT_EQ(p.a.post(write_of(p, s, Side::kMemory - 10, p.b.key)), 0);
  run(p);
  EXPECT_EQ(p.a.wc().status, WcStatus::rem_access_err);

  Pair q(headers_only());
  ASSERT_EQ(q.b.post_recv(0, 10), 0);
  ASSERT_EQ(q.a.post_send(0, 11), 0);
  run(q);
  EXPECT_EQ(q.a.wc().status, WcStatus::rem_inv_req_err);
  EXPECT_EQ(q.b.wc().status, WcStatus::loc_len_err);
}

TEST(PacketKinds, NameWhatASwitchSees) {
  using enum PacketKind;
  Pair p(headers_only());
  ASSERT_EQ(p.a.post_write(0, 3000), 0);
  EXPECT_EQ(run(p), (std::vector{data, data, data, ack}));
  ASSERT_EQ(p.a.post_read(0, 2000), 0);
  EXPECT_EQ(run(p), (std::vector{request, response, response}));
  ASSERT_EQ(p.a.post_atomic(WrOpcode::atomic_fetch_and_add, 0, 0, 1), 0);
  EXPECT_EQ(run(p), (std::vector{request, response}));
  ASSERT_EQ(p.a.post_send(0, 10), 0);
  HeaderSink sink;
  p.a.engine.transmit(p.a.now, sink);
  const auto give = [&p](const Headers& h, uint8_t traffic_class) {
    p.b.engine.on_packet(p.b.now, {h.bytes.get(), h.len, &p.a.address, &p.b.address, traffic_class});
  };
  give(sink.packets.at(0), 3);
  EXPECT_EQ(run(p), (std::vector{cnp, nak})) << "a mark, and no receive";
}

}  // namespace
}  // namespace uroce::transport::test
