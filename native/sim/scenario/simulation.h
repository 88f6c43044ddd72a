// A run of a scenario.
#pragma once

#include <functional>
#include <memory>
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

  void completed(Time now, Host& host, const uroce::transport::Completion& wc) override;
  void happens(Time now, const Event& event) override;

 private:
  void apply(Time now, const Change& change);

  const Scenario scenario_;
  Fabric fabric_;
  Flows flows_;
  Traffic traffic_;
  std::function<void(Time)> sampler_;
};

}  // namespace vlsim
