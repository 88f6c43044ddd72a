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

// Of all files in the folder, and of those that the process holds open without a name. Each file counts as one block
// at least.
uint64_t files_of(pid_t pid, const std::string& folder);

}  // namespace vlconfine
