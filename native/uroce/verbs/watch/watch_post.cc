// Posting while the report is on: finds requests that are refused, will fail or will never complete.
#include <errno.h>

#include <bit>
#include <cstdio>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

#include "uroce/report/place.h"
#include "uroce/verbs/abi/context.h"
#include "uroce/verbs/abi/names.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/full_queue.h"
#include "uroce/verbs/watch/refusal.h"
#include "uroce/verbs/watch/watch.h"
#include "uroce/verbs/watch/watch_feed.h"
#include "uroce/verbs/watch/watch_traffic.h"

namespace uroce::verbs::watch {
namespace {

using report::Misuse;

// WRs whose SGEs were reported when they were posted, by queue (QP, SRQ) and wr_id; and for each QP the
// number of unsignaled WRs in a row.
std::mutex g_flagged_mutex;
std::set<std::pair<const void*, uint64_t>> g_flagged;
std::unordered_map<const QpObject*, uint32_t> g_unsignaled;
constexpr std::size_t kMaxFlagged = 100'000;

// Places in the program where the WRs of a send queue were posted, by their slots.
struct Places {
  std::mutex posting;  // held while WRs are posted, so that they get the slots that were looked up
  std::vector<report::Caller> of;  // engine lock
};
std::mutex g_places_mutex;
std::unordered_map<const QpObject*, std::shared_ptr<Places>> g_places;
thread_local report::Caller t_from;

std::string hex(uint64_t value, int digits = 0) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*llx", digits, static_cast<unsigned long long>(value));
  return text;
}

// Describes the fault of an SGE; empty if there is none. Engine lock.
std::string fault_of(const transport::MrTable& mrs, uint32_t pd, const ibv_sge& sge, bool written) {
  const uint32_t rights = access_flag::region | (written ? access_flag::local_write : 0);
  if (sge.length == 0 || mrs.check(sge.lkey, pd, sge.addr, sge.length, rights) != nullptr) return {};
  const transport::Mr* mr = mrs.find(sge.lkey);
  const std::string key = "lkey " + hex(sge.lkey, 8);
  if (mr == nullptr || (mr->access & access_flag::region) == 0) return key + " belongs to no MR";
  if (mr->domain != pd) return key + " belongs to an MR of another PD";
  if ((mr->access & rights) != rights) return key + " belongs to an MR without IBV_ACCESS_LOCAL_WRITE";
  return std::to_string(sge.length) + " bytes at " + hex(sge.addr) + " are not all within the MR of " + key +
         ", " + std::to_string(mr->length) + " bytes at " + hex(mr->iova);
}

// qpn 0: a shared queue. Engine lock.
void check_sges(const char* call, const void* handle, const transport::MrTable& mrs, uint32_t pd,
                uint32_t qpn, const char* opcode, uint64_t wr_id, const ibv_sge* list, int n, bool written) {
  if (n > static_cast<int>(kMaxSge)) return;  // will be refused
  uint64_t length = 0;
  for (int i = 0; i < n; ++i) length += list[i].length;
  if (length > kMaxMessage) return;  // will be refused
  for (int i = 0; i < n; ++i) {
    const std::string fault = fault_of(mrs, pd, list[i], written);
    if (fault.empty()) continue;
    report::Note note;
    note.detail = "SGE " + std::to_string(i) + ": " + fault;
    note.where = report::caller();
    if (qpn != 0) {
      note.request = report::Request{.qpn = qpn, .opcode = opcode, .wr_id = wr_id};
      for (int each = 0; each < n; ++each) note.request->length += list[each].length;
    }
    report::ledger().note(Misuse::sge_outside_mr, call, handle, std::move(note));
    std::lock_guard guard(g_flagged_mutex);
    if (g_flagged.size() < kMaxFlagged) g_flagged.emplace(handle, wr_id);
    return;
  }
}

std::shared_ptr<Places> places_of(const QpObject* qp) {
  std::lock_guard guard(g_places_mutex);
  std::shared_ptr<Places>& places = g_places[qp];
  if (places == nullptr) places = std::make_shared<Places>();
  return places;
}

// Engine lock.
void remember_places(const QpObject* qp, const ibv_send_wr* wr, Places& places) {
  if (places.of.empty()) places.of.resize(std::bit_ceil(qp->cap.max_send_wr));
  const uint32_t room = qp->qp->send_room();
  uint32_t wqe = qp->qp->next_wqe();
  for (uint32_t i = 0; wr != nullptr && i < room; ++i, wr = wr->next)
    places.of[wqe++ & (places.of.size() - 1)] = t_from;
}

// Checks the SGEs of a list. Places::posting held.
void check_send_list(QpObject* qp, const ibv_send_wr* wr, Places& places) {
  transport::Engine& engine = qp->device->engine();
  std::lock_guard guard(qp->device->lock());
  remember_places(qp, wr, places);
  for (; wr != nullptr; wr = wr->next) {
    if ((wr->send_flags & IBV_SEND_INLINE) != 0 || wr->opcode == IBV_WR_BIND_MW ||
        wr->opcode == IBV_WR_LOCAL_INV)
      continue;
    const bool written = wr->opcode >= IBV_WR_RDMA_READ && wr->opcode <= IBV_WR_ATOMIC_FETCH_AND_ADD;
    check_sges("ibv_post_send", qp, engine.mrs(), qp->qp->init().pd, qp->qp->qpn(),
               wr_opcode_name(wr->opcode), wr->wr_id, wr->sg_list, wr->num_sge, written);
  }
}

QpState state_of(QpObject* qp) {
  std::lock_guard guard(qp->device->lock());
  return qp->qp->state();
}

uint32_t depth_of(SrqObject* srq) {
  std::lock_guard guard(srq->device->lock());
  return srq->srq->query().max_wr;
}

// Counts unsignaled WRs: their slots become free when a later signaled one is polled. end: the first WR
// that was not posted; tried: it found the queue full. True if no slot will ever be free again.
bool count_unsignaled(QpObject* qp, const ibv_send_wr* wr, const ibv_send_wr* end, bool tried) {
  const uint32_t places = qp->cap.max_send_wr;
  // A queue without slots is full from the start, whatever was signaled.
  const bool quiet = places == 0 || qp->sq_sig_all || state_of(qp) == QpState::err;
  bool full = false;
  {
    std::lock_guard guard(g_flagged_mutex);
    uint32_t& run = g_unsignaled[qp];
    for (; wr != end; wr = wr->next) {
      full |= !quiet && run >= places;
      run = quiet || (wr->send_flags & IBV_SEND_SIGNALED) != 0 ? 0 : run + 1;
    }
    full |= tried && !quiet && run >= places;
  }
  if (!full) return false;
  report::ledger().note(report::Misuse::send_queue_unsignaled, "ibv_post_send", qp,
                        "all " + std::to_string(places) +
                            " entries of the send queue hold unsignaled WRs, and more was posted: without a "
                            "signaled one they never leave the queue",
                        true);
  return true;
}

// depth: of a full queue, else 0. owner: 0 for a send queue, or a RecvQueue::Owner.
template <class Wr>
void watch_full(const char* call, const void* queue, const Wr* wr, const Wr* bad, uint32_t depth,
                uint64_t owner) {
  if (wr == nullptr || (depth == 0 && !any_full())) return;
  Attempt attempt{.call = call, .queue = queue, .first = identity_of(*wr), .taken = wr != bad};
  if (depth != 0) {
    attempt.full = {Cause::post_queue_full, ENOMEM, depth, owner, owner};  // as in the engine's refusal
    attempt.refused = identity_of(*bad);
    attempt.wr_id = bad->wr_id;
  }
  attempted(attempt);
}

// True if a full queue refused the post. A post to a QP in ERR only drains it and was not meant to be sent.
bool refused_when_full(QpObject* qp, int error) { return error == ENOMEM && state_of(qp) != QpState::err; }

void after_send(QpObject* qp, const ibv_send_wr* wr, const ibv_send_wr* bad, int error) {
  report::ledger().posted();
  if (feed::on()) {
    posted(wr, error != 0 ? bad : nullptr);
    count_traffic(*qp, wr, error != 0 ? bad : nullptr);
  }
  sent_unreliably(*qp, wr, error != 0 ? bad : nullptr, t_from);
  const bool forever = count_unsignaled(qp, wr, bad, error == ENOMEM);
  watch_full("ibv_post_send", qp, wr, bad, refused_when_full(qp, error) && !forever ? qp->cap.max_send_wr : 0,
             0);
}

int post_send(ibv_qp* handle, ibv_send_wr* wr, ibv_send_wr** bad) {
  QpObject* qp = object(handle);
  t_from = report::direct_caller();
  const std::shared_ptr<Places> places = places_of(qp);
  int error;
  {
    std::lock_guard posting(places->posting);
    check_send_list(qp, wr, *places);
    error = ops::post_send(handle, wr, bad);
  }
  after_send(qp, wr, error != 0 ? *bad : nullptr, error);
  return error;
}

int post_recv(ibv_qp* handle, ibv_recv_wr* wr, ibv_recv_wr** bad) {
  QpObject* qp = object(handle);
  const report::Caller from = report::direct_caller();
  {
    std::lock_guard guard(qp->device->lock());
    qp->received_from = from;
    for (const ibv_recv_wr* each = wr; each != nullptr; each = each->next) {
      check_sges("ibv_post_recv", qp, qp->device->engine().mrs(), qp->qp->init().pd, qp->qp->qpn(), "RECV",
                 each->wr_id, each->sg_list, each->num_sge, true);
    }
  }
  const int error = ops::post_recv(handle, wr, bad);
  report::ledger().posted();
  if (feed::on()) posted(wr, error != 0 ? *bad : nullptr, false);
  watch_full("ibv_post_recv", qp, wr, error != 0 ? *bad : nullptr,
             refused_when_full(qp, error) ? qp->cap.max_recv_wr : 0, transport::RecvQueue::qp);
  return error;
}

int post_srq_recv(ibv_srq* handle, ibv_recv_wr* wr, ibv_recv_wr** bad) {
  SrqObject* srq = object(handle);
  const report::Caller from = report::direct_caller();
  {
    std::lock_guard guard(srq->device->lock());
    srq->posted_from = from;
    for (const ibv_recv_wr* each = wr; each != nullptr; each = each->next) {
      check_sges("ibv_post_srq_recv", srq, srq->device->engine().mrs(), srq->srq->pd(), 0, "RECV",
                 each->wr_id, each->sg_list, each->num_sge, true);
    }
  }
  const int error = ops::post_srq_recv(handle, wr, bad);
  report::ledger().posted();
  if (feed::on()) posted(wr, error != 0 ? *bad : nullptr, true);
  watch_full("ibv_post_srq_recv", srq, wr, error != 0 ? *bad : nullptr, error == ENOMEM ? depth_of(srq) : 0,
             transport::RecvQueue::srq);
  return error;
}

int poll_cq(ibv_cq* handle, int n, ibv_wc* wc) {
  polls(*object(handle), report::direct_caller());
  const int got = ops::poll_cq(handle, n, wc);
  polled(wc, got);
  return got;
}

}  // namespace

void polls(CqObject& cq, const report::Caller& from) {
  cq.polled_at.store(from.at, std::memory_order_relaxed);
  cq.polled_outer.store(from.outer, std::memory_order_relaxed);
  cq.polls.store(cq.polls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void polled(const ibv_wc* wc, int n) {
  report::Completions some;
  for (int i = 0; i < n; ++i) {
    uint64_t& kind = wc[i].status == IBV_WC_SUCCESS        ? some.successful
                     : wc[i].status == IBV_WC_WR_FLUSH_ERR ? some.flushed
                                                           : some.failed;
    ++kind;
  }
  if (n > 0) report::ledger().polled(some);
}

void context(ibv_context& context) {
  report::set_inspector(inspect);
  context.ops.poll_cq = poll_cq;
  context.ops.post_send = post_send;
  context.ops.post_recv = post_recv;
  context.ops.post_srq_recv = post_srq_recv;
}

int post_gathered(QpObject* qp, ibv_send_wr* wr) {
  const std::shared_ptr<Places> places = places_of(qp);
  int error;
  {
    std::lock_guard posting(places->posting);
    check_send_list(qp, wr, *places);
    error = post_all(qp, wr);
  }
  // All or nothing: the refused request is unknown.
  after_send(qp, wr, error != 0 ? wr : nullptr, error);
  return error;
}

void posting_from(const report::Caller& caller) { t_from = caller; }

report::Caller posted_from(const QpObject* qp, uint32_t wqe) {
  std::lock_guard guard(g_places_mutex);
  const auto it = g_places.find(qp);
  if (it == g_places.end() || it->second->of.empty()) return {};
  return it->second->of[wqe & (it->second->of.size() - 1)];
}

void forget(const QpObject* qp) {
  forget_full(qp);
  {
    std::lock_guard guard(g_places_mutex);
    g_places.erase(qp);
  }
  std::lock_guard guard(g_flagged_mutex);
  g_unsignaled.erase(qp);
  g_flagged.erase(g_flagged.lower_bound({qp, 0}), g_flagged.upper_bound({qp, UINT64_MAX}));
}

bool pop_flagged(const void* queue, uint64_t wr_id) {
  std::lock_guard guard(g_flagged_mutex);
  return g_flagged.erase({queue, wr_id}) != 0;
}

}  // namespace uroce::verbs::watch
