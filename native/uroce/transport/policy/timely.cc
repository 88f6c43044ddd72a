#include "uroce/transport/policy/timely.h"

#include <algorithm>

namespace uroce::transport {
namespace {

constexpr uint32_t kHyperSteps = 5;

}  // namespace

bool TimelyParameters::valid() const {
  return min_rate != 0 && min_rate <= line_rate && line_rate <= 10'000'000'000'000 && weight <= 1000 &&
         beta <= 1000 && low <= high && min_rtt != 0 && step != 0 && segment != 0;
}

void Timely::reset(uint32_t) {
  rate_ = p_.line_rate;
  rtt_ = 0;
  difference_ = 0;
  calm_ = 0;
}

void Timely::acked(const Acked& a) {
  if (a.rtt == 0) return;
  const uint64_t before = rtt_;
  rtt_ = a.rtt;
  if (before == 0) return;
  const int64_t difference = (static_cast<int64_t>(a.rtt) - static_cast<int64_t>(before)) * 1024;
  const int64_t weight = p_.weight;
  difference_ = ((1000 - weight) * difference_ + weight * difference) / 1000;
  const bool calm = difference_ <= 0;
  calm_ = calm ? calm_ + 1 : 0;
  if (a.rtt < p_.low) {
    rate_ += p_.step;
  } else if (a.rtt > p_.high) {
    rate_ -= rate_ / 1000 * p_.beta / a.rtt * (a.rtt - p_.high);
  } else if (p_.patched) {
    move_to_reference();
  } else if (calm) {
    rate_ += (calm_ >= p_.hyper_after ? kHyperSteps : 1) * p_.step;
  } else {
    // A cut at most halves the rate.
    const uint64_t gradient =
        std::min<uint64_t>(static_cast<uint64_t>(difference_) / p_.min_rtt * p_.beta / 1000, 512);
    rate_ -= rate_ / 1024 * gradient;
  }
  rate_ = std::clamp(rate_, p_.min_rate, p_.line_rate);
}

// The gradient, its weight and the distance are in units of 1/1024.
void Timely::move_to_reference() {
  const int64_t gradient = difference_ / static_cast<int64_t>(p_.min_rtt);
  const int64_t weight = std::clamp<int64_t>(2 * gradient + 512, 0, 1024);
  const auto distance = static_cast<int64_t>(std::min<uint64_t>((rtt_ - p_.low) * 1024 / p_.low, 16 * 1024));
  const int64_t cut = static_cast<int64_t>(rate_ / 1024) * p_.beta / 1000 * weight / 1024 * distance;
  const int64_t rise = static_cast<int64_t>(p_.step) * (1024 - weight) / 1024;
  // A cut at most halves the rate.
  rate_ += static_cast<uint64_t>(rise);
  rate_ -= std::min(static_cast<uint64_t>(cut), rate_ / 2);
}

CongestionState Timely::state(uint64_t now) const {
  CongestionState state;
  state.rate = rate(now);
  state.rtt = rtt_;
  return state;
}

}  // namespace uroce::transport
