// The confined process, seen by its launcher.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace vlconfine {

class Target {
 public:
  explicit Target(pid_t pid, int pidfd) : pid_(pid), pidfd_(pidfd) {}

  pid_t pid() const { return pid_; }
  int pidfd() const { return pidfd_; }

  // Reads memory of the process. Nothing if the process does not have the address.
  bool read(uint64_t address, void* out, size_t bytes) const;
  std::optional<std::string> text(uint64_t address) const;

  // A copy of its descriptor, which the caller closes; -1 if there is none.
  int descriptor(int fd) const;

  // The inode of its network namespace; 0 once it is gone.
  uint64_t network() const;

  // The file that a path of the process names, links resolved; with `last` false, all but a link at its
  // end. A file that does not exist is named by the folder that it would be in. Empty: even that does not
  // exist.
  std::string resolve(int folder, const std::string& path, bool last) const;

 private:
  pid_t pid_;
  int pidfd_;
};

// True if this kernel lets the launcher inspect its own program: it reads the names in calls, and takes
// descriptors. Yama forbids both with kernel.yama.ptrace_scope 3, and with 2 where a user may have no
// namespaces.
bool can_inspect();

}  // namespace vlconfine
