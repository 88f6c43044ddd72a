// What an end receives and completes, judged by what was sent to it.
#include <algorithm>

#include "unreliable_end.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/opcode.h"

namespace uroce::sim {

void UnreliableEnd::receive(uint64_t now, const Frame& f) {
  // Damage to the QPN is found by the ICRC at either address.
  const auto bth = wire::BthView::of(f.bytes.data(), f.len);
  const Gid to = bth && bth->dest_qpn() == kMulticastQpn ? group(shape_.ipv6) : address_;
  const Gid from = peer_->address_;
  if (!icrc_right(f, from, to, kPort)) return;
  require(!f.damaged, "damage that the ICRC did not find");
  const uint32_t len = f.len - 4;
  note_arrival(f.bytes.data(), len);
  engine_.on_packet(now, {f.bytes.data(), len, &from, &to});
  poll(now);  // at once, while what a WRITE brought cannot have changed
}

void UnreliableEnd::note_arrival(const uint8_t* bytes, uint32_t len) {
  using Info = wire::OpcodeInfo;
  const auto bth = *wire::BthView::of(bytes, len);
  if (!wire::kOpcodes[bth.opcode()].has(Info::last | Info::only)) return;
  Slot* slot = slot_of(bth.dest_qpn());
  const bool datagram = (bth.opcode() & wire::service::kMask) == wire::service::kUd;
  const uint32_t from =
      datagram ? wire::DethView::of(bytes + wire::Bth::kSize, len)->src_qpn() : slot->peer_qpn;
  const uint32_t number = ends_.at(place_of(from, bth.psn()));
  for (Slot& s : slots_) {
    if (const auto sent = s.inbox.find(number); sent != s.inbox.end()) ++sent->second.copies;
  }
}

void UnreliableEnd::poll(uint64_t now) {
  transport::Completion wc[16];
  for (uint32_t n; (n = cq_->poll(wc, 16)) != 0;) {
    for (uint32_t i = 0; i < n; ++i) {
      Slot& slot = *slot_of(wc[i].qp_num);
      require(wc[i].status == WcStatus::success, "a work request that failed");
      if (wc[i].opcode == WcOpcode::recv || wc[i].opcode == WcOpcode::recv_rdma_with_imm) {
        received(slot, now, wc[i]);
        continue;
      }
      while (!slot.outstanding.empty() && !slot.outstanding.front().signaled) slot.outstanding.pop_front();
      require(!slot.outstanding.empty() && slot.outstanding.front().id == wc[i].wr_id,
              "a send completed out of order");
      slot.outstanding.pop_front();
    }
  }
  for (Slot& s : slots_) {
    while (s.outstanding.size() > s.qp->send_queued()) {
      require(!s.outstanding.front().signaled, "a signaled send without a completion");
      s.outstanding.pop_front();
    }
  }
}

void UnreliableEnd::received(Slot& slot, uint64_t now, const transport::Completion& wc) {
  require(!slot.posted.empty() && slot.posted.front() == wc.wr_id, "a receive completed out of order");
  const auto place = static_cast<uint32_t>(wc.wr_id);
  slot.posted.pop_front();
  slot.due[place] = now + random_.below(shape_.recv_delay_ns);

  const uint32_t grh = slot.datagram ? kGrh : 0;
  const uint64_t buffer = slot.recv.at + uint64_t{place} * slot.slot_size;
  const bool has_imm = wc.wc_flags & wc_flag::with_imm;
  uint32_t number = wc.imm_data;
  if (!has_imm) {
    require(wc.byte_len >= grh + kNumber, "a message without a number");
    number = 0;
    for (uint32_t i = 0; i < kNumber; ++i) {
      number |= static_cast<uint32_t>(*memory_.real(buffer + grh + i)) << (8 * i);
    }
  }
  const auto at = slot.inbox.find(number);
  require(at != slot.inbox.end(), "a message that was not sent here");
  Sent& sent = at->second;
  require(sent.deliverable, "a message that should have been refused");
  require(++sent.taken <= sent.copies, "a message received more often than its end came");
  require(sent.has_imm == has_imm && wc.byte_len == grh + sent.len, "a message of another kind or length");
  require(sent.write == (wc.opcode == WcOpcode::recv_rdma_with_imm), "a WRITE taken for a SEND");
  require(sent.write || wc.byte_len <= slot.lengths[place], "more than the receive holds");
  std::vector<uint8_t> whole(sent.len);
  write_body(whole.data(), number, sent.len);
  const uint8_t* bytes = memory_.real(sent.write ? sent.window_at : buffer + grh);
  require(std::equal(whole.begin(), whole.end(), bytes), "a message with wrong bytes");
  if (slot.datagram) {
    require(wc.src_qp == sent.src_qp && (wc.wc_flags & wc_flag::grh) != 0, "a datagram of another sender");
    const auto v4 = *wire::Ipv4::parse(memory_.real(buffer + 20), 20);
    const auto v6 = *wire::Ipv6::parse(memory_.real(buffer), kGrh);
    require(shape_.ipv6 ? v6.src == peer_->address_ : v4.src[3] == peer_->address_[15], "a wrong GRH");
  }
  if (sent.taken == 1) --slot.backlog;
  ++received_;
}

void UnreliableEnd::check_memory() {
  // A peer that may write there has written: only everything around is checked.
  for (const Slot& s : slots_) {
    for (const Region& r : {s.recv, s.window}) std::copy_n(memory_.real(r.at), r.size, memory_.model(r.at));
  }
  require(memory_.as_modeled(), "bytes changed that no peer may change");
}

void UnreliableEnd::check_all_came() {
  for (const Slot& s : slots_) {
    require(s.outstanding.empty() && s.leaving.empty(), "a send that never left");
    require(!shape_.faultless || s.backlog == 0, "a message lost where nothing is lost");
  }
}

}  // namespace uroce::sim
