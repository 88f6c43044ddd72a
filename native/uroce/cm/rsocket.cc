// rsockets are not provided: ENOSYS. They are defined all the same, since the real library's would look for
// the kernel's connection manager. Without an rsocket there are only ordinary descriptors to wait for.
#include <dlfcn.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "uroce/verbs/abi/abi.h"

#pragma GCC visibility push(default)
#include <rdma/rsocket.h>
// RDMACM_1.5 has these, and the headers of this build do not.
extern "C" int repoll_create(int flags);
extern "C" int repoll_ctl(int set, int op, int fd, epoll_event* event);
extern "C" int repoll_wait(int set, epoll_event* events, int most, int timeout);
#pragma GCC visibility pop

namespace {

int missing() {
  errno = ENOSYS;
  return -1;
}

// A program that librspreload turned to rsockets goes on with the kernel's TCP and says nothing.
void warn(const void* caller) {
  static std::atomic_flag warned;
  if (warned.test_and_set()) return;
  Dl_info library{};
  const bool preloaded = dladdr(caller, &library) != 0 && library.dli_fname != nullptr &&
                         std::strstr(library.dli_fname, "librspreload") != nullptr;
  std::fprintf(stderr, "uroce: rsockets are not provided: rsocket() fails with ENOSYS. %s\n",
               preloaded ? "This program uses TCP instead." : "Use verbs, rdma_cm, or TCP sockets.");
}

}  // namespace

extern "C" {

int rsocket(int, int, int) {
  warn(__builtin_return_address(0));
  return missing();
}
int rbind(int, const sockaddr*, socklen_t) { return missing(); }
int rlisten(int, int) { return missing(); }
int raccept(int, sockaddr*, socklen_t*) { return missing(); }
int rconnect(int, const sockaddr*, socklen_t) { return missing(); }
int rshutdown(int, int) { return missing(); }
int rclose(int) { return missing(); }
ssize_t rrecv(int, void*, size_t, int) { return missing(); }
ssize_t rrecvfrom(int, void*, size_t, int, sockaddr*, socklen_t*) { return missing(); }
ssize_t rrecvmsg(int, msghdr*, int) { return missing(); }
ssize_t rsend(int, const void*, size_t, int) { return missing(); }
ssize_t rsendto(int, const void*, size_t, int, const sockaddr*, socklen_t) { return missing(); }
ssize_t rsendmsg(int, const msghdr*, int) { return missing(); }
ssize_t rread(int, void*, size_t) { return missing(); }
ssize_t rreadv(int, const iovec*, int) { return missing(); }
ssize_t rwrite(int, const void*, size_t) { return missing(); }
ssize_t rwritev(int, const iovec*, int) { return missing(); }
int rpoll(pollfd* fds, nfds_t n, int timeout) { return poll(fds, n, timeout); }
int rselect(int n, fd_set* readable, fd_set* writable, fd_set* exceptional, timeval* timeout) {
  return select(n, readable, writable, exceptional, timeout);
}
int repoll_create(int flags) { return epoll_create1(flags); }
int repoll_ctl(int set, int op, int fd, epoll_event* event) { return epoll_ctl(set, op, fd, event); }
int repoll_wait(int set, epoll_event* events, int most, int timeout) {
  return epoll_wait(set, events, most, timeout);
}
int rgetpeername(int, sockaddr*, socklen_t*) { return missing(); }
int rgetsockname(int, sockaddr*, socklen_t*) { return missing(); }
int rsetsockopt(int, int, int, const void*, socklen_t) { return missing(); }
int rgetsockopt(int, int, int, void*, socklen_t*) { return missing(); }
int rfcntl(int, int, ...) { return missing(); }
off_t riomap(int, void*, size_t, int, int, off_t) { return missing(); }
int riounmap(int, void*, size_t) { return missing(); }
size_t riowrite(int, const void*, size_t, off_t, int) { return static_cast<size_t>(missing()); }

}  // extern "C"
