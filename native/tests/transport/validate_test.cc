// Packets rejected by their headers, before the ICRC is checked: each reason, and that these packets would
// have had no other effect.
#include "uroce/transport/validate.h"

#include "pair.h"
#include "uroce/wire/ext_headers.h"

namespace uroce::transport {

struct EngineInspector {
  // Delivers a packet of the QP's peer to the engine as if its PSN did not matter.
  static void deliver(Qp& qp, uint64_t now, const test::Packet& packet) {
    const auto bth = *wire::BthView::of(packet.bytes.data(), packet.bytes.size());
    const uint8_t* body = packet.bytes.data() + wire::Bth::kSize;
    const auto len = static_cast<uint32_t>(packet.bytes.size() - wire::Bth::kSize) - bth.pad();
    if (wire::kOpcodes[bth.opcode()].has(wire::OpcodeInfo::response)) {
      qp.completer_.on_packet(now, bth, body, len);
    } else {
      qp.responder_.on_packet(now, bth, body, len);
    }
  }
};

namespace test {
namespace {

RxPacket view(const Packet& packet, const Gid& from, const Gid& to) {
  return {packet.bytes.data(), static_cast<uint32_t>(packet.bytes.size()), &from, &to};
}
RxPacket view(const Packet& packet, const Side& to) { return view(packet, to.peer->address, to.address); }

Packet response(const Side& to, uint32_t psn) {
  wire::Bth bth;
  bth.opcode = wire::opcode::acknowledge;
  bth.dest_qpn = to.qp->qpn();
  bth.psn = psn;
  Packet packet{std::vector<uint8_t>(wire::Bth::kSize + wire::Aeth::kSize)};
  bth.emit(packet.bytes.data());
  wire::Aeth{wire::aeth::kAckUnlimited, 0}.emit(packet.bytes.data() + wire::Bth::kSize);
  return packet;
}

struct Row {
  const char* name;
  Reject expected;
  std::function<void(Packet&)> change;
};

const Row kRows[] = {
    {"as sent", Reject::none, [](Packet&) {}},
    {"shorter than a BTH", Reject::malformed, [](Packet& p) { p.bytes.resize(11); }},
    {"no room for the RETH", Reject::malformed, [](Packet& p) { p.bytes.resize(16); }},
    {"not a multiple of four", Reject::malformed, [](Packet& p) { p.bytes.pop_back(); }},
    {"header version 1", Reject::malformed, [](Packet& p) { p.bytes[1] |= 1; }},
    {"an ACK with payload", Reject::malformed, [](Packet& p) { p.bytes[0] = wire::opcode::acknowledge; }},
    {"an unknown opcode", Reject::unsupported, [](Packet& p) { p.bytes[0] = 0x15; }},
    {"a CNP with too much in it", Reject::malformed, [](Packet& p) { p.bytes[0] = wire::opcode::cnp; }},
    {"a CNP", Reject::none,
     [](Packet& p) {
       p.bytes[0] = wire::opcode::cnp;
       p.bytes[1] = 0;
       p.bytes.resize(wire::Bth::kSize + wire::kCnpReserved);
     }},
    {"a CNP to no QP of ours", Reject::unknown_qp,
     [](Packet& p) {
       p.bytes[0] = wire::opcode::cnp;
       p.bytes[1] = 0;
       p.bytes[7] ^= 1;
       p.bytes.resize(wire::Bth::kSize + wire::kCnpReserved);
     }},
    {"a MAD that is none", Reject::malformed, [](Packet& p) { wire::store24(&p.bytes[5], wire::kGsiQpn); }},
    {"to no QP of ours", Reject::unknown_qp, [](Packet& p) { p.bytes[7] ^= 1; }},
    {"to another slot", Reject::unknown_qp, [](Packet& p) { p.bytes[5] ^= 0x80; }},
    {"of UC to an RC QP", Reject::wrong_transport, [](Packet& p) { p.bytes[0] |= wire::service::kUc; }},
    {"of another partition", Reject::wrong_pkey, [](Packet& p) { p.bytes[2] = 0x12; }},
    {"of a limited member", Reject::none, [](Packet& p) { p.bytes[2] = 0x7f; }},
    {"a PSN far ahead", Reject::none, [](Packet& p) { wire::store24(&p.bytes[9], p.psn() + 0x100000); }},
    {"a PSN far behind", Reject::none, [](Packet& p) { wire::store24(&p.bytes[9], p.psn() - 0x100000); }},
};

TEST(Screen, NamesTheFirstReason) {
  Pair p;
  p.a.post_write(0, 10);
  const Packet good = p.a.take_one();
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    Packet packet = good;
    row.change(packet);
    EXPECT_EQ(validate(p.b.engine, view(packet, p.b)).reject, row.expected);
  }
}

TEST(Screen, LooksAtAddressAndState) {
  Pair p;
  p.a.post_write(0, 10);
  const Packet write = p.a.take_one();
  Gid stranger = p.a.address;
  stranger[0] = 9;
  EXPECT_EQ(validate(p.b.engine, view(write, stranger, p.b.address)).reject, Reject::wrong_address);
  EXPECT_EQ(validate(p.b.engine, view(write, p.a.address, stranger)).reject, Reject::wrong_address);
  p.b.to(QpState::err);
  EXPECT_EQ(validate(p.b.engine, view(write, p.b)).reject, Reject::wrong_state);
}

TEST(Screen, TakesResponsesToWhatWasSent) {
  Pair p;
  const uint32_t first = p.a.options.sq_psn;
  const auto verdict = [&](uint32_t psn) {
    return validate(p.a.engine, view(response(p.a, psn & kPsnMask), p.a)).reject;
  };
  EXPECT_EQ(verdict(first), Reject::stray_response) << "nothing was sent";
  p.a.post_write(0, 3000);  // three packets
  EXPECT_EQ(verdict(first), Reject::stray_response) << "posted, but not sent";
  p.a.take();
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(verdict(first + i), Reject::none);
  EXPECT_EQ(verdict(first + 3), Reject::stray_response);
  EXPECT_EQ(verdict(first - 1), Reject::none) << "a late copy";
  EXPECT_EQ(verdict(first - (1u << 20) - 1), Reject::stray_response);
}

TEST(Screen, CountsByReason) {
  Pair p;
  p.a.post_write(0, 10);
  Packet packet = p.a.take_one();
  packet.bytes[2] = 0x12;
  EXPECT_FALSE(p.b.engine.validate(view(packet, p.b)).wanted());
  EXPECT_EQ(p.b.engine.counters().wrong_pkey_pkts, 1u);
  EXPECT_EQ(p.b.engine.counters().rcvd_pkts, 0u);
  EXPECT_EQ(rejected_packets(p.b.engine.counters()), 1u);
  for (const auto& [name, value] : kCounters) {
    const bool reject = std::string_view(name) == "wrong_pkey_pkts";
    EXPECT_EQ(p.b.engine.counters().*value, reject ? 1u : 0u) << name;
  }
}

constexpr size_t kTouched = 16 * 1024;  // bytes of the regions that the twins use

// All visible state of a side, except the counts of rejected packets.
std::string state_of(Side& side) {
  std::string out;
  const auto put = [&](auto... values) { ((out += std::to_string(values) + ' '), ...); };
  const QpAttr attr = side.qp->query();
  put(static_cast<int>(attr.qp_state), attr.sq_psn, attr.rq_psn, side.qp->send_queued(),
      side.qp->recv_queued(), side.engine.next_wake(), side.engine.tx_pending(), side.engine.acks_deferred());
  for (const Completion& wc : side.poll())
    put(wc.wr_id, static_cast<int>(wc.status), static_cast<int>(wc.opcode), wc.byte_len);
  for (const EventType event : side.events.qp) put(static_cast<int>(event));
  Counters c = side.engine.counters();
  for (int r = static_cast<int>(Reject::malformed); r < static_cast<int>(Reject::end); ++r)
    c.of(static_cast<Reject>(r)) = 0;
  for (const Counter& counter : kCounters) put(c.*counter.value);
  out +=
      std::to_string(std::hash<std::string_view>{}({reinterpret_cast<const char*>(side.base()), kTouched}));
  return out;
}

class Twins {
 public:
  explicit Twins(uint64_t seed) : random_(seed) {
    for (Pair* p : {&screened_, &plain_}) {
      for (Side* side : {&p->a, &p->b}) {
        for (int i = 0; i < 8; ++i) side->post_recv(0, 4096);
      }
    }
  }

  void step() {
    if (random_.below(4) == 0) post();
    move(&Pair::a, &Pair::b);
    move(&Pair::b, &Pair::a);
    if (random_.below(16) == 0) {
      const uint64_t ns = us(random_.below(200'000));
      screened_.advance(ns);
      plain_.advance(ns);
    }
    ASSERT_EQ(state_of(screened_.a), state_of(plain_.a));
    ASSERT_EQ(state_of(screened_.b), state_of(plain_.b));
  }
  uint64_t rejected(Reject reason) const { return rejected_[static_cast<size_t>(reason)]; }

 private:
  void post() {
    const uint32_t kind = random_.below(4), offset = 8 * random_.below(1000),
                   length = 1 + random_.below(5000);
    for (Pair* p : {&screened_, &plain_}) {
      if (kind == 0) p->a.post_write(offset, length);
      if (kind == 1) p->a.post_read(offset, length);
      if (kind == 2) p->a.post_send(offset, std::min(length, 4096u));
      if (kind == 3) p->a.post_atomic(WrOpcode::atomic_fetch_and_add, offset, offset, length);
    }
  }

  void move(Side Pair::* from, Side Pair::* to) {
    const auto packets = (screened_.*from).take();
    ASSERT_EQ(packets.size(), (plain_.*from).take().size());
    for (const Packet& packet : packets) {
      for (uint32_t n = random_.below(4); n != 0; --n) arrive(to, damaged(packet));
      if (random_.below(16) != 0) arrive(to, packet);
    }
  }

  Packet damaged(Packet p) {
    switch (random_.below(8)) {
      case 0:
        p.bytes.resize(random_.below(static_cast<uint32_t>(p.bytes.size()) + 1));
        break;
      case 1:
        p.bytes[0] = static_cast<uint8_t>(random_.next());
        break;
      case 2:
        p.bytes[random_.below(4)] ^= static_cast<uint8_t>(1u << random_.below(8));
        break;
      case 3:
        p.bytes[5 + random_.below(3)] ^= static_cast<uint8_t>(1u << random_.below(8));
        break;
      case 4:
        wire::store24(&p.bytes[9], random_.next() & kPsnMask);
        break;
      case 5:
        wire::store24(&p.bytes[9], (p.psn() + random_.below(32) - 16) & kPsnMask);
        break;
      default:
        p.bytes[random_.below(static_cast<uint32_t>(p.bytes.size()))] ^=
            static_cast<uint8_t>(1u << random_.below(8));
    }
    return p;
  }

  // Some packets have a wrong ICRC: then the plain twin never sees them, and the other must not show them.
  void arrive(Side Pair::* at, const Packet& packet) {
    const bool right = random_.below(2) != 0;
    Side& one = screened_.*at;
    Side& other = plain_.*at;
    Gid from = one.peer->address;
    if (random_.below(32) == 0) from[3] ^= 1;
    const Validated verdict = one.engine.validate(view(packet, from, one.address));
    ++rejected_[static_cast<size_t>(verdict.reject)];
    if (verdict.wanted() && right) one.engine.process(one.now, view(packet, from, one.address), verdict);
    if (!right) return;
    // The last reasons are found after all other checks have passed.
    if (verdict.reject > Reject::wrong_address) {
      EngineInspector::deliver(*other.qp, other.now, packet);
    } else {
      other.engine.on_packet(other.now, view(packet, from, other.address));
    }
  }

  SeededRandom random_;
  Pair screened_, plain_;
  std::array<uint64_t, static_cast<size_t>(Reject::end)> rejected_{};
};

TEST(Screen, DropsNothingThatWouldHaveBeenAnswered) {
  std::array<uint64_t, static_cast<size_t>(Reject::end)> seen{};
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Twins twins(seed);
    for (int i = 0; i < 100; ++i) {
      twins.step();
      if (HasFatalFailure()) return;
    }
    for (size_t r = 0; r < seen.size(); ++r) seen[r] += twins.rejected(static_cast<Reject>(r));
  }
  for (size_t r = 0; r < seen.size(); ++r) EXPECT_GT(seen[r], 20u) << "reason " << r << " was hardly tried";
}

}  // namespace
}  // namespace test
}  // namespace uroce::transport
