// Bandwidth over verbs: the initiator that keeps a window of requests outstanding, and both kinds of target.
#include <poll.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "bench/rdma_base.h"

namespace vlbench {
namespace {

// A spinning loop looks at the clock once in so many empty polls.

class BandwidthInitiator final : public RdmaLoop {
 public:
  BandwidthInitiator(const RdmaOptions& options, Callbacks callbacks, std::unique_ptr<Probe> probe)
      : RdmaLoop(options, std::move(callbacks), std::move(probe)) {
    const uint64_t lanes = options.qps.size();
    for (size_t i = 0; i < lanes; ++i) {
      lanes_.emplace_back(i, options, lane_goal(options, i), lane_memory(options, i, -1));
      open_.push_back(i);
    }
    is_open_.assign(lanes, true);
  }
  ~BandwidthInitiator() override { join(); }

 private:
  LatencyKind latency_kind() const noexcept override { return LatencyKind::kCompletion; }
  Whole whole() const noexcept override {
    uint64_t signaled = 0;
    uint64_t most = 0;
    for (const SendLane& lane : lanes_) {
      signaled += lane.signaled();
      most = std::max(most, lane.most_outstanding());
    }
    Whole out;
    out.signaled = signaled;
    out.completions = completions_;
    out.most_outstanding = most;
    return out;
  }

  EndReason run() override {
    const auto cqs = send_cqs();
    const uint64_t goal = rdma_.iterations == 0 ? UINT64_MAX : rdma_.iterations;
    uint64_t done = 0;
    uint64_t posted = 0;
    uint32_t empty = 0;
    ready(0);
    begin();
    for (;;) {
      uint64_t pause = 0;
      while (!open_.empty() && pause == 0) {
        SendLane& lane = lanes_[open_.front()];
        const uint32_t n = lane.postable();
        if (n == 0) {
          is_open_[open_.front()] = false;
          open_.pop_front();
        } else if (!rate_limited() || (pause = wait_for_slot(n)) == 0) {
          lane.post(n);
          posted += n;
        }
      }
      const int got = poll(cqs);
      if (got > 0) {
        const uint64_t now = monotonic_ns();
        for (int i = 0; i < got; ++i) done += account(wcs_[i], now, static_cast<uint32_t>(got));
        outstanding(posted - done);
        if (done >= goal) return EndReason::kIterations;
        if (tick(now)) break;
        continue;
      }
      if (rdma_.event) {
        if (tick(monotonic_ns())) break;
        wait(cqs, pause);
      } else if (++empty % kIdleTries == 0 && tick(monotonic_ns())) {
        break;
      }
    }
    const EndReason reason = end_reason();
    drain(lanes_);
    return reason;
  }

  // Time until the next message may go; 0 when it may now.
  uint64_t wait_for_slot(uint32_t n) noexcept {
    const uint64_t now = monotonic_ns();
    const uint64_t slot = next_slot(now);
    if (slot > now) return slot - now;
    skip_slots(n - 1);
    return 0;
  }

  uint64_t account(const ibv_wc& wc, uint64_t now, uint32_t batch) {
    check(wc);
    uint64_t ns = 0;
    const size_t lane = lane_of(wc.wr_id);
    const uint64_t messages = lanes_[lane].complete(seq_of(wc.wr_id), now, ns);
    if (!is_open_[lane]) {
      is_open_[lane] = true;
      open_.push_back(lane);
    }
    count(messages, messages * rdma_.size);
    ++completions_;
    latency(ns);
    if (recording()) record_completion(wc, now, ns, batch);
    return messages;
  }

  std::vector<SendLane> lanes_;
  // Lanes that may have room: of a thousand, few do at a time.
  std::deque<size_t> open_;
  std::vector<bool> is_open_;
};

class RecvTarget final : public RdmaLoop {
 public:
  RecvTarget(const RdmaOptions& options, Callbacks callbacks, std::unique_ptr<Probe> probe)
      : RdmaLoop(options, std::move(callbacks), std::move(probe)) {
    depth_ = options.rx_depth;
    for (size_t i = 0; i < options.qps.size(); ++i) {
      const RdmaQp& qp = options.qps[i];
      const LaneMemory memory = lane_memory(options, i, -1);
      const bool empty = options.op == RdmaOp::kWriteImm;
      lanes_.emplace_back(i, qp, memory.local, static_cast<uint32_t>(options.size), options.lkey, empty);
      const auto entries =
          static_cast<uint32_t>(qp.qp->recv_cq->cqe) / static_cast<uint32_t>(options.qps.size());
      depth_ = std::min({depth_, qp.max_recv_wr, std::max(1u, entries)});
    }
  }
  ~RecvTarget() override { join(); }

 private:
  LatencyKind latency_kind() const noexcept override { return LatencyKind::kNone; }

  EndReason run() override {
    const auto cqs = recv_cqs();
    const uint64_t goal = rdma_.iterations == 0 ? UINT64_MAX : rdma_.iterations;
    std::vector<uint32_t> used(lanes_.size());
    uint64_t done = 0;
    uint32_t empty = 0;
    for (RecvLane& lane : lanes_) lane.post(depth_);
    ready(0);
    for (;;) {
      const int got = poll(cqs);
      if (got > 0) {
        if (!begun()) begin();
        const uint64_t now = monotonic_ns();
        uint64_t bytes = 0;
        for (int i = 0; i < got; ++i) {
          const ibv_wc& wc = wcs_[i];
          check(wc);
          bytes += wc.byte_len;
          ++used[lane_of(wc.wr_id)];
          if (recording()) record_completion(wc, now, kNoLatency, static_cast<uint32_t>(got));
        }
        for (size_t i = 0; i < used.size(); ++i) {
          if (used[i] != 0) lanes_[i].post(used[i]);
          used[i] = 0;
        }
        count(static_cast<uint64_t>(got), bytes);
        done += static_cast<uint64_t>(got);
        if (done >= goal) return EndReason::kIterations;
        if (tick(now)) return end_reason();
        continue;
      }
      if (rdma_.event) {
        if (tick(monotonic_ns())) return end_reason();
        wait(cqs, 0);
      } else if (++empty % kIdleTries == 0 && tick(monotonic_ns())) {
        return end_reason();
      }
    }
  }

  std::vector<RecvLane> lanes_;
  uint32_t depth_ = 0;
};

// Longest sleep of a passive target.
constexpr uint64_t kNapNs = 1'000'000'000;

// Target of one-sided operations, which make no completion there: the application sleeps, and its CPU time
// is the figure.
class PassiveTarget final : public RdmaLoop {
 public:
  PassiveTarget(const RdmaOptions& options, Callbacks callbacks, std::unique_ptr<Probe> probe)
      : RdmaLoop(options, std::move(callbacks), std::move(probe)) {
    options_.idle_timeout_ns = 0;
  }
  ~PassiveTarget() override { join(); }

 private:
  LatencyKind latency_kind() const noexcept override { return LatencyKind::kNone; }

  EndReason run() override {
    const auto cqs = send_cqs();
    ready(0);
    begin();
    while (!tick(monotonic_ns())) {
      if (rdma_.busy) {
        for (uint32_t i = 0; i < kIdleTries; ++i) {
          if (poll(cqs) > 0) check(wcs_[0]);
        }
        continue;
      }
      if (!enter_blocking()) continue;
      // The measured time begins when the omitted one is over, not when it happens to wake.
      const uint64_t left = omitted_ns_left(monotonic_ns());
      const uint64_t sleep = left == 0 ? kNapNs : std::min(left, kNapNs - 1);
      const timespec nap{sleep == kNapNs ? 1 : 0, static_cast<long>(sleep % kNapNs)};
      ppoll(nullptr, 0, &nap, nullptr);  // the watcher's signal ends it early
      leave_blocking();
    }
    return end_reason();
  }
};

}  // namespace

std::unique_ptr<Loop> make_bandwidth_initiator(const RdmaOptions& options, Callbacks callbacks,
                                               std::unique_ptr<Probe> probe) {
  return std::make_unique<BandwidthInitiator>(options, std::move(callbacks), std::move(probe));
}

std::unique_ptr<Loop> make_recv_target(const RdmaOptions& options, Callbacks callbacks,
                                       std::unique_ptr<Probe> probe) {
  return std::make_unique<RecvTarget>(options, std::move(callbacks), std::move(probe));
}

std::unique_ptr<Loop> make_passive_target(const RdmaOptions& options, Callbacks callbacks,
                                          std::unique_ptr<Probe> probe) {
  return std::make_unique<PassiveTarget>(options, std::move(callbacks), std::move(probe));
}

}  // namespace vlbench
