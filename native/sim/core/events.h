// Events in order of (time, number): a heap with four children per place, of plain values. The number makes the order
// total, so that a run is the same on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/time.h"

namespace vlsim {

enum class EventKind : uint8_t {
  arrive,    // a: port, b: packet
  ready,     // a: port that may send again
  received,  // a: host, b: packet that its memory has taken
  wake,      // a: host whose engine has a timer due
  refresh,   // a: port, b: class that keeps its peer paused
  watchdog,  // a: switch
  change,    // a: number of a change of the scenario
  sample,
  work,  // a, b: the workload's own
};

struct Event {
  Time time;
  uint64_t order;  // its number, and its kind in the low 8 bits
  uint32_t a, b;

  EventKind kind() const { return static_cast<EventKind>(order & 0xff); }
  bool before(const Event& other) const {
    return time != other.time ? time < other.time : order < other.order;
  }
};

class EventQueue {
 public:
  void push(Time time, EventKind kind, uint32_t a = 0, uint32_t b = 0) {
    const Event event{time, next_++ << 8 | static_cast<uint8_t>(kind), a, b};
    size_t at = heap_.size();
    heap_.push_back(event);
    while (at != 0) {
      const size_t parent = (at - 1) / 4;
      if (!event.before(heap_[parent])) break;
      heap_[at] = heap_[parent];
      at = parent;
    }
    heap_[at] = event;
    if (heap_.size() > most_) most_ = heap_.size();
  }
  bool empty() const { return heap_.empty(); }
  const Event& top() const { return heap_.front(); }
  Event pop() {
    const Event first = heap_.front();
    const Event last = heap_.back();
    heap_.pop_back();
    const size_t size = heap_.size();
    if (size != 0) {
      size_t at = 0;
      while (true) {
        const size_t child = 4 * at + 1;
        if (child >= size) break;
        size_t best = child;
        const size_t end = child + 4 < size ? child + 4 : size;
        for (size_t i = child + 1; i < end; ++i) {
          if (heap_[i].before(heap_[best])) best = i;
        }
        if (!heap_[best].before(last)) break;
        heap_[at] = heap_[best];
        at = best;
      }
      heap_[at] = last;
    }
    return first;
  }
  // Calls f for the next event and those that may come after it.
  template <class F>
  void each_near(F&& f) const {
    const size_t end = heap_.size() < 5 ? heap_.size() : 5;
    for (size_t i = 0; i < end; ++i) f(heap_[i]);
  }
  // Calls f for every event that waits, in no order.
  template <class F>
  void each(F&& f) const {
    for (const Event& event : heap_) f(event);
  }
  // Events ever pushed, and the most that waited at once.
  uint64_t pushed() const { return next_; }
  uint64_t most() const { return most_; }

 private:
  std::vector<Event> heap_;
  uint64_t next_ = 0;
  uint64_t most_ = 0;
};

}  // namespace vlsim
