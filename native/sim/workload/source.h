// Sources of traffic. Each is one entry of a scenario.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/workload/flows.h"
#include "sim/workload/sizes.h"

namespace vlsim {

enum class TrafficKind : uint8_t {
  flows,            // a single flow, from `from` to `to`
  incast,           // all hosts, or the first `senders`, to host `to`
  permutation,      // each host to another one, each receives from one
  all_to_all,       // each host to every other
  ring_all_reduce,  // 2(N-1) steps along a ring
  tree_all_reduce,  // up a binary tree and down again
  storage,          // READs and WRITEs of random size to random hosts
  raw,              // packets that no engine makes: at a rate, at random, or in bursts
};

struct TrafficSettings {
  TrafficKind kind = TrafficKind::flows;
  uint64_t bytes = kEndless;  // bytes of each flow; of an all-reduce the whole vector
  Time start = 0;
  Time jitter = 0;  // each flow begins at random within it
  uint32_t from = 0, to = 0;
  uint32_t senders = 0;  // incast; 0: all others
  uint32_t count = 1;    // flows of each pair
  bool read = false;
  // storage
  std::optional<SizeDistribution> sizes;
  uint32_t load_permille = 300;  // load of the host's link
  uint32_t read_permille = 500;
  uint32_t flows = 0;  // most flows that a host begins; 0: no limit
  // raw
  uint32_t packet = 4178;     // bytes on the link
  Rate rate = {0};            // mean
  bool poisson = false;       // gaps are exponential
  bool random_sizes = false;  // sizes are exponential, with `packet` as their mean
  Time on = 0, off = 0;       // bursts; 0: always on
  uint64_t packets = 0;       // packets that each host sends; 0: no limit
  uint8_t cls = 3;
  bool ecn = false;
};

class Source {
 public:
  Source(Fabric& fabric, Flows& flows, const TrafficSettings& settings, uint32_t number, uint64_t seed)
      : fabric_(fabric), flows_(flows), set_(settings), number_(number), random_(seed) {}
  virtual ~Source() = default;
  static std::unique_ptr<Source> make(Fabric& fabric, Flows& flows, const TrafficSettings& settings,
                                      uint32_t number, uint64_t seed);
  virtual void begin(Time now) = 0;
  // Its event, with the number that it was given.
  virtual void work(Time now, uint32_t b) { (void)now, (void)b; }
  virtual void finished(Time now, Flow& flow) { (void)now, (void)flow; }
  virtual void notified(Time now, uint32_t host, uint32_t tag) { (void)now, (void)host, (void)tag; }
  // Time at which all was done; nothing if it is not, or never ends.
  std::optional<Time> done() const { return done_; }
  // Flows, or packets, that it has begun.
  uint64_t begun() const { return begun_; }
  const TrafficSettings& settings() const { return set_; }

 protected:
  uint32_t hosts() const { return static_cast<uint32_t>(fabric_.hosts.size()); }
  void at(Time when, uint32_t b) { fabric_.events.push(when, EventKind::work, number_, b); }
  void start(Time now, const Flow& flow) {
    ++begun_;
    flows_.start(now, flow);
  }
  Flow flow(uint32_t from, uint32_t to, uint64_t bytes) const {
    // The host that wants the bytes posts a READ.
    Flow f{set_.read ? to : from, set_.read ? from : to, bytes};
    f.group = number_;
    f.read = set_.read;
    return f;
  }

  Fabric& fabric_;
  Flows& flows_;
  const TrafficSettings set_;
  const uint32_t number_;
  SeededRandom random_;
  std::optional<Time> done_;
  uint64_t begun_ = 0;
};

// All sources of a scenario.
class Traffic final : public FlowUser {
 public:
  Traffic(Fabric& fabric, Flows& flows) : fabric_(fabric), flows_(flows) { flows.set_user(this); }
  void add(const TrafficSettings& settings, uint64_t seed);
  void happens(Time now, const Event& event);
  void finished(Time now, Flow& flow) override { sources_[flow.group]->finished(now, flow); }
  void notified(Time now, uint32_t, uint32_t, uint32_t) override;
  const std::vector<std::unique_ptr<Source>>& sources() const { return sources_; }

 private:
  Fabric& fabric_;
  Flows& flows_;
  std::vector<std::unique_ptr<Source>> sources_;
};

}  // namespace vlsim
