// What the engine and the end of the process show.
#include "uroce/verbs/abi/names.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/watch.h"

namespace uroce {
namespace watch {
namespace {

using report::Kind;
using report::Misuse;

void unacknowledged(report::Ledger& ledger, const char* call, const void* handle, uint32_t got,
                    uint32_t acked) {
  const uint32_t n = got - acked;
  if (n == 0) return;
  ledger.note(Misuse::event_unacknowledged, call, handle,
              std::to_string(n) + " of " + std::to_string(got) + " events were never acknowledged", false, n);
}

constexpr const char* kGetAsync = "ibv_get_async_event";

void inspect_live(report::Ledger& ledger, const Management& management, const report::Live& live) {
  if (live.kind == Kind::cq) {
    const auto* cq = static_cast<const CqObject*>(live.handle);
    closing(*cq);
    unacknowledged(ledger, "ibv_get_cq_event", cq, cq->events_got, cq->base.comp_events_completed);
    unacknowledged(ledger, kGetAsync, cq, cq->async_got, cq->base.async_events_completed);
  } else if (live.kind == Kind::qp) {
    const auto* qp = static_cast<const QpObject*>(live.handle);
    unacknowledged(ledger, kGetAsync, qp, qp->async_got, qp->ex.qp_base.events_completed);
  } else if (live.kind == Kind::srq) {
    const auto* srq = static_cast<const SrqObject*>(live.handle);
    unacknowledged(ledger, kGetAsync, srq, srq->async_got, srq->base.events_completed);
  } else if (live.kind == Kind::cm_id) {
    const auto events = management.events_of(live.handle);
    unacknowledged(ledger, "rdma_get_cm_event", live.handle, events.got, events.acknowledged);
  }
}

}  // namespace

void closing(const CqObject& cq, std::optional<uint32_t> qpn) {
  uint32_t errors = 0;
  Completion first{};
  for (uint32_t i = 0; i < cq.cq->count(); ++i) {
    const Completion& wc = cq.cq->peek(i);
    if (wc.status == WcStatus::success || wc.status == WcStatus::wr_flush_err) continue;
    if (qpn && wc.qp_num != *qpn) continue;
    if (errors++ == 0) first = wc;
  }
  if (errors == 0) return;
  char of[64];
  std::snprintf(of, sizeof of, " of QP 0x%x, wr_id %llu", first.qp_num,
                static_cast<unsigned long long>(first.wr_id));
  report::ledger().note(
      Misuse::completion_error_unpolled, "ibv_poll_cq", &cq,
      std::string("never polled: IBV_WC_") + status_name(static_cast<uint32_t>(first.status)) + of, false,
      errors);
}

void failed(const Qp& qp, uint64_t wr_id, WcStatus status, bool send) {
  const auto* object = static_cast<const QpObject*>(qp.user);
  if (status != WcStatus::loc_prot_err || object == nullptr) return;
  const void* queue = object;
  if (!send && object->ex.qp_base.srq != nullptr) queue = object->ex.qp_base.srq;
  if (take_flagged(queue, wr_id)) return;
  report::ledger().note(
      Misuse::sge_outside_mr, send ? "ibv_post_send" : "ibv_post_recv", queue,
      "wr_id " + std::to_string(wr_id) +
          ": its memory was registered when it was posted and no longer when it was executed",
      false);
}

void rnr_nak(const Qp& qp, bool sent) { report::ledger().rnr(qp.user, sent); }

void overrun(const CqObject& cq) {
  report::ledger().note(
      Misuse::cq_overrun, "ibv_poll_cq", &cq,
      "a completion found its " + std::to_string(cq.cq->capacity()) + " places full and was lost", false);
}

void inspect(report::Ledger& ledger) {
  Device* device = Device::current();
  if (device == nullptr || !device->lock().lock_within(EngineLock::kAtTheEnd)) return;
  for (const report::Live& live : ledger.live()) inspect_live(ledger, device->management(), live);
  device->lock().unlock();
}

}  // namespace watch

void Device::work_failed(const Qp& qp, uint64_t wr_id, WcStatus status, bool send) {
  if (report::on()) watch::failed(qp, wr_id, status, send);
}

void Device::rnr_nak(const Qp& qp, bool sent) {
  if (report::on()) watch::rnr_nak(qp, sent);
}

}  // namespace uroce
