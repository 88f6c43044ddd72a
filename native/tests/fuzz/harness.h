// Common parts of the fuzz targets: choices from the input, memory with guards, surroundings of an engine.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "uroce/transport/engine.h"

// A broken invariant: prints it and aborts, so that libFuzzer keeps the input.
#define FUZZ_CHECK(condition)                                                                \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      std::fprintf(stderr, "%s:%d: invariant broken: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                          \
    }                                                                                        \
  } while (0)

namespace uroce::fuzz {

// A recovery and a congestion control: 18 choices have each with each.
inline transport::QpPolicy some_policy(uint8_t choice) {
  using transport::DcqcnParameters;
  using transport::RecoveryKind;
  constexpr uint64_t kLine = 1'000'000'000;
  constexpr RecoveryKind kRecoveries[] = {RecoveryKind::go_back_n, RecoveryKind::go_back_0,
                                          RecoveryKind::selective_repeat};
  transport::QpPolicy policy;
  policy.recovery = kRecoveries[choice % 3];
  switch (choice / 3 % 7) {
    case 1:
      policy.congestion = DcqcnParameters::paper(kLine);
      break;
    case 2:
      policy.congestion = DcqcnParameters::nic(kLine);
      break;
    case 3:
      policy.congestion = DcqcnParameters::ns3(kLine);
      break;
    case 4:
      policy.congestion = transport::SwiftParameters{};
      break;
    case 5:
      policy.congestion = transport::TimelyParameters::paper(kLine);
      break;
    case 6:
      policy.congestion = transport::TimelyParameters::with_patch(kLine);
      break;
    default:
      break;
  }
  return policy;
}

// Takes choices from the input; behind its end everything is zero.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : p_(data), end_(data + size) {}
  bool empty() const { return p_ == end_; }
  size_t left() const { return static_cast<size_t>(end_ - p_); }
  uint8_t u8() { return p_ == end_ ? 0 : *p_++; }
  uint16_t u16() {
    const uint16_t low = u8();
    return static_cast<uint16_t>(low | u8() << 8);
  }
  uint32_t u32() {
    const uint32_t low = u16();
    return low | static_cast<uint32_t>(u16()) << 16;
  }
  uint64_t u64() {
    const uint64_t low = u32();
    return low | static_cast<uint64_t>(u32()) << 32;
  }
  // Up to n bytes, in place.
  const uint8_t* take(size_t n, size_t* got) {
    *got = n < left() ? n : left();
    const uint8_t* p = p_;
    p_ += *got;
    return p;
  }

 private:
  const uint8_t* p_;
  const uint8_t* end_;
};

// Memory of one end: regions with guard bytes between them. A copy shows changes.
class Arena {
 public:
  static constexpr uint32_t kGuard = 64;
  explicit Arena(uint32_t size) : bytes_(pattern(size)), before_(bytes_) {}
  // Offset of a new region, aligned to 64 bytes, guards around it.
  uint32_t carve(uint32_t size) {
    const uint32_t at = used_ + kGuard;
    used_ = (at + size + kGuard - 1) / kGuard * kGuard;
    FUZZ_CHECK(used_ + kGuard <= bytes_.size());
    return at;
  }
  uint8_t* at(uint32_t offset) { return bytes_.data() + offset; }
  // Allows changes of these bytes from now on.
  void allow(uint32_t offset, uint32_t size) { allowed_.push_back({offset, size}); }
  // Forbids changes of these bytes from now on.
  void freeze(uint32_t offset, uint32_t size) {
    std::memcpy(before_.data() + offset, bytes_.data() + offset, size);
    std::erase_if(allowed_, [&](const Range& r) { return r.offset == offset && r.size == size; });
  }
  // Checks that nothing outside of the allowed ranges has changed.
  void check() {
    for (const Range& r : allowed_) std::memcpy(before_.data() + r.offset, bytes_.data() + r.offset, r.size);
    FUZZ_CHECK(std::memcmp(before_.data(), bytes_.data(), bytes_.size()) == 0);
  }

 private:
  struct Range {
    uint32_t offset, size;
  };
  // Bytes that are not written by chance; made once, since a target runs thousands of times per second.
  static const std::vector<uint8_t>& pattern(uint32_t size) {
    static std::vector<uint8_t> made;
    uint32_t x = 0x2545f491;
    if (made.size() != size) {
      made.resize(size);
      for (uint8_t& b : made) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        b = static_cast<uint8_t>(x);
      }
    }
    return made;
  }
  std::vector<uint8_t> bytes_, before_;
  std::vector<Range> allowed_;
  uint32_t used_ = 0;
};

class Events final : public transport::EventSink {
 public:
  void qp_event(transport::Qp&, EventType) override { ++qp_events; }
  void cq_error(transport::Cq&) override { ++cq_errors; }
  void completion_event(transport::Cq&) override { ++completion_events; }
  uint32_t qp_events = 0, cq_errors = 0, completion_events = 0;
};

// Takes packets as bytes from BTH to the last pad byte, and checks that they are valid.
class Sink final : public transport::PacketSink {
 public:
  using Bytes = std::vector<uint8_t>;
  uint32_t room() override { return limit; }
  bool emit(const transport::TxPacket& p) override {
    FUZZ_CHECK(limit != 0);
    --limit;
    ++emitted;
    uint8_t* at = buffer_;
    FUZZ_CHECK(p.header_len <= kMaxHeader && p.payload_len <= kMaxMtu && p.pad == (-p.payload_len & 3));
    std::memcpy(at, p.header, p.header_len);
    at += p.header_len;
    uint32_t payload = 0;
    for (uint32_t i = 0; i < p.iov_count; ++i) {
      payload += p.iov[i].len;
      FUZZ_CHECK(payload <= p.payload_len);
      if (p.iov[i].len != 0) std::memcpy(at, p.iov[i].base, p.iov[i].len);
      at += p.iov[i].len;
    }
    FUZZ_CHECK(payload == p.payload_len);
    std::memset(at, 0, p.pad);
    if (keep) packets.emplace_back(buffer_, at + p.pad);
    return true;
  }
  uint32_t limit = 0;
  uint64_t emitted = 0;
  bool keep = true;
  std::vector<Bytes> packets;

 private:
  static constexpr uint32_t kMaxHeader = 40;
  uint8_t buffer_[kMaxHeader + kMaxMtu + 3];
};

inline Gid gid_of(uint8_t node) {
  Gid gid{};
  gid[10] = gid[11] = 0xff;
  gid[12] = 10;
  gid[15] = node;
  return gid;
}

// The three attribute sets that take a QP from RESET to RTS, as programs set them; for RC alone, and by
// type.
inline constexpr uint32_t kInitMask = 0x39, kRtrMask = 0x129181, kRtsMask = 0x12e01;
struct Masks {
  uint32_t init, rtr, rts;
};
inline Masks masks_of(QpType type) {
  if (type == QpType::uc) return {0x39, 0x101181, 0x10001};
  if (type == QpType::ud) return {0x71, 0x1, 0x10001};
  return {kInitMask, kRtrMask, kRtsMask};
}
inline constexpr uint32_t kQkey = 0x11111111;  // the UD QPs'

}  // namespace uroce::fuzz
