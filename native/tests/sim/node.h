// A machine of a simulation: an engine, its endpoints and completion queues, and the sender's side of its
// link.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "endpoint.h"
#include "inspector.h"
#include "scenario.h"
#include "shared_receives.h"

namespace uroce::sim {

class Node final : public transport::PacketSink, public transport::EventSink {
 public:
  Node(int index, const Scenario& scenario, uint64_t seed, Network& network);
  transport::Engine& engine() { return engine_; }
  std::vector<std::unique_ptr<Endpoint>>& endpoints() { return endpoints_; }
  std::vector<uint64_t>& shared() { return shared_; }
  // nullptr if every connection has its own.
  SharedReceives* receives() { return receives_.get(); }
  // Time to try again when transmit() left work because the link had no room.
  uint64_t retry_at() const { return waits_for_path_ ? std::min(retry_at_, path_opens_at_) : retry_at_; }

  void receive(uint64_t now, const Frame& frame, const Gid& from, const Gid& own);
  void on_time(uint64_t now);
  void transmit(uint64_t now);
  // Takes and checks all completions; arms the CQs now and then.
  void poll(uint64_t now);
  void change_windows();
  void check_invariants() const;
  // Checks with everything idle and the network empty.
  void check_idle();
  void destroy();
  uint64_t accepted() const { return accepted_; }
  uint64_t rejected() const { return rejected_; }

  uint32_t room() override;
  uint32_t room_to(const Path& path, uint32_t dest_qpn) override;
  bool room_returned() override;
  bool made_progress(const Path&, uint32_t, uint64_t*) override { return random_.below(2) == 0; }
  bool emit(const transport::TxPacket& packet) override;
  void qp_event(transport::Qp&, EventType) override { throw Violation("a QP event"); }
  void srq_event(transport::Srq&, EventType) override { receives_->limit_reached(); }
  void cq_error(transport::Cq&) override { throw Violation("a CQ overrun"); }
  void completion_event(transport::Cq& cq) override;
  void unsignaled_stamps(const transport::WrStamps& stamps) override;

 private:
  struct Watched {
    transport::Cq* cq;
    enum { idle, any, solicited } armed = idle;
    uint32_t events = 0;
  };
  Endpoint& endpoint_of(uint32_t qpn) const;

  const Scenario& scenario_;
  const transport::EngineConfig& limits_;
  SeededRandom random_;
  const int index_;
  Network& network_;
  transport::Engine engine_;
  std::vector<uint64_t> shared_ = std::vector<uint64_t>(8);
  std::vector<Watched> cqs_;
  std::unique_ptr<SharedReceives> receives_;
  std::vector<std::unique_ptr<Endpoint>> endpoints_;
  std::array<Endpoint*, 4096> by_index_{};
  uint32_t pd_;
  uint64_t now_ = 0, retry_at_ = kNever;
  uint32_t room_ = 0;
  uint64_t path_opens_at_ = 0;
  bool waits_for_path_ = false;
  uint64_t accepted_ = 0, rejected_ = 0, marked_ = 0, notified_ = 0, unsignaled_stamps_ = 0;
};

}  // namespace uroce::sim
