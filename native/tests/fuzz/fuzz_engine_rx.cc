// Packets of an attacker who knows the queue pairs: arbitrary bytes, well-formed requests and responses
// with chosen fields, and packets of real captures aimed at live QPs in every state. No packet crashes the
// engine, changes a byte that the peer may not write, or makes unbounded work, and no work request
// completes twice.
#include <algorithm>
#include <array>
#include <cerrno>

#include "harness.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/opcode.h"

namespace {

using namespace uroce;
using namespace uroce::fuzz;
using Info = wire::OpcodeInfo;

constexpr uint32_t kRegion = 8192;
constexpr uint32_t kMaxPackets = 64;
constexpr uint32_t kQps = 8;
constexpr uint32_t kUc = 6, kUd = 7;
constexpr uint16_t kMtu = 1024;
constexpr uint32_t kDepth = 8;
constexpr uint64_t kIova = 0x10000;

struct Region {
  uint32_t offset, key;
};

class World {
 public:
  explicit World(uint8_t setup) : random_(setup), engine_(config(setup), random_, events_), arena_(72'000) {
    using namespace access_flag;
    pd_ = engine_.alloc_pd();
    const uint32_t other_pd = engine_.alloc_pd();
    writable_ = region(pd_, local_write | remote_write | remote_read);
    readable_ = region(pd_, remote_read);
    atomic_ = region(pd_, local_write | remote_atomic);
    source_ = region(pd_, local_write);  // what is sent; no peer may write to it
    local_ = region(pd_, local_write);   // READs and atomic results land here
    receive_ = region(pd_, local_write);
    foreign_ = region(other_pd, local_write | remote_any);  // no QP is in its PD
    arena_.allow(writable_.offset, kRegion);
    arena_.allow(atomic_.offset, kRegion);
    // Only the parts of the local regions that a posted request names.
    arena_.allow(local_.offset, 3 * kMtu);
    arena_.allow(receive_.offset, 2 * kMtu);
    cq_ = *engine_.create_cq(256);
    sink_.keep = false;
    for (uint32_t i = 0; i < kQps; ++i) make_qp(i);
    transmit();
  }

  void run(Input& in) {
    for (uint32_t n = 0; n < kMaxPackets && !in.empty(); ++n) {
      const uint8_t kind = in.u8();
      Sink::Bytes packet;
      switch (kind & 7) {
        case 0:
          raw(in, packet);
          break;
        case 1:
        case 2:
        case 3:
          structured(in, packet);
          break;
        case 4:
        case 5:
          captured(in, packet);
          break;
        case 6:
          now_ += 1ull << (in.u8() & 31);
          engine_.on_time(now_);
          transmit();
          continue;
        default:
          post(*qps_[in.u8() % kQps]);
          poll();  // in ERR all of them are flushed at once
          continue;
      }
      // A buffer of exactly its length, so that the sanitizer sees a read beyond its end.
      const Gid& from = kind & 0x80 ? kStranger : kPeer;
      const Gid& to = packet.size() > 7 && packet[7] == 0xff ? kGroup : kSelf;
      engine_.on_packet(now_, {packet.data(), static_cast<uint32_t>(packet.size()), &from, &to,
                               kind & 0x40 ? uint8_t{3} : uint8_t{0}});
      if (kind & 0x20) transmit();
    }
    transmit();
    poll();
    arena_.check();
    FUZZ_CHECK(engine_.destroy_qp(qps_[kUd]) == EBUSY);
    FUZZ_CHECK(engine_.detach_mcast(*qps_[kUd], kGroup) == 0);
    for (transport::Qp*& qp : qps_) FUZZ_CHECK(engine_.destroy_qp(qp) == 0);
    FUZZ_CHECK(engine_.destroy_cq(cq_) == 0);
  }

 private:
  static inline const Gid kSelf = gid_of(1), kPeer = gid_of(2), kStranger = gid_of(3),
                          kGroup = Gid{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 239, 0, 0, 5};

  static transport::EngineConfig config(uint8_t setup) {
    transport::EngineConfig c;
    c.window_packets = setup & 1 ? 4 : 128;
    c.read_request_bytes = setup & 2 ? kMtu : 1u << 16;
    c.retry_seven_is_endless = setup & 4;
    c.policy = some_policy(setup >> 3);
    return c;
  }

  Region region(uint32_t pd, uint32_t access) {
    const uint32_t offset = arena_.carve(kRegion);
    return {offset, *engine_.reg_mr(pd, arena_.at(offset), kIova, kRegion, access)};
  }

  static QpType type_of(uint32_t i) { return i == kUc ? QpType::uc : i == kUd ? QpType::ud : QpType::rc; }

  // States: 0 INIT, 1 RTR, 2 RTS and idle, 3 RTS with everything outstanding, 4 RTS without remote rights,
  // 5 SQD; then UC and UD in RTS, the latter in a multicast group.
  void make_qp(uint32_t i) {
    transport::QpInit init;
    init.type = type_of(i);
    init.pd = pd_;
    init.send_cq = init.recv_cq = cq_;
    init.cap = {kDepth, kDepth, 4, 4, 64};
    transport::Qp& qp = *(qps_[i] = *engine_.create_qp(init));
    const Masks masks = masks_of(init.type);
    QpAttr a;
    a.qkey = kQkey;
    a.qp_state = QpState::init;
    a.qp_access_flags = i == 4 ? 0 : access_flag::remote_any;
    FUZZ_CHECK(engine_.modify_qp(qp, a, masks.init, now_) == 0);
    if (i == 0) return;
    a.qp_state = QpState::rtr;
    a.av.sgid = kSelf;
    a.av.dgid = kPeer;
    a.path_mtu = kMtu;
    a.dest_qp_num = 0x1234 + i;
    a.rq_psn = i % 2 ? 100 : kPsnMask - 1;
    a.max_dest_rd_atomic = 4;
    a.min_rnr_timer = 1;
    FUZZ_CHECK(engine_.modify_qp(qp, a, masks.rtr, now_) == 0);
    if (i == 1) return;
    a.qp_state = QpState::rts;
    a.timeout = 8;
    a.retry_cnt = 7;
    a.rnr_retry = 3;
    a.sq_psn = i % 2 ? kPsnMask - 1 : 500;
    a.max_rd_atomic = 4;
    FUZZ_CHECK(engine_.modify_qp(qp, a, masks.rts, now_) == 0);
    if (i == kUd) FUZZ_CHECK(engine_.attach_mcast(qp, kGroup) == 0);
    if (i == 2) return;
    post(qp);
    if (i != 5) return;
    transmit();
    a.qp_state = QpState::sqd;
    FUZZ_CHECK(engine_.modify_qp(qp, a, qp_mask::state, now_) == 0);
  }

  // Posts a request of each kind, and two receives: of two packets and of none.
  void post(transport::Qp& qp) {
    const transport::Sge out[] = {{kIova, 10, source_.key}, {kIova + 10, 3 * kMtu - 10, source_.key}};
    const transport::Sge in[] = {{kIova, 10, local_.key}, {kIova + 10, 3 * kMtu - 10, local_.key}};
    const transport::Sge word{kIova + 64, 8, local_.key};
    Path path;
    path.sgid = kSelf;
    path.dgid = kPeer;
    const transport::UdDestination to{&path, 0x4321, kQkey};
    transport::SendWr wr;
    if (qp.type() == QpType::ud) wr.ud = &to;
    wr.rkey = 0x11223344;
    wr.remote_addr = 0x8000;
    for (uint32_t op = 0; op <= static_cast<uint32_t>(WrOpcode::atomic_fetch_and_add); ++op) {
      wr.opcode = static_cast<WrOpcode>(op);
      const bool atomic = wr.opcode > WrOpcode::rdma_read;
      wr.sg_list = atomic ? &word : wr.opcode == WrOpcode::rdma_read ? in : out;
      wr.num_sge = atomic ? 1 : 2;
      wr.flags = op % 2 ? send_flag::signaled : 0;
      wr.wr_id = next_id_;
      if (engine_.post_send(qp, wr, now_) == 0) ++next_id_;
    }
    const transport::Sge buffers[] = {{kIova, 100, receive_.key},
                                      {kIova + 100, 2 * kMtu - 100, receive_.key}};
    for (uint32_t sges : {2u, 0u}) {
      if (engine_.post_recv(qp, {next_id_, buffers, sges}) == 0) ++next_id_;
    }
  }

  void raw(Input& in, Sink::Bytes& packet) {
    size_t got;
    const size_t size = in.u8();
    const uint8_t* p = in.take(size, &got);
    packet.assign(p, p + got);
  }

  // A packet of a capture, readdressed: unchanged except for QPN, PSN and, if it has them, key and address.
  void captured(Input& in, Sink::Bytes& packet) {
    const uint8_t target = in.u8();
    const auto psn_offset = static_cast<int8_t>(in.u8());
    const uint8_t where = in.u8();
    size_t got;
    const size_t size = in.u16();
    const uint8_t* p = in.take(size, &got);
    packet.assign(p, p + got);
    if (packet.size() < wire::Bth::kSize) return;
    const transport::Qp& qp = *qps_[target % kQps];
    const Info& info = wire::kOpcodes[packet[0]];
    const bool group = target & 0x80 && qp.type() == QpType::ud;
    wire::store24(&packet[5], group ? kMulticastQpn : qp.qpn());
    wire::store24(&packet[9], psn(qp, info.has(Info::response), psn_offset));
    if (info.has(Info::reth | Info::atomic_eth) && packet.size() >= wire::Bth::kSize + 12) {
      wire::store64(&packet[12], kIova + 8 * (where >> 3));
      wire::store32(&packet[20], key(where & 7));
    }
  }

  void structured(Input& in, Sink::Bytes& packet) {
    const transport::Qp& qp = *qps_[in.u8() % kQps];
    wire::Bth bth;
    bth.opcode = in.u8();
    const auto psn_offset = static_cast<int8_t>(in.u8());
    const uint8_t flags = in.u8();
    const Info& info = wire::kOpcodes[bth.opcode];
    bth.dest_qpn = flags & 0x80 && qp.type() == QpType::ud ? kMulticastQpn : qp.qpn();
    bth.psn = psn(qp, info.has(Info::response), psn_offset);
    bth.ack_req = flags & 1;
    bth.solicited = flags & 2;
    bth.selective = flags & 0x40;
    if (flags & 4) bth.version = flags >> 4;
    if (flags & 8) bth.pkey = static_cast<uint16_t>(flags << 8);
    const uint16_t size_code = in.u16();
    // Mostly what the opcode may carry: a whole MTU where there must be one.
    uint32_t len = size_code % (kMtu + 8);
    if (!info.has(Info::payload)) len = 0;
    // Selective repeat: words behind the AETH say what has arrived.
    if (bth.opcode == wire::opcode::acknowledge && bth.selective) len = 8 * (size_code & 7);
    if ((size_code & 0x8000) && info.has(Info::first | Info::middle)) len = kMtu;
    bth.pad = static_cast<uint8_t>(size_code & 0x4000 ? size_code >> 12 : -len & 3);
    packet.resize(wire::Bth::kSize + 36);
    bth.emit(packet.data());
    uint8_t* at = packet.data() + wire::Bth::kSize;
    const uint8_t where = in.u8();
    const auto shift = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int16_t>(in.u16())));
    // Counted from the region's beginning, or so that the end comes to lie near the region's end.
    const auto va = [&](uint32_t length) {
      return where & 0x20 ? kIova + kRegion - length + (shift & 15) - 8 : kIova + shift;
    };
    if (info.has(Info::deth)) {
      wire::Deth{where & 1 ? in.u32() : kQkey, in.u16()}.emit(at);
      at += wire::Deth::kSize;
    }
    if (info.has(Info::reth)) {
      uint32_t total = in.u16();
      if (where & 0x80) total = len;
      if ((where & 0x40) && total > kRegion) total <<= 16;
      wire::Reth{va(total), key(where & 7), total}.emit(at);
      at += wire::Reth::kSize;
    }
    if (info.has(Info::atomic_eth)) {
      wire::AtomicEth{where & 0x80 ? va(8) & ~7ull : va(8), key(where & 7), in.u64(), in.u8()}.emit(at);
      at += wire::AtomicEth::kSize;
    }
    if (info.has(Info::aeth)) {
      wire::Aeth{in.u8(), in.u8()}.emit(at);
      at += wire::Aeth::kSize;
    }
    packet.resize(std::max<size_t>(info.header_size, wire::Bth::kSize) + len + (-len & 3), in.u8());
    if (size_code & 0x2000) packet.resize(packet.size() - std::min<size_t>(packet.size(), in.u8()));
  }

  // Near the PSN that the QP expects of this kind of packet.
  uint32_t psn(const transport::Qp& qp, bool response, int8_t offset) const {
    const QpAttr a = qp.query();
    return ((response ? a.sq_psn : a.rq_psn) + static_cast<uint32_t>(offset)) & kPsnMask;
  }
  uint32_t key(uint8_t which) const {
    const Region* regions[] = {&writable_, &source_, &atomic_, &readable_, &local_, &receive_, &foreign_};
    return which < 7 ? regions[which]->key : 0xdeadbeef;
  }

  // A packet may release at most one window and the READ responses that it asks for.
  void transmit() {
    const uint64_t before = sink_.emitted;
    sink_.limit = UINT32_MAX;
    FUZZ_CHECK(!engine_.transmit(now_, sink_, 0));
    const uint64_t bound = kQps * (kDepth * 3 + 4 * (kRegion / kMtu + 1) + 2);
    FUZZ_CHECK(sink_.emitted - before <= bound);
    FUZZ_CHECK(!engine_.tx_pending());
    poll();
  }

  void poll() {
    transport::Completion wc[16];
    for (uint32_t n; (n = cq_->poll(wc, 16)) != 0;) {
      for (uint32_t i = 0; i < n; ++i) {
        FUZZ_CHECK(wc[i].wr_id < next_id_);
        completed_.resize(next_id_);
        FUZZ_CHECK(!completed_[wc[i].wr_id]);
        completed_[wc[i].wr_id] = true;
        FUZZ_CHECK(wc[i].status != WcStatus::success || wc[i].byte_len <= kRegion);
      }
    }
    FUZZ_CHECK(events_.cq_errors == 0);
  }

  SeededRandom random_;
  Events events_;
  transport::Engine engine_;
  Arena arena_;
  Sink sink_;
  uint64_t now_ = 1'000'000;
  uint32_t pd_;
  Region writable_, readable_, atomic_, source_, local_, receive_, foreign_;
  transport::Cq* cq_;
  std::array<transport::Qp*, kQps> qps_{};
  uint64_t next_id_ = 0;
  std::vector<bool> completed_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2 || size > 20'000) return 0;
  Input in(data, size);
  World world(in.u8());
  world.run(in);
  return 0;
}
