// The system calls that a confined program may make. All others fail, and the launcher says which were tried.
#pragma once

#include <string>
#include <vector>

namespace vlconfine {

// What Node, the device, the C library and compilers call, and what the kernel may carry out unseen: it reaches nothing
// but the process itself and descriptors that were decided on when they were opened.
std::vector<long> harmless_calls();

// What only compilers may do unseen: start programs, and name files, which Landlock decides on.
std::vector<long> compiler_calls();

// Requests of ioctl(2), commands of fcntl(2) and options of prctl(2) that are as harmless.
std::vector<long> harmless_ioctls();
std::vector<long> harmless_fcntls();
std::vector<long> harmless_prctls();

// As in <sys/syscall.h>; the number for calls that are newer than it.
std::string name_of_call(long number);

}  // namespace vlconfine
