// The kinds of sources.
#pragma once

#include <utility>
#include <vector>

#include "sim/workload/source.h"

namespace vlsim {

class Bulk final : public Source {
 public:
  using Source::Source;
  void begin(Time now) override;
  void work(Time now, uint32_t i) override;
  void finished(Time now, Flow& flow) override;

 private:
  void add(uint32_t from, uint32_t to);
  Time uniform(Time range);

  std::vector<std::pair<uint32_t, uint32_t>> pairs_;
  uint32_t left_ = 0;
};

// A rank sends its next part to its successor once the part before has come from its predecessor.
class RingAllReduce final : public Source {
 public:
  using Source::Source;
  void begin(Time now) override;
  void notified(Time now, uint32_t host, uint32_t tag) override;

 private:
  void send(Time now, uint32_t rank, uint32_t step);
  uint32_t steps() const { return 2 * (hosts() - 1); }

  uint32_t ranks_done_ = 0;
};

// Rank r has the children 2r+1 and 2r+2. Sums go up to rank 0, and the result comes down.
class TreeAllReduce final : public Source {
 public:
  using Source::Source;
  void begin(Time now) override;
  void notified(Time now, uint32_t host, uint32_t tag) override;

 private:
  void send(Time now, uint32_t from, uint32_t to, uint32_t tag);
  void go_down(Time now, uint32_t rank);

  std::vector<uint8_t> missing_;  // children that have not sent their sum
  uint32_t have_result_ = 0;
};

// Each host begins READs and WRITEs at random times (Poisson), of random size, to random hosts.
class Storage final : public Source {
 public:
  using Source::Source;
  void begin(Time now) override;
  void work(Time now, uint32_t host) override;

 private:
  std::vector<uint32_t> flows_begun_;  // per host
  uint64_t mean_gap_ = 0;
};

class RawPackets final : public Source {
 public:
  using Source::Source;
  void begin(Time now) override;
  void work(Time now, uint32_t unused) override;

 private:
  Time first_ = 0;
};

}  // namespace vlsim
