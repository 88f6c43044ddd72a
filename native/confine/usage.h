// What the confined processes use, from /proc.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace vlconfine {

struct Usage {
  uint64_t memory_bytes = 0;  // resident or swapped out, with the tables of its pages
  double cpu_seconds = 0;
  unsigned threads = 0;
};

// Those of the session that this process began: itself, and what it started.
std::vector<pid_t> session_of(pid_t pid);

// Usage of all of them together. Those that are gone use nothing, and their CPU time counts for the one that started them.
Usage usage_of(const std::vector<pid_t>& pids);

// Bytes of all files in the folder, and of those that the processes hold without a name, open or mapped. Each file counts as
// one block at least, a folder at a depth that no program needs as more than any limit, and one that is only mapped,
// whose size is not known, as `largest`.
uint64_t files_of(const std::vector<pid_t>& pids, const std::string& folder, uint64_t largest);

// How many descriptors wait in its sockets for a reader. No process has them open, so that their files show nowhere.
uint64_t descriptors_in_sockets(pid_t pid);

// Bytes of the device's rings that the process holds open. What is used of them is resident, too.
uint64_t rings_of(pid_t pid);

}  // namespace vlconfine
