#include "uroce/verbs/device/pin_table.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <memory>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace uroce::verbs {
namespace {

uintptr_t page_size() {
  static const auto size = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  return size;
}

// Checks in the list of mappings that the process may access all of it. The first access faults it in.
int check_mapped(uintptr_t begin, uintptr_t end, bool writable) {
  const std::unique_ptr<FILE, int (*)(FILE*)> maps(std::fopen("/proc/self/maps", "re"), std::fclose);
  if (maps == nullptr) return 0;
  char line[8192];  // a path may be long
  while (begin < end && std::fgets(line, sizeof line, maps.get()) != nullptr) {
    uintptr_t from = 0, to = 0;
    char rights[5] = "";
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &from, &to, rights) != 3 || to <= begin) continue;
    const bool may = writable ? rights[1] == 'w' : rights[0] == 'r' || rights[1] == 'w';
    if (from > begin || !may) return EFAULT;
    begin = to;
  }
  return begin < end ? EFAULT : 0;
}

int fault_in(uintptr_t begin, uintptr_t end, bool writable) {
  const int advice = writable ? MADV_POPULATE_WRITE : MADV_POPULATE_READ;
  for (;;) {
    if (madvise(reinterpret_cast<void*>(begin), end - begin, advice) == 0) return 0;
    if (errno == EINTR || errno == EAGAIN) continue;
    // EINVAL: an old kernel, or mapped without the requested right; or memory of a device driver.
    if (errno == EINVAL) break;
    return EFAULT;
  }
  return check_mapped(begin, end, writable);
}

// Locks without faulting in: fault_in() follows, and over locked pages it costs a third. mlock() after it
// would walk the pages once more (44 against 80 ms per GiB).
bool lock_pages(uintptr_t begin, std::size_t length) {
  auto* at = reinterpret_cast<void*>(begin);
  if (mlock2(at, length, MLOCK_ONFAULT) == 0) return true;
  return errno == ENOSYS && mlock(at, length) == 0;
}

}  // namespace

uint64_t memlock_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  return limit.rlim_cur;
}

// Makes `at` a border between spans.
void PinTable::split(uintptr_t at) {
  auto it = spans_.upper_bound(at);
  if (it == spans_.begin()) return;
  --it;
  if (it->first < at && at < it->second.end) {
    Span tail = it->second;
    it->second.end = at;
    spans_.emplace(at, tail);
  }
}

// Locks the pages that no region holds yet, and enters them with count 0.
int PinTable::lock_gaps(uintptr_t begin, uintptr_t end, bool* all_locked) {
  uintptr_t at = begin;
  while (at < end) {
    auto it = spans_.lower_bound(at);
    if (it != spans_.end() && it->first == at) {
      *all_locked &= it->second.locked;
      at = it->second.end;
      continue;
    }
    const uintptr_t to = it == spans_.end() || it->first > end ? end : it->first;
    bool locked = lock_pages(at, to - at);
    uintptr_t stop = to;
    if (!locked) {
      // If the range has a hole, the kernel has locked the part before it.
      if (const int error = fault_in(at, to, false); error != 0) {
        munlock(reinterpret_cast<void*>(at), to - at);
        return error;
      }
      if (strict_) return ENOMEM;
      // The part at the front that the limit still allows.
      const uint64_t limit = memlock_limit();
      const uint64_t left = limit > locked_bytes_ ? (limit - locked_bytes_) & ~uint64_t{page_size() - 1} : 0;
      if (left > 0 && left < to - at && lock_pages(at, left)) {
        locked = true;
        stop = at + left;
      }
    }
    *all_locked &= locked;
    if (locked) locked_bytes_ += stop - at;
    spans_.emplace(at, Span{stop, 0, locked});
    at = stop;
  }
  return 0;
}

// Removes spans that no region holds any more from the table.
void PinTable::drop(uintptr_t begin, uintptr_t end) {
  for (auto it = spans_.lower_bound(begin); it != spans_.end() && it->first < end;) {
    if (it->second.count == 0) {
      if (it->second.locked) {
        munlock(reinterpret_cast<void*>(it->first), it->second.end - it->first);
        locked_bytes_ -= it->second.end - it->first;
      }
      it = spans_.erase(it);
    } else {
      ++it;
    }
  }
}

int PinTable::pin(uintptr_t address, std::size_t length, bool writable) {
  const uintptr_t begin = address & ~(page_size() - 1);
  if (address + length < address || address + length > UINTPTR_MAX - page_size()) return EINVAL;
  const uintptr_t end = (address + length + page_size() - 1) & ~(page_size() - 1);
  {
    std::lock_guard guard(mutex_);
    split(begin);
    split(end);
    bool all_locked = true;
    int error = lock_gaps(begin, end, &all_locked);
    if (error == 0 && !all_locked && strict_) error = ENOMEM;
    if (error != 0) {
      drop(begin, end);
      return error;
    }
    for (auto it = spans_.lower_bound(begin); it != spans_.end() && it->first < end; ++it) ++it->second.count;
    ++regions_;
  }
  const int error = fault_in(begin, end, writable);
  if (error != 0) unpin(address, length);
  return error;
}

void PinTable::unpin(uintptr_t address, std::size_t length) {
  const uintptr_t begin = address & ~(page_size() - 1);
  const uintptr_t end = (address + length + page_size() - 1) & ~(page_size() - 1);
  std::lock_guard guard(mutex_);
  split(begin);
  split(end);
  for (auto it = spans_.lower_bound(begin); it != spans_.end() && it->first < end; ++it) --it->second.count;
  drop(begin, end);
  --regions_;
}

PinTable::Figures PinTable::figures() {
  std::lock_guard guard(mutex_);
  Figures f{0, 0, regions_};
  for (const auto& [begin, span] : spans_) {
    (span.locked ? f.pinned_bytes : f.unpinned_bytes) += (span.end - begin) * span.count;
  }
  return f;
}

}  // namespace uroce::verbs
