// vlconfine as the agent uses it: a process that does one thing, and the outcome.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr int kLet = 9;

struct Ended {
  int status;
  std::string verdict;
  bool was(const std::string& what) const {
    return verdict.find("\"stopped\":\"" + what + "\"") != std::string::npos;
  }
  bool tried(const std::string& call) const {
    const size_t list = verdict.find("\"tried\":[");
    return list != std::string::npos && verdict.find("\"" + call + "\"", list + 8) != std::string::npos;
  }
  bool exited(int code) const { return WIFEXITED(status) && WEXITSTATUS(status) == code; }
};

class Confine : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/vlconfine-test-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    base_ = name;
    fs::create_directory(base_ + "/box");
    fs::create_directory(base_ + "/keys");
    std::ofstream(base_ + "/secret") << "secret";
  }
  void TearDown() override { fs::remove_all(base_); }

  // `before`: runs in the launcher's process before it executes vlconfine.
  Ended run(
      std::vector<std::string> victim, std::vector<std::string> more = {},
      const std::function<void()>& before = [] {}) {
    return ended(start(std::move(victim), std::move(more), before));
  }

  pid_t start(std::vector<std::string> victim, std::vector<std::string> more,
              const std::function<void()>& before) {
    std::vector<std::string> words{VLCONFINE,   "run",
                                   "--folder",  base_ + "/box",
                                   "--keys",    base_ + "/keys",
                                   "--feed",    base_ + "/feed",
                                   "--verdict", base_ + "/verdict",
                                   "--cpu",     "1",
                                   "--time",    "2",
                                   "--memory",  "64",
                                   "--files",   "8",
                                   "--read",    VICTIM};
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--", VICTIM});
    words.insert(words.end(), victim.begin(), victim.end());
    const pid_t pid = fork();
    if (pid == 0) {
      std::vector<char*> args;
      for (auto& word : words) args.push_back(word.data());
      args.push_back(nullptr);
      before();
      execv(VLCONFINE, args.data());
      _exit(1);
    }
    return pid;
  }

  Ended ended(pid_t pid) {
    Ended ended{};
    waitpid(pid, &ended.status, 0);
    std::getline(std::ifstream(base_ + "/verdict"), ended.verdict);
    return ended;
  }

  std::string base_;
};

// Refuses a call to this process from here on, with this value of an argument if there is one.
void forbid(int number, int index = -1, uint32_t value = 0) {
  const auto argument = static_cast<uint32_t>(index < 0 ? offsetof(seccomp_data, nr)
                                                        : offsetof(seccomp_data, args) + 8 * index);
  const sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, index < 0 ? static_cast<uint32_t>(number) : value, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{6, const_cast<sock_filter*>(code)};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    _exit(1);
}

std::string ids() { return std::to_string(geteuid()) + " " + std::to_string(geteuid()) + " 1"; }

// Refusals of Ubuntu 24.04, where an ordinary user gets the namespaces, and then may not set them up.
void forbid_user_ids() { forbid(SYS_write, 2, static_cast<uint32_t>(ids().size())); }
void forbid_loopback() { forbid(SYS_ioctl, 1, SIOCSIFFLAGS); }

void put(const char* path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) _exit(1);
}

// Enters a network where no other process has the device open.
void enter_a_network() {
  const std::string own = ids();
  const bool root = geteuid() == 0;
  if (unshare(root ? CLONE_NEWNET : CLONE_NEWUSER | CLONE_NEWNET) != 0) _exit(1);
  if (root) return;
  put("/proc/self/setgroups", "deny");
  put("/proc/self/uid_map", own);
}

void listen_as(const std::string& abstract_name) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::memcpy(name.sun_path + 1, abstract_name.data(), abstract_name.size());
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  const auto length = offsetof(sockaddr_un, sun_path) + 1 + abstract_name.size();
  if (bind(fd, reinterpret_cast<sockaddr*>(&name), static_cast<socklen_t>(length)) != 0 || listen(fd, 4) != 0)
    _exit(1);
}

// Output of `vlconfine check` if the kernel refuses this call, as Yama may.
std::string check_without(int number) {
  int out[2];
  if (pipe(out) != 0) return "";
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(out[1], STDOUT_FILENO);
    forbid(number);
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

// /proc shows no descriptors that only one thread of a process has.
TEST_F(Confine, LetsNoThreadHaveDescriptorsOfItsOwn) {
  EXPECT_TRUE(run({"own-descriptors"}).exited(EPERM));
  EXPECT_TRUE(run({"thread-without-files"}).was("fork"));
}

TEST_F(Confine, LetsTheFirstThreadEndBeforeTheOthers) { EXPECT_TRUE(run({"end-by-threads"}).exited(0)); }

TEST_F(Confine, ReservesNoDisk) { EXPECT_TRUE(run({"disk-reserved"}).exited(EOPNOTSUPP)); }

TEST_F(Confine, StopsOtherProcesses) {
  for (const char* how : {"fork", "raw-clone", "exec"}) EXPECT_TRUE(run({how}).was("fork")) << how;
}

TEST_F(Confine, StopsSocketsOtherThanTheDevices) {
  for (const char* how : {"tcp", "udp-out", "udp-port"}) EXPECT_TRUE(run({how}).was("socket")) << how;
  for (const char* how : {"unix-datagram", "unix-datagram-pair"})
    EXPECT_TRUE(run({how}).exited(EACCES)) << how;
}

TEST_F(Confine, ConnectsToTheFeedAndToNoOtherName) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::strcpy(name.sun_path, (base_ + "/feed").c_str());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
  ASSERT_EQ(listen(fd, 4), 0);
  EXPECT_TRUE(run({"unix", base_ + "/feed"}).exited(kLet));
  EXPECT_TRUE(run({"unix", base_ + "/other"}).was("socket"));
  close(fd);
}

TEST_F(Confine, ConnectsToNoNameThatIsChangedMeanwhile) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::strcpy(name.sun_path, (base_ + "/other").c_str());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  ASSERT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
  ASSERT_EQ(listen(fd, 4), 0);
  for (int tries = 0; tries < 20; ++tries) {
    EXPECT_FALSE(run({"unix-race", base_ + "/other"}).exited(0));
    ASSERT_LT(accept(fd, nullptr, nullptr), 0) << "after " << tries << " tries";
  }
  close(fd);
}

TEST_F(Confine, StopsAProgramThatKeepsItsLauncherWaiting) { EXPECT_TRUE(run({"unix-full"}).was("time")); }

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

// A thread of that process that is in this system call; 0: none.
pid_t thread_in(pid_t process, long call) {
  for (const auto& thread : fs::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
    long now = -1;
    if (std::ifstream(thread.path() / "syscall") >> now; now == call)
      return std::stoi(thread.path().filename().string());
  }
  return 0;
}

bool runs(pid_t child) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

// The first thread of the launcher checks the limits.
TEST_F(Confine, LooksAtLimitsWhileItConnects) {
  EXPECT_TRUE(run({"memory-while-connecting"}, {"--time", "60", "--cpu", "20"}).was("memory"));
  if (!std::ifstream("/proc/self/syscall").good()) GTEST_SKIP() << "the kernel does not tell who waits where";
  const pid_t launcher = start({"unix-full"}, {"--time", "60", "--cpu", "20"}, [] {});
  pid_t connects = 0;
  while (connects == 0 && runs(launcher)) connects = thread_in(launcher, SYS_connect);
  EXPECT_NE(connects, 0);
  EXPECT_NE(connects, launcher) << "it waits for the peer of the program";
  kill(launcher, SIGTERM);
  ended(launcher);
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

TEST_F(Confine, BindsNoPortButTheDevices) {
  EXPECT_TRUE(run({"udp-bind", "4791"}).exited(kLet));
  EXPECT_TRUE(run({"udp-bind", "0"}).exited(kLet));
  EXPECT_TRUE(run({"udp-bind", "5353"}).was("socket"));
}

TEST_F(Confine, BindsNoNameOfOtherPrograms) {
  for (const char* name : {"@uroce.mine", "@other"})
    EXPECT_TRUE(run({"unix-bind", name}).exited(kLet)) << name;
  EXPECT_TRUE(run({"unix-bind", "in-the-folder"}).exited(EACCES));
  EXPECT_TRUE(run({"unix-bind", "@uroce.mine"}, {}, forbid_loopback).exited(kLet));
  EXPECT_TRUE(run({"unix-bind", "@other"}, {}, forbid_loopback).exited(EACCES));
}

TEST_F(Confine, SendsToNoOtherHostByAnAddressWithoutAFamily) {
  EXPECT_TRUE(run({"udp-no-family"}).was("socket"));
}

// Half isolation is worse than none: another user in a network without an address.
TEST_F(Confine, StaysInTheNetworkOfTheHostWhereItMayNotSetUpItsOwn) {
  const std::string here = fs::read_symlink("/proc/self/ns/net");
  EXPECT_TRUE(run({"in-network", here}).exited(1));
  for (const auto& forbidden : {forbid_user_ids, forbid_loopback}) {
    const Ended there = run({"in-network", here}, {}, forbidden);
    EXPECT_TRUE(there.exited(kLet)) << there.verdict;
    EXPECT_NE(there.verdict.find("\"network\":false"), std::string::npos) << there.verdict;
    EXPECT_TRUE(run({"in-own-user", std::to_string(geteuid())}, {}, forbidden).exited(kLet));
    EXPECT_TRUE(run({"udp-out"}, {}, forbidden).was("socket"));
    EXPECT_TRUE(run({"udp-no-family"}, {}, forbidden).was("socket"));
  }
}

TEST_F(Confine, KeepsTheDevicesKeyFromAProgramInTheNetworkOfTheHost) {
  const std::string folder = base_ + "/uroce-" + std::to_string(geteuid());
  fs::create_directory(folder);
  const pid_t pid = start({"key", base_}, {}, [] {
    enter_a_network();
    forbid_loopback();
  });
  std::string key;
  while (!fs::exists(base_ + "/box/has-key") && kill(pid, 0) == 0 && waitpid(pid, nullptr, WNOHANG) == 0)
    std::this_thread::yield();
  ASSERT_TRUE(fs::exists(base_ + "/box/has-key"));
  for (const auto& one : fs::directory_iterator(folder)) key = one.path();
  ASSERT_FALSE(key.empty());
  // Processes of this user that join the device wait for the program.
  const int fd = open(key.c_str(), O_RDWR | O_CLOEXEC);
  struct flock whole{};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  ASSERT_EQ(fcntl(fd, F_GETLK, &whole), 0);
  EXPECT_EQ(whole.l_type, F_WRLCK);
  EXPECT_EQ(whole.l_pid, pid);
  close(fd);
  EXPECT_TRUE(ended(pid).was("time"));
  EXPECT_EQ(fs::file_size(key), 0u);
  for (const auto& one : fs::directory_iterator(base_ + "/keys")) EXPECT_EQ(fs::file_size(one), 4u);
}

TEST_F(Confine, UsesTheDeviceBesideNoOtherProgramInTheNetworkOfTheHost) {
  fs::create_directory(base_ + "/uroce-" + std::to_string(geteuid()));
  const Ended beside = run({"key", base_}, {}, [] {
    enter_a_network();
    listen_as("uroce.0123456789abcdef.other");
    forbid_loopback();
  });
  EXPECT_TRUE(beside.was("device")) << beside.verdict;
  EXPECT_FALSE(fs::exists(base_ + "/box/has-key"));
}

}  // namespace
