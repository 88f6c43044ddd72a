// Slots of a work queue in use. A slot is free again when the completion of its WR, or of a later one in
// the same queue, was polled, as with mlx5. So a CQ as large as its work queues never overruns, and a
// program may post until the queue is full.
#pragma once

#include <atomic>
#include <cstdint>

namespace uroce::transport {

// Index behind the last slot of each queue of a QP whose completion was polled. Pollers write it without
// the engine's lock, so the engine keeps it when the QP is gone.
struct alignas(64) PolledSlots {
  std::atomic<uint32_t> send{0};
  std::atomic<uint32_t> recv{0};
};

// The slot that a completion frees when it is polled.
struct SlotRef {
  std::atomic<uint32_t>* polled = nullptr;  // nullptr: nothing
  uint32_t slot = 0;

  void free() const {
    if (polled != nullptr) polled->store(slot + 1, std::memory_order_release);
  }
};

// `head` is the oldest WR that has not completed, `tail` the place for the next one.
class SlotsInUse {
 public:
  // Frees slots by `polled`. Without this, a slot is free as soon as its WR has left the queue.
  void follow(std::atomic<uint32_t>& polled) { polled_ = &polled; }
  SlotRef ref(uint32_t slot) const { return {polled_, slot}; }

  bool fit(uint32_t count, uint32_t head, uint32_t tail, uint32_t max) {
    const auto fits = [&] { return static_cast<int32_t>(end_ - tail) >= static_cast<int32_t>(count); };
    if (fits()) [[likely]]
      return true;
    // Reads the line that the pollers write only when the queue seems full.
    end_ = oldest(head) + max;
    return fits();
  }
  uint32_t count(uint32_t head, uint32_t tail) { return tail - oldest(head); }
  // All WRs were dropped.
  void clear(uint32_t tail) { freed_ = end_ = tail; }

 private:
  uint32_t oldest(uint32_t head) {
    if (polled_ == nullptr) return head;
    const uint32_t polled = polled_->load(std::memory_order_acquire);
    // A thread that polled during a reset may report a WR from before the reset late.
    if (polled - freed_ <= head - freed_) freed_ = polled;
    return freed_;
  }

  std::atomic<uint32_t>* polled_ = nullptr;
  uint32_t freed_ = 0;
  uint32_t end_ = 0;  // WRs before it fit, as far as known
};

}  // namespace uroce::transport
