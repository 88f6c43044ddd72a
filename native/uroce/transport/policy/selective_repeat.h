// Selective repeat: the responder keeps what comes behind a gap (reorder.h) and says in its NAKs what it has. The
// requester sends only the missing packets again.
//
// What is missing is judged by the order of sending, not of PSNs: a packet is lost if one that was sent later has
// arrived. So the loss of a retransmission is found as well, without a timer, once newer packets arrive. Only packets
// sent for the first time tell about others: whether a packet sent twice arrived the first or the second time is
// unknown.
//
// A network that reorders makes packets look lost that are only late. When the first copy of a packet that was sent again
// arrives after all, later packets must be further ahead from then on (`tolerance`).
//
// Between peers of which one does not use selective repeat, and for READ responses, the requester goes back as with
// go-back-N. PSNs are 64-bit sequences.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "uroce/transport/policy/arrived.h"

namespace uroce::transport {

class SelectiveRepeat {
 public:
  // PSNs that may be in flight: as many as a NAK can name.
  static constexpr uint32_t kReach = Arrived::kReach;

  // Nothing is in flight; `first` is the next PSN.
  void reset(uint64_t first);
  // All that is in flight will be sent again from there.
  void rewound(uint64_t first);
  // A packet of so many PSNs leaves, a new one or one that next_resend() named. Only a READ request has several.
  void sent(uint64_t psn, uint32_t psns);
  // Everything below `to` is acknowledged.
  void acked(uint64_t to);
  // A NAK names what has arrived behind the expected PSN; `next`: the first not sent. True if packets are newly found
  // lost.
  bool reported(uint64_t expected, const Arrived& arrived, uint64_t next);
  // The peer has executed everything before this PSN, and not the packet itself, though it said that it has it: it has
  // given up what it kept. True if so: everything it has named is missing again.
  bool forgotten(uint64_t expected, uint64_t next);
  // An answer is missing. What has not arrived is sent again, and is judged as if new: older copies are gone by now.
  void timed_out(uint64_t next);
  // The request at this PSN is to be sent again, whatever has arrived of it: its answer is missing.
  void ask_again(uint64_t psn, uint64_t next);
  // The next packet to send again, below `end`.
  std::optional<uint64_t> next_resend(uint64_t end) const;
  // Timeouts since the last progress.
  uint32_t timeouts() const { return timeouts_; }
  // Packets sent later that must have arrived before a missing one counts as lost.
  uint32_t tolerance() const { return tolerance_; }
  // For tests: the packet is named as arrived.
  bool has_arrived(uint64_t psn) const { return arrived_.test(psn); }

 private:
  friend struct EngineInspector;  // tests
  static constexpr uint32_t kMostTolerance = 64;
  // More packets in a row than one loss takes.
  static constexpr uint32_t kLongestLoss = 8;

  // A set of the PSNs in flight.
  class Ring {
   public:
    bool test(uint64_t psn) const { return words_[psn % kReach / 64] >> psn % 64 & 1; }
    void set(uint64_t psn) { words_[psn % kReach / 64] |= uint64_t{1} << psn % 64; }
    void clear(uint64_t psn) { words_[psn % kReach / 64] &= ~(uint64_t{1} << psn % 64); }
    void clear() { words_ = {}; }
    // The bits from this PSN on that are in its word.
    uint64_t from(uint64_t psn) const { return words_[psn % kReach / 64] >> psn % 64; }

   private:
    std::array<uint64_t, kReach / 64> words_{};
  };
  uint64_t& order(uint64_t psn) { return order_[psn % kReach]; }
  // The packet has arrived.
  void witness(uint64_t psn);
  bool judge(uint64_t next);
  // The packet is to be sent again, and judged as if new.
  void miss(uint64_t psn);

  uint64_t base_ = 0;    // the first not acknowledged
  uint64_t clock_ = 0;   // packets sent, without those sent again
  uint64_t newest_ = 0;  // the last of them that has arrived, by that count
  uint32_t tolerance_ = 1;
  uint32_t timeouts_ = 0;
  std::array<uint64_t, kReach> order_{};  // when each was sent, by that count; 0: no packet begins there
  Ring arrived_, lost_;
  Ring again_;  // sent more than once: which copy arrives is unknown
};

}  // namespace uroce::transport
