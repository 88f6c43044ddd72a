// Traffic at random times: storage requests, and packets that no engine makes.
#include <algorithm>

#include "sim/workload/sources.h"

namespace vlsim {

void Storage::begin(Time now) {
  flows_begun_.resize(hosts());
  const uint64_t bytes = set_.sizes ? set_.sizes->mean() : set_.bytes;
  // The load counts payload.
  mean_gap_ = fabric_.host_port(0).link.rate.of(bytes) * 1000 / std::max(set_.load_permille, 1u);
  for (uint32_t host = 0; host < hosts(); ++host) at(now + exponential(random_, mean_gap_), host);
}

void Storage::work(Time now, uint32_t host) {
  uint32_t other = random_.below(hosts() - 1);
  if (other >= host) ++other;
  Flow f{host, other, set_.sizes ? set_.sizes->draw(random_) : set_.bytes};
  f.group = number_;
  f.read = random_.below(1000) < set_.read_permille;
  start(now, f);
  if (++flows_begun_[host] != set_.flows) at(now + exponential(random_, mean_gap_), host);
}

void RawPackets::begin(Time now) {
  first_ = now;
  work(now, 0);
}

void RawPackets::work(Time now, uint32_t) {
  constexpr uint64_t kSmallest = 84;
  const uint64_t size =
      set_.random_sizes ? std::max(exponential(random_, set_.packet), kSmallest) : set_.packet;
  fabric_.send_raw(now, set_.from, set_.to, static_cast<uint32_t>(size), number_, set_.cls, set_.ecn ? 2 : 0);
  if (++begun_ == set_.packets) {
    done_ = now;
    return;
  }
  const Time gap = set_.rate.of(set_.random_sizes && !set_.poisson ? size : set_.packet);
  Time next = now + (set_.poisson ? exponential(random_, gap) : gap);
  if (set_.on != 0) {
    // Skips the silence between two bursts.
    const Time period = set_.on + set_.off;
    const Time phase = (next - first_) % period;
    if (phase >= set_.on) next += period - phase;
  }
  at(next, 0);
}

}  // namespace vlsim
