// Posts: checks work requests and queues them. requester_send.cc sends them.
#include <cerrno>
#include <cstring>

#include "uroce/refusal.h"
#include "uroce/transport/engine.h"
#include "uroce/transport/rc/requester.h"

namespace uroce::transport {
namespace {

bool reads_memory_there(WrOpcode opcode) {
  return opcode >= WrOpcode::rdma_read && opcode <= WrOpcode::atomic_fetch_and_add;
}

uint64_t length_of(const SendWr& wr) {
  uint64_t length = 0;
  if (is_local(wr.opcode)) return 0;
  for (uint32_t i = 0; i < wr.num_sge; ++i) length += wr.sg_list[i].length;
  return length;
}

uint32_t packets_of(uint32_t length, uint32_t mtu) { return length == 0 ? 1 : (length - 1) / mtu + 1; }

}  // namespace

int Requester::check(const SendWr& wr, uint32_t ahead, uint64_t* length) const {
  SendQueue& sq = qp_.sq_;
  if (wr.opcode > WrOpcode::send_with_inv)
    return refuse(EINVAL, Cause::post_opcode, static_cast<uint64_t>(wr.opcode));
  if (wr.num_sge > sq.max_sge()) return refuse(EINVAL, Cause::post_sges, wr.num_sge, 0, sq.max_sge());
  if (wr.opcode == WrOpcode::bind_mw && wr.bind == nullptr) return refuse(EINVAL, Cause::post_without_mw);
  const uint64_t bytes = *length = length_of(wr);
  if (wr.flags & send_flag::inline_data) {
    if (reads_memory_there(wr.opcode) || is_local(wr.opcode))
      return refuse(EINVAL, Cause::post_inline_opcode, static_cast<uint64_t>(wr.opcode));
    if (bytes > sq.max_inline()) return refuse(EINVAL, Cause::post_inline_length, bytes, sq.max_inline());
  }
  const uint32_t most = qp_.engine_.config().max_message;
  if (bytes > most) return refuse(EINVAL, Cause::post_message_length, bytes, most);
  return sq.fit(ahead + 1) ? 0 : refuse(ENOMEM, Cause::post_queue_full, sq.max_wr());
}

int Requester::post(const SendWr& wr, uint64_t now, WcStatus refused) {
  uint64_t length;
  if (const int error = check(wr, 0, &length)) return error;
  SendQueue& sq = qp_.sq_;
  const bool inline_data = wr.flags & send_flag::inline_data;
  const bool local = is_local(wr.opcode);
  const uint32_t pieces = local ? 0 : wr.num_sge;
  const uint32_t index = sq.tail();
  SendWqe& w = sq.at(index);
  w.wr_id = wr.wr_id;
  w.remote_addr = wr.remote_addr;
  w.compare_add = wr.compare_add;
  w.swap = wr.swap;
  w.start_bytes = send_.posted_bytes;
  w.first = send_.posted;
  w.length = static_cast<uint32_t>(length);
  w.psn_count = local ? 0 : packets_of(w.length, qp_.mtu_);
  w.rkey = wr.rkey;
  w.imm_data = wr.imm_data;
  w.opcode = wr.opcode;
  // Invalidating must not remove a key that an earlier READ still uses.
  const uint32_t implied = wr.opcode == WrOpcode::send_with_inv ? send_flag::fence : 0;
  w.flags = static_cast<uint8_t>((wr.flags & send_flag::all) | implied);
  w.num_sge = static_cast<uint8_t>(inline_data ? 0 : pieces);
  w.error = w.is_atomic() && length != 8 ? WcStatus::loc_len_err : refused;
  send_.local_queued += local;
  if (wr.opcode == WrOpcode::bind_mw) {
    keep_bind(wr, w);
  } else if (inline_data) {
    uint8_t* to = sq.inline_data(index);
    for (uint32_t i = 0; i < wr.num_sge; ++i) {
      const Sge& sge = wr.sg_list[i];
      if (sge.length)
        std::memcpy(to, reinterpret_cast<const void*>(static_cast<uintptr_t>(sge.addr)), sge.length);
      to += sge.length;
    }
  } else if (pieces != 0) {
    std::memcpy(sq.sges(index), wr.sg_list, pieces * sizeof(Sge));
  }
  if (WrStamps* s = sq.stamps(index)) {
    *s = {};
    if (qp_.engine_.stamping()) {
      s->posted = now;
      s->wr_id = wr.wr_id;
      s->qpn = qp_.qpn_;
      s->byte_len = w.length;
      s->opcode = wr.opcode;
      s->valid = true;
    }
  }
  send_.posted += w.psn_count;
  send_.posted_bytes += length;
  ++posts_;
  sq.push();
  return 0;
}

void Requester::keep_bind(const SendWr& wr, SendWqe& w) {
  w.remote_addr = wr.bind->addr;
  w.compare_add = wr.bind->length;
  w.swap = uint64_t{wr.bind->window} << 32 | wr.bind->region;
  w.rkey = wr.bind->rkey;
  w.imm_data = wr.bind->access;
}

}  // namespace uroce::transport
