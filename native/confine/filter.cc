#include <asm/sockios.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/close_range.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "confine/confine.h"

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

// Namespaces that a user can make without a privilege.
constexpr uint32_t kNamespaces =
    CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUTS | CLONE_NEWCGROUP;

// Resources that threads share. A thread with separate descriptors or a separate folder would have some
// that the launcher does not see.
constexpr uint32_t kThread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;

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
  // Runs `then` for the calls of this number. `then` ends with an action, or with the number loaded for the
  // next check.
  template <typename Then>
  void on(long number, Then then) {
    const size_t jump = code_.size();
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 0));
    then();
    code_[jump].jf = static_cast<uint8_t>(code_.size() - jump - 1);
  }
  void all(const std::vector<long>& numbers, uint32_t action) {
    for (const long number : numbers) give_if(static_cast<uint32_t>(number), action);
  }
  sock_fprog done() { return {static_cast<unsigned short>(code_.size()), code_.data()}; }

 private:
  std::vector<sock_filter> code_;
};

// Refuses calls for which programs fall back to older ones that can be checked. They are not reported.
void refuse(Program& p) {
  p.all({SYS_clone3, SYS_io_uring_setup, SYS_openat2}, fails(ENOSYS));
  // fallocate takes more of the disk between two checks than any write could.
  p.give_if(SYS_fallocate, fails(EOPNOTSUPP));
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

// Calls whose effect depends on one of their arguments.
void operations(Program& p) {
  const auto only = [&](long number, unsigned index, const std::vector<long>& values) {
    p.on(number, [&] {
      p.load(argument(index));
      for (const long value : values) p.give_if(static_cast<uint32_t>(value), kAllow);
      p.give(kAsk);
    });
  };
  only(SYS_prctl, 0, harmless_prctls());
  only(SYS_ioctl, 1, harmless_ioctls());
  only(SYS_fcntl, 1, harmless_fcntls());
}

void processes(Program& p, bool compiler) {
  p.on(SYS_clone, [&] {
    p.load(argument(0));
    p.give_if_set(kNamespaces, fails(EPERM));
    p.mask(kThread);
    p.give_if(kThread, kAllow);
    p.give(compiler ? kAllow : kAsk);
  });
  p.on(SYS_close_range, [&] {
    p.load(argument(2));
    p.give_if_set(CLOSE_RANGE_UNSHARE, fails(EPERM));
    p.give(kAllow);
  });
}

// Counted by the launcher: memory that is not resident in the process, and threads that end
// (supervisor.cc).
void counted(Program& p) {
  p.on(SYS_mmap, [&] {
    p.load(argument(3));
    p.mask(MAP_SHARED | MAP_ANONYMOUS);
    p.give_if(MAP_SHARED | MAP_ANONYMOUS, kAsk);
    p.give(kAllow);
  });
  p.give_if(SYS_exit, kAsk);
}

// Refuses to empty a file that is opened without the right to write: before version 3 Landlock does not see
// that, and the judge sees only a name, which may change afterward.
void truncation(Program& p) {
  const auto refuse = [&](long number, unsigned index) {
    p.on(number, [&] {
      p.load(argument(index));
      p.mask(O_TRUNC | O_ACCMODE);
      p.give_if(O_TRUNC | O_RDONLY, fails(EACCES));
      p.give_if(O_TRUNC | O_ACCMODE, fails(EACCES));
      p.load(offsetof(seccomp_data, nr));
    });
  };
  refuse(SYS_openat, 2);
#if defined(__x86_64__)
  refuse(SYS_open, 1);
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
  // A datagram socket of AF_UNIX could send to any name with each call; the other types use connect().
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
}

// True if the kernel answers a call with a descriptor, as the launcher does when it opens a file itself: since
// Linux 5.14. Tried in another process with a filter that passes every call, so that no call waits there.
bool takes_descriptors() {
  const pid_t pid = fork();
  if (pid == 0) {
    sock_filter pass = BPF_STMT(BPF_RET | BPF_K, kAllow);
    sock_fprog program{1, &pass};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    const long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    seccomp_notif_addfd add{};
    add.srcfd = static_cast<uint32_t>(fd);
    add.flags = SECCOMP_ADDFD_FLAG_SEND;
    // An older kernel refuses the flag (EINVAL) before it looks for the call.
    _exit(fd >= 0 && ioctl(static_cast<int>(fd), SECCOMP_IOCTL_NOTIF_ADDFD, &add) < 0 && errno == ENOENT ? 0
                                                                                                         : 1);
  }
  int status = 0;
  return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
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
  processes(p, compiler);
  truncation(p);
  if (compiler) {
    p.give_if(SYS_socket, fails(EACCES));
    // Linkers set the mode of their output, and tolerate a failure.
    p.all({SYS_fchmod, SYS_fchmodat}, fails(EPERM));
#if defined(__x86_64__)
    p.give_if(SYS_chmod, fails(EPERM));
#endif
    p.all(compiler_calls(), kAllow);
  } else {
    sockets(p);
    counted(p);
  }
  p.all(harmless_calls(), kAllow);
  // The judge knows the calls that may pass sometimes. The rest fails there, and is reported.
  p.give(kAsk);
  sock_fprog program = p.done();
  const long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  if (fd < 0) fail("seccomp");
  return static_cast<int>(fd);
}

bool filter_works() {
  seccomp_notif_sizes sizes{};
  const uint32_t action = kAsk;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0 &&
         syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) == 0 && takes_descriptors();
}

}  // namespace vlconfine
