// vlconfine: runs a program of the workbench so that it reaches nothing but its folder and the embedded device. It
// needs no root. Landlock and seccomp confine the program; this process stays and answers for the calls that need a
// look, so that what was tried can be told. docs/workbench.md says what holds and what does not.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "confine/failure.h"
#include "confine/filter.h"
#include "confine/inspect.h"
#include "confine/landlock.h"
#include "confine/network.h"
#include "confine/supervisor.h"

namespace vlconfine {
namespace {

constexpr int kNotStarted = 125;

volatile sig_atomic_t g_child = 0;

void pass_on(int signal) {
  if (g_child != 0) kill(g_child, signal);
}

int check() {
  const auto text = [](bool value) { return value ? "true" : "false"; };
  std::printf("{\"landlock\":%d,\"seccomp\":%s,\"inspect\":%s,\"network\":%s}\n", landlock_version(),
              text(filter_works()), text(can_inspect()), text(can_isolate_network()));
  return 0;
}

void write_verdict(const Options& options, const Verdict& verdict, bool network) {
  if (options.verdict.empty()) return;
  const int fd = open(options.verdict.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) fail(options.verdict);
  const std::string text = to_json(verdict, network);
  const ssize_t wrote = write(fd, text.data(), text.size());
  close(fd);
  if (wrote != static_cast<ssize_t>(text.size())) fail(options.verdict);
}

// As the program ended, without a core file of its own.
int end_as(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(WTERMSIG(status), SIG_DFL);
  kill(getpid(), WTERMSIG(status));
  return 128 + WTERMSIG(status);
}

int run(const Options& options) {
  const Child child = start_child(options);
  g_child = child.pid;
  for (const int one : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGQUIT}) signal(one, pass_on);
  const End end = supervise(options, child);
  g_child = 0;
  write_verdict(options, end.verdict, child.network);
  return end_as(end.status);
}

int start(std::span<char*> words) {
  const std::string_view command = words.empty() ? "" : words[0];
  if (command == "--help") {
    std::fputs(kUsage, stdout);
    return 0;
  }
  if (command == "check") return check();
  if (command == "run") return run(parse(words.subspan(1)));
  throw Failure(std::string("the command is missing\n") + kUsage);
}

}  // namespace
}  // namespace vlconfine

int main(int argc, char** argv) {
  try {
    return vlconfine::start({argv + 1, static_cast<size_t>(argc - 1)});
  } catch (const vlconfine::Failure& failure) {
    std::fprintf(stderr, "vlconfine: %s\n", failure.what());
    return vlconfine::kNotStarted;
  }
}
