#include "uroce/transport/policy/dcqcn.h"

#include <algorithm>

namespace uroce::transport {
namespace {

constexpr uint64_t kMbps = 1'000'000;

Fraction fraction_of(uint64_t numerator, uint64_t denominator) {
  return static_cast<Fraction>(numerator * kOne / denominator);
}

// fraction^n
Fraction power(Fraction fraction, uint64_t n) {
  uint64_t result = kOne, square = fraction;
  for (; n != 0; n >>= 1) {
    if (n & 1) result = scale(result, static_cast<Fraction>(square));
    square = scale(square, static_cast<Fraction>(square));
  }
  return static_cast<Fraction>(result);
}

}  // namespace

DcqcnParameters DcqcnParameters::paper(uint64_t line_rate) {
  DcqcnParameters p;
  p.line_rate = line_rate;
  p.min_rate = 1 * kMbps;
  p.increase_bytes = 10'000'000;
  p.additive_step = 40 * kMbps;
  p.hyper_step = 100 * kMbps;
  return p;
}

DcqcnParameters DcqcnParameters::nic(uint64_t line_rate) {
  DcqcnParameters p;
  p.line_rate = line_rate;
  p.min_rate = 1 * kMbps;
  p.g_numerator = 5;
  p.g_denominator = 1024;
  p.initial_alpha = fraction_of(1023, 1024);
  p.alpha_period = 1'000;
  p.increase_period = 300'000;
  p.increase_bytes = 32767 * 64;
  p.fast_steps = 1;
  p.additive_step = 5 * kMbps;
  p.hyper_step = 50 * kMbps;
  p.min_cut_interval = 4'000;
  p.cnp_interval = 4'000;
  return p;
}

DcqcnParameters DcqcnParameters::ns3(uint64_t line_rate) {
  DcqcnParameters p;
  p.line_rate = line_rate;
  p.min_rate = std::min(1000 * kMbps, line_rate);
  p.alpha_period = 1'000;
  p.increase_period = 300'000;
  p.fast_steps = 1;
  p.additive_step = std::max<uint64_t>(line_rate / 5'000, 1);  // 5 Mb/s per 25 Gb/s of the line
  p.hyper_step = 10 * p.additive_step;
  p.min_cut_interval = 4'000;
  p.cnp_interval = 4'000;
  return p;
}

bool DcqcnParameters::valid() const {
  return min_rate != 0 && min_rate <= line_rate && line_rate <= 10'000'000 * kMbps && g_numerator != 0 &&
         g_numerator < g_denominator && initial_alpha <= kOne && alpha_period != 0 && increase_period != 0 &&
         additive_step != 0;
}

void Dcqcn::sent(uint32_t bytes, uint64_t now) {
  if (!limited_) return;
  advance(now);
  if (p_.increase_bytes == 0) return;
  bytes_ += bytes;
  while (limited_ && bytes_ >= p_.increase_bytes) {
    bytes_ -= p_.increase_bytes;
    ++byte_counts_;
    increase();
  }
}

void Dcqcn::cnp(uint64_t now) {
  advance(now);
  if (!limited_) {
    limited_ = true;
    rate_ = p_.line_rate;
    alpha_ = p_.initial_alpha;
  } else {
    if (now - last_cut_ < p_.min_cut_interval) return;
    alpha_ = alpha_at(now);
  }
  target_ = rate_;
  rate_ = std::max(rate_ - scale(rate_, alpha_ / 2), p_.min_rate);
  alpha_ += static_cast<Fraction>(uint64_t{kOne - alpha_} * p_.g_numerator / p_.g_denominator);
  alpha_since_ = last_cut_ = now;
  next_increase_ = now + p_.increase_period;
  bytes_ = 0;
  periods_ = byte_counts_ = 0;
}

void Dcqcn::advance(uint64_t now) {
  while (limited_ && now >= next_increase_) {
    next_increase_ += p_.increase_period;
    ++periods_;
    increase();
  }
}

void Dcqcn::increase() {
  const uint32_t fewer = std::min(periods_, byte_counts_);
  const uint32_t more = std::max(periods_, byte_counts_);
  if (fewer > p_.fast_steps) {
    target_ += (fewer - p_.fast_steps) * p_.hyper_step;
  } else if (more >= p_.fast_steps) {
    target_ += p_.additive_step;
  }
  target_ = std::min(target_, p_.line_rate);
  rate_ = (rate_ + target_ + 1) / 2;
  limited_ = rate_ < p_.line_rate;
}

Fraction Dcqcn::alpha_at(uint64_t now) const {
  const Fraction keeps = kOne - fraction_of(p_.g_numerator, p_.g_denominator);
  return static_cast<Fraction>(scale(alpha_, power(keeps, (now - alpha_since_) / p_.alpha_period)));
}

CongestionState Dcqcn::state(uint64_t now) {
  CongestionState state;
  state.rate = rate(now);
  if (state.rate == 0) return state;
  state.target = target_;
  state.alpha = alpha_at(now);
  return state;
}

}  // namespace uroce::transport
