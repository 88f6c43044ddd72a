// Findings from events of the engine and from the end of the process.
#include "uroce/verbs/abi/names.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/device/mutex_guard.h"
#include "uroce/verbs/watch/full_queue.h"
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

// Events after which an object does not work any more. Others may go unread.
bool is_failure(ibv_event_type type) {
  return type == IBV_EVENT_QP_FATAL || type == IBV_EVENT_QP_REQ_ERR || type == IBV_EVENT_QP_ACCESS_ERR ||
         type == IBV_EVENT_CQ_ERR || type == IBV_EVENT_SRQ_ERR || type == IBV_EVENT_DEVICE_FATAL;
}

void unread_of(ContextObject& context) {
  MutexGuard guard(context.verbs.context.mutex);
  for (const AsyncEvent& event : context.events) unread(event);
}

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
  } else if (live.kind == report::Kind::context) {
    unread_of(*static_cast<ContextObject*>(const_cast<void*>(live.handle)));
  }
}

// Silence after which a program that had to be ended was probably waiting. A working program has polled
// recently.
constexpr uint64_t kLong = 1'000'000'000;  // ns

void unpolled(report::Ledger& ledger, Device& device, const CqObject& cq) {
  const uint64_t now = device.now();
  const uint32_t n = cq.cq->count();
  if (n == 0 || now < cq.cq->last_time() + kLong) return;
  const transport::Completion& first = cq.cq->peek(0);
  if (first.status != WcStatus::success) return;  // closing() reports it
  const auto live = ledger.find(&cq);
  const unsigned cq_number = live ? live->number : 0;
  char text[160];
  std::snprintf(text, sizeof text, "%u completion%s in CQ #%u, the first of QP 0x%06x, wr_id %llu, status %s",
                n, n == 1 ? " was" : "s were", cq_number, first.qp_num,
                static_cast<unsigned long long>(first.wr_id),
                status_name(static_cast<uint32_t>(first.status)));
  report::Note note{.detail = std::string(text) + ", unpolled for at least 1 s"};
  if (cq.channel != nullptr && cq.cq->armed_solicited()) {
    note.detail +=
        ". ibv_req_notify_cq asked for solicited completions only, and these are others or came before it";
    note.cure =
        "Set IBV_SEND_SOLICITED on the sends that shall wake the receiver, or call ibv_req_notify_cq with 0. "
        "Poll the CQ after it.";
  } else if (cq.channel != nullptr && cq.cq->armed()) {
    note.detail += ". ibv_req_notify_cq came after them, so they raise no event";
    note.cure = "After ibv_req_notify_cq, poll the CQ until it is empty before you wait in ibv_get_cq_event.";
  }
  ledger.note(Misuse::completion_unpolled, "ibv_poll_cq", &cq, std::move(note));
}

// Reports endless RNR retries (rnr_retry 7). Once they are a storm, they are in the report anyway.
void refused_forever(report::Ledger& ledger, const QpObject& qp) {
  if (!qp.qp->waits_for_receive() || qp.qp->query().rnr_retry != 7) return;
  const uint32_t naks = ledger.rnr_naks(&qp).received;
  if (naks == 0 || naks >= report::Ledger::kRnrStorm) return;
  char text[200];
  std::snprintf(
      text, sizeof text,
      "QP 0x%06x waits for its peer, QP 0x%06x, to post a receive: %u RNR NAK%s so far, and rnr_retry 7 "
      "never gives up",
      qp.ex.qp_base.qp_num, uint32_t{qp.qp->query().dest_qp_num}, naks, naks == 1 ? "" : "s");
  ledger.note(Misuse::waits_forever, "ibv_post_send", &qp,
              {.detail = text,
               .cure = "Have the peer post receives, or set rnr_retry to 6 or less to get an error."});
}

void inspect_hang(report::Ledger& ledger, Device& device, const report::Live& live) {
  if (live.kind == Kind::cq) unpolled(ledger, device, *static_cast<const CqObject*>(live.handle));
  if (live.kind == Kind::qp) refused_forever(ledger, *static_cast<const QpObject*>(live.handle));
}

}  // namespace

void unread(const AsyncEvent& event) {
  if (!is_failure(event.type)) return;
  char of[32] = "";
  if (is_qp_event(event.type))
    std::snprintf(of, sizeof of, " of QP 0x%06x", static_cast<const ibv_qp*>(event.element)->qp_num);
  report::ledger().note(
      Misuse::async_event_unread, kGetAsync, nullptr,
      {.detail = std::string("IBV_EVENT_") + event_name(event.type) + of + " was never read"});
}

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

void inspect(report::Ledger& ledger, int signal) {
  report_pending();
  report_full_queues();
  Device* device = Device::current();
  if (device == nullptr || !device->lock().lock_within(EngineLock::kAtTheEnd)) return;
  for (const report::Live& live : ledger.live()) {
    inspect_live(ledger, device->management(), live);
    if (signal != 0) inspect_hang(ledger, *device, live);
  }
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

void Device::acknowledged_unexecuted(const transport::Qp& qp, const transport::FailedWork& work) {
  if (report::on()) watch::unexecuted(qp, work);
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
