#include "uroce/transport/policy/selective_repeat.h"

#include <algorithm>
#include <bit>

namespace uroce::transport {

void SelectiveRepeat::reset(uint64_t first) {
  *this = {};
  base_ = first;
}

void SelectiveRepeat::rewound(uint64_t first) {
  base_ = first;
  newest_ = clock_;
  arrived_.clear();
  lost_.clear();
  again_.clear();
}

void SelectiveRepeat::sent(uint64_t psn, uint32_t psns) {
  order(psn) = again_.test(psn) ? clock_ : ++clock_;
  lost_.clear(psn);
  for (uint64_t i = psn + 1; i < psn + psns; ++i) {
    order(i) = 0;
    lost_.clear(i);
  }
}

// Learns from an arrival which packets must have arrived before it.
void SelectiveRepeat::witness(uint64_t psn) {
  const uint64_t sent = order(psn);
  if (sent == 0) return;
  if (!again_.test(psn)) {
    newest_ = std::max(newest_, sent);
  } else if (newest_ + kLongestLoss < sent) {
    // Packets that left well before the second copy are still missing: this is the first copy, which was only late.
    tolerance_ = std::min(2 * tolerance_, kMostTolerance);
  }
}

void SelectiveRepeat::acked(uint64_t to) {
  if (to != base_) timeouts_ = 0;
  // First what was sent once, against which the others are measured.
  for (uint64_t psn = base_; psn < to; ++psn) {
    if (!again_.test(psn)) witness(psn);
  }
  for (; base_ < to; ++base_) {
    if (again_.test(base_) && !arrived_.test(base_)) witness(base_);
    arrived_.clear(base_);
    lost_.clear(base_);
    again_.clear(base_);
  }
}

bool SelectiveRepeat::reported(uint64_t expected, const Arrived& arrived, uint64_t next) {
  Arrived late;  // sent twice, and now there
  arrived.for_each([&](uint32_t i) {
    const uint64_t psn = expected + 1 + i;
    if (psn < base_ || psn >= next || order(psn) == 0 || arrived_.test(psn)) return;
    arrived_.set(psn);
    lost_.clear(psn);
    if (again_.test(psn)) {
      late.set(i);
    } else {
      witness(psn);
    }
  });
  late.for_each([&](uint32_t i) { witness(expected + 1 + i); });
  return judge(next);
}

// Finds lost packets. When the very last packet has arrived, nothing more will tell of those before it.
bool SelectiveRepeat::judge(uint64_t next) {
  bool found = false;
  for (uint64_t psn = base_; psn < next; ++psn) {
    const uint64_t sent = order(psn);
    if (sent == 0 || sent >= newest_ || arrived_.test(psn) || lost_.test(psn)) continue;
    if (sent + tolerance_ > newest_ && newest_ != clock_) continue;
    lost_.set(psn);
    again_.set(psn);
    found = true;
  }
  return found;
}

void SelectiveRepeat::miss(uint64_t psn) {
  arrived_.clear(psn);
  lost_.set(psn);
  again_.clear(psn);
}

bool SelectiveRepeat::forgotten(uint64_t expected, uint64_t next) {
  if (expected != base_ || expected >= next || !arrived_.test(expected)) return false;
  for (uint64_t psn = base_; psn < next; ++psn) {
    if (!arrived_.test(psn)) continue;
    miss(psn);
  }
  return true;
}

void SelectiveRepeat::timed_out(uint64_t next) {
  ++timeouts_;
  for (uint64_t psn = base_; psn < next; ++psn) {
    if (order(psn) == 0 || (arrived_.test(psn) && psn != base_)) continue;
    miss(psn);
  }
}

void SelectiveRepeat::ask_again(uint64_t psn, uint64_t next) {
  if (psn >= next) return;
  if (order(psn) == 0) order(psn) = 1;  // a request that is now asked for from its middle on
  miss(psn);
}

std::optional<uint64_t> SelectiveRepeat::next_resend(uint64_t end) const {
  for (uint64_t psn = base_; psn < end; psn = (psn / 64 + 1) * 64) {
    const uint64_t bits = lost_.from(psn);
    if (bits == 0) continue;
    const uint64_t found = psn + static_cast<uint64_t>(std::countr_zero(bits));
    return found < end ? std::optional(found) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace uroce::transport
