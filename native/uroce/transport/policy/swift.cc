#include "uroce/transport/policy/swift.h"

#include <algorithm>
#include <bit>

#include "uroce/transport/policy/pacer.h"

namespace uroce::transport {
namespace {

constexpr uint32_t kShift = 20;  // bits of a window below the whole packet
constexpr uint64_t kPacket = 1ull << kShift;

uint64_t of_thousandths(uint64_t n) { return std::max<uint64_t>((n << kShift) / 1000, 1); }

// The integer square root: the same on every machine.
uint64_t square_root(uint64_t n) {
  if (n == 0) return 0;
  uint64_t root = 1ull << ((std::bit_width(n) + 1) / 2);
  for (;;) {
    const uint64_t better = (root + n / root) / 2;
    if (better >= root) return root;
    root = better;
  }
}

// 2^20 / sqrt(window in packets)
uint64_t inverse_root(uint64_t window) { return (kPacket << kShift) / square_root(window << kShift); }

}  // namespace

bool SwiftParameters::valid() const {
  return base_target != 0 && scaling_range < 1'000'000'000 && scaling_from != 0 &&
         scaling_from < scaling_to && additive_step != 0 && beta <= 1000 && max_decrease < 1000 &&
         min_window != 0 && min_window <= initial_window && initial_window <= max_window &&
         max_window <= 1'000'000'000;
}

Swift::Swift(const SwiftParameters& parameters)
    : p_(parameters),
      scaling_ends_(inverse_root(of_thousandths(p_.scaling_to))),
      scaling_span_(inverse_root(of_thousandths(p_.scaling_from)) - scaling_ends_) {
  reset(mtu_);
}

void Swift::reset(uint32_t mtu) {
  mtu_ = mtu;
  window_ = of_thousandths(p_.initial_window);
  rtt_ = last_decrease_ = 0;
  unmeasured_ = timeouts_ = 0;
}

uint64_t Swift::target() const {
  const uint64_t inverse = inverse_root(window_);
  if (inverse <= scaling_ends_ || scaling_span_ == 0) return p_.base_target;
  const uint64_t above = std::min(inverse - scaling_ends_, scaling_span_);
  return p_.base_target + p_.scaling_range * above / scaling_span_;
}

void Swift::acked(const Acked& a) {
  timeouts_ = 0;
  unmeasured_ += a.packets;
  if (a.rtt == 0) return;
  rtt_ = a.rtt;
  const uint64_t packets = unmeasured_;
  unmeasured_ = 0;
  const uint64_t aim = target();
  if (a.rtt >= aim) {
    const uint64_t excess = uint64_t{p_.beta} * (a.rtt - aim) / a.rtt;
    return decrease(a.now, std::min<uint64_t>(excess, p_.max_decrease));
  }
  const uint64_t step = of_thousandths(p_.additive_step) * packets;
  window_ += window_ >= kPacket ? (step << kShift) / window_ : step;
  window_ = std::min(window_, of_thousandths(p_.max_window));
}

void Swift::timed_out(uint64_t now) {
  if (++timeouts_ >= p_.timeouts_to_min) {
    window_ = of_thousandths(p_.min_window);
  } else {
    decrease(now, p_.max_decrease);
  }
}

void Swift::decrease(uint64_t now, uint64_t thousandths) {
  if (last_decrease_ != 0 && now - last_decrease_ < rtt_) return;
  last_decrease_ = now;
  window_ = std::max(window_ - window_ * thousandths / 1000, of_thousandths(p_.min_window));
}

uint32_t Swift::window() const {
  return static_cast<uint32_t>(std::clamp<uint64_t>(window_ >> kShift, 1, UINT32_MAX));
}

// Below one packet: one in each rtt / window.
uint64_t Swift::rate(uint64_t) const {
  if (window_ >= kPacket) return 0;
  const uint64_t round_trip = rtt_ != 0 ? rtt_ : p_.base_target;
  const uint64_t gap = std::max<uint64_t>((round_trip << kShift) / window_, 1);
  return std::max<uint64_t>((uint64_t{mtu_} + kLinkOverhead) * 8 * 1'000'000'000 / gap, 1);
}

uint32_t Swift::ack_bytes() const {
  return static_cast<uint32_t>(std::max<uint64_t>((window_ >> kShift) * mtu_ / 4, mtu_));
}

CongestionState Swift::state(uint64_t now) const {
  CongestionState state;
  state.rate = rate(now);
  state.window = window_ * 1000 >> kShift;
  state.rtt = rtt_;
  return state;
}

}  // namespace uroce::transport
