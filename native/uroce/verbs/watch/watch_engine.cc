// What the engine and the end of the process show.
#include "uroce/verbs/abi/names.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/refusal.h"
#include "uroce/verbs/watch/watch.h"

namespace uroce::verbs {
namespace watch {
namespace {

using report::Kind;
using report::Misuse;

void unacknowledged(report::Ledger& ledger, const char* call, const void* handle, uint32_t got,
                    uint32_t acked) {
  const uint32_t n = got - acked;
  if (n == 0) return;
  ledger.note(report::Misuse::event_unacknowledged, call, handle,
              std::to_string(n) + " of " + std::to_string(got) + " events were never acknowledged", false, n);
}

constexpr const char* kGetAsync = "ibv_get_async_event";

void inspect_live(report::Ledger& ledger, const Management& management, const report::Live& live) {
  if (live.kind == report::Kind::cq) {
    const auto* cq = static_cast<const CqObject*>(live.handle);
    closing(*cq);
    unacknowledged(ledger, "ibv_get_cq_event", cq, cq->events_got, cq->base.comp_events_completed);
    unacknowledged(ledger, kGetAsync, cq, cq->async_got, cq->base.async_events_completed);
  } else if (live.kind == report::Kind::qp) {
    const auto* qp = static_cast<const QpObject*>(live.handle);
    unacknowledged(ledger, kGetAsync, qp, qp->async_got, qp->ex.qp_base.events_completed);
  } else if (live.kind == report::Kind::srq) {
    const auto* srq = static_cast<const SrqObject*>(live.handle);
    unacknowledged(ledger, kGetAsync, srq, srq->async_got, srq->base.events_completed);
  } else if (live.kind == report::Kind::cm_id) {
    const auto events = management.events_of(live.handle);
    unacknowledged(ledger, "rdma_get_cm_event", live.handle, events.got, events.acknowledged);
  }
}

}  // namespace

void closing(const CqObject& cq, std::optional<uint32_t> qpn) {
  uint32_t errors = 0;
  transport::Completion first{};
  for (uint32_t i = 0; i < cq.cq->count(); ++i) {
    const transport::Completion& wc = cq.cq->peek(i);
    if (wc.status == WcStatus::success || wc.status == WcStatus::wr_flush_err) continue;
    if (qpn && wc.qp_num != *qpn) continue;
    if (errors++ == 0) first = wc;
  }
  if (errors == 0) return;
  char of[64];
  std::snprintf(of, sizeof of, " of QP 0x%06x, wr_id %llu", first.qp_num,
                static_cast<unsigned long long>(first.wr_id));
  report::ledger().note(
      report::Misuse::completion_error_unpolled, "ibv_poll_cq", &cq,
      std::string("never polled: IBV_WC_") + status_name(static_cast<uint32_t>(first.status)) + of, false,
      errors);
}

void rnr_nak(const transport::Qp& qp, bool sent) { report::ledger().rnr(qp.user, sent); }

void overrun(const CqObject& cq) {
  report::ledger().note(
      report::Misuse::cq_overrun, "ibv_poll_cq", &cq,
      "a completion was lost: the CQ was full (capacity " + std::to_string(cq.cq->capacity()) + ")", false);
}

void inspect(report::Ledger& ledger) {
  tell_unanswered();
  Device* device = Device::current();
  if (device == nullptr || !device->lock().lock_within(EngineLock::kAtTheEnd)) return;
  for (const report::Live& live : ledger.live()) inspect_live(ledger, device->management(), live);
  device->lock().unlock();
}

}  // namespace watch

void Device::work_failed(const transport::Qp& qp, const transport::FailedWork& work) {
  if (report::on()) watch::failed(qp, work);
}

void Device::request_refused(const transport::Qp& qp, const transport::RefusedRequest& request) {
  if (report::on()) watch::refused(qp, request);
}

void Device::duplicate_of_nothing(const transport::Qp& qp, uint32_t psn) {
  if (report::on()) watch::mismatched(qp, psn);
}

void Device::message_lost(const transport::LostMessage& message) {
  if (report::on()) watch::lost(message);
}

void Device::datagram_unsent(const transport::Qp& qp, const transport::FailedWork& work) {
  if (report::on()) watch::unsent(qp, work);
}

void Device::waits_forever(const transport::Qp& qp, uint64_t ns) { watch::waiting(qp, ns); }

void Device::rnr_nak(const transport::Qp& qp, bool sent) {
  if (report::on()) watch::rnr_nak(qp, sent);
}

}  // namespace uroce::verbs
