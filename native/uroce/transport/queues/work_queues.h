// The two work queues of a QP: rings made once at creation; nothing is allocated afterwards.
#pragma once

#include <cstdint>
#include <memory>

#include "uroce/diagnostics.h"
#include "uroce/transport/queues/completion.h"
#include "uroce/transport/queues/slots.h"
#include "uroce/transport/queues/work_request.h"

namespace uroce::transport {

// Extended PSN: the PSN extended to 64 bits, so that comparisons need no modulus. The wire carries the low
// 24 bits.
using ExtPsn = uint64_t;
// Extended PSNs start one wrap of the PSN above zero, so that positions before the first one are never
// negative.
inline constexpr ExtPsn kExtPsnBase = kPsnMask + 1ull;
inline uint32_t wire_psn(ExtPsn seq) { return static_cast<uint32_t>(seq) & kPsnMask; }
// The sequence number with these low 24 bits that is nearest to `near`.
inline ExtPsn extend_psn(uint32_t psn, ExtPsn near) {
  const int32_t diff = static_cast<int32_t>((psn - wire_psn(near)) << 8) >> 8;
  return near + static_cast<int64_t>(diff);
}

struct SendWqe {
  uint64_t wr_id;
  uint64_t remote_addr;
  uint64_t compare_add;
  uint64_t swap;
  uint64_t start_bytes;  // bytes of all WRs before this one, for the window
  ExtPsn first;          // its PSNs are first .. first + psn_count - 1
  uint32_t psn_count;
  uint32_t length;
  uint32_t rkey;
  uint32_t imm_data;
  WrOpcode opcode;
  uint8_t flags;
  uint8_t num_sge;
  WcStatus error;  // a local failure found before sending; success if none

  ExtPsn end() const { return first + psn_count; }
  // READ or atomic
  bool wants_response() const {
    return opcode >= WrOpcode::rdma_read && opcode <= WrOpcode::atomic_fetch_and_add;
  }
  bool is_read() const { return opcode == WrOpcode::rdma_read; }
  bool is_atomic() const { return opcode > WrOpcode::rdma_read && opcode <= WrOpcode::atomic_fetch_and_add; }
  bool is_local() const { return uroce::transport::is_local(opcode); }
  // A local WR that has been executed.
  bool executed() const { return flags & kExecuted; }
  // In flags, beside the send_flag bits.
  static constexpr uint8_t kExecuted = 0x80;
  static constexpr uint8_t kCountedError = 0x40;  // the failure is in send_err
};

class SendQueue {
 public:
  void init(uint32_t max_wr, uint32_t max_sge, uint32_t max_inline);
  // Slots become free when their completion is polled.
  void follow(std::atomic<uint32_t>& polled) { in_use_.follow(polled); }
  // Places are not reused: a packet of a dropped WR may leave later.
  void clear() {
    head_ = tail_;
    in_use_.clear(tail_);
  }
  bool fit(uint32_t wrs) { return in_use_.fit(wrs, head_, tail_, max_wr_); }
  uint32_t room() { return max_wr_ - in_use_.count(head_, tail_); }  // WRs
  SlotRef slot(uint32_t index) const { return in_use_.ref(index); }
  bool empty() const { return head_ == tail_; }
  uint32_t head() const { return head_; }  // oldest WR not completed
  uint32_t tail() const { return tail_; }  // place of the next WR
  SendWqe& at(uint32_t index) { return wqes_[index & mask_]; }
  Sge* sges(uint32_t index) { return &sges_[static_cast<size_t>(index & mask_) * max_sge_]; }
  // Payload of an inline WR.
  uint8_t* inline_data(uint32_t index) { return &inline_[static_cast<size_t>(index & mask_) * max_inline_]; }
  WrStamps* stamps(uint32_t index) { return kDiagnostics && stamps_ ? &stamps_[index & mask_] : nullptr; }
  void enable_stamps();
  void push() { ++tail_; }
  void pop() { ++head_; }
  uint32_t max_sge() const { return max_sge_; }
  uint32_t max_inline() const { return max_inline_; }
  uint32_t max_wr() const { return max_wr_; }

 private:
  std::unique_ptr<SendWqe[]> wqes_;
  std::unique_ptr<Sge[]> sges_;
  std::unique_ptr<uint8_t[]> inline_;
  std::unique_ptr<WrStamps[]> stamps_;
  SlotsInUse in_use_;
  uint32_t mask_ = 0, max_wr_ = 0, max_sge_ = 0, max_inline_ = 0, head_ = 0, tail_ = 0;
};

struct RecvWqe {
  uint64_t wr_id;
  uint32_t length;  // bytes its SGEs hold
  uint32_t num_sge;
};

class RecvQueue {
 public:
  enum Owner : uint8_t { qp = 1, srq = 2 };  // as refusals name it (uroce/refusal.h)
  void init(uint32_t max_wr, uint32_t max_sge, Owner owner = qp);
  // Queues a WR. EINVAL (num_sge, 4 GiB or more), ENOMEM (full).
  int add(const RecvWr& wr);
  // Queues the oldest WR of another queue, whose SGEs must fit. The other queue keeps it.
  void add_from(RecvQueue& other);
  // Changes the capacity to no fewer than are queued.
  void resize(uint32_t max_wr);
  // Slots become free when their completion is polled. Without this, when their WR is taken.
  void follow(std::atomic<uint32_t>& polled) { in_use_.follow(polled); }
  void clear() {
    head_ = tail_;
    in_use_.clear(tail_);
  }
  bool full() { return !in_use_.fit(1, head_, tail_, max_wr_); }
  SlotRef slot(uint32_t index) const { return in_use_.ref(index); }
  bool empty() const { return head_ == tail_; }
  uint32_t head() const { return head_; }
  uint32_t tail() const { return tail_; }
  RecvWqe& at(uint32_t index) { return wqes_[index & mask_]; }
  Sge* sges(uint32_t index) { return &sges_[static_cast<size_t>(index & mask_) * max_sge_]; }
  void push() { ++tail_; }
  void pop() { ++head_; }
  uint32_t max_sge() const { return max_sge_; }
  uint32_t max_wr() const { return max_wr_; }

 private:
  Owner owner_ = qp;
  std::unique_ptr<RecvWqe[]> wqes_;
  std::unique_ptr<Sge[]> sges_;
  SlotsInUse in_use_;
  uint32_t mask_ = 0, max_wr_ = 0, max_sge_ = 0, head_ = 0, tail_ = 0;
};

}  // namespace uroce::transport
