// Flows over connections of the engine: messages posted as completions make room, and the time that each flow took.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/fabric/fabric.h"

namespace vlsim {

inline constexpr uint64_t kEndless = UINT64_MAX;

struct Flow {
  uint32_t poster;  // the host that posts its work requests: of a READ the one that gets the bytes
  uint32_t peer;
  uint64_t bytes;
  uint64_t posted = 0, done = 0;  // bytes
  Time created = 0, finished = 0;
  uint32_t group = 0;  // the traffic that it belongs to
  uint32_t tag = 0;    // told to the receiver with its last byte
  uint32_t channel = 0;
  bool read = false;
  bool notifies = false;
  bool failed = false;
};

// What a source of traffic learns.
class FlowUser {
 public:
  virtual void finished(Time now, Flow& flow) { (void)now, (void)flow; }
  // The last byte of a flow that notifies has arrived at this host.
  virtual void notified(Time now, uint32_t host, uint32_t group, uint32_t tag) {
    (void)now, (void)host, (void)group, (void)tag;
  }

 protected:
  ~FlowUser() = default;
};

class Flows {
 public:
  // message: bytes of a work request; qps: connections of each pair of hosts, which take turns. in_turn: connections of a
  // host have consecutive UDP source ports, else random ones.
  Flows(Fabric& fabric, const ConnectionSettings& settings, uint32_t message, uint32_t qps, uint64_t seed,
        bool in_turn = false);
  void set_user(FlowUser* user) { user_ = user; }

  // Creates a flow and posts what fits. Returns its number; kNone if there is no memory.
  uint32_t start(Time now, const Flow& flow);
  void completed(Time now, Host& host, const uroce::transport::Completion& wc);
  const std::vector<Flow>& all() const { return flows_; }
  Flow& flow(uint32_t number) { return flows_[number]; }
  uint32_t unfinished() const { return unfinished_; }
  // Its queue pair; null if there were no more.
  uroce::transport::Qp* connection(const Flow& flow) const {
    return flow.channel == kNone ? nullptr : channels_[flow.channel].qp;
  }
  // Bytes of a flow that are acknowledged, those of a message that is under way included.
  uint64_t acknowledged(const Flow& flow) const;
  // Connections made so far.
  uint32_t connections() const { return static_cast<uint32_t>(channels_.size() / 2); }
  // Calls f(qp) for both ends of each connection.
  template <class F>
  void each_connection(F&& f) const {
    for (const Channel& channel : channels_) f(*channel.qp);
  }
  uint64_t post_errors() const { return post_errors_; }
  // Bytes of flows and connections, their queue pairs included.
  uint64_t memory() const;

 private:
  // A direction of a connection.
  struct Channel {
    uint32_t host, peer;
    uroce::transport::Qp* qp;
    uint32_t outstanding = 0;
    size_t next = 0;  // index in `flows`
    std::vector<uint32_t> flows;
  };
  uint32_t channel_between(Time now, uint32_t host, uint32_t peer, uint32_t lane);
  void fill(Time now, Channel& channel);

  Fabric& fabric_;
  ConnectionSettings settings_;
  uint32_t message_, qps_;
  bool in_turn_;
  SeededRandom random_;
  FlowUser* user_ = nullptr;
  std::vector<Flow> flows_;
  std::vector<Channel> channels_;
  std::vector<std::vector<uint32_t>> by_pair_;  // per host: its channel to each peer and lane
  std::vector<uint32_t> lanes_used_;            // per host: the next lane
  std::vector<uint32_t> connected_;             // per host, by flows that it posts
  uint32_t unfinished_ = 0;
  uint64_t post_errors_ = 0;
};

}  // namespace vlsim
