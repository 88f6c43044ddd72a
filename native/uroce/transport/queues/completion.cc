#include "uroce/transport/queues/completion.h"

#include <algorithm>
#include <bit>
#include <cerrno>

#include "uroce/diagnostics.h"
#include "uroce/refusal.h"
#include "uroce/transport/queues/event_sink.h"

namespace uroce::transport {
Cq::Cq(uint32_t capacity, EventSink& events, bool timed)
    : events_(events), capacity_(capacity), mask_(std::bit_ceil(capacity) - 1) {
  ring_.reset(new Completion[mask_ + 1]);
  slots_.reset(new SlotRef[mask_ + 1]);
  if (timed) times_.reset(new uint64_t[mask_ + 1]);
}

Cq::~Cq() { delete[] stamps_.load(std::memory_order_relaxed); }

uint32_t Cq::poll(Completion* out, uint32_t n, WrStamps* stamps, uint64_t* times) {
  uint32_t head = head_.load(std::memory_order_relaxed);
  n = std::min(n, tail_.load(std::memory_order_acquire) - head);
  if (n == 0) return 0;
  const WrStamps* kept = stamps ? stamps_.load(std::memory_order_acquire) : nullptr;
  SlotRef last;  // of completions in a row of one work queue: it frees them all
  for (uint32_t done = 0; done < n; ++done, ++head) {
    const SlotRef slot = slots_[head & mask_];
    if (slot.polled != last.polled) free_behind(head, last);
    last = slot;
    out[done] = ring_[head & mask_];
    if (times) times[done] = times_[head & mask_];
    if (stamps) stamps[done] = kept ? kept[head & mask_] : WrStamps{};
  }
  free_behind(head, last);
  return n;
}

int Cq::resize(uint32_t capacity) {
  const uint32_t head = head_.load(std::memory_order_relaxed);
  const uint32_t queued = tail_.load(std::memory_order_relaxed) - head;
  if (capacity == 0) return refuse(EINVAL, Cause::cqe);
  if (capacity < queued) return refuse(EINVAL, Cause::cq_holds_more, queued, capacity);
  const uint32_t mask = std::bit_ceil(capacity) - 1;
  std::unique_ptr<Completion[]> ring(new Completion[mask + 1]);
  std::unique_ptr<SlotRef[]> slots(new SlotRef[mask + 1]);
  std::unique_ptr<uint64_t[]> times(times_ ? new uint64_t[mask + 1] : nullptr);
  WrStamps* old = stamps_.load(std::memory_order_relaxed);
  std::unique_ptr<WrStamps[]> stamps(old ? new WrStamps[mask + 1] : nullptr);
  for (uint32_t i = 0; i < queued; ++i) {
    ring[(head + i) & mask] = ring_[(head + i) & mask_];
    slots[(head + i) & mask] = slots_[(head + i) & mask_];
    if (times) times[(head + i) & mask] = times_[(head + i) & mask_];
    if (old) stamps[(head + i) & mask] = old[(head + i) & mask_];
  }
  ring_ = std::move(ring);
  slots_ = std::move(slots);
  times_ = std::move(times);
  stamps_.store(stamps.release(), std::memory_order_release);
  delete[] old;
  capacity_ = capacity;
  mask_ = mask;
  overrun_ = false;
  return 0;
}

// From the newest to the oldest, what stays moves towards the tail: the writer's end does not change.
void Cq::purge(uint32_t qpn) {
  const uint32_t head = head_.load(std::memory_order_relaxed);
  const uint32_t tail = tail_.load(std::memory_order_relaxed);
  WrStamps* stamps = stamps_.load(std::memory_order_relaxed);
  uint32_t to = tail;
  for (uint32_t from = tail; from != head;) {
    --from;
    if (ring_[from & mask_].qp_num == qpn) {
      if (stamps && stamps[from & mask_].valid) events_.unsignaled_stamps(stamps[from & mask_]);
      continue;
    }
    if (--to == from) continue;
    ring_[to & mask_] = ring_[from & mask_];
    slots_[to & mask_] = slots_[from & mask_];
    if (times_) times_[to & mask_] = times_[from & mask_];
    if (stamps) stamps[to & mask_] = stamps[from & mask_];
  }
  head_.store(to, std::memory_order_release);
}

void Cq::enable_stamps() {
  if (!stamps_.load(std::memory_order_relaxed))
    stamps_.store(new WrStamps[mask_ + 1], std::memory_order_release);
}

bool Cq::push(const Completion& wc, bool solicited, const WrStamps* stamps, uint64_t now, SlotRef slot) {
  const uint32_t tail = tail_.load(std::memory_order_relaxed);
  if (tail - head_.load(std::memory_order_acquire) >= capacity_) {
    if (!overrun_) events_.cq_error(*this);
    overrun_ = true;
    return false;
  }
  ring_[tail & mask_] = wc;
  slots_[tail & mask_] = slot;
  if (times_) times_[tail & mask_] = last_time_ = std::max(last_time_, now);
  if (WrStamps* kept = kDiagnostics ? stamps_.load(std::memory_order_relaxed) : nullptr) {
    kept[tail & mask_] = stamps ? *stamps : WrStamps{};
  }
  tail_.store(tail + 1, std::memory_order_release);
  if (armed_ != kNotArmed) notify(solicited || wc.status != WcStatus::success);
  return true;
}

void Cq::notify(bool solicited) {
  if (armed_ == kArmedSolicited && !solicited) return;
  armed_ = kNotArmed;
  events_.completion_event(*this);
}

}  // namespace uroce::transport
