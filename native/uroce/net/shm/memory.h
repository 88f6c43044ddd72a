// Memory that two processes map: a memfd, sealed so that neither can take its pages away from the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <utility>

#include "uroce/error.h"
#include "uroce/net/host/unique_fd.h"

namespace uroce::net::shm {

// Rights of the process that receives the descriptor.
enum class PeerRights : uint8_t { write, read };

class SharedMemory {
 public:
  SharedMemory() = default;
  // New memory, all zeros, mapped for reading and writing; fd() is for the other process. errno: ENOSYS or
  // EPERM where memfd_create is forbidden, EFBIG (RLIMIT_FSIZE), EMFILE, ENOMEM.
  static std::expected<SharedMemory, int> create(std::size_t bytes, PeerRights rights);
  // Memory of another process. EPROTO unless it has exactly that size and is sealed as create() does it.
  static std::expected<SharedMemory, int> map(const UniqueFd& fd, std::size_t bytes, PeerRights rights);
  ~SharedMemory();
  SharedMemory(SharedMemory&& other) noexcept
      : fd_(std::move(other.fd_)), memory_(std::exchange(other.memory_, {})) {}
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  // Makes and maps all pages now, so that the first use of each causes no page fault. 0, or errno if there
  // is not enough memory. Kernels before 5.14 do it page by page at first use.
  int populate() const;

  // Bytes of a memfd from another process; 0 if it is no memfd or is not sealed.
  static std::size_t size_of(const UniqueFd& fd);

  std::span<uint8_t> span() const { return memory_; }
  int fd() const { return fd_.get(); }
  // The descriptor has been handed on; the mapping stays.
  void close_fd() { fd_.reset(); }

 private:
  static std::expected<SharedMemory, int> mapped(int fd, std::size_t bytes, PeerRights rights);

  UniqueFd fd_;
  std::span<uint8_t> memory_;
};

// The other process does not accept a ring, or has not answered.
inline constexpr int kRefused = 95;  // EOPNOTSUPP

// Explains why shared memory is not available, for an errno of Bell::create, SharedMemory::create or
// ShmChannel::error(): the cause as a clause, and the cure as a sentence without its end ("Raise it"),
// which an alternative may follow.
Error explain(int error);

}  // namespace uroce::net::shm
