// Memory for tests that unmap it and then want it gone.
//
// The kernel puts a new mapping at an end of the first gap that takes it, so a place that was just unmapped
// soon has other memory: that of another thread, or of a sanitizer. This place is in the middle of a gap
// that stays free.
#pragma once

#include <stddef.h>
#include <sys/mman.h>

// mmap() of `length` bytes, a multiple of the page size, for reading and writing. MAP_FAILED on failure.
static inline void* map_apart(size_t length, int flags, int fd) {
  const size_t side = (size_t)1 << 32;
  char* const begin =
      (char*)mmap(NULL, 2 * side + length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) return MAP_FAILED;
  void* const at = mmap(begin + side, length, PROT_READ | PROT_WRITE, flags | MAP_FIXED, fd, 0);
  munmap(begin, side);
  munmap(begin + side + length, side);
  return at;
}
