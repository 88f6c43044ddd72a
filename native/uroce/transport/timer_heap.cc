#include "uroce/transport/timer_heap.h"

#include "uroce/transport/qp.h"

namespace uroce::transport {

void TimerHeap::set(Qp& qp, uint64_t deadline) {
  if (qp.timer_index >= 0) {
    if (qp.timer_key <= deadline) return;
    qp.timer_key = deadline;
    up(static_cast<uint32_t>(qp.timer_index));
    return;
  }
  if (deadline == kNever) return;
  qp.timer_key = deadline;
  heap_.push_back(&qp);
  qp.timer_index = static_cast<int32_t>(heap_.size() - 1);
  up(static_cast<uint32_t>(heap_.size() - 1));
}

void TimerHeap::remove(Qp& qp) {
  if (qp.timer_index >= 0) erase(static_cast<uint32_t>(qp.timer_index));
}

uint64_t TimerHeap::earliest() const { return heap_.empty() ? kNever : heap_[0]->timer_key; }

uint64_t TimerHeap::next() { return fix_top() ? heap_[0]->timer_key : kNever; }

Qp* TimerHeap::pop_due(uint64_t now) {
  if (!fix_top() || heap_[0]->timer_key > now) return nullptr;
  Qp* qp = heap_[0];
  erase(0);
  return qp;
}

bool TimerHeap::fix_top() {
  while (!heap_.empty()) {
    Qp* top = heap_[0];
    const uint64_t deadline = top->deadline();
    if (deadline == top->timer_key) return true;
    if (deadline == kNever) {
      erase(0);
    } else {
      top->timer_key = deadline;
      down(0);
    }
  }
  return false;
}

void TimerHeap::place(uint32_t index, Qp* qp) {
  heap_[index] = qp;
  qp->timer_index = static_cast<int32_t>(index);
}

void TimerHeap::up(uint32_t index) {
  Qp* qp = heap_[index];
  while (index > 0) {
    const uint32_t parent = (index - 1) / 2;
    if (heap_[parent]->timer_key <= qp->timer_key) break;
    place(index, heap_[parent]);
    index = parent;
  }
  place(index, qp);
}

void TimerHeap::down(uint32_t index) {
  Qp* qp = heap_[index];
  const uint32_t size = static_cast<uint32_t>(heap_.size());
  for (;;) {
    uint32_t child = 2 * index + 1;
    if (child >= size) break;
    if (child + 1 < size && heap_[child + 1]->timer_key < heap_[child]->timer_key) ++child;
    if (qp->timer_key <= heap_[child]->timer_key) break;
    place(index, heap_[child]);
    index = child;
  }
  place(index, qp);
}

void TimerHeap::erase(uint32_t index) {
  heap_[index]->timer_index = -1;
  Qp* last = heap_.back();
  heap_.pop_back();
  if (index == heap_.size()) return;
  place(index, last);
  up(index);
  down(static_cast<uint32_t>(last->timer_index));
}

}  // namespace uroce::transport
