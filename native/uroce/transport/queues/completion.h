// Completions and the completion queue.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "uroce/transport/queues/slots.h"
#include "uroce/types.h"

namespace uroce::transport {

class EventSink;

// Layout of ibv_wc (48 bytes), so the ABI may poll straight into the caller's array.
struct Completion {
  uint64_t wr_id;
  WcStatus status;
  WcOpcode opcode;  // undefined unless status is success, as in verbs
  uint32_t vendor_err;
  uint32_t byte_len;
  uint32_t imm_data;  // network order
  uint32_t qp_num;
  uint32_t src_qp;
  uint32_t wc_flags;  // wc_flag bits
  uint16_t pkey_index;
  uint16_t slid;
  uint8_t sl;
  uint8_t dlid_path_bits;
};
static_assert(sizeof(Completion) == 48);

// The life of a send work request, ns of the engine's clock; 0 is "not happened" (a flushed WR never left).
struct WrStamps {
  uint64_t posted = 0;
  uint64_t first_tx = 0;  // first packet handed to the socket, first time (Engine::note_tx_timestamp)
  uint64_t last_tx = 0;   // last packet handed to the socket, last time
  uint64_t acked = 0;     // the peer's acknowledgment, READ response or atomic result came from the socket
  uint64_t cqe = 0;       // completion written: the time of the packet that caused it
  uint64_t wr_id = 0;
  uint32_t qpn = 0;
  uint32_t byte_len = 0;
  WrOpcode opcode = WrOpcode::send;
  bool valid = false;  // false for receive completions and WRs posted before stamping began
  WcStatus status = WcStatus::success;
};

// A ring of fixed capacity with one writer (the engine, under its lock) and one reader at a time (the
// application, under another lock): poll() and count() need no engine lock. A completion that finds no room
// is lost, raises cq_err and puts its QP into the error state (IBA 11.6.3.1).
class Cq {
 public:
  // timed: keeps the time at which each completion was written.
  Cq(uint32_t capacity, EventSink& events, bool timed = false);
  ~Cq();
  Cq(const Cq&) = delete;
  Cq& operator=(const Cq&) = delete;

  // Takes up to n completions; returns their number. stamps, when given, has room for n (valid=false where
  // there are none), and times for n times of the engine's clock; only of a timed queue.
  uint32_t poll(Completion* out, uint32_t n, WrStamps* stamps = nullptr, uint64_t* times = nullptr);
  uint32_t count() const {
    return tail_.load(std::memory_order_acquire) - head_.load(std::memory_order_relaxed);
  }
  uint32_t capacity() const { return capacity_; }
  // Completions polled so far, modulo 2^32.
  uint32_t polled() const { return head_.load(std::memory_order_relaxed); }
  // The i-th of count() completions, which stays queued. No other thread may poll or resize meanwhile.
  const Completion& peek(uint32_t i) const {
    return ring_[(head_.load(std::memory_order_relaxed) + i) & mask_].wc;
  }
  // Requests one EventSink::completion_event at the next completion (or the next solicited or failed one).
  // Engine lock.
  void arm(bool solicited_only) {
    armed_ = solicited_only && armed_ != kArmedAny ? kArmedSolicited : kArmedAny;
  }
  bool armed() const { return armed_ != kNotArmed; }
  bool armed_solicited() const { return armed_ == kArmedSolicited; }
  // Time of the newest completion, of a timed queue.
  uint64_t last_time() const { return last_time_; }
  // Removes the completions of a queue pair that is reset or destroyed; the others keep their order. Both
  // locks.
  void purge(uint32_t qpn);
  // Changes the capacity and keeps the queued completions. Returns 0, or EINVAL if more are queued than
  // fit. Both locks.
  int resize(uint32_t capacity);

  // Engine only.
  void enable_stamps();
  // The place for the next completion; the caller sets all of it and then calls publish(). nullptr: the
  // queue is full, and this completion is lost.
  Completion* next() {
    const uint32_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) >= capacity_) [[unlikely]] {
      overrun();
      return nullptr;
    }
    return &ring_[tail & mask_].wc;
  }
  // now 0: the caller, a flush, does not know the time, and the last one is used. Polling the completion
  // frees the slot.
  void publish(bool solicited, const WrStamps* stamps, uint64_t now, const SlotRef& slot) {
    const uint32_t tail = tail_.load(std::memory_order_relaxed);
    Entry& entry = ring_[tail & mask_];
    entry.slot = slot;
    if (keeps_more_) [[unlikely]]
      keep(tail, stamps, now);
    tail_.store(tail + 1, std::memory_order_release);
    if (armed_ != kNotArmed) [[unlikely]]
      notify(solicited || entry.wc.status != WcStatus::success);
  }
  // next() and publish() in one call. False if the queue was full.
  bool push(const Completion& wc, bool solicited, const WrStamps* stamps, uint64_t now, SlotRef slot = {}) {
    Completion* to = next();
    if (to == nullptr) return false;
    *to = wc;
    publish(solicited, stamps, now, slot);
    return true;
  }

  void* user = nullptr;     // the ABI's ibv_cq
  uint32_t references = 0;  // QPs that use it

 private:
  enum Armed : uint8_t { kNotArmed, kArmedSolicited, kArmedAny };
  struct Entry {
    Completion wc;
    SlotRef slot;
  };
  static_assert(sizeof(Entry) == 64);
  void notify(bool solicited);
  void overrun();
  void keep(uint32_t tail, const WrStamps* stamps, uint64_t now);
  template <bool kMore>
  void copy_out(uint32_t head, uint32_t n, Completion* out, WrStamps* stamps, uint64_t* times);
  // Makes room in the queue first: a WR that another thread posts to the free slot may complete at once.
  void free_behind(uint32_t head, const SlotRef& slot) {
    head_.store(head, std::memory_order_release);
    slot.free();
  }

  EventSink& events_;
  std::unique_ptr<Entry[]> ring_;
  std::unique_ptr<uint64_t[]> times_;  // beside ring_, of a timed queue
  uint64_t last_time_ = 0;
  std::atomic<WrStamps*> stamps_{nullptr};  // beside ring_, from the first time stamping is on
  uint32_t capacity_;
  uint32_t mask_;
  bool overrun_ = false;
  bool keeps_more_ = false;  // keeps times or stamps
  Armed armed_ = kNotArmed;
  alignas(64) std::atomic<uint32_t> tail_{0};
  alignas(64) std::atomic<uint32_t> head_{0};
};

}  // namespace uroce::transport
