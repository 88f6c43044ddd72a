// Names of system calls.
#pragma once

#include <cstdint>
#include <string>

namespace vlcalls {

// `sendto`, or `system call 512` for one that moves no data and wakes no thread.
std::string name_of(uint64_t number);

}  // namespace vlcalls
