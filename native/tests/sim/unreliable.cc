#include "unreliable.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <iterator>

#include "unreliable_end.h"

namespace uroce::sim {
namespace {

uint32_t rate(SeededRandom& r) { return r.below(3) == 0 ? 0 : r.below(2001); }

UnreliableShape make_shape(SeededRandom& r) {
  UnreliableShape s;
  s.faultless = r.below(6) == 0;
  for (Faults& f : s.faults) {
    if (s.faultless) continue;
    f = {.drop = rate(r), .duplicate = rate(r), .reorder = rate(r), .delay = rate(r), .corrupt = rate(r)};
  }
  static constexpr uint16_t kMtus[] = {256, 256, 512, 1024, 4096};
  s.mtu = kMtus[r.below(std::size(kMtus))];
  s.link.ps_per_byte = r.below(2) * 800;
  s.connections = 1 + r.below(3);
  s.datagram_qps = 1 + r.below(4);
  s.max_size = s.mtu * (1 + r.below(16));
  s.depth = 1 + r.below(16);
  s.recv_depth = 1 + r.below(8);
  static constexpr uint32_t kDelays[] = {1, 10'000, 200'000};
  s.recv_delay_ns = 1 + r.below(kDelays[r.below(std::size(kDelays))]);
  s.refuse = r.below(2) * r.below(3000);
  s.ipv6 = r.below(2) == 0;
  return s;
}

std::string describe(const UnreliableShape& s) {
  char text[400];
  int n = std::snprintf(
      text, sizeof text, "%u UC + %u UD, mtu %u, up to %u B, depth %u/%u, refused %.1f %%, faults %%",
      s.connections, s.datagram_qps, s.mtu, s.max_size, s.depth, s.recv_depth, s.refuse / 100.0);
  for (const Faults& f : s.faults) {
    n += std::snprintf(text + n, sizeof text - static_cast<size_t>(n),
                       " [drop %.1f dup %.1f reorder %.1f delay %.1f corrupt %.1f]", f.drop / 100.0,
                       f.duplicate / 100.0, f.reorder / 100.0, f.delay / 100.0, f.corrupt / 100.0);
  }
  return text;
}

class Run {
 public:
  Run(uint64_t seed, uint64_t packets)
      : random_(seed),
        shape_(make_shape(random_)),
        goal_(packets),
        network_(random_.next64(), shape_.faults, shape_.link) {
    for (int i = 0; i < 2; ++i)
      ends_[i] = std::make_unique<UnreliableEnd>(i, shape_, random_.next64(), network_);
    for (int i = 0; i < 2; ++i) ends_[i]->connect(*ends_[1 - i]);
  }
  const UnreliableShape& shape() const { return shape_; }

  UnreliableOutcome run() {
    while (network_.sent() < goal_) {
      require(step(true), "nothing will happen any more");
      if (++steps_ % 4096 == 0) check_memory();
    }
    while (step(false)) {
    }
    UnreliableOutcome o;
    o.packets = network_.sent();
    uint64_t emitted = 0;
    for (auto& end : ends_) {
      end->check_all_came();
      const transport::Counters& c = end->engine().counters();
      emitted += c.sent_pkts;
      require(transport::rejected_packets(c) == 0, "good packets counted as bad");
      o.messages += end->messages();
      o.received += end->received();
      o.dropped += c.dropped_messages + c.out_of_buffer + c.qkey_violations;
      o.refused += end->refused();
    }
    require(emitted == o.packets, "packets sent miscounted");
    check_memory();
    return o;
  }

 private:
  // False if there is nothing left to happen.
  bool step(bool posting) {
    for (auto& end : ends_) {
      end->post_recvs(now_);
      if (posting && random_.below(2) == 0) end->post_sends(now_);
      end->transmit(now_);
    }
    uint64_t next = network_.next_arrival();
    for (auto& end : ends_) {
      next = std::min({next, end->engine().next_wake(), end->next_recv_time()});
    }
    if (posting) next = std::min(next, now_ + 500 + random_.below(1000));
    if (next == kNever) return false;
    now_ = std::max(now_, next);
    int direction = 0;
    while (const Frame* f = network_.receive(now_, &direction)) ends_[1 - direction]->receive(now_, *f);
    for (auto& end : ends_) end->engine().on_time(now_);
    return true;
  }
  void check_memory() {
    for (auto& end : ends_) end->check_memory();
  }

  SeededRandom random_;
  UnreliableShape shape_;
  uint64_t goal_;
  Network network_;
  std::unique_ptr<UnreliableEnd> ends_[2];
  uint64_t now_ = 1000, steps_ = 0;
};

}  // namespace

void UnreliableOutcome::add(const UnreliableOutcome& o) {
  packets += o.packets;
  messages += o.messages;
  received += o.received;
  dropped += o.dropped;
  refused += o.refused;
}

std::string UnreliableOutcome::line() const {
  char text[200];
  std::snprintf(text, sizeof text,
                "%" PRIu64 " packets, %" PRIu64 " messages, %" PRIu64 " received, %" PRIu64
                " dropped by the receiver, %" PRIu64 " times no room",
                packets, messages, received, dropped, refused);
  return text;
}

UnreliableOutcome run_unreliable(uint64_t seed, uint64_t packets) {
  Run run(seed, packets);
  const std::string description = describe(run.shape());
  try {
    UnreliableOutcome o = run.run();
    o.description = description;
    return o;
  } catch (const Violation& v) {
    throw Violation(std::string(v.what()) + "\n  " + description);
  }
}

}  // namespace uroce::sim
