// Packets that the embedded device loses on purpose: its extension API, found as a program finds one that may be absent.
#pragma once
#include <dlfcn.h>
#include <infiniband/verbs.h>
#include <stdint.h>

#include "common.h"

// Parts per million of the packets that this process sends, ACKs too. As in uroce.h.
struct fault_rates {
  uint32_t drop, duplicate, reorder, delay, corrupt;
  uint32_t delay_us;
  uint64_t seed;
};

struct fault_report {
  uint64_t seed, packets, dropped, duplicated, reordered, delayed, corrupted;
};

// Ends the program on a device without fault injection.
static inline void* extension(const char* name) {
  void* found = dlsym(RTLD_DEFAULT, name);
  if (!found) {
    fprintf(stderr, "This device cannot inject faults. Start the program by npx verbslab exec.\n");
    exit(1);
  }
  return found;
}

static inline void set_rates(struct ibv_context* context, const struct fault_rates* rates) {
  typedef int set_faults(struct ibv_context*, const struct fault_rates*, const void* rules, uint32_t n);
  check(((set_faults*)extension("uroce_set_faults"))(context, rates, NULL, 0), "uroce_set_faults");
}

static inline struct fault_report faults_so_far(struct ibv_context* context) {
  typedef int query_faults(struct ibv_context*, struct fault_report*);
  struct fault_report report;
  check(((query_faults*)extension("uroce_query_faults"))(context, &report), "uroce_query_faults");
  return report;
}
