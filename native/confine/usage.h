// Resource use of the confined processes, from /proc.
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

// Processes of the session that this process began: itself, and the processes that it started.
std::vector<pid_t> session_of(pid_t pid);

// Usage of all processes together. Ended ones use nothing, and their CPU time counts for the process that
// started them.
Usage usage_of(const std::vector<pid_t>& pids);

// Bytes of all files in the folder, and of those that the processes hold without a name, open or mapped.
// Each file counts as at least one block, a folder at a depth that no program needs as more than any limit,
// and a file that is only mapped, with unknown size, as `largest`.
uint64_t files_of(const std::vector<pid_t>& pids, const std::string& folder, uint64_t largest);

// Number of descriptors that wait in its sockets for a reader. No process has them open, so their files
// show nowhere.
uint64_t descriptors_in_sockets(pid_t pid);

// Bytes of the device's rings that the process holds open. The used part of them is resident, too.
uint64_t rings_of(pid_t pid);

}  // namespace vlconfine
