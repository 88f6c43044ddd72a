// DCQCN (Zhu et al., SIGCOMM 2015), the sender's part: the rate is cut when the receiver notifies it of marked packets
// (CNP), and returns in three phases. A queue pair starts at the rate of its line, without state. The first CNP makes
// the state, and reaching the line's rate again drops it.
//
//   CNP         target = rate, rate -= rate x alpha / 2, alpha = (1 - g) alpha + g
//   no CNP      alpha = (1 - g) alpha, once per alpha period
//   increase    each time when a period is over or so many bytes were sent: fast recovery (rate half way to the target)
//               before either has happened F times; then the target rises as well, by the additive step, or by the
//               hyper step times how often more than F both have happened
//
// The published constants and those of NICs differ by up to two orders of magnitude, hence the presets.
#pragma once

#include <cstdint>

#include "uroce/transport/policy/law.h"

namespace uroce::transport {

// Rates in bits per second, times in ns.
struct DcqcnParameters {
  uint64_t line_rate = 0;
  uint64_t min_rate = 0;
  uint32_t g_numerator = 1;  // weight of a CNP in alpha
  uint32_t g_denominator = 256;
  Fraction initial_alpha = kOne;
  uint64_t alpha_period = 55'000;
  uint64_t increase_period = 55'000;
  uint64_t increase_bytes = 0;  // 0: no byte counter
  uint32_t fast_steps = 5;      // F
  uint64_t additive_step = 0;
  uint64_t hyper_step = 0;
  uint64_t min_cut_interval = 0;   // CNPs sooner after a cut are ignored
  uint64_t cnp_interval = 50'000;  // at the receiver: between two CNPs of a queue pair

  // The paper's constants. It names no lowest rate: 1 Mb/s is a NIC's.
  static DcqcnParameters paper(uint64_t line_rate);
  // The defaults of NVIDIA's NICs.
  static DcqcnParameters nic(uint64_t line_rate);
  // HPCC's fork of ns-3, its setting "dcqcn": additive steps that grow with the line, no byte counter. The fork goes
  // on to hyper increase after F periods alone; here both counts are needed, as published.
  static DcqcnParameters ns3(uint64_t line_rate);

  bool valid() const;
  bool operator==(const DcqcnParameters&) const = default;
};

class Dcqcn {
 public:
  static constexpr bool kMeasuresDelay = false;
  explicit Dcqcn(const DcqcnParameters& parameters) : p_(parameters) {}

  void reset(uint32_t) { limited_ = false; }
  void sent(uint32_t bytes, uint64_t now);
  void acked(const Acked&) {}
  void cnp(uint64_t now);
  void lost(uint64_t) {}
  void timed_out(uint64_t) {}
  uint32_t window() const { return UINT32_MAX; }
  uint64_t rate(uint64_t now) {
    if (!limited_) return 0;
    advance(now);
    return limited_ ? rate_ : 0;
  }
  uint32_t ack_bytes() const { return UINT32_MAX; }
  CongestionState state(uint64_t now);
  uint64_t cnp_interval() const { return p_.cnp_interval; }
  const DcqcnParameters& parameters() const { return p_; }

 private:
  // Lets pass what the periods until now bring.
  void advance(uint64_t now);
  void increase();
  Fraction alpha_at(uint64_t now) const;

  DcqcnParameters p_;
  bool limited_ = false;  // the rate is below the line's, and what follows is valid
  uint64_t rate_ = 0;
  uint64_t target_ = 0;
  Fraction alpha_ = 0;  // at alpha_since_
  uint64_t alpha_since_ = 0;
  uint64_t last_cut_ = 0;
  uint64_t next_increase_ = 0;
  uint64_t bytes_ = 0;                      // sent since the byte counter went off
  uint32_t periods_ = 0, byte_counts_ = 0;  // since the last cut
};

static_assert(CongestionLaw<Dcqcn>);

}  // namespace uroce::transport
