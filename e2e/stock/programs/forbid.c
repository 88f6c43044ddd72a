/*
 * forbid CALL LIBRARY PROGRAM [ARGS]: runs a program with the device under a seccomp filter that answers one system
 * call with EPERM, as the profile of a container does.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const unsigned call = strcmp(argv[1], "memfd_create") == 0 ? SYS_memfd_create
                        : strcmp(argv[1], "eventfd2") == 0   ? SYS_eventfd2
                                                             : SYS_sendmsg;
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    perror("seccomp");
    return 3;
  }
  setenv("LD_PRELOAD", argv[2], 1);
  execvp(argv[3], argv + 3);
  perror(argv[3]);
  return 4;
}
