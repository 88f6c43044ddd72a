#include "bench/rdma_base.h"

#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

namespace vlbench {
namespace {

// A signal with an empty handler breaks a thread out of ibv_get_cq_event, which has neither timeout nor
// cancel.
const int kKickSignal = SIGRTMIN + 6;

void install_kick_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action{};
    action.sa_handler = [](int) {};
    sigemptyset(&action.sa_mask);
    sigaction(kKickSignal, &action, nullptr);  // no SA_RESTART: read(2) must return EINTR
  });
}

void add_unique(std::vector<ibv_cq*>& cqs, ibv_cq* cq) {
  if (std::find(cqs.begin(), cqs.end(), cq) == cqs.end()) cqs.push_back(cq);
}

const char* wc_opcode_name(const ibv_wc& wc) {
  switch (wc.opcode) {
    case IBV_WC_RECV:
      return "RECV";
    case IBV_WC_RECV_RDMA_WITH_IMM:
      return "RECV_RDMA_WITH_IMM";
    default:
      return nullptr;
  }
}

}  // namespace

RdmaLoop::RdmaLoop(const RdmaOptions& options, Callbacks callbacks, std::unique_ptr<Probe> probe)
    : Loop(options, std::move(callbacks), std::move(probe)), rdma_(options) {
  install_kick_handler();
  if (!options.event) return;
  const bool receives = options.target || (options.latency && takes_recv(options.op));
  channel_ = receives ? options.qps[0].qp->recv_cq->channel : options.qps[0].qp->send_cq->channel;
}

std::vector<ibv_cq*> RdmaLoop::send_cqs() const {
  std::vector<ibv_cq*> cqs;
  for (const RdmaQp& qp : rdma_.qps) add_unique(cqs, qp.qp->send_cq);
  return cqs;
}

std::vector<ibv_cq*> RdmaLoop::recv_cqs() const {
  std::vector<ibv_cq*> cqs;
  for (const RdmaQp& qp : rdma_.qps) add_unique(cqs, qp.qp->recv_cq);
  return cqs;
}

void RdmaLoop::kick() noexcept { pthread_kill(worker_id_, kKickSignal); }

int RdmaLoop::poll(const std::vector<ibv_cq*>& cqs) {
  int total = 0;
  for (ibv_cq* cq : cqs) {
    const int got = ibv_poll_cq(cq, kBatch - total, wcs_ + total);
    if (got < 0) throw Failure(EIO, "ibv_poll_cq");
    total += got;
    if (total == kBatch) break;
  }
  return total;
}

void RdmaLoop::check(const ibv_wc& wc) const {
  if (wc.status == IBV_WC_SUCCESS) return;
  // Some devices leave the opcode of a failed completion undefined except for RECVs; the loop knows which
  // requests it posted.
  const char* received =
      rdma_.target && takes_recv(rdma_.op) && !rdma_.latency ? wc_opcode_name(wc) : nullptr;
  throw Failure::completion(wc.status, wc.vendor_err, received != nullptr ? received : opcode_name(rdma_.op),
                            "QP " + std::to_string(wc.qp_num));
}

void RdmaLoop::record_completion(const ibv_wc& wc, uint64_t now, uint64_t latency, uint32_t batch) noexcept {
  record({.t_ns = now,
          .wr_id = static_cast<uint32_t>(wc.wr_id),
          .batch = batch,
          .qpn = wc.qp_num,
          .meta = static_cast<uint32_t>(wc.opcode) | static_cast<uint32_t>(wc.status) << 8 |
                  static_cast<uint32_t>(wc.wc_flags) << 16,
          .byte_len = wc.byte_len,
          .latency_ns = static_cast<uint32_t>(std::min<uint64_t>(latency, kNoLatency))});
}

void RdmaLoop::wait(const std::vector<ibv_cq*>& cqs, uint64_t limit_ns) {
  if (channel_ == nullptr) return;
  if (!armed_) {
    // Arms, and lets the caller poll once more: a completion from before the arming causes no event.
    for (ibv_cq* cq : cqs) {
      const int err = ibv_req_notify_cq(cq, 0);
      if (err != 0) throw Failure(err, "ibv_req_notify_cq");
    }
    armed_ = true;
    return;
  }
  if (!enter_blocking()) return;
  if (limit_ns != 0) {
    pollfd fd{channel_->fd, POLLIN, 0};
    const timespec limit{static_cast<time_t>(limit_ns / 1'000'000'000),
                         static_cast<long>(limit_ns % 1'000'000'000)};
    if (ppoll(&fd, 1, &limit, nullptr) <= 0) {
      leave_blocking();
      return;
    }
  }
  ibv_cq* cq = nullptr;
  void* context = nullptr;
  const int got = rdma_.verbs->get_cq_event(channel_, &cq, &context);
  const int err = errno;
  leave_blocking();
  if (got == 0) {
    rdma_.verbs->ack_cq_events(cq, 1);
    armed_ = false;
  } else if (err != EINTR && err != EAGAIN) {
    throw Failure(err, "ibv_get_cq_event");
  }
}

void RdmaLoop::flush_qps() noexcept {
  for (const RdmaQp& qp : rdma_.qps) {
    ibv_qp_attr attr{};
    attr.qp_state = IBV_QPS_ERR;
    rdma_.verbs->modify_qp(qp.qp, &attr, IBV_QP_STATE);
  }
}

bool RdmaLoop::drain_until(std::vector<SendLane>& lanes, uint64_t deadline, bool flushing) {
  constexpr uint64_t kSpinNs = 1'000'000;
  const auto cqs = send_cqs();
  const uint64_t start = monotonic_ns();
  for (;;) {
    uint64_t under_way = 0;
    for (SendLane& lane : lanes) {
      if (!flushing && lane.unannounced() && lane.outstanding() < rdma_.tx_depth) lane.post(1, true);
      under_way += lane.outstanding();
    }
    outstanding(under_way);
    if (under_way == 0) return true;
    const int got = poll(cqs);
    const uint64_t now = monotonic_ns();
    for (int i = 0; i < got; ++i) {
      const ibv_wc& wc = wcs_[i];
      if (!flushing) check(wc);
      const size_t lane = lane_of(wc.wr_id);
      uint64_t latency = 0;
      if (lane >= lanes.size() || (wc.opcode & IBV_WC_RECV) != 0) continue;
      lanes[lane].complete(seq_of(wc.wr_id), now, latency);
      if (flushing) continue;
      ++completions_;
      // Recorded although no figure includes it, so that the record has one completion for each signaled
      // request.
      if (recording()) record_completion(wc, now, latency, static_cast<uint32_t>(got));
    }
    if (got == 0) {
      if (now >= deadline) return false;
      if (stop_requested() && !flushing && now >= start + drain_ns()) return false;
      if (now > start + kSpinNs) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
}

void RdmaLoop::drain(std::vector<SendLane>& lanes) {
  constexpr uint64_t kFlushNs = 200'000'000;
  finish();
  bool done = false;
  try {
    done = drain_until(lanes, monotonic_ns() + drain_ns(), false);
  } catch (const Failure&) {
    // A caller that stopped the loop does not need the news that the peer has gone.
    if (!stop_requested()) throw;
  }
  if (done) return;
  not_drained();
  flush_qps();
  drain_until(lanes, monotonic_ns() + kFlushNs, true);
  if (!stop_requested()) throw Failure(ETIMEDOUT, "loop drain", "work requests did not complete");
}

namespace {

[[noreturn]] void invalid(const std::string& why) { throw Failure(EINVAL, "startLoop", why); }

// Each thread has a QP by now, the same one for threads that share it.
void validate_threads(const RdmaOptions& o) {
  if (o.target || o.latency || o.event || o.ring || o.messages_per_second > 0)
    invalid(
        "several threads can only measure bandwidth as an initiator that polls, without records or a rate");
  for (const RdmaQp& one : o.qps) {
    const auto same = [&](const RdmaQp& other) { return other.qp == one.qp; };
    const auto sharers = static_cast<uint64_t>(std::count_if(o.qps.begin(), o.qps.end(), same));
    if (sharers * o.tx_depth > one.max_send_wr)
      invalid(std::to_string(sharers) + " threads with txDepth " + std::to_string(o.tx_depth) +
              " need more than the QP's send queue of " + std::to_string(one.max_send_wr));
    const auto polled = [&](const RdmaQp& other) { return other.qp->send_cq == one.qp->send_cq; };
    if (o.lock == ThreadLock::kNone && std::count_if(o.qps.begin(), o.qps.end(), polled) > 1)
      invalid("threads that share a QP or a CQ need a lock: each polls completions of the others");
  }
}

void validate(const RdmaOptions& o) {
  if (o.qps.empty()) invalid("no QP");
  if (o.threads != 0) validate_threads(o);
  const bool pingpong = o.latency && (takes_recv(o.op) || o.op == RdmaOp::kWrite);
  const bool receives = takes_recv(o.op) && (o.target || o.latency);
  const bool sends = !o.target || pingpong;
  const bool names_remote = sends && o.op != RdmaOp::kSend;
  if (o.latency && o.qps.size() != 1)
    invalid("latency is measured on one QP, not " + std::to_string(o.qps.size()));
  if (o.inline_data && (o.op == RdmaOp::kRead || is_atomic(o.op)))
    invalid("only what is sent can be posted inline");
  if (is_atomic(o.op) && o.size != 8) invalid("atomics work on 8 bytes");
  if (o.latency && o.op == RdmaOp::kWrite && o.size == 0)
    invalid("a WRITE of 0 bytes cannot be seen in memory");
  if (o.latency && o.op == RdmaOp::kWrite && o.event)
    invalid("a WRITE ping-pong polls memory: it cannot wait for events");
  for (size_t i = 0; i < o.qps.size(); ++i) {
    const LaneMemory memory = lane_memory(o, i, pingpong ? 0 : -1);
    const std::string need = std::to_string(o.size) + " bytes";
    if ((sends || receives) && o.size > memory.local_room)
      invalid("the memory region is too small: each QP" + std::string(pingpong ? " and direction" : "") +
              " needs " + need);
    if (names_remote && o.size > memory.remote_room)
      invalid("the peer's memory is too small: each QP needs " + need);
    if (is_atomic(o.op) && sends && memory.remote % 8 != 0)
      invalid("the peer's memory is not aligned to 8 bytes");
    const RdmaQp& qp = o.qps[i];
    if (sends && o.tx_depth > qp.max_send_wr)
      invalid("txDepth " + std::to_string(o.tx_depth) + " is more than the QP's send queue of " +
              std::to_string(qp.max_send_wr));
    if (sends && o.inline_data && o.size > qp.max_inline)
      invalid(need + " cannot be posted inline; the QP takes " + std::to_string(qp.max_inline));
    if (receives && qp.max_recv_wr == 0) invalid("the QP has no receive queue");
    if (o.event &&
        ((sends && qp.qp->send_cq->channel == nullptr) || (receives && qp.qp->recv_cq->channel == nullptr)))
      invalid("waiting for events needs CQs with a completion channel");
  }
  if (o.event) {
    for (const RdmaQp& qp : o.qps) {
      const bool one = qp.qp->send_cq->channel == o.qps[0].qp->send_cq->channel &&
                       qp.qp->recv_cq->channel == o.qps[0].qp->recv_cq->channel;
      const bool both = !(sends && receives) || qp.qp->send_cq->channel == qp.qp->recv_cq->channel;
      if (!one || !both) invalid("waiting for events needs one completion channel for all CQs");
    }
  }
  if (sends && !o.target) {
    uint64_t entries = 0;
    for (const RdmaQp& qp : o.qps) {
      if (qp.qp->send_cq == o.qps[0].qp->send_cq) entries += o.tx_depth;
    }
    if (entries > static_cast<uint64_t>(o.qps[0].qp->send_cq->cqe))
      invalid("the CQ has " + std::to_string(o.qps[0].qp->send_cq->cqe) + " entries, but " +
              std::to_string(entries) + " requests can be under way");
  }
}

}  // namespace

std::unique_ptr<Loop> make_rdma_loop(const RdmaOptions& given, Callbacks callbacks,
                                     std::unique_ptr<Probe> probe) {
  RdmaOptions options = given;
  if (options.latency && !options.qps.empty()) {
    // A ping-pong has one outstanding message, but its send completions may lag behind.
    options.tx_depth = takes_recv(options.op) ? std::clamp(options.qps[0].max_send_wr, 1u, 64u) : 1;
    options.cq_mod =
        takes_recv(options.op) ? std::clamp(options.cq_mod, 1u, std::max(1u, options.tx_depth / 2)) : 1;
    options.post_list = 1;
  }
  if (options.threads != 0) {
    if (options.qps.size() == 1) options.qps.resize(options.threads, options.qps[0]);
    if (options.qps.size() != options.threads)
      invalid(std::to_string(options.threads) + " threads need one QP for all or one each, not " +
              std::to_string(options.qps.size()));
  }
  options.post_list = std::clamp(options.post_list, 1u, std::max(1u, options.tx_depth));
  options.cq_mod = std::clamp(options.cq_mod, 1u, std::max(1u, options.tx_depth));
  validate(options);
  const bool one_sided = options.op == RdmaOp::kRead || is_atomic(options.op);
  if (options.latency) {
    if (takes_recv(options.op)) return make_recv_pingpong(options, std::move(callbacks), std::move(probe));
    if (options.op == RdmaOp::kWrite)
      return make_memory_pingpong(options, std::move(callbacks), std::move(probe));
  }
  if (options.target) {
    if (takes_recv(options.op)) return make_recv_target(options, std::move(callbacks), std::move(probe));
    return make_passive_target(options, std::move(callbacks), std::move(probe));
  }
  if (options.latency && one_sided)
    return make_one_sided_latency(options, std::move(callbacks), std::move(probe));
  if (options.threads != 0) return make_threads_initiator(options, std::move(callbacks), std::move(probe));
  return make_bandwidth_initiator(options, std::move(callbacks), std::move(probe));
}

}  // namespace vlbench
