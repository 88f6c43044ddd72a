// TIMELY (Mittal et al., SIGCOMM 2015): the rate follows the gradient of the round-trip time. It has no unique fixed point:
// flows keep whatever share they have once the gradient is zero (Zhu et al., CoNEXT 2016). It is here to show that. Their patch
// weighs the gradient against the distance of the round-trip time from a reference, here `low`, which has one fixed point:
//
//   w = 2 gradient + 1/2, from 0 to 1;  rate = rate (1 - beta w (rtt - low) / low) + step (1 - w)
#pragma once

#include <cstdint>

#include "uroce/transport/policy/law.h"

namespace uroce::transport {

// Rates in bits per second, times in ns.
struct TimelyParameters {
  uint64_t line_rate = 0;
  uint64_t min_rate = 1'000'000;
  uint32_t weight = 875;    // weight of a new difference in the average, thousandths
  uint32_t beta = 800;      // thousandths
  uint64_t low = 50'000;    // below it the rate only grows
  uint64_t high = 500'000;  // above it the rate only shrinks
  uint64_t min_rtt = 20'000;
  uint64_t step = 10'000'000;
  uint32_t hyper_after = 5;   // round trips in a row without growth, then five steps at once
  uint32_t segment = 16'384;  // payload bytes per measurement
  bool patched = false;

  // As it was published, and with the patch and its authors' beta.
  static TimelyParameters paper(uint64_t line_rate) { return {.line_rate = line_rate}; }
  static TimelyParameters with_patch(uint64_t line_rate) {
    return {.line_rate = line_rate, .beta = 8, .patched = true};
  }
  bool valid() const;
};

class Timely {
 public:
  static constexpr bool kMeasuresDelay = true;
  explicit Timely(const TimelyParameters& parameters) : p_(parameters) { reset(0); }

  void reset(uint32_t mtu);
  void sent(uint32_t, uint64_t) {}
  void acked(const Acked& acked);
  void cnp(uint64_t) {}
  void lost(uint64_t) {}
  void timed_out(uint64_t) {}
  uint32_t window() const { return UINT32_MAX; }
  uint64_t rate(uint64_t) const { return rate_ < p_.line_rate ? rate_ : 0; }
  uint32_t ack_bytes() const { return p_.segment; }
  CongestionState state(uint64_t now) const;
  const TimelyParameters& parameters() const { return p_; }

 private:
  void move_to_reference();

  TimelyParameters p_;
  uint64_t rate_ = 0;
  uint64_t rtt_ = 0;        // the last one; 0: none yet
  int64_t difference_ = 0;  // average of the differences of two in a row, 2^-10 ns
  uint32_t calm_ = 0;       // measurements in a row without growth
};

static_assert(CongestionLaw<Timely>);

}  // namespace uroce::transport
