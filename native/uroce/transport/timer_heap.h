// Deadlines of QPs: a binary heap that is lazy in one direction. A QP's deadline mostly moves later (every
// ACK moves it); the heap then keeps the old, earlier key and checks again when that key comes up. So moving
// a deadline costs nothing on the hot path, and a stale key costs one check.
#pragma once

#include <cstdint>
#include <vector>

namespace uroce::transport {

class Qp;

class TimerHeap {
 public:
  // Makes sure that qp is checked no later than deadline.
  void set(Qp& qp, uint64_t deadline);
  void remove(Qp& qp);
  // The earliest true deadline (stale keys are put right on the way); kNever when there is none.
  uint64_t next();
  // No deadline is earlier; kNever when there is none. Unlike next(), it puts no key right.
  uint64_t earliest() const;
  // Takes out and returns a QP whose true deadline has come, or nullptr.
  Qp* pop_due(uint64_t now);

 private:
  void place(uint32_t index, Qp* qp);
  void up(uint32_t index);
  void down(uint32_t index);
  void erase(uint32_t index);
  // Brings the true deadline of the top into its key; false if the heap is empty.
  bool fix_top();

  std::vector<Qp*> heap_;
};

}  // namespace uroce::transport
