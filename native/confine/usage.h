// What the confined process uses, from /proc.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace vlconfine {

struct Usage {
  uint64_t resident_bytes = 0;
  double cpu_seconds = 0;
  unsigned threads = 0;
};

// Zeros once the process is gone.
Usage usage_of(pid_t pid);

// Of all files in the folder, and of those that the process holds without a name, open or mapped. Each file counts as
// one block at least, a folder at a depth that no program needs as more than any limit, and one that is only mapped,
// whose size is not known, as `largest`.
uint64_t files_of(pid_t pid, const std::string& folder, uint64_t largest);

// Of the device's rings that the process holds open. What is used of them is resident, too.
uint64_t rings_of(pid_t pid);

}  // namespace vlconfine
