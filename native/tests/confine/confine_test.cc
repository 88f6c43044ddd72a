// vlconfine as the agent uses it: a process that does one thing, and what came of it.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
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
#include <string>
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

  Ended run(std::vector<std::string> victim, std::vector<std::string> more = {}) {
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
      execv(VLCONFINE, args.data());
      _exit(1);
    }
    Ended ended{};
    waitpid(pid, &ended.status, 0);
    std::getline(std::ifstream(base_ + "/verdict"), ended.verdict);
    return ended;
  }

  std::string base_;
};

// What `vlconfine check` prints where the kernel refuses this call, as Yama may.
std::string check_without(int number) {
  const sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{4, const_cast<sock_filter*>(code)};
  int out[2];
  if (pipe(out) != 0) return "";
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(out[1], STDOUT_FILENO);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
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
  for (const char* how : {"memory", "memory-files"}) EXPECT_TRUE(run({how}).was("memory")) << how;
  EXPECT_TRUE(run({"memory-files-closed"}).was("memory-files"));
  for (const char* how : {"disk", "disk-deep", "disk-unnamed"}) {
    EXPECT_TRUE(run({how}).was("files")) << how;
    for (const auto& left : fs::directory_iterator(base_ + "/box")) fs::remove_all(left);
  }
}

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

}  // namespace
