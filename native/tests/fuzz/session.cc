#include "session.h"

#include <algorithm>
#include <iterator>

namespace uroce::fuzz {
namespace {

constexpr uint64_t kRecvId = 1ull << 63;
constexpr uint16_t kMtus[] = {256, 512, 1024, 4096};

}  // namespace

Node::Node(uint8_t number, const transport::EngineConfig& config, bool lazy)
    : gid_(gid_of(number)), random_(number), engine_(config, random_, events_), arena_(48'000), lazy_(lazy) {
  using namespace access_flag;
  pd_ = engine_.alloc_pd();
  open_ = region(local_write | remote_any | mw_bind);
  windows_ = {*engine_.alloc_mw(pd_, transport::MwType::type1),
              *engine_.alloc_mw(pd_, transport::MwType::type2)};
  readable_ = region(remote_read);
  local_ = region(local_write);
  source_ = region(local_write);
  passing_.offset = arena_.carve(kRegion);
  arena_.allow(open_.offset, kRegion);
  arena_.allow(local_.offset, kRegion);
  cq_ = *engine_.create_cq(lazy ? 16 : 2 * kQps * kDepth + kDepth);
  for (uint32_t i = 0; i < kQps; ++i) create(i);
}

Node::Region Node::region(uint32_t access) {
  const uint32_t offset = arena_.carve(kRegion);
  return {offset, *engine_.reg_mr(pd_, arena_.at(offset), kIova, kRegion, access)};
}

void Node::create(uint32_t i) {
  transport::QpInit init;
  init.type = kTypes[i];
  init.pd = pd_;
  init.send_cq = init.recv_cq = cq_;
  init.cap = {kDepth, kDepth, 4, 4, 64};
  init.user = &slots_[i];
  slots_[i].qp = *engine_.create_qp(init);
}

// Forgets posted requests, which will not complete any more. Polls the completed ones first.
void Node::forget(uint32_t i) {
  poll(UINT32_MAX);
  slots_[i].sends.clear();
  slots_[i].recvs.clear();
}

void Node::recreate(uint32_t i) {
  forget(i);
  FUZZ_CHECK(engine_.destroy_qp(slots_[i].qp) == 0);
  create(i);
}

void Node::choose(uint32_t i, const transport::QpPolicy& policy, uint64_t now) {
  forget(i);
  transport::Qp& qp = *slots_[i].qp;
  QpAttr a;
  a.qp_state = QpState::reset;
  FUZZ_CHECK(engine_.modify_qp(qp, a, qp_mask::state, now) == 0);
  FUZZ_CHECK(engine_.set_policy(qp, policy) == (kTypes[i] == QpType::rc ? 0 : EINVAL));
}

void Node::connect(uint32_t i, Node& peer, uint32_t j, uint8_t how, uint64_t now) {
  forget(i);
  transport::Qp& qp = *slots_[i].qp;
  const Masks masks = masks_of(kTypes[i]);
  QpAttr a;
  a.qkey = kQkey;
  a.qp_state = QpState::reset;
  FUZZ_CHECK(engine_.modify_qp(qp, a, qp_mask::state, now) == 0);
  a.qp_state = QpState::init;
  a.qp_access_flags = access_flag::remote_any;
  FUZZ_CHECK(engine_.modify_qp(qp, a, masks.init, now) == 0);
  a.qp_state = QpState::rtr;
  a.av.sgid = gid_;
  a.av.dgid = peer.gid_;
  a.path_mtu = kMtus[how & 3];
  a.dest_qp_num = peer.qp(j).qpn();
  a.rq_psn = how & 4 ? kPsnMask : 1000;
  a.max_dest_rd_atomic = how & 8 ? 1 : 16;
  a.min_rnr_timer = 1;
  FUZZ_CHECK(engine_.modify_qp(qp, a, masks.rtr, now) == 0);
  a.qp_state = QpState::rts;
  a.timeout = 8;
  a.retry_cnt = how >> 4 & 3;
  a.rnr_retry = how >> 6;
  a.sq_psn = a.rq_psn;
  a.max_rd_atomic = a.max_dest_rd_atomic;
  FUZZ_CHECK(engine_.modify_qp(qp, a, masks.rts, now) == 0);
}

// sends: for outgoing data; only then the region that nothing may write to.
uint32_t Node::key(uint8_t which, bool sends) const {
  const uint32_t own = sends ? source_.key : local_.key;
  const uint32_t keys[] = {open_.key, own, readable_.key, passing_.key, 0, 0x5eed, open_.key, own};
  return keys[which & 7];
}

// The key of one of two windows, after some binds and invalidations: sometimes the current one.
uint32_t Node::window_key(uint8_t which) const { return windows_[which & 1] ^ (which >> 1 & 1); }

// opcode, flags, length (2), remote offset (2), remote key, local key and number of SGEs.
void Node::post_send(Input& in, uint32_t i, Node& peer, uint64_t now) {
  transport::SendWr wr;
  wr.opcode = static_cast<WrOpcode>(in.u8() % 11);  // 10 is none
  wr.flags = in.u8() & 15;
  const uint32_t length = in.u16();
  wr.remote_addr = kIova + in.u16();
  const uint8_t remote = in.u8();
  wr.rkey = remote & 8 ? peer.window_key(remote) : peer.key(remote, false);
  const uint8_t local = in.u8();
  transport::Sge sges[4];
  const uint32_t pieces = 1 + (local >> 6);
  for (uint32_t s = 0; s < pieces; ++s) {
    const uint32_t part = s + 1 == pieces ? length - length / pieces * s : length / pieces;
    sges[s] = {kIova + s * 64, part, key(local, wr.opcode < WrOpcode::rdma_read)};
    if (wr.flags & send_flag::inline_data) {
      sges[s].addr = reinterpret_cast<uintptr_t>(arena_.at(open_.offset));
      sges[s].length = std::min(part, kRegion);
    }
  }
  wr.sg_list = sges;
  wr.num_sge = pieces;
  wr.compare_add = length;
  wr.swap = wr.remote_addr;
  wr.imm_data = wr.opcode == WrOpcode::send_with_inv ? peer.window_key(remote)
                : wr.opcode == WrOpcode::local_inv   ? window_key(remote)
                                                     : length;
  const transport::MwBind bind{window_key(remote),
                               window_key(local),
                               local & 4 ? window_key(remote) : open_.key,
                               kIova + (wr.remote_addr & 0xfff),
                               length,
                               wr.flags << 1 | (remote & 0x30u)};
  if (wr.opcode == WrOpcode::bind_mw && !(remote & 4)) wr.bind = &bind;
  wr.wr_id = next_id_;
  // A datagram goes to any QP of the peer, with the right Q_Key, our own or another.
  Path path;
  path.sgid = gid_;
  path.dgid = peer.gid_;
  const transport::UdDestination to{&path, peer.qp(wr.rkey % kQps).qpn(),
                                    local & 0x20 ? 0x80000000 | length : kQkey};
  if (kTypes[i] == QpType::ud) wr.ud = &to;
  Slot& slot = slots_[i];
  slot.sends.push_back({wr.wr_id, length, (wr.flags & send_flag::signaled) != 0});
  if (engine_.post_send(*slot.qp, wr, now) != 0) {
    slot.sends.pop_back();
  } else {
    ++next_id_;
  }
}

// number of SGEs and key, length (2).
void Node::post_recv(Input& in, uint32_t i) {
  const uint8_t shape = in.u8();
  const uint32_t length = in.u16();
  transport::Sge sges[4];
  const uint32_t pieces = shape >> 6;
  for (uint32_t s = 0; s < pieces; ++s) sges[s] = {kIova + s * 2048, length / pieces, key(shape, false)};
  Slot& slot = slots_[i];
  const uint64_t id = kRecvId | next_id_;
  slot.recvs.push_back({id, length, true});
  if (engine_.post_recv(*slot.qp, {id, sges, pieces}) != 0) {
    slot.recvs.pop_back();
  } else {
    ++next_id_;
  }
}

// Any mask and any attributes; except values that make a QP wait without end, so that all can be drained.
void Node::modify(Input& in, uint32_t i, uint64_t now) {
  constexpr uint32_t kUsual[] = {kInitMask, kRtrMask, kRtsMask, qp_mask::state};
  const uint8_t usual = in.u8();
  uint32_t mask = usual < std::size(kUsual) ? kUsual[usual] : in.u32();
  const Masks masks = masks_of(kTypes[i]);
  if (mask == kInitMask) mask = masks.init;
  if (mask == kRtrMask) mask = masks.rtr;
  if (mask == kRtsMask) mask = masks.rts;
  QpAttr a = slots_[i].qp->query();
  a.qp_state = static_cast<QpState>(in.u8() % 7);
  a.cur_qp_state = static_cast<QpState>(in.u8() % 7);
  a.path_mtu = kMtus[in.u8() & 3];
  a.timeout = static_cast<uint8_t>(1 + in.u8() % 40);
  a.retry_cnt = in.u8() % 9;
  a.rnr_retry = in.u8() % 7;
  a.max_rd_atomic = in.u8();
  a.max_dest_rd_atomic = in.u8();
  a.min_rnr_timer = in.u8() % 40;
  a.qp_access_flags = in.u8();
  a.rq_psn = in.u8();
  a.sq_psn = in.u8();
  const QpState before = slots_[i].qp->state();
  poll(UINT32_MAX);
  if (engine_.modify_qp(*slots_[i].qp, a, mask, now) != 0) {
    FUZZ_CHECK(slots_[i].qp->state() == before);
    return;
  }
  if (slots_[i].qp->state() == QpState::reset) forget(i);
}

void Node::change_state(uint32_t i, QpState to, uint64_t now) {
  poll(UINT32_MAX);
  QpAttr a;
  a.qp_state = to;
  if (engine_.modify_qp(*slots_[i].qp, a, qp_mask::state, now) != 0) return;
  FUZZ_CHECK(slots_[i].qp->state() == to);
  if (to == QpState::reset) forget(i);
}

void Node::flip_region() {
  if (registered_) {
    FUZZ_CHECK(engine_.dereg_mr(passing_.key) == 0);
    FUZZ_CHECK(engine_.dereg_mr(passing_.key) != 0);
    arena_.freeze(passing_.offset, kRegion);
  } else {
    passing_.key = *engine_.reg_mr(pd_, arena_.at(passing_.offset), kIova, kRegion,
                                   access_flag::local_write | access_flag::remote_any);
    arena_.allow(passing_.offset, kRegion);
  }
  registered_ = !registered_;
}

// Changes the region: smaller or larger, elsewhere, other rights; never beyond its own bytes.
void Node::change_region(Input& in) {
  const uint32_t length = in.u16() % (kRegion + 1);
  const uint32_t access = in.u8();
  const int error =
      engine_.mrs().change(passing_.key, arena_.at(passing_.offset), kIova + in.u8(), length, access, pd_);
  FUZZ_CHECK(error == 0 || !registered_ || length == 0 || (access & access_flag::remote_any));
}

void Node::resize_cq(uint32_t capacity) {
  const uint32_t queued = cq_->count();
  const int error = cq_->resize(capacity);
  FUZZ_CHECK((error == 0) == (capacity != 0 && capacity >= queued));
  FUZZ_CHECK(cq_->count() == queued);
}

void Node::arm(bool solicited) {
  cq_->arm(solicited);
  armed_ = true;
}

void Node::poll(uint32_t limit) {
  transport::Completion wc[8];
  transport::WrStamps stamps[8];
  while (limit != 0) {
    const uint32_t n = cq_->poll(wc, std::min(limit, 8u), stamps);
    if (n == 0) return;
    limit -= n;
    for (uint32_t k = 0; k < n; ++k) {
      transport::Qp* qp = engine_.find_qp(wc[k].qp_num);
      FUZZ_CHECK(qp != nullptr);  // a QP's completions are taken before it is destroyed
      completed(*static_cast<Slot*>(qp->user), wc[k]);
      if (!stamps[k].valid) continue;
      FUZZ_CHECK(stamps[k].wr_id == wc[k].wr_id && stamps[k].qpn == wc[k].qp_num);
      FUZZ_CHECK(stamps[k].posted <= stamps[k].cqe);
      FUZZ_CHECK(stamps[k].last_tx == 0 || stamps[k].first_tx <= stamps[k].last_tx);
    }
  }
}

// Checks that completions come in order, once, and only for posted requests.
void Node::completed(Slot& slot, const transport::Completion& wc) {
  const bool receive = wc.wr_id & kRecvId;
  auto& list = receive ? slot.recvs : slot.sends;
  const bool success = wc.status == WcStatus::success;
  while (!list.empty() && list.front().id != wc.wr_id) {
    FUZZ_CHECK(lost_ || (!receive && !list.front().signaled));
    list.pop_front();
  }
  FUZZ_CHECK(!list.empty());
  const Posted posted = list.front();
  list.pop_front();
  if (!success) return;
  FUZZ_CHECK(receive || posted.signaled);
  if (receive && wc.opcode == WcOpcode::recv) FUZZ_CHECK(wc.byte_len <= posted.length);
}

void Node::settle() {
  lost_ |= events_.cq_errors != 0;
  FUZZ_CHECK(lazy_ || !lost_);
  if (!lazy_) poll(UINT32_MAX);
  for (Slot& slot : slots_) {
    transport::Qp& qp = *slot.qp;
    if (!lost_) {
      FUZZ_CHECK(qp.send_queued() <= slot.sends.size());
      FUZZ_CHECK(qp.recv_queued() <= slot.recvs.size());
    }
    if (qp.state() != QpState::err) continue;
    FUZZ_CHECK(qp.send_queued() == 0 && qp.recv_queued() == 0);
    if (lazy_) continue;
    // Everything was flushed: the rest were unsignaled and had succeeded.
    FUZZ_CHECK(slot.recvs.empty());
    for (const Posted& p : slot.sends) FUZZ_CHECK(!p.signaled);
    slot.sends.clear();
  }
}

bool Node::transmit(uint64_t now, std::deque<Sink::Bytes>& wire, uint32_t room, uint32_t flags) {
  const uint64_t before = sink_.emitted;
  sink_.limit = room;
  const bool left = engine_.transmit(now, sink_, flags);
  FUZZ_CHECK(!left || sink_.limit == 0);
  // Each packet of the posted requests and of the peer's READs once, and an ACK.
  FUZZ_CHECK(sink_.emitted - before <=
             kQps * (kDepth * (kRegion / 256 * 8 + 1) + 128 * (kRegion / 256 + 1) + 1));
  for (auto& packet : sink_.packets) wire.push_back(std::move(packet));
  sink_.packets.clear();
  settle();
  return left;
}

void Node::receive(uint64_t now, const Sink::Bytes& packet, const Gid& from) {
  engine_.on_packet(now, {packet.data(), static_cast<uint32_t>(packet.size()), &from, &gid_});
  settle();
}

void Node::destroy() {
  for (uint32_t i = 0; i < kQps; ++i) {
    forget(i);
    FUZZ_CHECK(engine_.destroy_cq(cq_) != 0);
    FUZZ_CHECK(engine_.destroy_qp(slots_[i].qp) == 0);
  }
  FUZZ_CHECK(engine_.destroy_cq(cq_) == 0);
  FUZZ_CHECK(engine_.dealloc_pd(pd_) != 0);
  for (uint32_t w : windows_) FUZZ_CHECK(engine_.dealloc_mw(w) == 0);
  for (const Region& r : {open_, readable_, local_, source_}) FUZZ_CHECK(engine_.dereg_mr(r.key) == 0);
  if (registered_) flip_region();
  FUZZ_CHECK(engine_.dealloc_pd(pd_) == 0);
  FUZZ_CHECK(engine_.next_wake() == kNever && !engine_.tx_pending() && !engine_.acks_deferred());
}

}  // namespace uroce::fuzz
