// Sockets of a confined process: whom it may connect to, what it may bind, and the network of the host.
#include <fcntl.h>
#include <linux/sockios.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <thread>

#include "confine.h"

namespace confine {
namespace {

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

// A listener at that name; -1 if there is none.
int listen_at(const std::string& path, int flags = 0) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::strcpy(name.sun_path, path.c_str());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
  const bool done = bind(fd, reinterpret_cast<sockaddr*>(&name), sizeof name) == 0 && listen(fd, 4) == 0;
  return done ? fd : -1;
}

TEST_F(Confine, StopsSocketsOtherThanTheDevices) {
  for (const char* how : {"tcp", "udp-out", "udp-port"}) EXPECT_TRUE(run({how}).was("socket")) << how;
  for (const char* how : {"unix-datagram", "unix-datagram-pair"})
    EXPECT_TRUE(run({how}).exited(EACCES)) << how;
}

TEST_F(Confine, ConnectsToTheFeedAndToNoOtherName) {
  const int fd = listen_at(base_ + "/feed");
  ASSERT_GE(fd, 0);
  EXPECT_TRUE(run({"unix", base_ + "/feed"}).exited(kLet));
  EXPECT_TRUE(run({"unix", base_ + "/other"}).was("socket"));
  close(fd);
}

TEST_F(Confine, ConnectsToNoNameThatIsChangedMeanwhile) {
  const int fd = listen_at(base_ + "/other", SOCK_NONBLOCK);
  ASSERT_GE(fd, 0);
  for (int tries = 0; tries < 20; ++tries) {
    EXPECT_FALSE(run({"unix-race", base_ + "/other"}).exited(0));
    ASSERT_LT(accept(fd, nullptr, nullptr), 0) << "after " << tries << " tries";
  }
  close(fd);
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

TEST_F(Confine, StopsAProgramThatKeepsItsLauncherWaiting) { EXPECT_TRUE(run({"unix-full"}).was("time")); }

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

TEST_F(Confine, UsesTheDeviceBesideThatOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can be another user, too";
  fs::create_directory(base_ + "/uroce-" + std::to_string(geteuid()));
  const Ended beside = run({"key", base_}, {}, [] {
    enter_a_network();
    constexpr uid_t kNobody = 65534;
    int ready[2];
    if (pipe(ready) != 0) _exit(1);
    if (fork() == 0) {
      if (setuid(kNobody) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) _exit(1);
      listen_as("uroce.0123456789abcdef.other");
      if (write(ready[1], "", 1) == 1) pause();
      _exit(1);
    }
    char byte;
    if (read(ready[0], &byte, 1) != 1) _exit(1);
    close(ready[0]);
    close(ready[1]);
    forbid_loopback();
  });
  EXPECT_TRUE(beside.was("time")) << beside.verdict;
  EXPECT_TRUE(fs::exists(base_ + "/box/has-key"));
}

}  // namespace
}  // namespace confine
