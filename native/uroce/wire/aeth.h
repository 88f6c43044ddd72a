// ACK Extended Transport Header (IBA 9.3.5).
//
//  0 syndrome | 1 MSN (3)
#pragma once

#include <array>

#include "uroce/wire/bytes.h"
#include "uroce/wire/view.h"

namespace uroce::wire {

// Kinds of syndrome: syndrome & kKindMask.
namespace aeth {
inline constexpr uint8_t kKindMask = 0xe0, kAck = 0x00, kRnrNak = 0x20, kNak = 0x60;
inline constexpr uint8_t kValueMask = 0x1f;
inline constexpr uint8_t kAckUnlimited = 0x1f;  // ACK without credit counting
inline constexpr uint8_t kNakSequence = 0x60, kNakInvalidRequest = 0x61, kNakRemoteAccess = 0x62,
                         kNakRemoteOperation = 0x63;
// RNR timer codes in microseconds (IBA table 45).
inline constexpr std::array<uint32_t, 32> kRnrTimerUs = {
    655360, 10,    20,    30,    40,    60,     80,     120,    160,    240,   320,
    480,    640,   960,   1280,  1920,  2560,   3840,   5120,   7680,   10240, 15360,
    20480,  30720, 40960, 61440, 81920, 122880, 163840, 245760, 327680, 491520};
}  // namespace aeth

class AethView : public View<AethView, 4> {
 public:
  uint8_t syndrome() const { return p_[0]; }
  uint32_t msn() const { return load24(p_ + 1); }

 private:
  friend View;
  using View::View;
};

struct Aeth {
  static constexpr size_t kSize = AethView::kSize;

  uint8_t syndrome = aeth::kAckUnlimited;
  uint32_t msn = 0;  // 24 bits, messages completed

  bool operator==(const Aeth&) const = default;

  static std::optional<Aeth> parse(const uint8_t* p, size_t len) {
    const auto v = AethView::of(p, len);
    if (!v) return std::nullopt;
    return Aeth{v->syndrome(), v->msn()};
  }
  void emit(uint8_t* p) const {
    p[0] = syndrome;
    store24(p + 1, msn);
  }
};

}  // namespace uroce::wire
