// Work requests that send nothing: binding a memory window and invalidating one. They take no PSN. Each is
// executed when its turn comes, behind all requests before it and ahead of all after it, and completes when
// everything before it has.
#include "uroce/transport/engine.h"
#include "uroce/transport/rc/requester.h"

namespace uroce::transport {

void Requester::keep_bind(const SendWr& wr, SendWqe& w) {
  w.remote_addr = wr.bind->addr;
  w.compare_add = wr.bind->length;
  w.swap = uint64_t{wr.bind->window} << 32 | wr.bind->region;
  w.rkey = wr.bind->rkey;
  w.imm_data = wr.bind->access;
}

WindowFault Requester::execute(const SendWqe& w) const {
  MrTable& mrs = qp_.engine_.mrs_;
  if (w.opcode == WrOpcode::local_inv) return mrs.invalidate(w.imm_data, qp_.qpn_, qp_.init_.pd);
  return mrs.bind({static_cast<uint32_t>(w.swap >> 32), w.rkey, static_cast<uint32_t>(w.swap), w.remote_addr,
                   w.compare_add, w.imm_data},
                  qp_.qpn_, qp_.init_.pd);
}

void Requester::describe_local(const SendWqe& w, FailedWork* work) const {
  const bool bind = w.opcode != WrOpcode::local_inv;
  work->window_fault = window_fault_;
  work->window = bind ? static_cast<uint32_t>(w.swap >> 32) : w.imm_data;
  work->region = bind ? static_cast<uint32_t>(w.swap) : 0;
}

// Going back over it does not execute it again.
Requester::Step Requester::run_local(uint64_t now, SendWqe& w) {
  if (!w.executed()) {
    // Both are memory management operations, whose error has the number of the bind error (IBA 11.6.2).
    window_fault_ = execute(w);
    if (window_fault_ != WindowFault::none) return fail(w, WcStatus::mw_bind_err);
    w.flags |= SendWqe::kExecuted;
  }
  ++cursor_;
  qp_.completer_.complete_executed(now);
  return qp_.can_send() ? Step::local : Step::blocked;  // a full CQ takes the QP down
}

bool Requester::local_next() const {
  return local_queued_ != 0 && cursor_ != qp_.sq_.tail() && qp_.sq_.at(cursor_).is_local() &&
         qp_.attr_.qp_state == QpState::rts;
}

}  // namespace uroce::transport
