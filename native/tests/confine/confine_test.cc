// What a confined process may do with memory, disk, processes, files and system calls, and the outcome.
#include "confine.h"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include <algorithm>

namespace confine {
namespace {

// Output of `vlconfine check` if the kernel refuses this call, as Yama may, or with this value of an argument.
std::string check_without(int number, int index = -1, uint32_t value = 0) {
  int out[2];
  if (pipe(out) != 0) return "";
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(out[1], STDOUT_FILENO);
    forbid(number, index, value);
    execl(VLCONFINE, VLCONFINE, "check", nullptr);
    _exit(1);
  }
  close(out[1]);
  char text[256] = "";
  const ssize_t length = read(out[0], text, sizeof text - 1);
  close(out[0]);
  waitpid(pid, nullptr, 0);
  return {text, static_cast<size_t>(std::max<ssize_t>(length, 0))};
}

TEST(Check, SaysWhetherTheLauncherMayLookIntoItsProgram) {
  EXPECT_NE(check_without(-1).find("\"inspect\":true"), std::string::npos);
  for (const int number : {static_cast<int>(SYS_process_vm_readv), static_cast<int>(SYS_pidfd_getfd)})
    EXPECT_NE(check_without(number).find("\"inspect\":false"), std::string::npos) << number;
}

TEST(Check, SaysWhetherTheKernelTakesDescriptorsAsAnswers) {
  EXPECT_NE(check_without(-1).find("\"seccomp\":true"), std::string::npos);
  EXPECT_NE(check_without(SYS_ioctl, 1, SECCOMP_IOCTL_NOTIF_ADDFD).find("\"seccomp\":false"),
            std::string::npos);
}

TEST_F(Confine, EndsAsTheProgramEnds) {
  EXPECT_TRUE(run({"nothing"}).exited(0));
  EXPECT_TRUE(run({"fail"}).exited(3));
  const Ended aborted = run({"abort"});
  EXPECT_TRUE(WIFSIGNALED(aborted.status) && WTERMSIG(aborted.status) == SIGABRT);
  EXPECT_EQ(aborted.verdict.find("stopped"), std::string::npos) << aborted.verdict;
}

TEST_F(Confine, LetsAProgramUseItsFolderThreadsAndTheDevicesPort) {
  EXPECT_TRUE(run({"write", "mine"}).exited(kLet));
  EXPECT_TRUE(run({"read", "mine"}).exited(kLet));
  EXPECT_TRUE(run({"thread"}).exited(kLet));
  EXPECT_TRUE(run({"device-packet"}).exited(kLet));
}

TEST_F(Confine, StopsLoopsAndWaits) {
  const Ended spun = run({"spin"});
  EXPECT_TRUE(spun.was("cpu") || spun.was("time")) << spun.verdict;
  EXPECT_TRUE(run({"sleep"}).was("time"));
}

TEST_F(Confine, StopsWhatFillsMemoryOrDisk) {
  for (const char* how : {"memory", "memory-files", "memory-shared", "page-tables", "memory-after-exit"})
    EXPECT_TRUE(run({how}).was("memory")) << how;
  EXPECT_TRUE(run({"memory-files-closed"}).was("memory-files"));
  for (const char* how : {"disk", "disk-deep", "disk-unnamed", "disk-in-socket"}) {
    EXPECT_TRUE(run({how}).was("files")) << how;
    for (const auto& left : fs::directory_iterator(base_ + "/box")) fs::remove_all(left);
  }
}

// /proc does not show descriptors that belong to one thread only.
TEST_F(Confine, LetsNoThreadHaveDescriptorsOfItsOwn) {
  EXPECT_TRUE(run({"own-descriptors"}).exited(EPERM));
  EXPECT_TRUE(run({"thread-without-files"}).was("fork"));
}

TEST_F(Confine, LetsTheFirstThreadEndBeforeTheOthers) { EXPECT_TRUE(run({"end-by-threads"}).exited(0)); }

TEST_F(Confine, ReservesNoDisk) { EXPECT_TRUE(run({"disk-reserved"}).exited(EOPNOTSUPP)); }

TEST_F(Confine, StopsOtherProcesses) {
  for (const char* how : {"fork", "raw-clone", "exec"}) EXPECT_TRUE(run({how}).was("fork")) << how;
}

TEST_F(Confine, StopsFilesElsewhere) {
  EXPECT_TRUE(run({"read", "/etc/passwd"}).was("path"));
  EXPECT_TRUE(run({"read", "../secret"}).was("path"));
  EXPECT_TRUE(run({"write", "../new"}).was("path"));
  EXPECT_TRUE(run({"unlink", base_ + "/secret"}).was("path"));
  EXPECT_TRUE(run({"symlink"}).was("path"));
  EXPECT_TRUE(fs::exists(base_ + "/secret"));
  EXPECT_FALSE(fs::exists(base_ + "/new"));
}

TEST_F(Confine, RefusesWhatLandlockDoesNotSee) {
  EXPECT_TRUE(run({"chmod", base_ + "/secret"}).exited(EPERM));
  EXPECT_TRUE(run({"chmod-newer", base_ + "/secret"}).exited(ENOSYS));
  for (const char* how : {"signal", "own", "affinity"}) EXPECT_TRUE(run({how}).exited(EPERM)) << how;
}

TEST_F(Confine, LetsACompilerStartProgramsButReachNothing) {
  EXPECT_TRUE(run({"fork"}, {"--compiler"}).exited(kLet));
  EXPECT_TRUE(run({"read", "/etc/passwd"}, {"--compiler"}).exited(EACCES));
  EXPECT_TRUE(run({"tcp"}, {"--compiler"}).exited(EACCES));
}

TEST_F(Confine, LimitsWhatACompilerStarts) {
  EXPECT_TRUE(run({"memory-of-child"}, {"--compiler"}).was("memory"));
  const Ended moved = run({"call", std::to_string(SYS_setsid)}, {"--compiler"});
  EXPECT_TRUE(moved.exited(EPERM) && moved.tried("setsid")) << moved.verdict;
  EXPECT_TRUE(run({"new-namespace"}, {"--compiler"}).exited(EPERM));
}

TEST_F(Confine, EndsWhatACompilerLeavesBehind) {
  int held[2];
  ASSERT_EQ(pipe(held), 0);
  const Ended ended = run({"left-behind"}, {"--compiler"});
  EXPECT_TRUE(ended.exited(kLet)) << ended.verdict;
  close(held[1]);
  pollfd all_gone{held[0], POLLIN, 0};
  EXPECT_EQ(poll(&all_gone, 1, 5000), 1);
  close(held[0]);
}

// System V objects of other programs of this user have numbers that a program could guess.
TEST_F(Confine, ReachesNoSystemVIpcOfOtherPrograms) {
  const int shared = shmget(IPC_PRIVATE, 4096, 0600);
  const int messages = msgget(IPC_PRIVATE, 0600);
  const int semaphores = semget(IPC_PRIVATE, 1, 0600);
  ASSERT_TRUE(shared >= 0 && messages >= 0 && semaphores >= 0);
  for (const auto& [what, name] : std::vector<std::pair<const char*, const char*>>{{"shm-attach", "shmat"},
                                                                                   {"shm-remove", "shmctl"},
                                                                                   {"msg-remove", "msgctl"},
                                                                                   {"msg-send", "msgsnd"},
                                                                                   {"msg-receive", "msgrcv"},
                                                                                   {"sem-remove", "semctl"},
                                                                                   {"sem-change", "semop"}})
    for (const auto& how : {std::vector<std::string>{}, std::vector<std::string>{"--compiler"}}) {
      const int id = what[1] == 'h' ? shared : what[0] == 'm' ? messages : semaphores;
      const Ended ended = run({what, std::to_string(id)}, how);
      EXPECT_TRUE(ended.exited(EPERM) && ended.tried(name)) << what << ": " << ended.verdict;
    }
  EXPECT_EQ(shmctl(shared, IPC_RMID, nullptr), 0);
  EXPECT_EQ(msgctl(messages, IPC_RMID, nullptr), 0);
  EXPECT_EQ(semctl(semaphores, 0, IPC_RMID), 0);
}

TEST_F(Confine, RefusesEveryCallThatIsOnNoListAndSaysWhich) {
  const std::vector<std::pair<long, const char*>> calls{
      {SYS_mq_open, "mq_open"},
      {SYS_mq_unlink, "mq_unlink"},
      {SYS_shmget, "shmget"},
      {SYS_msgget, "msgget"},
      {SYS_semget, "semget"},
      {SYS_semtimedop, "semtimedop"},
      {SYS_setsid, "setsid"},
      {SYS_setpgid, "setpgid"},
      {SYS_ptrace, "ptrace"},
      {SYS_process_vm_readv, "process_vm_readv"},
      {SYS_pidfd_open, "pidfd_open"},
      {SYS_unshare, "unshare"},
      {SYS_mount, "mount"},
      {SYS_personality, "personality"},
      {SYS_keyctl, "keyctl"},
      {SYS_bpf, "bpf"},
      {SYS_perf_event_open, "perf_event_open"},
      {SYS_userfaultfd, "userfaultfd"},
      {SYS_inotify_init1, "inotify_init1"},
      {SYS_vmsplice, "vmsplice"},
      {SYS_io_setup, "io_setup"},
      {SYS_seccomp, "seccomp"},
      {SYS_landlock_create_ruleset, "landlock_create_ruleset"},
      {SYS_setuid, "setuid"},
      {SYS_setxattr, "setxattr"},
      {SYS_get_robust_list, "get_robust_list"},
      {SYS_lookup_dcookie, "lookup_dcookie"},
      {SYS_nfsservctl, "nfsservctl"},
  };
  for (const auto& [number, name] : calls) {
    const Ended ended = run({"call", std::to_string(number)});
    EXPECT_TRUE(ended.exited(EPERM) && ended.tried(name)) << name << ": " << ended.verdict;
    EXPECT_EQ(ended.verdict.find("stopped"), std::string::npos) << ended.verdict;
  }
  const Ended newer = run({"call", "499"});
  EXPECT_TRUE(newer.exited(ENOSYS) && newer.tried("system call 499")) << newer.verdict;
  const Ended owner = run({"ioctl", std::to_string(FIOSETOWN)});
  EXPECT_TRUE(owner.exited(EPERM) && owner.tried("ioctl(0x8901)")) << owner.verdict;
  EXPECT_EQ(run({"nothing"}).verdict.find("tried"), std::string::npos);
}

TEST_F(Confine, EmptiesNoFileThatItMayOnlyRead) {
  ASSERT_TRUE(run({"write", "mine"}).exited(kLet));
  for (const char* how : {"truncate", "truncate-neither"}) {
    EXPECT_TRUE(run({how, "mine"}).exited(EACCES)) << how;
    EXPECT_TRUE(run({how, base_ + "/secret"}, {"--read", base_ + "/secret"}).exited(EACCES)) << how;
    EXPECT_TRUE(run({how, base_ + "/secret"}, {"--read", base_ + "/secret", "--compiler"}).exited(EACCES))
        << how;
  }
  EXPECT_EQ(fs::file_size(base_ + "/secret"), 6u);
  EXPECT_EQ(fs::file_size(base_ + "/box/mine"), 1u);
  // No program needs openat2, and it names its flags in memory.
  EXPECT_TRUE(run({"call", std::to_string(SYS_openat2)}).exited(ENOSYS));
}

}  // namespace
}  // namespace confine
