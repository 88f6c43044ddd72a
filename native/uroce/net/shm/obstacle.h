// Why shared memory cannot be had, and what helps, in words for the user.
#pragma once

#include <string>

namespace uroce::net::shm {

// The other process does not take packets this way, or has not answered.
inline constexpr int kRefused = 95;  // EOPNOTSUPP

// For an errno of Bell::create, SharedMemory::create or ShmLane::error(): the cause as a clause, and the cure as
// a sentence without its end ("Raise it"), which an alternative may follow.
struct Obstacle {
  std::string cause;
  std::string cure;
};
Obstacle explain(int error);

}  // namespace uroce::net::shm
