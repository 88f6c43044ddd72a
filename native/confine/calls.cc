#include <fcntl.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <initializer_list>

#include "confine/confine.h"

namespace vlconfine {
namespace {

struct Named {
  long number;
  const char* name;
};

// Names from the system's headers; see CMakeLists.txt.
constexpr Named kNames[] = {
#include "call_names.inc"
};

std::vector<long> joined(std::initializer_list<std::initializer_list<long>> lists) {
  std::vector<long> all;
  for (const auto& list : lists) all.insert(all.end(), list);
  return all;
}

constexpr std::initializer_list<long> kDescriptors{
    SYS_read,       SYS_write,      SYS_readv,      SYS_writev,    SYS_pread64,    SYS_pwrite64,
    SYS_preadv,     SYS_pwritev,    SYS_preadv2,    SYS_pwritev2,  SYS_close,      SYS_close_range,
    SYS_lseek,      SYS_fstat,      SYS_newfstatat, SYS_statx,     SYS_readlinkat, SYS_faccessat,
    SYS_faccessat2, SYS_getdents64, SYS_getcwd,     SYS_chdir,     SYS_fchdir,     SYS_dup,
    SYS_dup3,       SYS_pipe2,      SYS_fsync,      SYS_fdatasync, SYS_ftruncate,  SYS_copy_file_range,
    SYS_sendfile,   SYS_splice,     SYS_flock,      SYS_fadvise64, SYS_readahead,  SYS_statfs,
    SYS_fstatfs,    SYS_umask,
};

constexpr std::initializer_list<long> kMemory{
    SYS_brk,        SYS_mmap,       SYS_munmap,    SYS_mprotect,      SYS_mremap, SYS_madvise,
    SYS_mincore,    SYS_msync,      SYS_mlock,     SYS_munlock,       SYS_mlock2, SYS_mlockall,
    SYS_munlockall, SYS_pkey_alloc, SYS_pkey_free, SYS_pkey_mprotect,
};

constexpr std::initializer_list<long> kProcess{
    SYS_exit,
    SYS_exit_group,
    SYS_getpid,
    SYS_getppid,
    SYS_gettid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getresuid,
    SYS_getresgid,
    SYS_getgroups,
    SYS_getpgid,
    SYS_getsid,
    SYS_getrusage,
    SYS_times,
    SYS_sysinfo,
    SYS_uname,
    SYS_getcpu,
    SYS_capget,
    SYS_setrlimit,
    SYS_getrlimit,
    SYS_getpriority,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_getattr,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_wait4,
    SYS_waitid,
    SYS_set_tid_address,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_membarrier,
    SYS_futex,
    SYS_futex_waitv,
    SYS_getrandom,
};

constexpr std::initializer_list<long> kSignalsAndTime{
    SYS_rt_sigaction,    SYS_rt_sigprocmask,  SYS_rt_sigreturn,    SYS_rt_sigsuspend,    SYS_rt_sigpending,
    SYS_rt_sigtimedwait, SYS_sigaltstack,     SYS_restart_syscall, SYS_nanosleep,        SYS_clock_nanosleep,
    SYS_clock_gettime,   SYS_clock_getres,    SYS_gettimeofday,    SYS_setitimer,        SYS_getitimer,
    SYS_timer_create,    SYS_timer_settime,   SYS_timer_gettime,   SYS_timer_getoverrun, SYS_timer_delete,
    SYS_timerfd_create,  SYS_timerfd_settime, SYS_timerfd_gettime, SYS_signalfd4,        SYS_eventfd2,
    SYS_ppoll,           SYS_pselect6,        SYS_epoll_create1,   SYS_epoll_ctl,        SYS_epoll_pwait,
    SYS_epoll_pwait2,
};

// Calls on a socket that exists: which sockets there may be, and whom they reach, is decided elsewhere.
constexpr std::initializer_list<long> kSockets{
    SYS_listen,     SYS_accept,   SYS_accept4, SYS_getsockname, SYS_getpeername, SYS_setsockopt,
    SYS_getsockopt, SYS_recvfrom, SYS_recvmsg, SYS_recvmmsg,    SYS_shutdown,
};

// arm64 has none of these.
constexpr std::initializer_list<long> kOlder{
#if defined(__x86_64__)
    SYS_stat,    SYS_lstat,    SYS_readlink, SYS_access,       SYS_getdents,   SYS_dup2,
    SYS_pipe,    SYS_poll,     SYS_select,   SYS_pause,        SYS_alarm,      SYS_time,
    SYS_eventfd, SYS_signalfd, SYS_getpgrp,  SYS_epoll_create, SYS_epoll_wait, SYS_arch_prctl,
#endif
};

constexpr std::initializer_list<long> kCompiler{
    SYS_execve,   SYS_openat,  SYS_unlinkat, SYS_mkdirat, SYS_symlinkat, SYS_linkat, SYS_renameat2,
#ifdef SYS_renameat
    SYS_renameat,
#endif
#if defined(__x86_64__)
    SYS_fork,     SYS_vfork,   SYS_open,     SYS_creat,   SYS_unlink,    SYS_rename, SYS_mkdir,
    SYS_rmdir,    SYS_symlink, SYS_link,
#endif
};

}  // namespace

std::vector<long> harmless_calls() {
  return joined({kDescriptors, kMemory, kProcess, kSignalsAndTime, kSockets, kOlder});
}

std::vector<long> compiler_calls() { return kCompiler; }

std::vector<long> harmless_ioctls() {
  // The device asks for interfaces and for what waits in a socket; Node asks whether a descriptor is a
  // terminal.
  return {FIONBIO,     FIONREAD,       FIOCLEX,        FIONCLEX,     TIOCOUTQ,
          TCGETS,      TCSETS,         TIOCGWINSZ,     TIOCGPGRP,    SIOCGIFCONF,
          SIOCGIFADDR, SIOCGIFNETMASK, SIOCGIFMTU,     SIOCGIFFLAGS, SIOCGIFINDEX,
          SIOCGIFNAME, SIOCGIFHWADDR,  SIOCGIFBRDADDR, SIOCETHTOOL,  SIOCGSTAMP_OLD};
}

std::vector<long> harmless_fcntls() {
  return {F_DUPFD,     F_DUPFD_CLOEXEC, F_GETFD,      F_SETFD,     F_GETFL,     F_SETFL,
          F_GETLK,     F_SETLK,         F_SETLKW,     F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW,
          F_ADD_SEALS, F_GET_SEALS,     F_SETPIPE_SZ, F_GETPIPE_SZ};
}

std::vector<long> harmless_prctls() {
  return {PR_SET_NAME,         PR_GET_NAME,         PR_GET_DUMPABLE,    PR_GET_PDEATHSIG,
          PR_SET_TIMERSLACK,   PR_GET_TIMERSLACK,   PR_CAPBSET_READ,    PR_GET_SECCOMP,
          PR_GET_NO_NEW_PRIVS, PR_SET_NO_NEW_PRIVS, PR_SET_THP_DISABLE, PR_GET_THP_DISABLE,
          PR_GET_TID_ADDRESS,  PR_SET_VMA};
}

std::string name_of_call(long number) {
  for (const Named& one : kNames)
    if (one.number == number) return one.name;
  return "system call " + std::to_string(number);
}

}  // namespace vlconfine
