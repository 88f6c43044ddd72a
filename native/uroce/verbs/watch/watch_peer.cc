// Explanations of a peer's behavior from its answers, or from their absence.
#include <atomic>
#include <map>
#include <mutex>

#include "uroce/net/host/address.h"
#include "uroce/net/udp/steering.h"
#include "uroce/verbs/abi/names.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/request_text.h"
#include "uroce/verbs/watch/watch.h"
#include "uroce/wire/mad.h"

namespace uroce::verbs::watch {
namespace {

using report::Misuse;

constexpr const char* kRightNumber =
    "Send to the qp_num that ibv_create_qp gave the receiver, exchanged in one byte order.";

// Text for a QPN that no process has: QP numbers come in blocks, one per process.
std::string nobody_text(const Path& to, uint32_t qpn) {
  constexpr uint32_t kBlock = 1u << (24 - net::kSlotBits);
  const uint32_t first = qpn & ~(kBlock - 1);
  return format("no process of this user at %s has QPs from 0x%06" PRIx32 " to 0x%06" PRIx32,
                net::to_text(to.dgid).c_str(), first, first + kBlock - 1);
}

// Recent results about the processes of an address and slot, so that not every message has to ask.
struct ProbeCache {
  struct Entry {
    bool no_process;
    uint64_t until;  // ns
  };
  std::mutex mutex;
  std::map<std::pair<Gid, uint32_t>, Entry> entries;
};
ProbeCache& probe_cache() {
  static auto* all = new ProbeCache;
  return *all;
}
constexpr uint64_t kEntryLifetime = 100'000'000;  // ns
constexpr std::size_t kMaxEntries = 4096;

// True if no process of any user can receive a message to that QP.
bool reaches_nobody(Device& device, const Path& to, uint32_t qpn) {
  if (device.is_own(to, qpn)) return false;
  const uint64_t now = net::now_ns();
  ProbeCache& all = probe_cache();
  std::lock_guard guard(all.mutex);
  if (all.entries.size() == kMaxEntries) all.entries.clear();
  auto& entry = all.entries[{to.dgid, net::slot_of(qpn)}];
  if (now >= entry.until) {
    const bool no_process =
        device.nobody_has(to, qpn) && (device.is_own(to.dgid) || !net::others_have_roce_sockets());
    entry = {no_process, now + kEntryLifetime};
  }
  return entry.no_process;
}

// Text for numbers that no program's QP has, at any address; null for others.
const char* reserved_text(const Gid& to, uint32_t qpn) {
  if (qpn == wire::kGsiQpn)
    return "queue pair 1 takes management datagrams only (256 bytes, Q_Key 0x80010000)";
  if (qpn == kMulticastQpn && !is_multicast(to))
    return "0xffffff is the number for multicast groups, and the address is none of a group";
  return nullptr;
}

// The reason why a message of an unreliable QP will not arrive; empty if it may.
std::string why_lost(Device& device, const Path& to, uint32_t qpn) {
  if (const char* reserved = reserved_text(to.dgid, qpn)) return reserved;
  if (is_multicast(to.dgid))
    return qpn == kMulticastQpn ? "" : "a message to a multicast group needs remote_qpn 0xffffff";
  return reaches_nobody(device, to, qpn) ? nobody_text(to, qpn) : "";
}

// The peer, if it is a QP of this process.
const transport::Qp* peer_here(Device& device, const transport::Qp& qp, const QpAttr& attr) {
  const transport::Qp* peer = device.engine().find_qp(attr.dest_qp_num);
  return peer != nullptr && attr.av.dgid == attr.av.sgid && peer != &qp ? peer : nullptr;
}

// Explains answers of the peer with other PSNs: the PSNs of the two ends do not match.
bool explain_stray(const transport::Qp& qp, const std::string& peer, report::Note& note) {
  const transport::StrayAnswer& stray = qp.stray_answer();
  const uint32_t first = qp.first_psn();
  if (stray.kind == transport::StrayAnswer::nak) {
    note.detail =
        format("it asked for PSN %" PRIu32 " (NAK), and QP 0x%06" PRIx32 " begins with sq_psn %" PRIu32,
               stray.psn, qp.qpn(), first);
  } else if (stray.kind == transport::StrayAnswer::ack) {
    note.detail = format("it acknowledged PSN %" PRIu32 ", which QP 0x%06" PRIx32
                         " never sent: it begins with sq_psn %" PRIu32,
                         stray.psn, qp.qpn(), first);
  } else {
    return false;
  }
  note.cure = "Set sq_psn of this QP and rq_psn of " + peer + " to the same value.";
  return true;
}

}  // namespace

void explain_silence(Device& device, const transport::Qp& qp, WcStatus status, report::Note& note) {
  const QpAttr attr = qp.query();
  const std::string peer =
      format("QP 0x%06" PRIx32 " at %s", uint32_t{attr.dest_qp_num}, net::to_text(attr.av.dgid).c_str());
  if (status == WcStatus::rnr_retry_exc_err) {
    note.detail += format(": %s had no receive posted, at the first try and at %u more (rnr_retry)",
                          peer.c_str(), unsigned{attr.rnr_retry});
    note.cure = "Have the peer post receives first or choose a longer min_rnr_timer, or raise rnr_retry.";
    return;
  }
  note.detail += format(": %s acknowledged nothing in %u %s (retry_cnt %u, timeout %u)", peer.c_str(),
                        unsigned{attr.retry_cnt} + 1, attr.retry_cnt == 0 ? "try" : "tries",
                        unsigned{attr.retry_cnt}, unsigned{attr.timeout});
  note.cure = "Check that the peer still runs, that its QP number is right, and that packets reach it.";
  report::Note silence;
  why_silent(device, qp, silence);
  if (!silence.detail.empty()) note.detail += "; " + silence.detail;
  if (!silence.cure.empty()) note.cure = std::move(silence.cure);
}

void why_silent(Device& device, const transport::Qp& qp, report::Note& note) {
  const QpAttr attr = qp.query();
  const std::string peer =
      format("QP 0x%06" PRIx32 " at %s", uint32_t{attr.dest_qp_num}, net::to_text(attr.av.dgid).c_str());
  if (explain_stray(qp, peer, note)) return;
  if (device.nobody_has(attr.av, attr.dest_qp_num)) {
    note.detail = nobody_text(attr.av, attr.dest_qp_num);
    note.cure = qp.ever_acknowledged()
                    ? "The peer answered before: find out why its process ended or closed the device."
                    : kRightNumber;
    return;
  }
  if (device.is_own(attr.av, attr.dest_qp_num) && device.engine().find_qp(attr.dest_qp_num) == nullptr) {
    note.detail = "this process has no such QP";
    note.cure = kRightNumber;
    return;
  }
  const transport::Qp* here = peer_here(device, qp, attr);
  if (here == nullptr) return;
  if (here->type() != qp.type()) {
    note.detail = format("it is of type %s", qp_type_name(static_cast<ibv_qp_type>(here->type())));
    note.cure = format("Connect to a QP of type %s.", qp_type_name(static_cast<ibv_qp_type>(qp.type())));
    return;
  }
  note.detail = format("it is in state %s", state_name(here->state()));
  if (here->state() < QpState::rtr) note.cure = "Bring that QP to RTR before you send to it.";
  if (here->state() == QpState::err)
    note.cure = "Look for what brought that QP to ERR, and connect both again.";
}

void lost(const transport::LostMessage& message) {
  report::Note note;
  const char* reserved = reserved_text(*message.source, message.qpn);
  note.detail = format("%s for QP 0x%06" PRIx32 " came from %s, and %s", opcode_name(message.opcode),
                       message.qpn, net::to_text(*message.source).c_str(),
                       reserved != nullptr ? reserved : "this process has no such QP");
  note.cure = kRightNumber;
  note.kind = message.qpn;
  report::ledger().note(Misuse::message_dropped, "ibv_create_qp", nullptr, std::move(note));
}

void mismatched(const transport::Qp& qp, uint32_t psn) {
  const auto* object = static_cast<const QpObject*>(qp.user);
  if (object == nullptr) return;
  const QpAttr attr = qp.query();
  report::Note note;
  note.detail = format("QP 0x%06" PRIx32 " took PSN %" PRIu32 " of QP 0x%06" PRIx32
                       " for a duplicate and dropped it, though it has received nothing: its rq_psn %" PRIu32
                       " is beyond the peer's sq_psn",
                       qp.qpn(), psn, uint32_t{attr.dest_qp_num}, uint32_t{attr.rq_psn});
  note.cure =
      format("Set rq_psn to the sq_psn of the peer, which is %" PRIu32 " if this was its first packet.", psn);
  report::ledger().note(Misuse::psn_mismatch, "ibv_modify_qp", object, std::move(note));
}

void sent_unreliably(QpObject& qp, const ibv_send_wr* wr, const ibv_send_wr* end,
                     const report::Caller& where) {
  const bool datagrams = qp.ex.qp_base.qp_type == IBV_QPT_UD;
  if (!datagrams && qp.ex.qp_base.qp_type != IBV_QPT_UC) return;
  QpAttr attr;
  {
    std::lock_guard guard(qp.device->lock());
    attr = qp.qp->query();
  }
  if (attr.qp_state != QpState::rts) return;
  for (; wr != end; wr = wr->next) {
    if (datagrams ? !names_address(*wr) : raw(wr->opcode) > IBV_WR_SEND_WITH_IMM) continue;
    const Path& to = datagrams ? object(wr->wr.ud.ah)->path : attr.av;
    const uint32_t qpn = datagrams ? wr->wr.ud.remote_qpn & kQpnMask : uint32_t{attr.dest_qp_num};
    if (datagrams && qpn == wire::kGsiQpn && attr.qkey == wire::kGsiQkey) continue;
    const std::string why = why_lost(*qp.device, to, qpn);
    if (why.empty()) continue;
    report::ledger().note(
        Misuse::message_dropped, "ibv_post_send", &qp,
        {.detail = format("wr_id %" PRIu64 ", %s to QP 0x%06" PRIx32 ", was sent and got lost: ", wr->wr_id,
                          opcode_name(static_cast<WrOpcode>(wr->opcode)), qpn) +
                   why,
         .where = where,
         .cure = is_multicast(to.dgid) ? "Send to QP number 0xffffff." : kRightNumber,
         .kind = qpn == wire::kGsiQpn ? qpn : uint64_t{net::slot_of(qpn)} << 8});
  }
}

void waiting(const transport::Qp& qp, uint64_t ns) {
  const QpAttr attr = qp.query();
  const std::string detail =
      format("QP 0x%06" PRIx32 " has had no answer from QP 0x%06" PRIx32 " at %s for %" PRIu64
             " s, and its timeout is 0: it waits forever",
             qp.qpn(), uint32_t{attr.dest_qp_num}, net::to_text(attr.av.dgid).c_str(), ns / 1'000'000'000);
  const char* cure = "Set timeout of ibv_modify_qp to 1 or more (14: 67 ms), so that a dead peer shows.";
  static std::atomic_flag said;
  if (!said.test_and_set()) std::fprintf(stderr, "uroce: %s. %s\n", detail.c_str(), cure);
  const auto* object = static_cast<const QpObject*>(qp.user);
  if (report::on() && object != nullptr)
    report::ledger().note(Misuse::waits_forever, "ibv_modify_qp", object, {.detail = detail, .cure = cure});
}

void unexecuted(const transport::Qp& qp, const transport::FailedWork& work) {
  const auto* object = static_cast<const QpObject*>(qp.user);
  if (object == nullptr) return;
  const QpAttr attr = qp.query();
  report::Note note;
  note.detail = format("QP 0x%06" PRIx32 " at %s acknowledged wr_id %" PRIu64 ", ",
                       uint32_t{attr.dest_qp_num}, net::to_text(attr.av.dgid).c_str(), work.wr_id) +
                text_of(work.opcode, work.length, work.remote_addr, work.rkey) +
                format(", as a duplicate and did not execute it (MSN 0): its rq_psn is beyond sq_psn %" PRIu32
                       " of QP 0x%06" PRIx32,
                       qp.first_psn(), qp.qpn());
  note.cure = format("Set rq_psn of QP 0x%06" PRIx32 " to sq_psn of this QP, which is %" PRIu32 ".",
                     uint32_t{attr.dest_qp_num}, qp.first_psn());
  report::ledger().note(Misuse::psn_mismatch, "ibv_modify_qp", object, std::move(note));
}

}  // namespace uroce::verbs::watch
