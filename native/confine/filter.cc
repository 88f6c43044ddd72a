#include "confine/filter.h"

#include <asm/sockios.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "confine/failure.h"

namespace vlconfine {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArch = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArch = AUDIT_ARCH_AARCH64;
#else
#error "vlconfine knows x86-64 and arm64"
#endif

constexpr uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr uint32_t kAsk = SECCOMP_RET_USER_NOTIF;
constexpr uint32_t kKill = SECCOMP_RET_KILL_PROCESS;

// Of those that are known here, cachestat. Later ones change modes and attributes as the refused ones do, and
// more come with each kernel; programs do without them.
constexpr uint32_t kNewest = 451;

constexpr uint32_t fails(int error) { return SECCOMP_RET_ERRNO | static_cast<uint32_t>(error); }

constexpr uint32_t argument(unsigned index, bool high = false) {
  return static_cast<uint32_t>(offsetof(seccomp_data, args) + 8 * index + (high ? 4 : 0));
}

class Program {
 public:
  void load(uint32_t offset) { code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)); }
  void mask(uint32_t bits) { code_.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits)); }
  void give(uint32_t action) { code_.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }
  void give_if(uint32_t value, uint32_t action) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    give(action);
  }
  void give_if_set(uint32_t bits, uint32_t action) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
    give(action);
  }
  void kill_unless(uint32_t value) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0));
    give(kKill);
  }
  void give_if_at_least(uint32_t value, uint32_t action) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, 0, 1));
    give(action);
  }
  // `then` is for the calls of this number, and ends with an action.
  template <typename Then>
  void on(long number, Then then) {
    const size_t jump = code_.size();
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 0));
    then();
    code_[jump].jf = static_cast<uint8_t>(code_.size() - jump - 1);
  }
  void all(std::initializer_list<long> numbers, uint32_t action) {
    for (const long number : numbers) give_if(static_cast<uint32_t>(number), action);
  }
  sock_fprog done() { return {static_cast<unsigned short>(code_.size()), code_.data()}; }

 private:
  std::vector<sock_filter> code_;
};

// Other processes, other privileges, the machine itself, and calls whose effects Landlock does not see.
void refuse(Program& p) {
  // Programs that know them fall back to older ones, which can be looked into.
  p.give_if_at_least(kNewest + 1, fails(ENOSYS));
  p.all({SYS_clone3, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_io_setup},
        fails(ENOSYS));
#ifdef SYS_memfd_secret
  p.give_if(SYS_memfd_secret, fails(ENOSYS));
#endif
  p.all({SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_open, SYS_pidfd_getfd,
         SYS_pidfd_send_signal, SYS_kcmp, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_setpgid,
         SYS_setpriority, SYS_ioprio_set},
        fails(EPERM));
  p.all({SYS_bpf,
         SYS_perf_event_open,
         SYS_userfaultfd,
         SYS_keyctl,
         SYS_add_key,
         SYS_request_key,
         SYS_mount,
         SYS_umount2,
         SYS_pivot_root,
         SYS_chroot,
         SYS_unshare,
         SYS_setns,
         SYS_open_tree,
         SYS_move_mount,
         SYS_fsopen,
         SYS_fsconfig,
         SYS_fsmount,
         SYS_fspick,
         SYS_mount_setattr,
         SYS_init_module,
         SYS_finit_module,
         SYS_delete_module,
         SYS_kexec_load,
         SYS_reboot,
         SYS_swapon,
         SYS_swapoff,
         SYS_quotactl,
         SYS_acct,
         SYS_settimeofday,
         SYS_clock_settime,
         SYS_adjtimex,
         SYS_clock_adjtime,
         SYS_sethostname,
         SYS_setdomainname,
         SYS_syslog,
         SYS_vhangup,
         SYS_name_to_handle_at,
         SYS_open_by_handle_at,
         SYS_fanotify_init,
         SYS_inotify_init1,
         SYS_process_madvise,
         SYS_move_pages,
         SYS_migrate_pages,
         SYS_shmget,
         SYS_msgget,
         SYS_semget,
         SYS_mq_open},
        fails(EPERM));
  p.all({SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr,
         SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_truncate, SYS_mknodat},
        fails(EPERM));
#if defined(__x86_64__)
  p.all({SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat, SYS_mknod, SYS_inotify_init,
         SYS_kexec_file_load, SYS_iopl, SYS_ioperm, SYS_modify_ldt},
        fails(EPERM));
#endif
}

// Calls whose first argument names a process.
void others(Program& p, uint32_t self) {
  for (const long number : {SYS_kill, SYS_tgkill})
    p.on(number, [&] {
      p.load(argument(0));
      p.give_if(self, kAllow);
      p.give(fails(EPERM));
    });
  for (const long number :
       {SYS_prlimit64, SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr})
    p.on(number, [&] {
      p.load(argument(0));
      p.give_if(0, kAllow);
      p.give_if(self, kAllow);
      p.give(fails(EPERM));
    });
}

void operations(Program& p) {
  p.on(SYS_prctl, [&] {
    p.load(argument(0));
    // The first ends the program with its launcher; the second would hide the program from it.
    p.give_if(PR_SET_PDEATHSIG, fails(EPERM));
    p.give_if(PR_SET_DUMPABLE, fails(EPERM));
    p.give(kAllow);
  });
  p.on(SYS_ioctl, [&] {
    p.load(argument(1));
    p.give_if(TIOCSTI, fails(EPERM));
    p.give_if(TIOCLINUX, fails(EPERM));
    // The kernel would send a signal of the program's choice to the process that it names, as by F_SETOWN.
    p.give_if(FIOSETOWN, fails(EPERM));
    p.give_if(SIOCSPGRP, fails(EPERM));
    p.give(kAllow);
  });
  p.on(SYS_fcntl, [&] {
    p.load(argument(1));
    p.give_if(F_SETOWN, fails(EPERM));
    p.give_if(F_SETOWN_EX, fails(EPERM));
    p.give(kAllow);
  });
}

void processes(Program& p) {
  p.on(SYS_clone, [&] {
    p.load(argument(0));
    p.give_if_set(CLONE_THREAD, kAllow);
    p.give(kAsk);
  });
  p.all({SYS_execve, SYS_execveat}, kAsk);
#if defined(__x86_64__)
  p.all({SYS_fork, SYS_vfork}, kAsk);
#endif
}

void sockets(Program& p) {
  const auto only = [&](uint32_t family, unsigned index, uint32_t bits,
                        std::initializer_list<uint32_t> values) {
    p.load(argument(0));
    p.on(static_cast<long>(family), [&] {
      p.load(argument(index));
      p.mask(bits);
      for (const uint32_t value : values) p.give_if(value, kAllow);
      p.give(kAsk);
    });
  };
  // A datagram socket of AF_UNIX could send to any name with each call; the others go by connect().
  p.on(SYS_socketpair, [&] {
    only(AF_UNIX, 1, 0xf, {SOCK_STREAM, SOCK_SEQPACKET});
    p.give(kAsk);
  });
  p.on(SYS_socket, [&] {
    only(AF_UNIX, 1, 0xf, {SOCK_STREAM, SOCK_SEQPACKET});
    only(AF_INET, 1, 0xf, {SOCK_DGRAM});
    only(AF_INET6, 1, 0xf, {SOCK_DGRAM});
    only(AF_NETLINK, 2, 0xffff'ffff, {0});
    p.give(kAsk);
  });
  p.on(SYS_sendto, [&] {
    p.load(argument(4));
    p.on(0, [&] {
      p.load(argument(4, true));
      p.give_if(0, kAllow);
      p.give(kAsk);
    });
    p.give(kAsk);
  });
  p.all({SYS_connect, SYS_sendmsg, SYS_sendmmsg, SYS_memfd_create}, kAsk);
}

void paths(Program& p) {
  p.all({SYS_openat, SYS_openat2, SYS_unlinkat, SYS_renameat, SYS_renameat2, SYS_mkdirat, SYS_symlinkat,
         SYS_linkat},
        kAsk);
#if defined(__x86_64__)
  p.all({SYS_open, SYS_creat, SYS_unlink, SYS_rename, SYS_mkdir, SYS_rmdir, SYS_symlink, SYS_link}, kAsk);
#endif
}

}  // namespace

int install_filter(bool compiler) {
  Program p;
  p.load(offsetof(seccomp_data, arch));
  p.kill_unless(kArch);
  p.load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  p.give_if_at_least(0x4000'0000, kKill);  // x32
#endif
  refuse(p);
  others(p, static_cast<uint32_t>(getpid()));
  operations(p);
  if (compiler) {
    p.give_if(SYS_socket, fails(EACCES));
  } else {
    processes(p);
    sockets(p);
    paths(p);
  }
  p.give(kAllow);
  sock_fprog program = p.done();
  const long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  if (fd < 0) fail("seccomp");
  return static_cast<int>(fd);
}

bool filter_works() {
  seccomp_notif_sizes sizes{};
  const uint32_t action = kAsk;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0 &&
         syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) == 0;
}

}  // namespace vlconfine
