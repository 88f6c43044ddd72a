#include "uroce/transport/unreliable/uc.h"

#include <algorithm>
#include <cerrno>

#include "uroce/refusal.h"
#include "uroce/transport/engine.h"
#include "uroce/transport/qp/data_headers.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/opcode.h"

namespace uroce::transport {

int Uc::check(const SendWr& wr) const {
  return is_local(wr.opcode) ? uroce::refuse(EINVAL, Cause::post_local, static_cast<uint64_t>(wr.opcode),
                                             static_cast<uint64_t>(QpType::uc))
                             : 0;
}

int Uc::post(const SendWr& wr, uint64_t now) {
  if (const int error = check(wr)) return error;
  const bool known = wr.opcode <= WrOpcode::send_with_imm;
  return qp_.requester_.post(wr, now, known ? WcStatus::success : WcStatus::loc_qp_op_err);
}

Unreliable::Step Uc::send_one(uint64_t now, PacketSink& sink, SendWqe& w) {
  const uint32_t mtu = qp_.mtu_;
  const uint32_t offset = static_cast<uint32_t>(send_.next - w.first) * mtu;
  const uint32_t len = std::min(mtu, w.length - offset);
  const bool first = send_.next == w.first;
  const bool last = send_.next + 1 == w.end();
  uint8_t header[wire::Bth::kSize + wire::Reth::kSize + wire::ImmDt::kSize];
  const uint32_t header_len = wire::Bth::kSize + emit_data_headers(w, first, last, header + wire::Bth::kSize);
  IoVec iov[kMaxSge];
  uint32_t pieces = 0;
  if (!gather(w, offset, len, iov, &pieces)) return fail(w, WcStatus::loc_prot_err);

  const TxPacket packet{&qp_.attr_.av,
                        header,
                        iov,
                        header_len,
                        pieces,
                        len,
                        -len & 3,
                        qp_.qpn_,
                        qp_.attr_.dest_qp_num,
                        wire_psn(send_.next),
                        static_cast<uint8_t>(wire::service::kUc | data_opcode(w.opcode, first, last)),
                        qp_.requester_.position_flags(w, 1),
                        send_.cursor};
  if (!sink.admit(*packet.path, packet.dest_qpn, udp_length(packet))) return wait(now);
  wire::Bth bth;
  bth.opcode = packet.opcode;
  bth.solicited = last && (w.flags & send_flag::solicited) && w.opcode != WrOpcode::rdma_write;
  bth.pad = static_cast<uint8_t>(packet.pad);
  bth.dest_qpn = packet.dest_qpn;
  bth.psn = packet.psn;
  bth.emit(header);
  if (!sink.emit(packet)) return memory_gone(w);
  ++qp_.engine_.counters_.sent_pkts;
  sent(w, 1, len);
  return Step::sent;
}

// A First or Only begins a message at any PSN; the packets behind it must follow without a gap.
void Uc::on_packet(uint64_t now, const RxPacket&, const wire::BthView& bth, const uint8_t* body,
                   uint32_t len) {
  using Info = wire::OpcodeInfo;
  Counters& c = qp_.engine_.counters_;
  const ExtPsn seq = extend_psn(bth.psn(), recv_.expected);
  if (seq > recv_.expected) ++c.out_of_sequence;
  const bool begins = wire::kOpcodes[bth.opcode()].has(Info::first | Info::only);
  const bool underway = recv_.message != ReceiveState::Message::none;
  if (begins) {
    if (underway) drop_message();  // its end never came
  } else if (!underway || seq != recv_.expected) {
    if (underway) drop_message();  // what follows is the rest of a dropped message
    recv_.expected = std::max(recv_.expected, seq + 1);
    return;
  }
  recv_.expected = seq;
  qp_.executor_.on_data(now, bth, body, len);
  recv_.expected = seq + 1;  // also if it could not be taken: the next packet is in order
}

}  // namespace uroce::transport
