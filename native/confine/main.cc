// vlconfine: runs a program of the workbench so that it reaches nothing but its folder and the embedded
// device. It needs no root. Landlock and seccomp confine the program; this process stays and decides on the
// calls that need a check, so that attempts can be reported. docs/workbench.md lists the guarantees and the
// gaps.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "confine/confine.h"
#include "confine/target.h"

namespace vlconfine {
namespace {

const char kUsage[] =
    "usage: vlconfine check                  what this kernel confines, as JSON\n"
    "       vlconfine run OPTIONS -- PROGRAM [ARGUMENTS...]\n"
    "\n"
    "run starts the program with access to nothing but its folder, what it needs of the system, and the\n"
    "embedded device. It stops the program when it tries anything else or exceeds a limit.\n"
    "  --folder PATH     may be read and written\n"
    "  --read PATH       may be read; may be repeated\n"
    "  --keys PATH       where the device keeps its key\n"
    "  --feed PATH       socket that the device reports to\n"
    "  --verdict PATH    file for one line of JSON: what stopped the program, and what was not confined\n"
    "  --cpu SECONDS     of CPU time. Default: 10\n"
    "  --time SECONDS    by the clock. Default: 20\n"
    "  --memory MIB      resident. Default: 512\n"
    "  --files MIB       in the folder. Default: 32\n"
    "  --compiler        the program may start others, has no sockets, and is refused other files, not "
    "stopped\n"
    "Exit code and signal are those of the program; 125: it was not started.\n";

constexpr int kNotStarted = 125;

volatile sig_atomic_t g_child = 0;

void pass_on(int signal) {
  if (g_child != 0) kill(g_child, signal);
}

unsigned number(std::string_view word, std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value == 0 || value > 1'000'000)
    throw Error{EINVAL, std::string(word) + " needs a number, not “" + std::string(text) + "”"};
  return value;
}

Options parse(std::span<char*> words) {
  Options options;
  size_t at = 0;
  for (; at < words.size(); ++at) {
    const std::string_view word = words[at];
    if (word == "--") break;
    if (word == "--compiler") {
      options.compiler = true;
      continue;
    }
    if (at + 1 == words.size()) throw Error{EINVAL, "“" + std::string(word) + "” is not understood"};
    const std::string_view value = words[++at];
    if (word == "--folder")
      options.folder = value;
    else if (word == "--read")
      options.read.emplace_back(value);
    else if (word == "--keys")
      options.keys = value;
    else if (word == "--feed")
      options.feed = value;
    else if (word == "--verdict")
      options.verdict = value;
    else if (word == "--cpu")
      options.cpu_seconds = number(word, value);
    else if (word == "--time")
      options.seconds = number(word, value);
    else if (word == "--memory")
      options.memory_bytes = uint64_t{number(word, value)} << 20;
    else if (word == "--files")
      options.files_bytes = uint64_t{number(word, value)} << 20;
    else
      throw Error{EINVAL, "“" + std::string(word) + "” is not understood"};
  }
  if (options.folder.empty()) throw Error{EINVAL, "--folder is missing"};
  // The program starts in this folder, where a relative path would mean another one.
  char* folder = realpath(options.folder.c_str(), nullptr);
  if (folder == nullptr) fail(options.folder);
  options.folder = folder;
  free(folder);
  if (at + 1 >= words.size()) throw Error{EINVAL, "the program is missing"};
  options.command.assign(words.begin() + static_cast<ptrdiff_t>(at) + 1, words.end());
  options.command.push_back(nullptr);
  return options;
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

// Ends like the program, without a core file.
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
  throw Error{EINVAL, std::string("the command is missing\n") + kUsage};
}

}  // namespace
}  // namespace vlconfine

int main(int argc, char** argv) {
  try {
    return vlconfine::start({argv + 1, static_cast<size_t>(argc - 1)});
  } catch (const uroce::Error& error) {
    std::fprintf(stderr, "vlconfine: %s\n", error.text.c_str());
    return vlconfine::kNotStarted;
  }
}
