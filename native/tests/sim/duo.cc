#include "duo.h"

#include <algorithm>

namespace uroce::sim {

Duo::End::End(const DuoSetup& setup, int number, Network& net)
    : index(number),
      network(net),
      random(setup.seed + static_cast<uint64_t>(number)),
      engine(setup.engine, random, *this),
      memory(setup.memory),
      link(setup.link),
      mark_above(setup.mark_above),
      when_link_is_free(setup.when_link_is_free),
      address(node_address(number, false)) {
  for (uint8_t& b : memory) b = static_cast<uint8_t>(random.next());
  const uint32_t pd = engine.alloc_pd();
  cq = *engine.create_cq(2 * setup.depth);
  transport::QpInit init;
  init.pd = pd;
  init.send_cq = init.recv_cq = cq;
  init.cap = {setup.depth, setup.depth, 1, 1, 0};
  qp = *engine.create_qp(init);
  key = *engine.reg_mr(pd, memory.data(), kIova, memory.size(),
                       access_flag::local_write | access_flag::remote_any);
}

bool Duo::End::emit(const transport::TxPacket& packet) {
  bool marked = false;
  if (packet.kind() == transport::PacketKind::data && link.ps_per_byte != 0) {
    const uint64_t busy = network.departed(index) - std::min(network.departed(index), *now);
    const uint64_t waiting = busy * 1000 / link.ps_per_byte;
    queued += waiting;
    ++data_packets;
    marked = mark_above != 0 && waiting > mark_above;
  }
  if (sent) sent(index, packet, std::max(*now, network.departed(index)));
  network.send(*now, index, packet, marked);
  return true;
}

Duo::Duo(const DuoSetup& setup) : setup_(setup), network_(setup.seed, setup.faults, setup.link) {
  for (int i = 0; i < 2; ++i) {
    ends_[i] = std::make_unique<End>(setup, i, network_);
    ends_[i]->now = &now_;
  }
  for (int i = 0; i < 2; ++i) connect(i);
}

void Duo::connect(int i) {
  End& e = *ends_[i];
  const End& peer = *ends_[1 - i];
  QpAttr a;
  a.qp_state = QpState::init;
  a.qp_access_flags = access_flag::remote_any;
  require(e.engine.modify_qp(*e.qp, a, 0x39, now_) == 0, "RESET to INIT");
  a.qp_state = QpState::rtr;
  a.av.sgid = e.address;
  a.av.dgid = peer.address;
  a.av.udp_source_port = kPort;
  a.path_mtu = setup_.mtu;
  a.dest_qp_num = peer.qp->qpn();
  a.max_dest_rd_atomic = 4;
  a.min_rnr_timer = setup_.min_rnr_timer;
  require(e.engine.modify_qp(*e.qp, a, 0x129181, now_) == 0, "INIT to RTR");
  a.qp_state = QpState::rts;
  a.timeout = setup_.timeout;
  a.retry_cnt = setup_.retry_cnt;
  a.rnr_retry = setup_.rnr_retry;
  a.max_rd_atomic = 4;
  require(e.engine.modify_qp(*e.qp, a, 0x12e01, now_) == 0, "RTR to RTS");
}

bool Duo::step() {
  uint64_t next = kNever;
  for (auto& e : ends_) {
    const bool left = e->engine.transmit(now_, *e);
    require(!left || e->room() == 0, "work left with room to send it");
    next = std::min(
        next, left ? std::min(e->engine.next_timer(), network_.departed(e->index)) : e->engine.next_wake());
  }
  next = std::min(next, network_.next_arrival());
  if (next == kNever) return false;
  require(next >= now_, "a wake time in the past");
  now_ = next;
  int direction = 0;
  while (const Frame* f = network_.receive(now_, &direction)) {
    const Gid &from = ends_[direction]->address, &to = ends_[1 - direction]->address;
    if (icrc_right(*f, from, to, kPort))
      ends_[1 - direction]->engine.on_packet(
          now_, {f->bytes.data(), f->len - 4, &from, &to, static_cast<uint8_t>(f->marked ? 3 : 2)});
  }
  for (auto& e : ends_) {
    e->engine.on_time(now_);
    transport::Completion wc[16];
    for (uint32_t n; (n = e->cq->poll(wc, 16)) != 0;) e->done.insert(e->done.end(), wc, wc + n);
  }
  return true;
}

}  // namespace uroce::sim
