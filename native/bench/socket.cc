#include "bench/socket.h"

#include <netdb.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "bench/failure.h"

namespace vlbench {

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Socket::~Socket() {
  if (fd_ >= 0) close(fd_);
}

void throw_errno(const char* call, const std::string& detail) { throw Failure(errno, call, detail); }

Address resolve(const std::string& host, uint16_t port, int type) {
  addrinfo hints{};
  hints.ai_socktype = type;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int rc = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (rc != 0) {
    const int err = rc == EAI_SYSTEM ? errno : EADDRNOTAVAIL;
    throw Failure(err, "getaddrinfo", host + ": " + gai_strerror(rc));
  }
  Address address;
  std::memcpy(&address.storage, list->ai_addr, list->ai_addrlen);
  address.length = list->ai_addrlen;
  freeaddrinfo(list);
  return address;
}

Socket open_socket(const Address& address, int type) {
  Socket socket(::socket(address.storage.ss_family, type | SOCK_CLOEXEC, 0));
  if (!socket) throw_errno("socket");
  return socket;
}

void bind_to(const Socket& socket, const Address& address, const std::string& what) {
  if (bind(socket.fd(), address.get(), address.length) != 0) throw_errno("bind", what);
}

Socket listen_on(const Address& address, int backlog) {
  Socket socket = open_socket(address, SOCK_STREAM);
  set_option(socket, SOL_SOCKET, SO_REUSEADDR, 1, "SO_REUSEADDR");
  const auto port = ntohs(reinterpret_cast<const sockaddr_in*>(address.get())->sin_port);
  bind_to(socket, address, "TCP port " + std::to_string(port));
  if (listen(socket.fd(), backlog) != 0) throw_errno("listen");
  return socket;
}

uint16_t local_port(const Socket& socket) {
  Address address;
  address.length = sizeof address.storage;
  if (getsockname(socket.fd(), address.get(), &address.length) != 0) throw_errno("getsockname");
  // sin_port and sin6_port share their place.
  return ntohs(reinterpret_cast<const sockaddr_in*>(address.get())->sin_port);
}

void set_option(const Socket& socket, int level, int name, int value, const char* what) {
  if (setsockopt(socket.fd(), level, name, &value, sizeof value) != 0) throw_errno("setsockopt", what);
}

}  // namespace vlbench
