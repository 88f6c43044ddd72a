// Latency over verbs: one request at a time (READ, atomics), and ping-pongs over RECVs or over memory.
#include <algorithm>
#include <atomic>

#include "bench/rdma_base.h"

namespace vlbench {
namespace {

constexpr uint32_t kMemorySpins = 1024;

class LatencyLoop : public RdmaLoop {
 public:
  LatencyLoop(const RdmaOptions& options, Callbacks callbacks, std::unique_ptr<Probe> probe, int half)
      : RdmaLoop(options, std::move(callbacks), std::move(probe)) {
    const uint64_t goal = options.iterations == 0 ? UINT64_MAX : options.iterations;
    lanes_.emplace_back(0, options, goal, lane_memory(options, 0, half));
  }

 protected:
  SendLane& lane() noexcept { return lanes_[0]; }

  // Sleeps or spins until a rate-limited message may go. True when the loop must end.
  bool hold_back() {
    if (!rate_limited()) return false;
    for (;;) {
      const uint64_t now = monotonic_ns();
      const uint64_t slot = next_slot(now);
      if (slot <= now) return false;
      if (tick(now)) return true;
      if (slot - now > 200'000 && enter_blocking()) {
        const uint64_t nap = slot - now - 100'000;
        const timespec ts{static_cast<time_t>(nap / 1'000'000'000), static_cast<long>(nap % 1'000'000'000)};
        nanosleep(&ts, nullptr);
        leave_blocking();
      } else {
        cpu_relax();
      }
    }
  }

  // Waits for a completion in `cqs`. Returns how many came; 0 when the loop must end.
  int next(const std::vector<ibv_cq*>& cqs) {
    for (uint32_t empty = 0;;) {
      const int got = poll(cqs);
      if (got > 0) return got;
      if (rdma_.event) {
        if (tick(monotonic_ns())) return 0;
        wait(cqs, 0);
      } else if (++empty % kIdleTries == 0 && tick(monotonic_ns())) {
        return 0;
      }
    }
  }

  std::vector<SendLane> lanes_;
};

class OneSidedLatency final : public LatencyLoop {
 public:
  OneSidedLatency(const RdmaOptions& options, Callbacks callbacks, std::unique_ptr<Probe> probe)
      : LatencyLoop(options, std::move(callbacks), std::move(probe), -1) {}
  ~OneSidedLatency() override { join(); }

 private:
  LatencyKind latency_kind() const noexcept override { return LatencyKind::kCompletion; }

  EndReason run() override {
    const auto cqs = send_cqs();
    ready(0);
    begin();
    while (!lane().at_goal()) {
      if (hold_back()) return end_reason();
      lane().post(1);
      outstanding(1);
      if (next(cqs) == 0) {
        const EndReason reason = end_reason();
        drain(lanes_);
        return reason;
      }
      const uint64_t now = monotonic_ns();
      check(wcs_[0]);
      uint64_t ns = 0;
      lane().complete(seq_of(wcs_[0].wr_id), now, ns);
      latency(ns);
      count(1, rdma_.size);
      outstanding(0);
      if (recording()) record_completion(wcs_[0], now, ns, 1);
      if (!lane().at_goal() && tick(now)) return end_reason();
    }
    return EndReason::kIterations;
  }
};

class RecvPingPong final : public LatencyLoop {
 public:
  RecvPingPong(const RdmaOptions& options, Callbacks callbacks, std::unique_ptr<Probe> probe)
      : LatencyLoop(options, std::move(callbacks), std::move(probe), 0),
        recv_(0, options.qps[0], lane_memory(options, 0, 1).local, static_cast<uint32_t>(options.size),
              options.lkey, options.op == RdmaOp::kWriteImm),
        depth_(std::min({options.rx_depth, options.qps[0].max_recv_wr, 64u})) {}
  ~RecvPingPong() override { join(); }

 private:
  LatencyKind latency_kind() const noexcept override {
    return rdma_.target ? LatencyKind::kNone : LatencyKind::kRoundTrip;
  }

  EndReason run() override {
    cqs_ = recv_cqs();
    if (send_cqs()[0] != cqs_[0]) cqs_.push_back(send_cqs()[0]);
    recv_.post(depth_);
    ready(0);
    return rdma_.target ? answer() : ask();
  }

  EndReason ask() {
    begin();
    while (!lane().at_goal()) {
      if (hold_back()) return leave();
      const uint64_t sent = monotonic_ns();
      if (!make_room()) return leave();
      lane().post(1);
      if (!receive(sent)) return leave();
      const uint64_t now = received_at_;
      latency(now - sent);
      count(1, rdma_.size);
      restock();
      if (!lane().at_goal() && tick(now)) return leave();
    }
    drain(lanes_);
    return EndReason::kIterations;
  }

  EndReason answer() {
    for (;;) {
      if (!receive(0)) return leave();
      if (!begun()) begin();
      if (!make_room()) return leave();
      lane().post(1);
      count(1, rdma_.size);
      restock();
      if (lane().at_goal()) break;
      if (tick(received_at_)) return leave();
    }
    drain(lanes_);
    return EndReason::kIterations;
  }

  EndReason leave() {
    const EndReason reason = end_reason();
    drain(lanes_);
    return reason;
  }

  // Waits until a RECV completed; send completions on the way are taken as well. False: the loop must end.
  bool receive(uint64_t sent) {
    while (waiting_ == 0) {
      const int got = next(cqs_);
      if (got == 0) return false;
      take(got, sent);
    }
    --waiting_;
    return true;
  }

  // Waits until the send queue has a free entry.
  bool make_room() {
    while (lane().postable() == 0) {
      const int got = next(cqs_);
      if (got == 0) return false;
      take(got, 0);
    }
    return true;
  }

  void take(int got, uint64_t sent) {
    const uint64_t now = monotonic_ns();
    for (int i = 0; i < got; ++i) {
      const ibv_wc& wc = wcs_[i];
      check(wc);
      uint64_t ns = kNoLatency;
      if ((wc.opcode & IBV_WC_RECV) != 0) {
        received_at_ = now;
        ++waiting_;
        ++used_;
        if (sent != 0) ns = now - sent;
      } else {
        lane().complete(seq_of(wc.wr_id), now, ns);
      }
      if (recording()) record_completion(wc, now, ns, static_cast<uint32_t>(got));
    }
    outstanding(lane().outstanding());
  }

  // Off the critical path: the answer is on its way already.
  void restock() {
    if (used_ < (depth_ + 1) / 2) return;
    recv_.post(used_);
    used_ = 0;
  }

  RecvLane recv_;
  uint32_t depth_;
  uint32_t used_ = 0;
  uint32_t waiting_ = 0;
  uint64_t received_at_ = 0;
  std::vector<ibv_cq*> cqs_;
};

// Both sides write a counter into the last byte of the other's buffer, and watch their own: the target's CPU
// sees the data without any call of the library.
class MemoryPingPong final : public LatencyLoop {
 public:
  MemoryPingPong(const RdmaOptions& options, Callbacks callbacks, std::unique_ptr<Probe> probe)
      : LatencyLoop(options, std::move(callbacks), std::move(probe), 0) {
    out_ = reinterpret_cast<uint8_t*>(lane_memory(options, 0, 0).local) + options.size - 1;
    in_ = reinterpret_cast<uint8_t*>(lane_memory(options, 0, 1).local) + options.size - 1;
    *out_ = 0;
    *in_ = 0;
  }
  ~MemoryPingPong() override { join(); }

 private:
  LatencyKind latency_kind() const noexcept override {
    return rdma_.target ? LatencyKind::kNone : LatencyKind::kRoundTrip;
  }

  EndReason run() override {
    const auto cqs = send_cqs();
    ready(0);
    if (!rdma_.target) begin();
    uint8_t expected = 0;
    while (!lane().at_goal()) {
      uint64_t sent = 0;
      ++expected;
      if (rdma_.target) {
        if (!see(expected)) return leave();
        if (!begun()) begin();
      } else {
        if (hold_back()) return leave();
        sent = monotonic_ns();
      }
      *out_ = expected;
      lane().post(1);
      if (next(cqs) == 0) return leave();
      check(wcs_[0]);
      uint64_t now = monotonic_ns();
      uint64_t ns = 0;
      lane().complete(seq_of(wcs_[0].wr_id), now, ns);
      if (recording()) record_completion(wcs_[0], now, ns, 1);
      if (!rdma_.target) {
        if (!see(expected)) return leave();
        now = monotonic_ns();
        latency(now - sent);
      }
      count(1, rdma_.size);
      if (!lane().at_goal() && tick(now)) return leave();
    }
    return EndReason::kIterations;
  }

  EndReason leave() {
    const EndReason reason = end_reason();
    drain(lanes_);
    return reason;
  }

  // Spins until the byte has come. False: the loop must end.
  bool see(uint8_t value) {
    for (uint32_t spins = 1;; ++spins) {
      if (std::atomic_ref(*in_).load(std::memory_order_acquire) == value) return true;
      if (spins % kMemorySpins == 0 && tick(monotonic_ns())) return false;
    }
  }

  uint8_t* out_;
  uint8_t* in_;
};

}  // namespace

std::unique_ptr<Loop> make_one_sided_latency(const RdmaOptions& options, Callbacks callbacks,
                                             std::unique_ptr<Probe> probe) {
  return std::make_unique<OneSidedLatency>(options, std::move(callbacks), std::move(probe));
}

std::unique_ptr<Loop> make_recv_pingpong(const RdmaOptions& options, Callbacks callbacks,
                                         std::unique_ptr<Probe> probe) {
  return std::make_unique<RecvPingPong>(options, std::move(callbacks), std::move(probe));
}

std::unique_ptr<Loop> make_memory_pingpong(const RdmaOptions& options, Callbacks callbacks,
                                           std::unique_ptr<Probe> probe) {
  return std::make_unique<MemoryPingPong>(options, std::move(callbacks), std::move(probe));
}

}  // namespace vlbench
