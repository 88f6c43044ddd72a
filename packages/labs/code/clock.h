// Clocks for the programs that measure.
#pragma once
#include <stdlib.h>
#include <time.h>

// CLOCK_MONOTONIC gives elapsed time, CLOCK_THREAD_CPUTIME_ID the CPU time of this thread.
static inline double clock_us(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static inline double now_us(void) { return clock_us(CLOCK_MONOTONIC); }

static inline int ascending(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static inline void sort_times(double* times, size_t count) { qsort(times, count, sizeof *times, ascending); }
