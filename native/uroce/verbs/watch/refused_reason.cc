#include "uroce/verbs/watch/refused_reason.h"

#include "uroce/verbs/abi/names.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/request_text.h"

namespace uroce::verbs::watch {
namespace {

using report::Kind;
using report::Misuse;

constexpr int kGrhSize = 40;

const char* type_name(QpType type) { return qp_type_name(static_cast<ibv_qp_type>(type)); }

const char* name_of_right(uint32_t right) {
  return right == access_flag::remote_write  ? "IBV_ACCESS_REMOTE_WRITE"
         : right == access_flag::remote_read ? "IBV_ACCESS_REMOTE_READ"
                                             : "IBV_ACCESS_REMOTE_ATOMIC";
}

const char* kind_name(const transport::Mr& mr) { return mr.window != transport::MwType{} ? "MW" : "MR"; }

std::string region_text(const transport::Mr& mr) {
  return format("%s 0x%08" PRIx32 " (%" PRIu64 " bytes at 0x%" PRIx64 ")", kind_name(mr), mr.key, mr.length,
                mr.iova);
}

// The fault of an rkey that made the check fail before its bytes were checked.
Reason why_no_key(const transport::MrTable& mrs, uint32_t pd, const transport::RefusedRequest& r) {
  if (const auto ago = report::ledger().deregistered(r.rkey)) {
    return {format("the MR of rkey 0x%08" PRIx32 " was deregistered %.3g ms before", r.rkey,
                   static_cast<double>(*ago) / 1e6),
            "Call ibv_dereg_mr only when the peer's last request has completed.",
            nullptr,
            "ibv_reg_mr",
            MemoryFault::deregistered,
            r.rkey};
  }
  Reason reason{.text = format("rkey 0x%08" PRIx32 " names no memory region of this process", r.rkey),
                .fault = MemoryFault::unknown_key};
  if (const transport::Mr* meant = mrs.covering(pd, r.va, r.length)) {
    reason.text += format(", and these bytes are in %s", region_text(*meant).c_str());
    reason.cure = format("Post the request with rkey 0x%08" PRIx32 ".", meant->key);
    reason.key = meant->key;
  } else {
    reason.cure = "Post the request with the rkey that ibv_reg_mr gave this process.";
  }
  return reason;
}

Reason why_range(const transport::Mr& mr, const transport::RefusedRequest& r) {
  const std::string region = region_text(mr);
  const std::string keep = format("Keep the remote address within the %s.", kind_name(mr));
  if (r.va < mr.iova) {
    return {.text = format("it begins %" PRIu64 " bytes before %s", mr.iova - r.va, region.c_str()),
            .cure = keep,
            .fault = MemoryFault::before};
  }
  const uint64_t offset = r.va - mr.iova;
  if (offset >= mr.length) {
    return {.text = format("its address is %" PRIu64 " bytes past the end of %s", offset - mr.length,
                           region.c_str()),
            .cure = keep,
            .fault = MemoryFault::after};
  }
  return {.text = format("it ends %" PRIu64 " bytes past the end of %s", offset + r.length - mr.length,
                         region.c_str()),
          .cure = format("At this address at most %" PRIu64 " bytes are within the %s.", mr.length - offset,
                         kind_name(mr)),
          .fault = MemoryFault::past_end};
}

// The reason for a refusal of transport::MrTable::check(). Engine lock.
Reason why_memory(const transport::Qp& qp, const transport::RefusedRequest& r) {
  const auto* object = static_cast<const QpObject*>(qp.user);
  const transport::MrTable& mrs = object->device->engine().mrs();
  const uint32_t pd = qp.init().pd;
  const transport::Mr* mr = mrs.find(r.rkey);
  if (mr == nullptr) return why_no_key(mrs, pd, r);
  const bool window = mr->window != transport::MwType{};
  const char* kind = kind_name(*mr);
  const auto live = report::ledger().find(window ? Kind::mw : Kind::mr, r.rkey);
  Reason reason;
  if (window && mr->domain != mr->pd && mr->domain != transport::qp_domain(qp.qpn())) {
    reason = {
        .text = format("MW 0x%08" PRIx32 " is bound to another QP than QP 0x%06" PRIx32, r.rkey, qp.qpn()),
        .cure = "Use a window of type 2 only through the QP that bound it.",
        .fault = MemoryFault::other_pd};
  } else if (mr->domain != pd && mr->domain != transport::qp_domain(qp.qpn())) {
    reason = {.text = format("%s 0x%08" PRIx32 " belongs to another PD than QP 0x%06" PRIx32, kind, r.rkey,
                             qp.qpn()),
              .cure = "Create the QP and register its memory in the same PD.",
              .fault = MemoryFault::other_pd};
  } else if (window && mr->length == 0) {
    reason = {format("MW 0x%08" PRIx32 " is bound to no memory", r.rkey),
              "Bind the window before the peer uses it.", nullptr, "ibv_bind_mw", MemoryFault::unbound};
  } else if (const transport::Mr* meant = mrs.covering(pd, r.va, r.length); (mr->access & r.right) == 0 &&
                                                                            meant != nullptr && meant != mr &&
                                                                            (meant->access & r.right) != 0) {
    reason = {.text = format("rkey 0x%08" PRIx32 " is that of %s, and these bytes are in %s", r.rkey,
                             region_text(*mr).c_str(), region_text(*meant).c_str()),
              .cure = format("Post the request with rkey 0x%08" PRIx32 ".", meant->key),
              .fault = MemoryFault::other_region,
              .key = meant->key};
  } else if ((mr->access & r.right) == 0) {
    const char* right = name_of_right(r.right);
    const char* done = window ? "bound" : "registered";
    reason = {.text = format("%s 0x%08" PRIx32 " was %s without %s", kind, r.rkey, done, right),
              .cure = window ? format("Bind it with %s.", right)
                             : format("Register it with %s%s.", right,
                                      r.right == access_flag::remote_read ? "" : " | IBV_ACCESS_LOCAL_WRITE"),
              .fault = MemoryFault::right};
  } else {
    reason = why_range(*mr, r);
  }
  if (live) reason.handle = live->handle;
  return reason;
}

}  // namespace

uint64_t kind_of(const transport::RefusedRequest& r, const Reason& reason) {
  return uint64_t{r.because} | uint64_t{static_cast<uint8_t>(reason.fault)} << 8 |
         uint64_t{r.right & 0xffffu} << 16 | uint64_t{reason.key} << 32;
}

Reason gone_reason(const transport::Mr* mr, uintptr_t at) {
  report::Finding gone;
  gone.misuse = Misuse::memory_gone;
  Reason reason{"the memory of this region is gone: ", report::cure_of(gone)};
  if (mr != nullptr) reason.text += region_text(*mr) + " ";
  reason.text += format("was unmapped, freed, truncated or protected after ibv_reg_mr, at 0x%" PRIxPTR, at);
  if (mr == nullptr) return reason;
  const bool window = mr->window != transport::MwType{};
  if (const auto live = report::ledger().find(window ? Kind::mw : Kind::mr, mr->key))
    reason.handle = live->handle;
  return reason;
}

Reason why_window(transport::WindowFault fault, uint32_t window, uint32_t region, uint32_t qpn) {
  using transport::WindowFault;
  const std::string key = format("rkey 0x%08" PRIx32, window), mr = format("MR 0x%08" PRIx32, region);
  switch (fault) {
    case WindowFault::none:
      break;
    case WindowFault::no_window:
      return {key + " names no memory window of this process",
              "Use the rkey that the window got at its last bind, and only until it is deallocated."};
    case WindowFault::is_region:
      return {key + " is that of an MR, and only memory windows of type 2 are invalidated",
              "Invalidate the rkey of a window of type 2, or deregister the MR."};
    case WindowFault::is_type1:
      return {key + " is that of a memory window of type 1, and only those of type 2 are invalidated",
              "Bind a window of type 1 to length 0 with ibv_bind_mw, or use one of type 2."};
    case WindowFault::other_pd:
      return {region != 0 ? format("QP 0x%06" PRIx32 ", ", qpn) + mr + " and the window are not all of one PD"
                          : key + format(" belongs to another PD than QP 0x%06" PRIx32, qpn),
              "Create the QP, the MR and the window in one PD."};
    case WindowFault::other_qp:
      return {key + " is that of a window that is bound to another QP",
              "Invalidate it from the QP that it was bound with."};
    case WindowFault::bound:
      return {"the window of type 2 is bound already", "Invalidate it before you bind it again."};
    case WindowFault::no_length:
      return {"a window of type 2 is not bound to 0 bytes",
              "Give it a length above 0: IBV_WR_LOCAL_INV unbinds it."};
    case WindowFault::no_region:
      return {format("key 0x%08" PRIx32 " names no MR of this process", region),
              "Bind it to an MR that still exists."};
    case WindowFault::access:
      return {"mw_access_flags has a right that no window of its type has",
              "Use IBV_ACCESS_REMOTE_READ, _WRITE and _ATOMIC, and with type 2 IBV_ACCESS_ZERO_BASED."};
    case WindowFault::region_mw_bind:
      return {mr + " was registered without IBV_ACCESS_MW_BIND", "Register it with IBV_ACCESS_MW_BIND."};
    case WindowFault::region_local_write:
      return {"the window lets peers write, and " + mr + " was registered without IBV_ACCESS_LOCAL_WRITE",
              "Register it with IBV_ACCESS_LOCAL_WRITE."};
    case WindowFault::range:
      return {"the bytes of the window are not all within " + mr, "Bind it to bytes of the MR."};
  }
  return {};
}

Reason why(const transport::Qp& qp, const transport::RefusedRequest& r) {
  const bool datagrams = qp.type() == QpType::ud;
  switch (r.because) {
    case transport::RefusedRequest::memory:
      return why_memory(qp, r);
    case transport::RefusedRequest::qp_access: {
      const char* right = name_of_right(r.right);
      return {format("QP 0x%06" PRIx32 " has no %s in qp_access_flags", qp.qpn(), right),
              format("Set %s in qp_access_flags when you call ibv_modify_qp.", right), nullptr,
              "ibv_modify_qp"};
    }
    case transport::RefusedRequest::misaligned:
      return {"an atomic needs an address that is a multiple of 8", "Align the remote address to 8 bytes."};
    case transport::RefusedRequest::resources:
      return {format("more READs and atomics were outstanding than max_dest_rd_atomic %u of QP 0x%06" PRIx32,
                     unsigned{qp.query().max_dest_rd_atomic}, qp.qpn()),
              "Set max_rd_atomic of the peer no higher than max_dest_rd_atomic here.", nullptr,
              "ibv_modify_qp"};
    case transport::RefusedRequest::gone: {
      const transport::Mr* mr = static_cast<const QpObject*>(qp.user)->device->engine().mrs().find(r.rkey);
      return gone_reason(mr, r.fault);
    }
    case transport::RefusedRequest::invalidate: {
      Reason reason = why_window(r.window_fault, r.rkey, 0, qp.qpn());
      reason.cure = "At the peer: set invalidate_rkey to the rkey of a window of type 2 that is bound here.";
      reason.call = "ibv_modify_qp";
      return reason;
    }
    case transport::RefusedRequest::short_receive:
      if (datagrams) {
        return {format("the receive it found, wr_id %" PRIu64 ", holds %" PRIu32
                       " bytes, and %d of them are for the GRH that comes before the data: it needs %" PRIu32,
                       r.wr_id, r.room, kGrhSize, r.length + kGrhSize),
                format("Post UD receives that are %d bytes (sizeof(struct ibv_grh)) larger than the largest "
                       "message.",
                       kGrhSize),
                nullptr, "ibv_post_recv"};
      }
      return {
          format("the receive it found, wr_id %" PRIu64 ", holds only %" PRIu32 " bytes", r.wr_id, r.room),
          "Post receives as large as the largest message.", nullptr, "ibv_post_recv"};
    case transport::RefusedRequest::no_receive:
      return {"no receive was posted", "Post receives before the peer sends, and enough of them.", nullptr,
              "ibv_post_recv"};
    case transport::RefusedRequest::too_long:
      return {format("it is longer than the MTU of %u bytes", unsigned{qp.query().path_mtu}),
              "Send datagrams of at most the smaller active_mtu of both ports."};
    case transport::RefusedRequest::wrong_qkey:
      return {
          format("it has Q_Key 0x%08" PRIx32 ", and the QP expects 0x%08" PRIx32, r.qkey, qp.query().qkey),
          "Set remote_qkey of the work request to the qkey that the receiver's ibv_modify_qp set.", nullptr,
          "ibv_modify_qp"};
    case transport::RefusedRequest::too_early:
      return {format("the QP is in state %s and takes messages from RTR on", state_name(qp.state())),
              "Bring the QP to RTR before the peer sends.", nullptr, "ibv_modify_qp"};
    case transport::RefusedRequest::wrong_service:
      return {format("a QP of type %s sent it, and this one is of type %s", type_name(r.sender),
                     type_name(qp.type())),
              format("Send to the qp_num of a QP of type %s.", type_name(r.sender)), nullptr,
              "ibv_create_qp"};
  }
  return {};
}

}  // namespace uroce::verbs::watch
