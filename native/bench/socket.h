// Sockets that close themselves, and the few calls that the loops need. Failures throw.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

namespace vlbench {

// A datagram that was not answered for so long is lost.
inline constexpr uint64_t kLostNs = 200'000'000;

class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd) noexcept : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&& other) noexcept;
  ~Socket();

  int fd() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;
  const sockaddr* get() const noexcept { return reinterpret_cast<const sockaddr*>(&storage); }
  sockaddr* get() noexcept { return reinterpret_cast<sockaddr*>(&storage); }
};

// `host` may be a name or a numeric address. Throws ("getaddrinfo").
Address resolve(const std::string& host, uint16_t port, int type);
Socket open_socket(const Address& address, int type);
Socket listen_on(const Address& address, int backlog);
void bind_to(const Socket& socket, const Address& address, const std::string& what);
uint16_t local_port(const Socket& socket);
void set_option(const Socket& socket, int level, int name, int value, const char* what);

[[noreturn]] void throw_errno(const char* call, const std::string& detail = {});

}  // namespace vlbench
