#include "simulation.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>

#include "node.h"

namespace uroce::sim {
namespace {

class Simulation {
 public:
  Simulation(uint64_t seed, uint64_t packets, Scenario (*choose)(SeededRandom&), Recorder* recorder)
      : random_(seed),
        scenario_(choose(random_)),
        goal_(packets),
        network_(random_.next64(), scenario_.faults, scenario_.link) {
    if (recorder != nullptr) network_.record(*recorder);
    for (int i = 0; i < 2; ++i) {
      nodes_[i] = std::make_unique<Node>(i, scenario_, random_.next64(), network_);
      address_[i] = node_address(i, scenario_.ipv6);
    }
    for (uint32_t c = 0; c < scenario_.connections; ++c) {
      // Often close to where PSNs wrap.
      const bool close = c == 0 || scenario_.close_psns;
      const uint32_t psn[2] = {close ? kPsnMask - random_.below(5000) : random_.below(kPsnMask + 1),
                               random_.below(kPsnMask + 1)};
      for (size_t i = 0; i < 2; ++i) {
        nodes_[i]->endpoints()[c]->connect(*nodes_[1 - i]->endpoints()[c], address_[i], address_[1 - i],
                                           psn[i], psn[1 - i], scenario_.engine[i].window_packets);
      }
    }
  }

  Outcome run() {
    while (!(network_.sent() >= goal_ && settled_)) {
      settle_ = network_.sent() >= next_check_ || network_.sent() >= goal_;
      step();
      watch_progress();
      settled_ = settle_ && quiet();
      if (settled_) {
        check_memory();
        next_check_ = network_.sent() + std::max<uint64_t>(goal_ / 8, 1000);
      }
    }
    run_down();
    for (auto& node : nodes_) node->check_idle();
    check_memory();
    const Outcome o = outcome();
    for (auto& node : nodes_) node->destroy();
    return o;
  }
  const Scenario& scenario() const { return scenario_; }

 private:
  void step() {
    for (auto& node : nodes_) {
      node->poll(now_);
      if (node->receives() != nullptr) node->receives()->post(now_);
      for (auto& e : node->endpoints()) {
        e->post_recvs(now_);
        if (!settle_ && random_.below(scenario_.idle_in) == 0) e->post_sends(now_, 1 + random_.below(8));
      }
      if (scenario_.changing_windows && random_.below(64) == 0) node->change_windows();
      node->transmit(now_);
      node->check_invariants();
    }
    const uint64_t next = next_time();
    if (next == kNever) {
      require(quiet(), "everything waits and nothing will happen");
      return;
    }
    require(next > now_ || ++still_ < 1000, "time stands still");
    if (next > now_) still_ = 0;
    now_ = std::max(now_, next);
    deliver();
    for (auto& node : nodes_) node->on_time(now_);
  }

  void deliver() {
    int direction = 0;
    while (const Frame* f = network_.receive(now_, &direction)) {
      nodes_[1 - direction]->receive(now_, *f, address_[direction], address_[1 - direction]);
    }
  }

  uint64_t next_time() {
    uint64_t next = network_.next_arrival();
    for (auto& node : nodes_) {
      next = std::min({next, node->engine().next_wake(), node->retry_at()});
      if (node->receives() != nullptr) next = std::min(next, node->receives()->next_time());
      for (auto& e : node->endpoints()) {
        next = std::min(next, e->next_recv_time());
        // Room for more work and nothing else going on.
        if (!settle_ && e->idle()) next = std::min(next, now_ + 1);
      }
    }
    return next;
  }

  bool quiet() {
    for (auto& node : nodes_) {
      node->poll(now_);
      for (auto& e : node->endpoints()) {
        if (!e->idle()) return false;
      }
    }
    return true;
  }

  // With retries that never run out, faults of 20 % can only slow things down.
  void watch_progress() {
    uint64_t received = 0;
    for (auto& node : nodes_) {
      for (auto& e : node->endpoints()) received += e->posted() - e->qp().send_queued();
    }
    if (received != done_) last_progress_ = network_.sent();
    done_ = received;
    require(network_.sent() - last_progress_ < 5'000'000, "five million packets and no work request done");
  }

  // Late duplicates, and the answers to them.
  void run_down() {
    settle_ = true;
    const auto moving = [this] {
      if (network_.next_arrival() != kNever) return true;
      for (auto& node : nodes_) {
        if (node->retry_at() != kNever || node->engine().tx_pending() || node->engine().next_wake() != kNever)
          return true;
      }
      return false;
    };
    while (moving()) {
      step();
      require(quiet(), "work out of nothing");
    }
  }

  void check_memory() {
    for (auto& node : nodes_) {
      for (auto& e : node->endpoints()) e->check_memory();
      if (node->receives() != nullptr) node->receives()->check_memory();
    }
    for (int i = 0; i < 2; ++i) {
      uint64_t sum = 0, added = 0;
      for (uint64_t w : nodes_[i]->shared()) sum += w;
      for (auto& e : nodes_[1 - i]->endpoints()) added += e->added();
      require(sum == added, "shared words do not hold what was added to them");
    }
  }

  Outcome outcome() {
    Outcome o;
    o.packets = network_.sent();
    o.dropped = network_.dropped();
    o.duplicated = network_.duplicated();
    o.virtual_ns = now_;
    uint64_t emitted = 0, accepted = 0;
    for (auto& node : nodes_) {
      const transport::Counters& c = node->engine().counters();
      emitted += c.sent_pkts;
      accepted += node->accepted();
      o.bad_icrc += node->rejected();
      o.go_backs += c.completer_retry_err;
      o.timeouts += c.local_ack_timeout_err;
      o.rnr += c.rcvd_rnr_err;
      for (auto& e : node->endpoints()) {
        o.work_requests += e->posted() - 1;
        o.bytes += e->bytes();
      }
    }
    require(emitted == o.packets, "packets sent miscounted");
    require(accepted + o.bad_icrc == o.packets - o.dropped + o.duplicated,
            "packets lost by the network itself");
    return o;
  }

  SeededRandom random_;
  Scenario scenario_;
  uint64_t goal_;
  Network network_;
  std::unique_ptr<Node> nodes_[2];
  Gid address_[2];
  uint64_t now_ = 1000, next_check_ = 1000, still_ = 0, done_ = 0, last_progress_ = 0;
  bool settle_ = false, settled_ = false;
};

}  // namespace

void Outcome::add(const Outcome& o) {
  packets += o.packets;
  work_requests += o.work_requests;
  bytes += o.bytes;
  dropped += o.dropped;
  duplicated += o.duplicated;
  bad_icrc += o.bad_icrc;
  go_backs += o.go_backs;
  timeouts += o.timeouts;
  rnr += o.rnr;
  virtual_ns += o.virtual_ns;
}

std::string Outcome::line() const {
  char text[300];
  std::snprintf(text, sizeof text,
                "%" PRIu64 " packets, %" PRIu64 " WRs, %.1f MiB, %" PRIu64 " dropped, %" PRIu64
                " duplicated, %" PRIu64 " bad ICRC, %" PRIu64 " go-backs, %" PRIu64 " timeouts, %" PRIu64
                " RNR, %.0f ms of virtual time",
                packets, work_requests, static_cast<double>(bytes) / (1 << 20), dropped, duplicated, bad_icrc,
                go_backs, timeouts, rnr, static_cast<double>(virtual_ns) / 1e6);
  return text;
}

Outcome run_simulation(uint64_t seed, uint64_t packets, Scenario (*choose)(SeededRandom&),
                       Recorder* recorder) {
  Simulation simulation(seed, packets, choose, recorder);
  const std::string description = describe(simulation.scenario());
  try {
    Outcome o = simulation.run();
    o.description = description;
    return o;
  } catch (const Violation& v) {
    throw Violation(std::string(v.what()) + "\n  " + description);
  }
}

}  // namespace uroce::sim
