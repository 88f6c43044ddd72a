// Registered pages and their counts. mlock() does not count: one munlock() undoes any number of mlock()s,
// and regions may overlap, so pages are unlocked when the last region on them goes. Pages above the limit
// are registered all the same and counted as unpinned, unless the table is strict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace uroce::verbs {

class PinTable {
 public:
  explicit PinTable(bool strict) : strict_(strict) {}

  // Faults in and locks the pages of [address, address + length). EFAULT when they are not mapped, or not
  // writable and `writable` is requested; ENOMEM over the limit in strict mode.
  int pin(uintptr_t address, std::size_t length, bool writable);
  void unpin(uintptr_t address, std::size_t length);

  struct Figures {
    uint64_t pinned_bytes;
    uint64_t unpinned_bytes;
    uint64_t regions;
  };
  Figures figures();

 private:
  // Pages from the key up to `end`, registered `count` times, all locked or all not.
  struct Span {
    uintptr_t end;
    uint32_t count;
    bool locked;
  };
  using Spans = std::map<uintptr_t, Span>;
  void split(uintptr_t at);
  int lock_gaps(uintptr_t begin, uintptr_t end, bool* all_locked);
  void drop(uintptr_t begin, uintptr_t end);

  std::mutex mutex_;
  Spans spans_;
  uint64_t locked_bytes_ = 0;  // each page once
  uint64_t regions_ = 0;
  const bool strict_;
};

// RLIMIT_MEMLOCK in bytes; UINT64_MAX when there is none.
uint64_t memlock_limit();

}  // namespace uroce::verbs
