// All-reduce along a ring and over a tree.
#include <algorithm>

#include "sim/workload/sources.h"

namespace vlsim {
namespace {

constexpr uint32_t kUp = 0, kDown = 1;

}  // namespace

void RingAllReduce::begin(Time now) {
  for (uint32_t rank = 0; rank < hosts(); ++rank) send(now, rank, 0);
}

void RingAllReduce::send(Time now, uint32_t rank, uint32_t step) {
  Flow f = flow(rank, (rank + 1) % hosts(), std::max<uint64_t>(set_.bytes / hosts(), 1));
  f.notifies = true;
  f.tag = step;
  start(now, f);
}

void RingAllReduce::notified(Time now, uint32_t host, uint32_t tag) {
  if (tag + 1 < steps()) return send(now, host, tag + 1);
  if (++ranks_done_ == hosts()) done_ = now;
}

void TreeAllReduce::begin(Time now) {
  const uint32_t n = hosts();
  missing_.resize(n);
  for (uint32_t rank = 1; rank < n; ++rank) ++missing_[(rank - 1) / 2];
  for (uint32_t rank = 1; rank < n; ++rank) {
    if (missing_[rank] == 0) send(now, rank, (rank - 1) / 2, kUp);
  }
}

void TreeAllReduce::send(Time now, uint32_t from, uint32_t to, uint32_t tag) {
  Flow f = flow(from, to, set_.bytes);
  f.notifies = true;
  f.tag = tag;
  start(now, f);
}

void TreeAllReduce::go_down(Time now, uint32_t rank) {
  if (++have_result_ == hosts()) done_ = now;
  for (uint32_t child = 2 * rank + 1; child <= 2 * rank + 2 && child < hosts(); ++child)
    send(now, rank, child, kDown);
}

void TreeAllReduce::notified(Time now, uint32_t host, uint32_t tag) {
  if (tag == kDown) return go_down(now, host);
  if (--missing_[host] != 0) return;
  if (host == 0) return go_down(now, 0);
  send(now, host, (host - 1) / 2, kUp);
}

}  // namespace vlsim
