// A run of a scenario.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sim/scenario/scenario.h"

namespace vlsim {

class Simulation final : public Listener {
 public:
  explicit Simulation(const Scenario& scenario);
  // Runs to the end of the scenario, or to a condition; may be called in steps.
  Time run(Time until);
  Time run() { return run(scenario_.duration); }

  const Scenario& scenario() const { return scenario_; }
  Fabric& fabric() { return fabric_; }
  const Fabric& fabric() const { return fabric_; }
  const Flows& flows() const { return flows_; }
  const Traffic& traffic() const { return traffic_; }
  // Called at each sample time.
  void on_sample(std::function<void(Time)> f) { sampler_ = std::move(f); }
  // True if all sources have finished.
  bool done() const;

  // When a change was made, and what the loss rules of its links had seen until then.
  struct Made {
    std::optional<Time> at;
    uint64_t seen = 0;
  };
  const std::vector<Made>& made() const { return made_; }
  // Calls f(port) for both ends of each link that a change is about.
  template <class F>
  void each_link(const Change& change, F&& f) const {
    for (const auto& port : fabric_.ports) {
      if (concerns(change, *port)) f(*port);
    }
  }
  // Data packets, or ACKs, that the loss rules of these links have seen.
  uint64_t seen_by_rules(const Change& change) const;

  void completed(Time now, Host& host, const uroce::transport::Completion& wc) override;
  void happens(Time now, const Event& event) override;
  uint64_t memory() const override { return flows_.memory(); }

 private:
  bool concerns(const Change& change, const Port& port) const;
  void apply(Time now, const Change& change);

  const Scenario scenario_;
  Fabric fabric_;
  Flows flows_;
  Traffic traffic_;
  std::function<void(Time)> sampler_;
  std::vector<Made> made_;  // an entry per change
};

}  // namespace vlsim
