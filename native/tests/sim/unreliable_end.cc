#include "unreliable_end.h"

#include <algorithm>

#include "uroce/wire/bth.h"
#include "uroce/wire/opcode.h"

namespace uroce::sim {
namespace {

bool write_with_imm(const transport::SendWr& wr) { return wr.opcode == WrOpcode::rdma_write_with_imm; }

transport::EngineConfig config_of(const UnreliableShape& shape) {
  transport::EngineConfig c;
  c.max_mtu = shape.mtu;
  return c;
}

}  // namespace

Gid UnreliableEnd::group(bool ipv6) {
  Gid gid{};
  if (ipv6) {
    gid[0] = 0xff;
    gid[1] = 0x0e;
  } else {
    gid[10] = gid[11] = 0xff;
    gid[12] = 239;
  }
  gid[15] = 9;
  return gid;
}

UnreliableEnd::UnreliableEnd(int index, const UnreliableShape& shape, uint64_t seed, Network& network)
    : index_(index),
      shape_(shape),
      random_(seed),
      network_(network),
      engine_(config_of(shape), random_, *this),
      address_(node_address(index, shape.ipv6)),
      pd_(engine_.alloc_pd()) {
  const uint32_t qps = shape.connections + shape.datagram_qps;
  cq_ = *engine_.create_cq(qps * (shape.depth + shape.recv_depth));
  slots_.resize(qps);
  for (uint32_t i = 0; i < qps; ++i) make(slots_[i], i < shape.connections ? QpType::uc : QpType::ud);
  memory_.start(random_);
  using namespace access_flag;
  const auto register_region = [&](Region& r, uint32_t access) {
    r.key = *engine_.reg_mr(pd_, memory_.real(r.at), Memory::iova(r.at), r.size, access);
  };
  for (Slot& s : slots_) {
    register_region(s.source, 0);
    register_region(s.recv, local_write);
    register_region(s.window, local_write | remote_write);
  }
}

void UnreliableEnd::make(Slot& slot, QpType type) {
  transport::QpInit init;
  init.type = type;
  init.pd = pd_;
  init.send_cq = init.recv_cq = cq_;
  init.cap = {shape_.depth, shape_.recv_depth, kPieces, kPieces, kInline};
  slot.qp = *engine_.create_qp(init);
  slot.datagram = type == QpType::ud;
  slot.slot_size = slot.datagram ? kGrh + shape_.mtu : shape_.max_size;
  slot.source = reserve(shape_.depth * slot.slot_size);
  slot.recv = reserve(shape_.recv_depth * slot.slot_size);
  slot.window = reserve(shape_.depth * slot.slot_size);
  slot.due.assign(shape_.recv_depth, 0);
  slot.lengths.assign(shape_.recv_depth, 0);
}

void UnreliableEnd::connect(UnreliableEnd& peer) {
  peer_ = &peer;
  for (size_t i = 0; i < slots_.size(); ++i) {
    Slot& s = slots_[i];
    transport::Qp& other = *peer.slots_[i].qp;
    QpAttr a;
    a.qp_state = QpState::init;
    a.qp_access_flags = access_flag::remote_write;
    a.qkey = kQkey;
    require(engine_.modify_qp(*s.qp, a, s.datagram ? 0x71 : 0x39, 0) == 0, "RESET to INIT");
    a.qp_state = QpState::rtr;
    a.av.sgid = address_;
    a.av.dgid = peer.address_;
    a.av.udp_source_port = kPort;
    a.path_mtu = shape_.mtu;
    a.dest_qp_num = s.peer_qpn = other.qpn();
    // Both start at the same PSN, close to where it wraps.
    a.rq_psn = a.sq_psn = kPsnMask - static_cast<uint32_t>(100 * i);
    require(engine_.modify_qp(*s.qp, a, s.datagram ? qp_mask::state : 0x101181, 0) == 0, "INIT to RTR");
    a.qp_state = QpState::rts;
    require(engine_.modify_qp(*s.qp, a, 0x10001, 0) == 0, "RTR to RTS");
    if (s.datagram && ((i - shape_.connections) & 1) == 0) {
      require(engine_.attach_mcast(*s.qp, group(shape_.ipv6)) == 0, "attach_mcast");
      s.attached = true;
    }
  }
}

UnreliableEnd::Slot* UnreliableEnd::slot_of(uint32_t qpn) {
  const auto at = std::find_if(slots_.begin(), slots_.end(), [&](Slot& s) { return s.qp->qpn() == qpn; });
  return at == slots_.end() ? nullptr : &*at;
}

// The number, then bytes that follow from it.
void UnreliableEnd::write_body(uint8_t* to, uint32_t number, uint32_t len) {
  uint32_t x = number * 2654435761u + 1;
  for (uint32_t i = 0; i < len; ++i) {
    x = x * 1664525u + 1013904223u;
    to[i] = i < kNumber && len >= kNumber ? static_cast<uint8_t>(number >> (8 * i))
                                          : static_cast<uint8_t>(x >> 24);
  }
}

uint32_t UnreliableEnd::random_size(uint32_t max) {
  switch (random_.below(4)) {
    case 0:
      return random_.below(16);
    case 1:
      return std::min(max, shape_.mtu * (1 + random_.below(4)) + random_.below(3) - 1);
    default:
      return random_.below(max + 1);
  }
}

bool UnreliableEnd::can_post() const {
  return std::any_of(slots_.begin(), slots_.end(), [&](const Slot& s) {
    return s.qp->send_room() != 0 && (!shape_.faultless || !s.datagram);
  });
}

void UnreliableEnd::post_sends(uint64_t now) {
  for (Slot& s : slots_) {
    for (uint32_t n = random_.below(4); n != 0 && s.qp->send_room() != 0; --n) post_one(s, now);
  }
}

// Sets the target of a WRITE or SEND of a connection. False: not now.
bool UnreliableEnd::aim_connected(Slot& slot, transport::SendWr& wr, const Sent& sent) {
  Slot& to = *peer_->slot_of(slot.peer_qpn);
  if (shape_.faultless && (to.backlog >= shape_.recv_depth || to.posted.size() < shape_.recv_depth))
    return false;
  Sent s = sent;
  s.deliverable = true;
  s.write = wr.opcode <= WrOpcode::rdma_write_with_imm;
  if (s.write) {
    const uint32_t place = static_cast<uint32_t>(slot.posts % shape_.depth);
    s.window_at = to.window.at + uint64_t{place} * to.slot_size;
    wr.remote_addr = Memory::iova(s.window_at);
    wr.rkey = to.window.key;
    if (!shape_.faultless && random_.below(16) == 0 && s.len != 0) {
      s.deliverable = false;
      if (random_.below(2) == 0) {
        wr.rkey = to.recv.key;  // not the peer's to write
      } else {
        wr.remote_addr = Memory::iova(to.window.at + to.window.size - s.len + 1);
      }
    }
    if (!s.has_imm) return true;
  }
  expect(to, s);
  return true;
}

void UnreliableEnd::expect(Slot& to, const Sent& sent) {
  to.inbox[next_number_] = sent;
  ++to.backlog;
  ++messages_;
}

bool UnreliableEnd::aim_datagram(transport::SendWr& wr, const Sent& sent, transport::UdDestination& to,
                                 Path& path) {
  Sent s = sent;
  s.deliverable = shape_.faultless || random_.below(16) != 0;
  to.qkey = s.deliverable ? kQkey : kQkey ^ (1u << random_.below(31));
  if (s.deliverable && random_.below(4) == 0) to.qkey = 0x80000000 | random_.next();  // our own, the same one
  path.sgid = address_;
  path.dgid = peer_->address_;
  path.udp_source_port = kPort;
  to.path = &path;
  wr.ud = &to;
  const bool all = random_.below(4) == 0;
  std::vector<Slot*> targets;
  for (Slot& slot : peer_->slots_) {
    if (slot.datagram && (!all || slot.attached)) targets.push_back(&slot);
  }
  if (!all) targets = {targets[random_.below(static_cast<uint32_t>(targets.size()))]};
  for (const Slot* t : targets) {
    if (shape_.faultless && (t->backlog >= shape_.recv_depth || t->posted.size() < shape_.recv_depth))
      return false;
  }
  to.qpn = all ? kMulticastQpn : targets.front()->qp->qpn();
  if (all) path.dgid = group(shape_.ipv6);
  if (s.len > shape_.mtu) return true;  // it never arrives
  for (Slot* t : targets) expect(*t, s);
  return true;
}

void UnreliableEnd::post_one(Slot& slot, uint64_t now) {
  static constexpr WrOpcode kMix[] = {WrOpcode::send, WrOpcode::send_with_imm, WrOpcode::rdma_write_with_imm,
                                      WrOpcode::rdma_write};
  const uint32_t limit = slot.datagram ? shape_.mtu + (random_.below(32) == 0 ? kGrh : 0) : shape_.max_size;
  const uint32_t len = std::min(random_size(limit), limit);
  transport::SendWr wr;
  wr.wr_id = slot.posts;
  wr.opcode = kMix[random_.below(slot.datagram ? 2 : 4)];
  if (wr.opcode == WrOpcode::send && len < kNumber) wr.opcode = WrOpcode::send_with_imm;
  // The last slot's completion frees those of unsignaled WRs before it.
  wr.flags = random_.below(4) != 0 || slot.qp->send_room() == 1 ? send_flag::signaled : 0;
  wr.imm_data = next_number_;
  Sent sent{};
  sent.len = len;
  sent.imm = next_number_;
  sent.src_qp = slot.qp->qpn();
  sent.has_imm = wr.opcode == WrOpcode::send_with_imm || write_with_imm(wr);
  transport::UdDestination to;
  Path path;
  if (!(slot.datagram ? aim_datagram(wr, sent, to, path) : aim_connected(slot, wr, sent))) return;

  const uint64_t at = slot.source.at + (slot.posts % shape_.depth) * slot.slot_size;
  write_body(memory_.real(at), next_number_, len);
  std::copy_n(memory_.real(at), len, memory_.model(at));
  transport::Sge list[kPieces];
  const uint32_t pieces = 1 + random_.below(kPieces);
  uint32_t done = 0;
  const bool inline_data = len <= kInline && random_.below(2) == 0;
  for (uint32_t i = 0; i < pieces; ++i) {
    const uint32_t n = i + 1 == pieces ? len - done : random_.below(len - done + 1);
    list[i] = inline_data ? transport::Sge{reinterpret_cast<uintptr_t>(memory_.real(at + done)), n, 0}
                          : transport::Sge{Memory::iova(at + done), n, slot.source.key};
    done += n;
  }
  if (inline_data) wr.flags |= send_flag::inline_data;
  wr.sg_list = list;
  wr.num_sge = pieces;
  require(engine_.post_send(*slot.qp, wr, now) == 0, "post_send failed");
  slot.outstanding.push_back({slot.posts, (wr.flags & send_flag::signaled) != 0});
  if (!slot.datagram || len <= shape_.mtu) slot.leaving.push_back(next_number_);
  ++slot.posts;
  ++next_number_;
}

void UnreliableEnd::post_recvs(uint64_t now) {
  for (Slot& s : slots_) {
    for (uint32_t place = 0; place < shape_.recv_depth; ++place) {
      if (s.due[place] > now) continue;
      s.due[place] = kNever;
      const bool small = !shape_.faultless && random_.below(8) == 0;
      const uint32_t size = small ? random_.below(s.slot_size) : s.slot_size;
      s.lengths[place] = size;
      const uint64_t at = s.recv.at + uint64_t{place} * s.slot_size;
      const uint32_t first = random_.below(size + 1);
      const transport::Sge list[] = {{Memory::iova(at), first, s.recv.key},
                                     {Memory::iova(at + first), size - first, s.recv.key}};
      require(engine_.post_recv(*s.qp, {place, list, 2}) == 0, "post_recv failed");
      s.posted.push_back(place);
    }
  }
}

uint64_t UnreliableEnd::next_recv_time() const {
  uint64_t next = kNever;
  for (const Slot& s : slots_) {
    for (uint64_t due : s.due) next = std::min(next, due);
  }
  return next;
}

bool UnreliableEnd::admit(const Path& path, uint32_t dest_qpn, uint32_t bytes) {
  require(path.sgid == address_, "a packet from another address");
  require(dest_qpn <= kQpnMask && bytes <= shape_.mtu + 100u, "a question about no packet");
  if (random_.below(10'000) >= shape_.refuse) return true;
  ++refused_;
  return false;
}

bool UnreliableEnd::emit(const transport::TxPacket& p) {
  using Info = wire::OpcodeInfo;
  const Info& info = wire::kOpcodes[p.opcode];
  Slot& slot = *slot_of(p.qpn);
  require(info.has(Info::request) &&
              (p.opcode & wire::service::kMask) == (slot.datagram ? wire::service::kUd : wire::service::kUc),
          "a packet of another service");
  require(p.payload_len <= shape_.mtu, "a packet longer than the MTU");
  require(!wire::BthView::of(p.header, p.header_len)->ack_req(), "an answer asked for");
  if (info.has(Info::last | Info::only)) {
    peer_->ends_[place_of(p.qpn, p.psn)] = slot.leaving.front();
    slot.leaving.pop_front();
  }
  network_.send(now_, index_, p);
  return true;
}

void UnreliableEnd::transmit(uint64_t now) {
  now_ = now;
  while (engine_.transmit(now, *this)) {
  }
  poll(now);
}

}  // namespace uroce::sim
