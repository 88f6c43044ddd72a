#include "uroce/net/shm/obstacle.h"

#include <sys/resource.h>

#include <cerrno>
#include <cstring>

namespace uroce::net::shm {
namespace {

std::string limit(__rlimit_resource resource) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return "unlimited";
  return std::to_string(limit.rlim_cur);
}

}  // namespace

static_assert(kRefused == EOPNOTSUPP);

Obstacle explain(int error) {
  switch (error) {
    case EFBIG:
      return {
          "a file may have " + limit(RLIMIT_FSIZE) + " bytes (ulimit -f), and shared memory counts as a file",
          "Raise the limit"};
    case EMFILE:
      return {"no file descriptor is left of " + limit(RLIMIT_NOFILE) + " (ulimit -n)", "Raise the limit"};
    case ENFILE:
      return {"the host has no file descriptor left (fs.file-max)", "Raise the limit"};
    case ENOMEM:
    case ENOSPC:
      return {"the host, the cgroup or the address space (ulimit -v) has too little memory", "Free some"};
    case EPERM:
    case EACCES:
    case ENOSYS:
      return {"a sandbox (seccomp) forbids memfd_create, eventfd or passing file descriptors", "Allow them"};
    case ECONNREFUSED:
      return {"this user has no process there that uses the device", "Run both processes as one user"};
    case kRefused:
      return {"the process there does not use shared memory, or is stopped",
              "Start it with --link auto or shm"};
    default:
      return {std::strerror(error), "Fix that"};
  }
}

}  // namespace uroce::net::shm
