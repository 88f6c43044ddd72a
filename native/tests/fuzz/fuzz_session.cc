// Two engines controlled by the input: posts, the times at which packets leave and arrive, faults on the
// way, the clock, state changes, memory and queues that come and go. In the end the network is faultless
// again and everything that can still finish must.
//
// Input: a byte of settings, then operations. An operation's byte is  qp(2) | what(5) | node(1).
#include <algorithm>
#include <deque>

#include "session.h"

namespace {

using namespace uroce;
using namespace uroce::fuzz;

enum What : uint8_t {
  kPostSend,
  kPostRecv,
  kTransmit,
  kCarry,
  kWait,
  kDrop,
  kDuplicate,
  kSwap,
  kMutate,
  kResizePacket,
  kDeliver,
  kState,
  kConnect,
  kRecreate,
  kFlipRegion,
  kModify,
  kPoll,
  kArm,
  kResizeCq,
  kWindows,
  kStamping,
  kTransmitSome,
  kForge,
  kChangeRegion,
  kPolicies,
};

constexpr uint32_t kMaxOperations = 300;
constexpr uint32_t kMaxOnWire = 2000;

class Session {
 public:
  explicit Session(uint8_t settings)
      : nodes_{{1, config(settings), (settings & 16) != 0}, {2, config(settings), (settings & 32) != 0}} {
    for (uint32_t i = 0; i < kQps; ++i) connect(i, static_cast<uint8_t>(settings >> 6 | 0x70));
  }

  void run(Input& in) {
    for (uint32_t n = 0; n < kMaxOperations && !in.empty(); ++n) {
      step(in);
      for (Node& node : nodes_) node.settle();
      for (auto& wire : wires_) {
        if (wire.size() > kMaxOnWire) wire.resize(kMaxOnWire);
      }
    }
    drain();
    for (Node& node : nodes_) {
      node.check_memory();
      node.destroy();
    }
  }

 private:
  static transport::EngineConfig config(uint8_t settings) {
    transport::EngineConfig c;
    c.window_packets = settings & 1 ? 8 : 128;
    c.read_request_bytes = settings & 2 ? 1024 : 1u << 16;
    if (settings & 4) c.engine_window_bytes = 4096;
    c.burst_packets = settings & 8 ? 3 : 64;
    c.policy = some_policy(settings >> 3);
    return c;
  }

  void connect(uint32_t i, uint8_t how) {
    nodes_[0].connect(i, nodes_[1], i, how, now_);
    nodes_[1].connect(i, nodes_[0], i, how, now_);
  }

  void step(Input& in) {
    const uint8_t code = in.u8();
    const uint32_t which = code & 1;
    const uint32_t qp = (code >> 6) % kQps;
    Node& node = nodes_[which];
    Node& peer = nodes_[1 - which];
    auto& wire = wires_[which];  // packets that `node` has sent
    switch (code >> 1 & 31) {
      case kPostSend:
        return node.post_send(in, qp, peer, now_);
      case kPostRecv:
        return node.post_recv(in, qp);
      case kTransmit:
        return transmit_all(transport::kDeferAcks);
      case kCarry:
        carry();
        return;
      case kWait:
        now_ += 1ull << (in.u8() % 34);
        for (Node& n : nodes_) n.engine().on_time(now_);
        return;
      case kDrop:
        if (!wire.empty()) take(wire, in);
        return;
      case kDuplicate:
        if (!wire.empty()) wire.push_back(Sink::Bytes(pick(wire, in)));
        return;
      case kSwap: {
        if (wire.empty()) return;
        Sink::Bytes& packet = pick(wire, in);
        std::swap(packet, pick(wire, in));
        return;
      }
      case kMutate: {
        if (wire.empty()) return;
        Sink::Bytes& packet = pick(wire, in);
        const uint8_t at = in.u8();
        if (!packet.empty()) packet[at % packet.size()] ^= in.u8();
        return;
      }
      case kResizePacket: {
        if (wire.empty()) return;
        Sink::Bytes& packet = pick(wire, in);
        packet.resize(in.u16() % 4200, 0x77);
        return;
      }
      case kDeliver:
        if (!wire.empty()) peer.receive(now_, take(wire, in), node.gid());
        return;
      case kState:
        return node.change_state(qp, static_cast<QpState>(in.u8() % 7), now_);
      case kConnect:
        return connect(qp, in.u8() & 0xbf);
      case kRecreate:
        return node.recreate(qp);
      case kFlipRegion:
        return node.flip_region();
      case kModify:
        return node.modify(in, qp, now_);
      case kPoll:
        return node.poll(in.u8());
      case kArm:
        return node.arm(in.u8() & 1);
      case kResizeCq:
        if (node.lazy()) node.resize_cq(in.u8());
        return;
      case kWindows: {
        const uint32_t packets = in.u8(), bytes = in.u16();
        return node.engine().set_windows(packets, bytes, 16ull * in.u16());
      }
      case kStamping:
        return node.engine().set_stamping(in.u8() & 1);
      case kTransmitSome: {
        const uint32_t room = in.u8();
        node.transmit(now_, wire, room, in.u8() & transport::kDeferAcks);
        return;
      }
      case kForge: {
        size_t got;
        const uint8_t* p = in.take(in.u8(), &got);
        Sink::Bytes packet(p, p + got);
        if (packet.size() >= 12) {
          for (int b = 0; b < 3; ++b) packet[5 + b] = static_cast<uint8_t>(peer.qp(qp).qpn() >> (16 - 8 * b));
        }
        return peer.receive(now_, packet, node.gid());
      }
      case kChangeRegion:
        return node.change_region(in);
      // Each end has its own policy, as between programs that know nothing of each other.
      case kPolicies: {
        node.choose(qp, some_policy(in.u8()), now_);
        peer.choose(qp, some_policy(in.u8()), now_);
        return connect(qp, in.u8() & 0xbf);
      }
      default:
        return;
    }
  }

  static Sink::Bytes& pick(std::deque<Sink::Bytes>& wire, Input& in) { return wire[in.u8() % wire.size()]; }
  static Sink::Bytes take(std::deque<Sink::Bytes>& wire, Input& in) {
    const size_t index = in.u8() % wire.size();
    Sink::Bytes packet = std::move(wire[index]);
    wire.erase(wire.begin() + static_cast<ptrdiff_t>(index));
    return packet;
  }

  void transmit_all(uint32_t flags) {
    for (int i = 0; i < 2; ++i) FUZZ_CHECK(!nodes_[i].transmit(now_, wires_[i], 1u << 20, flags));
  }

  // Carries packets both ways until nothing moves. No time passes, so it ends: nothing is sent twice
  // without a timer or a packet that asks for it.
  bool carry() {
    for (uint32_t round = 0; round < 1000; ++round) {
      transmit_all(0);
      if (wires_[0].empty() && wires_[1].empty()) return true;
      for (int i = 0; i < 2; ++i) {
        std::deque<Sink::Bytes> arriving;
        arriving.swap(wires_[i]);
        for (const auto& packet : arriving) nodes_[1 - i].receive(now_, packet, nodes_[i].gid());
      }
    }
    return false;
  }

  // With a network that loses nothing, every QP in RTS must finish or fail its requests, after any history.
  void drain() {
    for (uint32_t round = 0;; ++round) {
      FUZZ_CHECK(carry());
      const uint64_t wake = std::min(nodes_[0].engine().next_wake(), nodes_[1].engine().next_wake());
      if (wake == kNever) break;
      FUZZ_CHECK(wake > now_);
      FUZZ_CHECK(round < 20'000);
      now_ = wake;
      for (Node& node : nodes_) {
        node.engine().on_time(now_);
        node.settle();
      }
    }
    for (Node& node : nodes_) {
      for (uint32_t i = 0; i < kQps; ++i) {
        const transport::Qp& qp = node.qp(i);
        FUZZ_CHECK(qp.state() != QpState::rts || qp.send_queued() == 0);
        FUZZ_CHECK(qp.query().sq_draining == 0);
      }
    }
  }

  uint64_t now_ = 1'000'000;
  Node nodes_[2];
  std::deque<Sink::Bytes> wires_[2];
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2 || size > 4096) return 0;
  Input in(data, size);
  Session session(in.u8());
  session.run(in);
  return 0;
}
