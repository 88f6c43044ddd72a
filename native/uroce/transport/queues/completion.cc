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
  ring_.reset(new Entry[mask_ + 1]);
  if (timed) times_.reset(new uint64_t[mask_ + 1]);
  keeps_more_ = timed;
}

Cq::~Cq() { delete[] stamps_.load(std::memory_order_relaxed); }

template <bool kMore>
void Cq::copy_out(uint32_t head, uint32_t n, Completion* out, WrStamps* stamps, uint64_t* times) {
  const WrStamps* kept = kMore && stamps ? stamps_.load(std::memory_order_acquire) : nullptr;
  SlotRef last = ring_[head & mask_].slot;  // completions in a row of one work queue: it frees them all
  for (uint32_t done = 0; done < n; ++done, ++head) {
    const Entry& entry = ring_[head & mask_];
    if (entry.slot.polled != last.polled) [[unlikely]]
      free_behind(head, last);
    last = entry.slot;
    out[done] = entry.wc;
    if (kMore && times) times[done] = times_[head & mask_];
    if (kMore && stamps) stamps[done] = kept ? kept[head & mask_] : WrStamps{};
  }
  free_behind(head, last);
}

uint32_t Cq::poll(Completion* out, uint32_t n, WrStamps* stamps, uint64_t* times) {
  const uint32_t head = head_.load(std::memory_order_relaxed);
  n = std::min(n, tail_.load(std::memory_order_acquire) - head);
  if (n == 0) return 0;
  if (stamps != nullptr || times != nullptr) {
    copy_out<true>(head, n, out, stamps, times);
  } else {
    copy_out<false>(head, n, out, nullptr, nullptr);
  }
  return n;
}

int Cq::resize(uint32_t capacity) {
  const uint32_t head = head_.load(std::memory_order_relaxed);
  const uint32_t queued = tail_.load(std::memory_order_relaxed) - head;
  if (capacity == 0) return refuse(EINVAL, Cause::cqe);
  if (capacity < queued) return refuse(EINVAL, Cause::cq_holds_more, queued, capacity);
  const uint32_t mask = std::bit_ceil(capacity) - 1;
  std::unique_ptr<Entry[]> ring(new Entry[mask + 1]);
  std::unique_ptr<uint64_t[]> times(times_ ? new uint64_t[mask + 1] : nullptr);
  WrStamps* old = stamps_.load(std::memory_order_relaxed);
  std::unique_ptr<WrStamps[]> stamps(old ? new WrStamps[mask + 1] : nullptr);
  for (uint32_t i = 0; i < queued; ++i) {
    ring[(head + i) & mask] = ring_[(head + i) & mask_];
    if (times) times[(head + i) & mask] = times_[(head + i) & mask_];
    if (old) stamps[(head + i) & mask] = old[(head + i) & mask_];
  }
  ring_ = std::move(ring);
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
    if (ring_[from & mask_].wc.qp_num == qpn) {
      if (stamps && stamps[from & mask_].valid) events_.unsignaled_stamps(stamps[from & mask_]);
      continue;
    }
    if (--to == from) continue;
    ring_[to & mask_] = ring_[from & mask_];
    if (times_) times_[to & mask_] = times_[from & mask_];
    if (stamps) stamps[to & mask_] = stamps[from & mask_];
  }
  head_.store(to, std::memory_order_release);
}

void Cq::enable_stamps() {
  if (!stamps_.load(std::memory_order_relaxed))
    stamps_.store(new WrStamps[mask_ + 1], std::memory_order_release);
  keeps_more_ = true;
}

void Cq::overrun() {
  if (!overrun_) events_.cq_error(*this);
  overrun_ = true;
}

void Cq::keep(uint32_t tail, const WrStamps* stamps, uint64_t now) {
  if (times_) times_[tail & mask_] = last_time_ = std::max(last_time_, now);
  if (WrStamps* kept = kDiagnostics ? stamps_.load(std::memory_order_relaxed) : nullptr)
    kept[tail & mask_] = stamps ? *stamps : WrStamps{};
}

void Cq::notify(bool solicited) {
  if (armed_ == kArmedSolicited && !solicited) return;
  armed_ = kNotArmed;
  events_.completion_event(*this);
}

}  // namespace uroce::transport
