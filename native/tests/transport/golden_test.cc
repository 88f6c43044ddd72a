// UC and UD as rxe sends them: packets of its capture are received, and this engine makes the same bytes
// from the same work.
#include "../wire/capture.h"
#include "pair.h"
#include "uroce/wire/ext_headers.h"

namespace uroce::transport::test {
namespace {

constexpr const char* kCapture = "rxe-verbs-and-cm.pcap";
const Gid kClient{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 9, 0, 2};
const Gid kServer{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 9, 0, 1};

struct Captured {
  Gid from, to;
  Packet packet;  // BTH to pad
};

std::vector<Captured> captured(uint8_t service) {
  std::vector<Captured> out;
  for (const wire::test::Bytes& ip : wire::test::roce_packets(kCapture)) {
    if (ip[0] != 0x45 || (ip[28] & wire::service::kMask) != service) continue;
    Captured c;
    c.from = c.to = kClient;
    std::copy_n(&ip[12], 4, &c.from[12]);
    std::copy_n(&ip[16], 4, &c.to[12]);
    c.packet.bytes.assign(ip.begin() + 28, ip.end() - 4);
    if (c.packet.bth().dest_qpn == 1) continue;  // connection management
    out.push_back(std::move(c));
  }
  return out;
}

// rxe leaves the MigReq bit clear; this engine sets it, as the specification wants where there is no
// migration.
std::vector<uint8_t> without_migreq(std::vector<uint8_t> bytes) {
  bytes[1] &= 0xbf;
  return bytes;
}

// Draws zeros for QPNs, so that the first queue pair gets the first number, then other values.
class QpnFrom final : public RandomSource {
 public:
  uint32_t next() override { return value_++; }

 private:
  uint32_t value_ = 0;
};

// An engine with one QP of the given number.
struct End {
  End(QpType type, uint32_t qpn, const Gid& own) : address(own), engine(config(qpn), random, events) {
    pd = engine.alloc_pd();
    cq = *engine.create_cq(64);
    qp = *engine.create_qp({type, pd, cq, cq, {16, 16, 2, 2, 0}, false, nullptr});
    key = *engine.reg_mr(pd, memory.data(), 0x1000, memory.size(), access_flag::local_write);
    EXPECT_EQ(qp->qpn(), qpn);
  }
  static EngineConfig config(uint32_t qpn) {
    EngineConfig c;
    c.first_local_index = qpn;
    c.max_mtu = 1024;
    return c;
  }
  void modify(const QpAttr& a, uint32_t mask) { ASSERT_EQ(engine.modify_qp(*qp, a, mask, 0), 0); }
  void post_recv(uint32_t length) {
    const Sge s{0x1000, length, key};
    ASSERT_EQ(engine.post_recv(*qp, {1, &s, 1}), 0);
  }
  void give(const Captured& c) {
    engine.on_packet(0,
                     {c.packet.bytes.data(), static_cast<uint32_t>(c.packet.bytes.size()), &c.from, &c.to});
  }
  Completion wc() {
    Completion out{};
    EXPECT_EQ(cq->poll(&out, 1), 1u);
    return out;
  }

  Gid address;
  QpnFrom random;
  Events events;
  std::vector<uint8_t> memory = std::vector<uint8_t>(8192);
  Engine engine;
  uint32_t pd;
  Cq* cq;
  Qp* qp;
  uint32_t key;
};

TEST(Golden, UcMessagesOfRxe) {
  const auto packets = captured(wire::service::kUc);
  ASSERT_EQ(packets.size(), 20u);  // ibv_uc_pingpong -s 1500 -n 5, both ways
  // The engine takes the client's place: it receives the server's messages and sends the client's.
  End end(QpType::uc, 0x12, kClient);
  QpAttr a;
  a.qp_state = QpState::init;
  end.modify(a, 0x39);
  a.qp_state = QpState::rtr;
  a.av.sgid = kClient;
  a.av.dgid = kServer;
  a.path_mtu = 1024;
  a.dest_qp_num = 0x12;
  const auto first = [&](const Gid& from) {
    return std::find_if(packets.begin(), packets.end(), [&](const Captured& c) { return c.from == from; });
  };
  a.rq_psn = first(kServer)->packet.psn();
  end.modify(a, 0x101181);
  a.qp_state = QpState::rts;
  a.sq_psn = first(kClient)->packet.psn();
  end.modify(a, 0x10001);

  std::vector<uint8_t> message;
  for (const Captured& c : packets) {
    const uint8_t* payload = c.packet.bytes.data() + wire::Bth::kSize;
    const bool last = c.packet.opcode() == 0x22;
    if (c.from == kServer) {
      if (!last) end.post_recv(4096);
      end.give(c);
      if (last) {
        EXPECT_EQ(end.wc().byte_len, 1500u);
        EXPECT_EQ(std::memcmp(end.memory.data() + 1024, payload, 476), 0);
      }
      continue;
    }
    message.insert(message.end(), payload, payload + c.packet.payload());
    if (!last) continue;
    std::copy(message.begin(), message.end(), end.memory.begin() + 4096);
    const Sge s{0x1000 + 4096, static_cast<uint32_t>(message.size()), end.key};
    SendWr wr;
    wr.sg_list = &s;
    wr.num_sge = 1;
    ASSERT_EQ(end.engine.post_send(*end.qp, wr, 0), 0);
    CollectingSink sink;
    end.engine.transmit(0, sink);
    ASSERT_EQ(sink.packets.size(), 2u);
    EXPECT_EQ(without_migreq(sink.packets[1].bytes), c.packet.bytes);
    message.clear();
  }
  EXPECT_EQ(end.engine.counters().dropped_messages, 0u);
}

void datagrams(uint32_t dest_qpn, const Gid& to, size_t expected) {
  size_t seen = 0;
  for (const Captured& c : captured(wire::service::kUd)) {
    if (c.packet.bth().dest_qpn != dest_qpn || c.to != to) continue;
    ++seen;
    const auto deth = *wire::Deth::parse(&c.packet.bytes[12], 8);
    const bool imm = c.packet.opcode() == 0x65;
    const uint32_t at = wire::kOpcodes[c.packet.opcode()].header_size;
    const auto len = static_cast<uint32_t>(c.packet.payload());

    QpAttr a;
    a.qkey = deth.qkey;
    a.sq_psn = c.packet.psn();
    const auto up = [&](End& end) {
      a.qp_state = QpState::init;
      end.modify(a, 0x71);
      a.qp_state = QpState::rtr;
      end.modify(a, qp_mask::state);
      a.qp_state = QpState::rts;
      end.modify(a, 0x10001);
    };
    End receiver(QpType::ud, dest_qpn == kMulticastQpn ? 0x20 : dest_qpn, to);
    up(receiver);
    if (dest_qpn == kMulticastQpn) {
      ASSERT_EQ(receiver.engine.attach_mcast(*receiver.qp, to), 0);
    }
    receiver.post_recv(2048);
    receiver.give(c);
    const Completion wc = receiver.wc();
    EXPECT_EQ(wc.byte_len, 40 + len);
    EXPECT_EQ(wc.src_qp, deth.src_qpn);
    EXPECT_EQ(std::memcmp(receiver.memory.data() + 40, &c.packet.bytes[at], len), 0);

    End sender(QpType::ud, deth.src_qpn, c.from);
    up(sender);
    std::copy_n(&c.packet.bytes[at], len, sender.memory.begin());
    const Sge s{0x1000, len, sender.key};
    Path path;
    path.sgid = c.from;
    path.dgid = c.to;
    const UdDestination destination{&path, dest_qpn, deth.qkey};
    SendWr wr;
    wr.sg_list = &s;
    wr.num_sge = 1;
    wr.ud = &destination;
    wr.opcode = imm ? WrOpcode::send_with_imm : WrOpcode::send;
    if (imm) std::memcpy(&wr.imm_data, &c.packet.bytes[20], 4);
    ASSERT_EQ(sender.engine.post_send(*sender.qp, wr, 0), 0);
    CollectingSink sink;
    sender.engine.transmit(0, sink);
    ASSERT_EQ(sink.packets.size(), 1u);
    EXPECT_EQ(without_migreq(sink.packets[0].bytes), c.packet.bytes);
  }
  EXPECT_EQ(seen, expected);
}

TEST(Golden, DatagramsOfRxe) { datagrams(0x13, kServer, 5); }

TEST(Golden, DatagramsWithImmediateOfUdaddy) { datagrams(0x1a, kServer, 2); }

TEST(Golden, MulticastOfMckey) {
  datagrams(kMulticastQpn, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 239, 1, 1, 1}, 2);
}

}  // namespace
}  // namespace uroce::transport::test
