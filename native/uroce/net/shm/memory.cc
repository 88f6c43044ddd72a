#include "uroce/net/shm/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23  // Linux 5.14; the headers may be older
#endif

namespace uroce::net::shm {
namespace {

constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

std::string limit(__rlimit_resource resource) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return "unlimited";
  return std::to_string(limit.rlim_cur);
}

}  // namespace

std::expected<SharedMemory, int> SharedMemory::mapped(int fd, std::size_t bytes, PeerRights rights) {
  const int protection = rights == PeerRights::write ? PROT_READ | PROT_WRITE : PROT_READ;
  void* at = mmap(nullptr, bytes, protection, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) return std::unexpected(errno);
  // A child of fork() must not hold it: it would write into the rings of its parent.
  madvise(at, bytes, MADV_DONTFORK);
  madvise(at, bytes, MADV_DONTDUMP);
  SharedMemory memory;
  memory.memory_ = {static_cast<uint8_t*>(at), bytes};
  return memory;
}

std::expected<SharedMemory, int> SharedMemory::create(std::size_t bytes, PeerRights rights) {
  // ftruncate() beyond the limit would end the process with SIGXFSZ.
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes) return std::unexpected(EFBIG);
  UniqueFd fd(memfd_create("uroce", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd) return std::unexpected(errno);
  if (ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0) return std::unexpected(errno);
  auto memory = mapped(fd.get(), bytes, PeerRights::write);
  if (!memory) return memory;
  const int seals = kSeals | (rights == PeerRights::read ? F_SEAL_FUTURE_WRITE : 0);
  if (fcntl(fd.get(), F_ADD_SEALS, seals) != 0) return std::unexpected(errno);
  memory->fd_ = std::move(fd);
  return memory;
}

int SharedMemory::populate() const {
  if (madvise(memory_.data(), memory_.size(), MADV_POPULATE_WRITE) == 0 || errno == EINVAL) return 0;
  return errno;
}

std::size_t SharedMemory::size_of(const UniqueFd& fd) {
  const int seals = fcntl(fd.get(), F_GET_SEALS);
  struct stat status;
  if (seals < 0 || (seals & kSeals) != kSeals || fstat(fd.get(), &status) != 0) return 0;
  return static_cast<std::size_t>(status.st_size);
}

std::expected<SharedMemory, int> SharedMemory::map(const UniqueFd& fd, std::size_t bytes, PeerRights rights) {
  if (bytes == 0 || size_of(fd) != bytes) return std::unexpected(EPROTO);
  return mapped(fd.get(), bytes, rights);
}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  if (this != &other) {
    if (!memory_.empty()) munmap(memory_.data(), memory_.size());
    memory_ = std::exchange(other.memory_, {});
    fd_ = std::move(other.fd_);
  }
  return *this;
}

SharedMemory::~SharedMemory() {
  if (!memory_.empty()) munmap(memory_.data(), memory_.size());
}

static_assert(kRefused == EOPNOTSUPP);

Error explain(int error) {
  switch (error) {
    case EFBIG:
      return {
          error,
          "a file may have " + limit(RLIMIT_FSIZE) + " bytes (ulimit -f), and shared memory counts as a file",
          "Raise the limit"};
    case EMFILE:
      return {error, "no file descriptor is left of " + limit(RLIMIT_NOFILE) + " (ulimit -n)",
              "Raise the limit"};
    case ENFILE:
      return {error, "the host has no file descriptor left (fs.file-max)", "Raise the limit"};
    case ENOMEM:
    case ENOSPC:
      return {error, "the host, the cgroup or the address space (ulimit -v) has too little memory",
              "Free some"};
    case EPERM:
    case EACCES:
    case ENOSYS:
      return {error, "a sandbox (seccomp) forbids memfd_create, eventfd or passing file descriptors",
              "Allow them"};
    case ECONNREFUSED:
      return {error, "this user has no process there that uses the device", "Run both processes as one user"};
    case kRefused:
      return {error, "the process there does not use shared memory, or is stopped",
              "Start it with --link auto or shm"};
    default:
      return {error, std::strerror(error), "Fix that"};
  }
}

}  // namespace uroce::net::shm
