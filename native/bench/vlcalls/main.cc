// vlcalls: system calls of another process, thread by thread.
//
//   vlcalls PID
//
// The program waits for a line on standard input, attaches to the process and prints "counting". At the
// next line (or the end of input) it prints one line for each thread name and call, separated by tabs:
// thread, call, count, and the count of those in vain (EAGAIN). Then it ends, and the process goes on
// without it. The process is slower meanwhile. Exit code 3: the kernel does not allow it.
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "bench/vlcalls/names.h"
#include "bench/vlcalls/tracer.h"

namespace {

constexpr int kForbidden = 3;

// False at the end of input.
bool read_line() {
  char byte = 0;
  while (read(STDIN_FILENO, &byte, 1) == 1)
    if (byte == '\n') return true;
  return false;
}

// Counts until there is input on standard input, or the process has gone.
void count(vlcalls::Tracer& tracer, int signals) {
  bool told = false;
  while (tracer.handle()) {
    if (!told && tracer.attached()) {
      told = true;
      std::puts("counting");
      std::fflush(stdout);
    }
    pollfd waiting[] = {{signals, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    if (poll(waiting, 2, -1) < 0 && errno != EINTR) return;
    // Read before the threads' reports are handled: a report in between makes a new signal.
    signalfd_siginfo info[8];
    if (waiting[0].revents != 0) [[maybe_unused]]
      const ssize_t n = read(signals, info, sizeof info);
    if (waiting[1].revents == 0) continue;
    tracer.handle();
    return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  pid_t process = 0;
  if (argc != 2 || std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), process).ec != std::errc{} ||
      process <= 0) {
    std::fputs("usage: vlcalls PID\n", stderr);
    return 2;
  }
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  const int signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (!read_line()) return 0;
  vlcalls::Tracer tracer(process);
  try {
    tracer.attach();
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kForbidden;
  }
  count(tracer, signals);
  for (const auto& [key, count] : tracer.counts())
    std::printf("%s\t%s\t%llu\t%llu\n", key.first.c_str(), vlcalls::name_of(key.second).c_str(),
                static_cast<unsigned long long>(count.calls), static_cast<unsigned long long>(count.empty));
  return 0;
}
