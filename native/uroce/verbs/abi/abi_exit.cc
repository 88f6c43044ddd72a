// Functions that end a process without running destructors, in front of the C library's (exit_notice.h).
#include <alloca.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstddef>

#include "uroce/report/report.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/device/exit_notice.h"

namespace uroce::verbs {
namespace {

// The C library's function. Looked up when the library is loaded: a signal handler or a child of vfork() may
// make the call.
struct Next {
  decltype(&::_exit) exit_now = nullptr;
  decltype(&::execve) execve = nullptr;
  decltype(&::execvpe) execvpe = nullptr;
  decltype(&::fexecve) fexecve = nullptr;
};
Next g_next;

void end_quickly() {
  // Without an open device there may still be a report, of a device that was closed.
  if (Device::current() == nullptr) return report::finish();
  using namespace exit_notice;
  send(kAcks | kLeave | kReport | kStatistics);
}

template <class F>
void look_up(F& function, const char* name) {
  function = reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

__attribute__((constructor)) void prepare() {
  look_up(g_next.exit_now, "_exit");
  look_up(g_next.execve, "execve");
  look_up(g_next.execvpe, "execvpe");
  look_up(g_next.fexecve, "fexecve");
  at_quick_exit(end_quickly);
}

[[noreturn]] void end_now(int status) {
  end_quickly();
  if (g_next.exit_now != nullptr) g_next.exit_now(status);
  for (;;) syscall(SYS_exit_group, status);
}

// Returns if that failed.
template <class Exec>
int exec_with_notice(Exec exec) {
  exit_notice::send(exit_notice::kAcks);
  report::replace(true);
  const int result = exec();
  const int error = errno;
  report::replace(false);
  errno = error;
  return result;
}

// The number of arguments of execl and its variants, including the final null.
std::size_t count(const char* first, va_list& rest) {
  std::size_t n = 1;
  for (const char* argument = first; argument != nullptr; ++n) argument = va_arg(rest, const char*);
  return n;
}

// Copies them.
void collect(char** out, const char* first, va_list& rest) {
  *out = const_cast<char*>(first);
  while (*out != nullptr) *++out = va_arg(rest, char*);
}

}  // namespace
}  // namespace uroce::verbs

using namespace uroce::verbs;

#pragma GCC visibility push(default)
extern "C" {

void _exit(int status) { end_now(status); }
void _Exit(int status) noexcept { end_now(status); }

int execve(const char* path, char* const argv[], char* const envp[]) noexcept {
  return exec_with_notice([&] { return g_next.execve(path, argv, envp); });
}
int execvpe(const char* file, char* const argv[], char* const envp[]) noexcept {
  return exec_with_notice([&] { return g_next.execvpe(file, argv, envp); });
}
int fexecve(int fd, char* const argv[], char* const envp[]) noexcept {
  return exec_with_notice([&] { return g_next.fexecve(fd, argv, envp); });
}
int execv(const char* path, char* const argv[]) noexcept { return execve(path, argv, environ); }
int execvp(const char* file, char* const argv[]) noexcept { return execvpe(file, argv, environ); }

// On the stack: a child of vfork() has its parent's heap.
#define COLLECT(argv, first, rest)                                         \
  va_start(rest, first);                                                   \
  const std::size_t argv##_count = count(first, rest);                     \
  va_end(rest);                                                            \
  auto** argv = static_cast<char**>(alloca(argv##_count * sizeof(char*))); \
  va_start(rest, first);                                                   \
  collect(argv, first, rest)

int execl(const char* path, const char* first, ...) noexcept {
  va_list rest;
  COLLECT(argv, first, rest);
  va_end(rest);
  return execve(path, argv, environ);
}
int execlp(const char* file, const char* first, ...) noexcept {
  va_list rest;
  COLLECT(argv, first, rest);
  va_end(rest);
  return execvpe(file, argv, environ);
}
int execle(const char* path, const char* first, ...) noexcept {
  va_list rest;
  COLLECT(argv, first, rest);
  char* const* envp = va_arg(rest, char* const*);
  va_end(rest);
  return execve(path, argv, envp);
}

}  // extern "C"
#pragma GCC visibility pop
