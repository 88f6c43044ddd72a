#include "uroce/transport/unreliable/ud.h"

#include <bit>
#include <cerrno>

#include "uroce/refusal.h"
#include "uroce/transport/engine.h"
#include "uroce/transport/qp/data_headers.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/ip.h"
#include "uroce/wire/opcode.h"

namespace uroce::transport {
namespace {

constexpr uint32_t kOwnQkey = 0x80000000;  // in a WR: take the QP's (IBA 10.2.5)
constexpr uint32_t kHeader = wire::Bth::kSize + wire::Deth::kSize + wire::ImmDt::kSize;
constexpr uint32_t kGrh = wire::Grh::kSize;

// Ethernet has no service level. mlx5 reports the kind of the packet in its place (roce_packet_type of its
// CQE: 0 RoCE v1, 1 IPv6, 2 IPv4), and programs such as UCX find the address in the GRH by it.
uint8_t packet_type(const Gid& source) { return is_ipv4(source) ? 2 : 1; }

bool sends(WrOpcode opcode) { return opcode == WrOpcode::send || opcode == WrOpcode::send_with_imm; }

// Emits the network header of the packet as far as it is known: the kernel does not report the
// identification.
void emit_grh(const RxPacket& packet, uint32_t udp_payload, uint8_t* out) {
  const auto length = static_cast<uint16_t>(wire::Udp::kSize + udp_payload);
  const Gid& from = *packet.source;
  const Gid& to = *packet.destination;
  if (!is_ipv4(from)) {
    wire::Ipv6 ip;
    ip.traffic_class = packet.traffic_class;
    ip.flow_label = packet.flow_label;
    ip.hop_limit = packet.hop_limit;
    ip.payload_length = length;
    ip.src = from;
    ip.dst = to;
    ip.emit(out);
    return;
  }
  wire::Ipv4 ip;
  ip.tos = packet.traffic_class;
  ip.ttl = packet.hop_limit;
  ip.total_length = static_cast<uint16_t>(wire::Ipv4::kSize + length);
  ip.src = {from[12], from[13], from[14], from[15]};
  ip.dst = {to[12], to[13], to[14], to[15]};
  wire::emit_grh_ipv4(out, ip);
  wire::store16(out + kGrh - wire::Ipv4::kSize + 10, wire::ipv4_checksum(out + kGrh - wire::Ipv4::kSize));
}

}  // namespace

Ud::Ud(Qp& qp, SendState& send, ReceiveState& recv) : Unreliable(qp, send, recv) {
  const size_t slots = std::bit_ceil(std::max(qp.sq_.max_wr(), 1u));
  mask_ = static_cast<uint32_t>(slots - 1);
  targets_.reset(new Target[slots]);
}

int Ud::check(const SendWr& wr) const {
  if (is_local(wr.opcode)) {
    return uroce::refuse(EINVAL, Cause::post_local, static_cast<uint64_t>(wr.opcode),
                         static_cast<uint64_t>(QpType::ud));
  }
  if (!sends(wr.opcode)) return 0;
  if (wr.ud != nullptr && wr.ud->path != nullptr && wr.ud->qpn <= kQpnMask) return 0;
  return uroce::refuse(EINVAL, Cause::post_without_ah);
}

int Ud::post(const SendWr& wr, uint64_t now) {
  if (const int error = check(wr)) return error;
  const uint32_t index = qp_.sq_.tail();
  // An address handle of another PD cannot be used on this QP (IBA C10-10).
  const bool refused = !sends(wr.opcode) || (wr.ud->pd != 0 && wr.ud->pd != qp_.init_.pd);
  const WcStatus status = refused ? WcStatus::loc_qp_op_err : WcStatus::success;
  if (const int error = qp_.requester_.post(wr, now, status)) return error;
  if (!refused) target(index) = {*wr.ud->path, wr.ud->qpn, wr.ud->qkey};
  return 0;
}

void Ud::for_each_path(const std::function<void(const Path&)>& f) const {
  for (uint32_t i = send_.cursor; i != qp_.sq_.tail(); ++i) f(targets_[i & mask_].path);
}

Unreliable::Step Ud::send_one(uint64_t now, PacketSink& sink, SendWqe& w) {
  const Target& to = target(send_.cursor);
  if (w.length > qp_.mtu_) {
    // A datagram that is too long causes neither a packet nor an error (IBA C10-93.1.1; rxe does the same).
    ++qp_.engine_.counters_.send_err;
    qp_.engine_.events_.datagram_unsent(
        qp_, {.wr_id = w.wr_id, .send = true, .wqe = send_.cursor, .opcode = w.opcode, .length = w.length});
    sent(w, w.psn_count, w.length);
    return Step::sent;
  }
  IoVec iov[kMaxSge];
  uint32_t pieces = 0;
  if (!gather(w, 0, w.length, iov, &pieces)) return fail(w, WcStatus::loc_prot_err);

  uint8_t header[kHeader];
  const bool imm = has_immediate(w.opcode);
  wire::Bth bth;
  bth.opcode = wire::service::kUd | data_opcode(w.opcode, true, true);
  bth.solicited = w.flags & send_flag::solicited;
  bth.pad = static_cast<uint8_t>(-w.length & 3);
  bth.dest_qpn = to.qpn;
  bth.psn = wire_psn(send_.next);
  bth.emit(header);
  wire::Deth{to.qkey & kOwnQkey ? qp_.attr_.qkey : to.qkey, qp_.qpn_}.emit(header + wire::Bth::kSize);
  if (imm) wire::ImmDt{w.imm_data}.emit(header + wire::Bth::kSize + wire::Deth::kSize);
  const uint32_t header_len = imm ? kHeader : kHeader - static_cast<uint32_t>(wire::ImmDt::kSize);
  const TxPacket packet{&to.path,    header,   iov,        header_len,
                        pieces,      w.length, bth.pad,    qp_.qpn_,
                        to.qpn,      bth.psn,  bth.opcode, qp_.requester_.position_flags(w, 1),
                        send_.cursor};
  if (!sink.admit(to.path, to.qpn, udp_length(packet))) return wait(now);
  if (!sink.emit(packet)) return memory_gone(w);
  ++qp_.engine_.counters_.sent_pkts;
  sent(w, 1, w.length);
  return Step::sent;
}

void Ud::on_packet(uint64_t now, const RxPacket& packet, const wire::BthView& bth, const uint8_t* body,
                   uint32_t len) {
  Counters& c = qp_.engine_.counters_;
  Executor& executor = qp_.executor_;
  const auto deth = *wire::DethView::of(body, len);
  const bool imm = wire::kOpcodes[bth.opcode()].has(wire::OpcodeInfo::imm);
  const auto dropped = [&](RefusedRequest::Because because, uint64_t wr_id = 0, uint32_t room = 0) {
    const uint32_t headers =
        static_cast<uint32_t>(wire::Deth::kSize) + (imm ? static_cast<uint32_t>(wire::ImmDt::kSize) : 0);
    qp_.engine_.events_.request_refused(
        qp_, {.because = because,
              .opcode = imm ? WrOpcode::send_with_imm : WrOpcode::send,
              .length = packet.len - static_cast<uint32_t>(wire::Bth::kSize) - bth.pad() - headers,
              .psn = bth.psn(),
              .wr_id = wr_id,
              .room = room,
              .source_qpn = deth.src_qpn(),
              .source = packet.source,
              .qkey = deth.qkey()});
  };
  if (deth.qkey() != qp_.attr_.qkey) {
    ++c.qkey_violations;
    return dropped(RefusedRequest::wrong_qkey);
  }
  body += wire::Deth::kSize;
  len -= static_cast<uint32_t>(wire::Deth::kSize);
  Completion wc{};
  wc.wc_flags = wc_flag::grh;
  if (imm) {
    wc.wc_flags |= wc_flag::with_imm;
    wc.imm_data = wire::ImmDtView::of(body, len)->data();
    body += wire::ImmDt::kSize;
    len -= static_cast<uint32_t>(wire::ImmDt::kSize);
  }
  if (!qp_.recv_ready()) {
    ++c.out_of_buffer;
    return dropped(RefusedRequest::no_receive);
  }
  // A datagram that does not fit is dropped and consumes no receive: else any peer could use up all of
  // them.
  const RecvWqe& receive = qp_.rq_.at(qp_.rq_.head());
  if (len > qp_.mtu_ || kGrh + len > receive.length) {
    dropped(len > qp_.mtu_ ? RefusedRequest::too_long : RefusedRequest::short_receive, receive.wr_id,
            receive.length);
    return drop_message();
  }
  uint8_t grh[kGrh];
  emit_grh(packet, packet.len + 4, grh);  // the length counts the ICRC too, which is not in the view
  if (!executor.scatter(0, grh, kGrh) || !executor.scatter(kGrh, body, len))
    return refuse(now, WcStatus::loc_prot_err);
  wc.status = WcStatus::success;
  wc.opcode = WcOpcode::recv;
  wc.byte_len = kGrh + len;
  wc.src_qp = deth.src_qpn();
  wc.sl = packet_type(*packet.source);
  ++c.rdma_recvs;
  executor.deliver(now, wc, bth.solicited());
}

}  // namespace uroce::transport
