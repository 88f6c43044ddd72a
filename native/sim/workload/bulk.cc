// Flows that are all known at the start: single ones, incast, permutation, all-to-all.
#include <utility>

#include "sim/workload/sources.h"

namespace vlsim {

void Bulk::add(uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < set_.count; ++i) pairs_.emplace_back(from, to);
}

void Bulk::begin(Time now) {
  const uint32_t n = hosts();
  switch (set_.kind) {
    case TrafficKind::incast:
      for (uint32_t i = 0, made = 0; i < n && (set_.senders == 0 || made < set_.senders); ++i) {
        if (i == set_.to) continue;
        add(i, set_.to);
        ++made;
      }
      break;
    case TrafficKind::permutation: {
      // A single cycle through all hosts in random order (Sattolo): no host sends to itself.
      std::vector<uint32_t> to(n);
      for (uint32_t i = 0; i < n; ++i) to[i] = i;
      for (uint32_t i = n - 1; i > 0; --i) std::swap(to[i], to[random_.below(i)]);
      for (uint32_t i = 0; i < n; ++i) add(i, to[i]);
      break;
    }
    case TrafficKind::all_to_all:
      // Everybody begins with its neighbor, so that no receiver is the first of all.
      for (uint32_t step = 1; step < n; ++step) {
        for (uint32_t i = 0; i < n; ++i) add(i, (i + step) % n);
      }
      break;
    default:
      add(set_.from, set_.to);
  }
  left_ = static_cast<uint32_t>(pairs_.size());
  for (uint32_t i = 0; i < pairs_.size(); ++i) {
    if (set_.jitter == 0) {
      work(now, i);
    } else {
      at(now + uniform(set_.jitter), i);
    }
  }
}

// Uniform, in whole nanoseconds.
Time Bulk::uniform(Time range) { return Time{random_.below(static_cast<uint32_t>(range / kNs) + 1)} * kNs; }

void Bulk::work(Time now, uint32_t i) { start(now, flow(pairs_[i].first, pairs_[i].second, set_.bytes)); }

void Bulk::finished(Time now, Flow&) {
  if (--left_ == 0) done_ = now;
}

}  // namespace vlsim
