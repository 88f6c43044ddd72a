#include <sys/mman.h>

#include <cstdio>

#include "bench/vlcost/device.h"

namespace vlcost {
namespace {

void print(const char* name, const std::vector<double>& values, const char* end) {
  std::printf("\"%s\":[", name);
  for (size_t i = 0; i < values.size(); ++i) std::printf("%s%.1f", i == 0 ? "" : ",", values[i]);
  std::printf("]%s", end);
}

}  // namespace

void measure_registration(uint64_t bytes, uint32_t runs) {
  OpenDevice device;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("mmap", errno);
  // Both are to lock pages that are there; making them is the program's own affair.
  std::memset(memory, 1, bytes);
  const int access = IBV_ACCESS_LOCAL_WRITE;  // ibv_reg_mr is a macro that computes with it
  std::vector<double> lock, unlock, reg, dereg;
  const auto by_mlock = [&] {
    uint64_t start = monotonic_ns();
    done(mlock(memory, bytes), "mlock (see ulimit -l)");
    lock.push_back(us_since(start));
    start = monotonic_ns();
    done(munlock(memory, bytes), "munlock");
    unlock.push_back(us_since(start));
  };
  const auto by_verbs = [&] {
    uint64_t start = monotonic_ns();
    ibv_mr* mr = made(ibv_reg_mr(device.pd(), memory, bytes, access), "ibv_reg_mr");
    reg.push_back(us_since(start));
    start = monotonic_ns();
    done(ibv_dereg_mr(mr), "ibv_dereg_mr");
    dereg.push_back(us_since(start));
  };
  by_mlock();
  by_verbs();
  for (auto* times : {&lock, &unlock, &reg, &dereg}) times->clear();
  for (uint32_t run = 0; run < runs; ++run) {
    if (run % 2 == 0) {
      by_mlock();
      by_verbs();
    } else {
      by_verbs();
      by_mlock();
    }
  }
  std::printf("{");
  print("mlockUs", lock, ",");
  print("munlockUs", unlock, ",");
  print("regUs", reg, ",");
  print("deregUs", dereg, "}\n");
  munmap(memory, bytes);
}

}  // namespace vlcost
