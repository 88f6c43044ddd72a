#include "bench/vlcalls/names.h"

#include <sys/syscall.h>

#include <algorithm>
#include <array>

namespace vlcalls {
namespace {

struct Named {
  uint64_t number;
  const char* name;
};

// Calls that exist on every architecture of 64 bits.
constexpr std::array kNames = {
    Named{SYS_sendto, "sendto"},
    Named{SYS_recvfrom, "recvfrom"},
    Named{SYS_sendmsg, "sendmsg"},
    Named{SYS_recvmsg, "recvmsg"},
    Named{SYS_sendmmsg, "sendmmsg"},
    Named{SYS_recvmmsg, "recvmmsg"},
    Named{SYS_read, "read"},
    Named{SYS_write, "write"},
    Named{SYS_writev, "writev"},
    Named{SYS_readv, "readv"},
    Named{SYS_ioctl, "ioctl"},
    Named{SYS_ppoll, "ppoll"},
#ifdef SYS_poll
    Named{SYS_poll, "poll"},
#endif
#ifdef SYS_epoll_wait
    Named{SYS_epoll_wait, "epoll_wait"},
#endif
    Named{SYS_epoll_pwait, "epoll_pwait"},
    Named{SYS_futex, "futex"},
    Named{SYS_clock_gettime, "clock_gettime"},
    Named{SYS_nanosleep, "nanosleep"},
    Named{SYS_clock_nanosleep, "clock_nanosleep"},
    Named{SYS_sched_yield, "sched_yield"},
    Named{SYS_getrusage, "getrusage"},
    Named{SYS_openat, "openat"},
    Named{SYS_close, "close"},
    Named{SYS_fcntl, "fcntl"},
    Named{SYS_socket, "socket"},
    Named{SYS_bind, "bind"},
    Named{SYS_listen, "listen"},
    Named{SYS_accept4, "accept4"},
    Named{SYS_connect, "connect"},
    Named{SYS_shutdown, "shutdown"},
    Named{SYS_setsockopt, "setsockopt"},
    Named{SYS_getsockname, "getsockname"},
    Named{SYS_mmap, "mmap"},
    Named{SYS_munmap, "munmap"},
    Named{SYS_mprotect, "mprotect"},
    Named{SYS_madvise, "madvise"},
    Named{SYS_clone3, "clone3"},
    Named{SYS_set_robust_list, "set_robust_list"},
    Named{SYS_rseq, "rseq"},
    Named{SYS_rt_sigprocmask, "rt_sigprocmask"},
    Named{SYS_prctl, "prctl"},
    Named{SYS_exit, "exit"},
};

}  // namespace

std::string name_of(uint64_t number) {
  const auto* const found =
      std::find_if(kNames.begin(), kNames.end(), [&](const Named& one) { return one.number == number; });
  return found != kNames.end() ? found->name : "system call " + std::to_string(number);
}

}  // namespace vlcalls
