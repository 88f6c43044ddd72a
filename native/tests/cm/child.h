// Child processes of a test.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace uroce::cm::test {

// A child that does its work, reports numbers (its result is the last one), and stays until it is ended.
class Child {
 public:
  explicit Child(const std::function<int()>& work) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    pid_ = fork();
    if (pid_ == 0) {
      to_parent_ = ends[1];
      say(work());
      for (;;) pause();
    }
    close(ends[1]);
    from_ = ends[0];
  }
  ~Child() { kill9(); }
  // For the child, during its work.
  static void say(int number) {
    [[maybe_unused]] const ssize_t n = write(to_parent_, &number, sizeof number);
  }
  // The reported number; -1 if the child died without reporting one.
  int said() {
    int number = -1;
    pollfd p{from_, POLLIN, 0};
    if (poll(&p, 1, 20'000) != 1 || read(from_, &number, sizeof number) != sizeof number) return -1;
    return number;
  }
  void kill9() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    close(from_);
    pid_ = 0;
  }

 private:
  pid_t pid_ = 0;
  int from_ = -1;
  static inline int to_parent_ = -1;
};

}  // namespace uroce::cm::test
