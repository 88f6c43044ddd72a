// Headers that follow the BTH, in the order of IBA 9.3, and what else stands beside it in a packet: the CNP
// and the GRH.
#pragma once

#include <array>
#include <cstdint>

#include "uroce/wire/bth.h"
#include "uroce/wire/bytes.h"
#include "uroce/wire/ip.h"
#include "uroce/wire/opcode.h"
#include "uroce/wire/view.h"

namespace uroce::wire {

// RDMA Extended Transport Header: where a WRITE or READ request points (IBA 9.3.3).
//
//  0 virtual address (8) | 8 R_Key (4) | 12 DMA length (4)
class RethView : public View<RethView, 16> {
 public:
  uint64_t va() const { return load64(p_); }
  uint32_t rkey() const { return load32(p_ + 8); }
  uint32_t length() const { return load32(p_ + 12); }

 private:
  friend View;
  using View::View;
};

struct Reth {
  static constexpr size_t kSize = RethView::kSize;

  uint64_t va = 0;
  uint32_t rkey = 0;
  uint32_t length = 0;  // bytes of the whole message

  bool operator==(const Reth&) const = default;

  static std::optional<Reth> parse(const uint8_t* p, size_t len) {
    const auto v = RethView::of(p, len);
    if (!v) return std::nullopt;
    return Reth{v->va(), v->rkey(), v->length()};
  }
  void emit(uint8_t* p) const {
    store64(p, va);
    store32(p + 8, rkey);
    store32(p + 12, length);
  }
};

// ACK Extended Transport Header (IBA 9.3.5).
//
//  0 syndrome | 1 MSN (3)

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

// Datagram Extended Transport Header (IBA 9.3.2): in every UD packet.
//
//  0 Q_Key (4) | 4 reserved (1) | 5 source QPN (3)
class DethView : public View<DethView, 8> {
 public:
  uint32_t qkey() const { return load32(p_); }
  uint32_t src_qpn() const { return load24(p_ + 5); }

 private:
  friend View;
  using View::View;
};

struct Deth {
  static constexpr size_t kSize = DethView::kSize;

  uint32_t qkey = 0;
  uint32_t src_qpn = 0;  // 24 bits

  bool operator==(const Deth&) const = default;

  static std::optional<Deth> parse(const uint8_t* p, size_t len) {
    const auto v = DethView::of(p, len);
    if (!v) return std::nullopt;
    return Deth{v->qkey(), v->src_qpn()};
  }
  void emit(uint8_t* p) const {
    store32(p, qkey);
    p[4] = 0;
    store24(p + 5, src_qpn);
  }
};

// Immediate data (IBA 9.3.6): four bytes handed on as they are, in network order.
class ImmDtView : public View<ImmDtView, 4> {
 public:
  uint32_t data() const { return load_raw32(p_); }

 private:
  friend View;
  using View::View;
};

struct ImmDt {
  static constexpr size_t kSize = ImmDtView::kSize;

  uint32_t data = 0;  // network order, as ibv_wc.imm_data

  bool operator==(const ImmDt&) const = default;

  static std::optional<ImmDt> parse(const uint8_t* p, size_t len) {
    const auto v = ImmDtView::of(p, len);
    if (!v) return std::nullopt;
    return ImmDt{v->data()};
  }
  void emit(uint8_t* p) const { store_raw32(p, data); }
};

// Invalidate Extended Transport Header (IBA 9.3.7): the R_Key that a SEND with invalidate takes away.
class IethView : public View<IethView, 4> {
 public:
  uint32_t rkey() const { return load32(p_); }

 private:
  friend View;
  using View::View;
};

struct Ieth {
  static constexpr size_t kSize = IethView::kSize;

  uint32_t rkey = 0;

  bool operator==(const Ieth&) const = default;

  static std::optional<Ieth> parse(const uint8_t* p, size_t len) {
    const auto v = IethView::of(p, len);
    if (!v) return std::nullopt;
    return Ieth{v->rkey()};
  }
  void emit(uint8_t* p) const { store32(p, rkey); }
};

// Atomic Extended Transport Header: operands of compare-swap and fetch-add (IBA 9.3.4).
//
//  0 virtual address (8) | 8 R_Key (4) | 12 swap or add (8) | 20 compare (8)
class AtomicEthView : public View<AtomicEthView, 28> {
 public:
  uint64_t va() const { return load64(p_); }
  uint32_t rkey() const { return load32(p_ + 8); }
  uint64_t swap_add() const { return load64(p_ + 12); }
  uint64_t compare() const { return load64(p_ + 20); }

 private:
  friend View;
  using View::View;
};

struct AtomicEth {
  static constexpr size_t kSize = AtomicEthView::kSize;

  uint64_t va = 0;
  uint32_t rkey = 0;
  uint64_t swap_add = 0;
  uint64_t compare = 0;

  bool operator==(const AtomicEth&) const = default;

  static std::optional<AtomicEth> parse(const uint8_t* p, size_t len) {
    const auto v = AtomicEthView::of(p, len);
    if (!v) return std::nullopt;
    return AtomicEth{v->va(), v->rkey(), v->swap_add(), v->compare()};
  }
  void emit(uint8_t* p) const {
    store64(p, va);
    store32(p + 8, rkey);
    store64(p + 12, swap_add);
    store64(p + 20, compare);
  }
};

// Atomic Acknowledge Extended Transport Header (IBA 9.3.5): the value before the operation.
class AtomicAckEthView : public View<AtomicAckEthView, 8> {
 public:
  uint64_t original() const { return load64(p_); }

 private:
  friend View;
  using View::View;
};

struct AtomicAckEth {
  static constexpr size_t kSize = AtomicAckEthView::kSize;

  uint64_t original = 0;

  bool operator==(const AtomicAckEth&) const = default;

  static std::optional<AtomicAckEth> parse(const uint8_t* p, size_t len) {
    const auto v = AtomicAckEthView::of(p, len);
    if (!v) return std::nullopt;
    return AtomicAckEth{v->original()};
  }
  void emit(uint8_t* p) const { store64(p, original); }
};

// Congestion notification packet (IBA A17.9.3): a BTH with BECN and without PSN, and 16 reserved zero bytes.

inline constexpr uint32_t kCnpReserved = 16;

inline Bth cnp_bth(uint32_t dest_qpn) {
  return {.opcode = opcode::cnp, .migreq = false, .becn = true, .dest_qpn = dest_qpn};
}

// Global Route Header: RoCEv1's network header, and the first 40 bytes of every UD receive buffer. It has the
// layout of an IPv6 header (IBA 8.3) with next header 27. For IPv4 packets the 40 bytes end with the IPv4
// header (bytes 20..39), as rxe and NICs deliver them.
using Grh = Ipv6;

// The 40 bytes of a UD receive buffer for a packet that came over IPv4.
inline void emit_grh_ipv4(uint8_t* p, const Ipv4& header) {
  std::memset(p, 0, Grh::kSize - Ipv4::kSize);
  header.emit(p + Grh::kSize - Ipv4::kSize);
}

}  // namespace uroce::wire
