// vlconfine as the agent uses it, with a process that does one thing: victim.cc.
#pragma once

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace confine {

namespace fs = std::filesystem;

inline constexpr int kLet = 9;

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
inline void forbid(int number, int index = -1, uint32_t value = 0) {
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

}  // namespace confine
