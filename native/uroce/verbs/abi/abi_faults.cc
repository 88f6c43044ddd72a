// Posts that fail on purpose (call_faults.h). A context gets these only where a rule may be about them, so that posting costs
// nothing otherwise.
#include "uroce/verbs/abi/context.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/call_faults.h"
#include "uroce/verbs/watch/refusal.h"

namespace uroce::verbs {
namespace {

// What the contexts had: the same for all, since the report is on or off for a process.
decltype(ibv_context_ops::post_send) g_post_send;
decltype(ibv_context_ops::post_recv) g_post_recv;
decltype(ibv_context_ops::post_srq_recv) g_post_srq_recv;

template <class Handle, class Wr>
int post(const char* call, int (*next)(Handle*, Wr*, Wr**), Handle* queue, Wr* wr, Wr** bad) {
  const int error = call_faults::injected(call);
  if (error == 0) return next(queue, wr, bad);
  *bad = wr;
  return watch::outcome_of_post(call, queue, error);
}

int may_post_send(ibv_qp* qp, ibv_send_wr* wr, ibv_send_wr** bad) {
  return post("ibv_post_send", g_post_send, qp, wr, bad);
}

int may_post_recv(ibv_qp* qp, ibv_recv_wr* wr, ibv_recv_wr** bad) {
  return post("ibv_post_recv", g_post_recv, qp, wr, bad);
}

int may_post_srq_recv(ibv_srq* srq, ibv_recv_wr* wr, ibv_recv_wr** bad) {
  return post("ibv_post_srq_recv", g_post_srq_recv, srq, wr, bad);
}

}  // namespace

void ops::let_posts_fail(ibv_context& context) {
  ibv_context_ops& ops = context.ops;
  g_post_send = ops.post_send;
  g_post_recv = ops.post_recv;
  g_post_srq_recv = ops.post_srq_recv;
  if (call_faults::concerns("ibv_post_send")) ops.post_send = may_post_send;
  if (call_faults::concerns("ibv_post_recv")) ops.post_recv = may_post_recv;
  if (call_faults::concerns("ibv_post_srq_recv")) ops.post_srq_recv = may_post_srq_recv;
}

}  // namespace uroce::verbs
