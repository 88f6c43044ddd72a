#include "sim/workload/source.h"

#include "sim/workload/sources.h"

namespace vlsim {
namespace {

constexpr uint32_t kBegin = UINT32_MAX;

}  // namespace

std::unique_ptr<Source> Source::make(Fabric& fabric, Flows& flows, const TrafficSettings& settings,
                                     uint32_t number, uint64_t seed) {
  switch (settings.kind) {
    case TrafficKind::ring_all_reduce:
      return std::make_unique<RingAllReduce>(fabric, flows, settings, number, seed);
    case TrafficKind::tree_all_reduce:
      return std::make_unique<TreeAllReduce>(fabric, flows, settings, number, seed);
    case TrafficKind::storage:
      return std::make_unique<Storage>(fabric, flows, settings, number, seed);
    case TrafficKind::raw:
      return std::make_unique<RawPackets>(fabric, flows, settings, number, seed);
    default:
      return std::make_unique<Bulk>(fabric, flows, settings, number, seed);
  }
}

void Traffic::add(const TrafficSettings& settings, uint64_t seed) {
  const auto number = static_cast<uint32_t>(sources_.size());
  sources_.push_back(Source::make(fabric_, flows_, settings, number, seed));
  fabric_.events.push(settings.start, EventKind::work, number, kBegin);
}

void Traffic::happens(Time now, const Event& event) {
  Source& source = *sources_[event.a];
  if (event.b == kBegin) {
    source.begin(now);
  } else {
    source.work(now, event.b);
  }
}

void Traffic::notified(Time now, uint32_t host, uint32_t group, uint32_t tag) {
  sources_[group]->notified(now, host, tag);
}

}  // namespace vlsim
